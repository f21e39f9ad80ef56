#pragma once

#include <map>
#include <memory>
#include <set>

#include <wend/navigator.h>
#include <wend/scenario.h>

#include "crowd/scenario/placed_area.h"

// The world of a scenario, with the doors and obstacles that its events change.
namespace wend {

struct World {
  Environment environment;
  std::shared_ptr<const Navigator> navigator;
  Locator locator;
  bool withHeights = false;  // several layers: z chooses

  // The place on the surface, if it is on the mesh.
  std::optional<Vec3> lift(Vec2 metres, LayerId layer) const;
  // Whether a disk has room there.
  bool fits(Vec3 place, double radius, PlanScratch& scratch) const;
  double clearance(Vec3 place, PlanScratch& scratch) const;  // 0 off the mesh
  // The index of a layer's id, or kNone.
  LayerId layerIndex(int32_t id) const;
};

// What differs from the file: closed doors by id, obstacles by id.
struct WorldEdits {
  std::set<std::string> closed;
  std::map<std::string, Area> obstacles;
};

// The label under which routes know a zone: its own, or one made for it if somebody takes the fastest way; or none.
std::string regionLabel(const ScenarioZone& zone, const Scenario& scenario);
// The profile as the crowd knows it: for the fastest way, speeds count the factors of zones.
CrowdProfile withZones(CrowdProfile profile, const Scenario& scenario);

class WorldMaker {
 public:
  static Result<WorldMaker> load(const Scenario& scenario, const Context& context);
  // Kept once made: a door that opens and shuts costs two meshes.
  Result<std::shared_ptr<const World>> make(const WorldEdits& edits, const Context& context);

 private:
  const Scenario* scenario_ = nullptr;
  Environment base_;
  std::string generator_;
  std::optional<NavMesh> given_;
  std::vector<std::pair<std::string, std::shared_ptr<const World>>> made_;
};

}  // namespace wend
