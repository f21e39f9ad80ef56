#pragma once

#include <map>
#include <memory>
#include <set>

#include <wend/navigator.h>
#include <wend/scenario.h>

#include "crowd/scenario/placed_area.h"

// The world of a scenario, with the doors and obstacles that its events change.
namespace wend {

struct ScenarioWorld {
  World world;
  Navigator navigator;
  Locator locator;

  const Environment& environment() const { return world.environment(); }

  // The place on the surface, if it is on the mesh.
  std::optional<Vec3> lift(Vec2 metres, LayerId layer) const;
  // True if a disk fits there.
  bool fits(Vec3 place, double radius, PlanScratch& scratch) const;
  double clearance(Vec3 place, PlanScratch& scratch) const;  // 0 off the mesh
  // The index of a layer's id, or kNone.
  LayerId layerIndex(int32_t id) const;
};

// The differences from the file: closed doors by id, obstacles by id.
struct WorldEdits {
  std::set<std::string> closed;
  std::map<std::string, Area> obstacles;
};

// The label of a zone for planning: its own, or one made for it if a profile takes the fastest route; or none.
std::string regionLabel(const ScenarioZone& zone, const Scenario& scenario);
// The profile for the crowd: for the fastest route, its speeds include the factors of zones.
CrowdProfile withZones(CrowdProfile profile, const Scenario& scenario);

class ScenarioWorldMaker {
 public:
  static Result<ScenarioWorldMaker> load(const Scenario& scenario, const Context& context);
  // Keeps every world that it makes: a door that opens and shuts needs two meshes.
  Result<std::shared_ptr<const ScenarioWorld>> make(const WorldEdits& edits, const Context& context);

 private:
  Result<ScenarioWorldMaker> addZones(const Context& context);

  const Scenario* scenario_ = nullptr;
  Environment environment_;
  std::optional<World> base_;  // as given, if the mesh need not be made
  GenerateSettings generate_;
  std::vector<std::pair<std::string, std::shared_ptr<const ScenarioWorld>>> made_;
};

}  // namespace wend
