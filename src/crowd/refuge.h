#pragma once

#include <wend/navigator.h>

#include "crowd/move.h"

// Where agents of an old world may stand in a new one.
namespace wend {

class Refuge {
 public:
  Refuge(const Navigator& before, const Ground& ground, const Locator& locator, const Ground& now,
         const Locator& nowLocator)
      : before_(before), ground_(ground), locator_(locator), now_(now), nowLocator_(nowLocator) {}

  // The same place if the disk still fits there, else the nearest one by a walk in the old free space; false if there
  // is none. `height` is the agent's, metres. O(walls) for an agent that must go.
  bool find(const AgentPlace& old, double height, double radius, AgentPlace& place, NearWalls& walls,
            WallFloodScratch& scratch, PlanScratch& plan) const;

 private:
  // Whether the disk can stand there: in the same component as before, with half its radius free around it.
  bool settle(Point at, double height, CellId oldCell, AgentPlace& place, double radius, NearWalls& walls,
              WallFloodScratch& scratch) const;

  const Navigator& before_;
  const Ground& ground_;
  const Locator& locator_;
  const Ground& now_;
  const Locator& nowLocator_;
};

}  // namespace wend
