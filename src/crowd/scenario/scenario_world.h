#pragma once

#include <memory>
#include <optional>
#include <string>

#include <wend/navigator.h>
#include <wend/scenario.h>

#include "crowd/scenario/placed_area.h"

// The world of a scenario, with the doors and obstacles that its events change.
namespace wend {

struct ScenarioWorld {
  World world;
  Navigator navigator;
  Locator locator;

  explicit ScenarioWorld(World of) : world(std::move(of)), navigator(makeNavigator(world)), locator(world.mesh()) {}
  // After an edit of the world of `before`: in the time of what changed.
  ScenarioWorld(const ScenarioWorld& before, World of)
      : world(std::move(of)),
        navigator(makeNavigator(before.navigator, world)),
        locator(before.locator.next(world.mesh())) {}

  const Environment& environment() const { return world.environment(); }

  // The place on the surface, if it is on the mesh.
  std::optional<Vec3> lift(Vec2 metres, LayerId layer) const;
  // True if a disk fits there.
  bool fits(Vec3 place, double radius, PlanScratch& scratch) const;
  double clearance(Vec3 place, PlanScratch& scratch) const;  // 0 off the mesh
  // The index of a layer's id, or kNone.
  LayerId layerIndex(int32_t id) const;
};

// The label of a zone for planning: its own, or one made for it if a profile takes the fastest route; or none.
std::string regionLabel(const ScenarioZone& zone, const Scenario& scenario);
// The profile for the crowd: for the fastest route, its speeds include the factors of zones.
CrowdProfile withZones(CrowdProfile profile, const Scenario& scenario);

// The world of the scenario with its zones and doors, those shut that begin shut.
Result<World> loadScenarioWorld(const Scenario& scenario, const Context& context);
// The same for a world that is there already, whatever the scenario names.
Result<World> scenarioWorld(const Scenario& scenario, const World& world, const Context& context);

// The same world with its stairs and escalators closed, for profiles that never take them; nothing if there are no such
// profiles or stairs.
Result<std::optional<World>> withoutStairs(const Scenario& scenario, const World& world, const Context& context);

}  // namespace wend
