#include "crowd/scenario/scenario_world.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <wend/world_input.h>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr double kDoorThickness = 0.1;  // m, of a door that is shut

// "NAME option=value ...".
GenerateSettings generatorOf(const Scenario& scenario) {
  GenerateSettings settings;
  settings.generator.clear();
  settings.seed = scenario.seed;
  const std::string_view text = scenario.mesh;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i), text.size());
    const std::string word(text.substr(i, end - i));
    i = end + 1;
    if (word.empty()) continue;
    const size_t equals = word.find('=');
    if (settings.generator.empty()) {
      settings.generator = word;
    } else {
      settings.options.emplace_back(word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1));
    }
  }
  return settings;
}

LayerDraft* findLayer(EnvironmentDraft& draft, int32_t id) {
  for (LayerDraft& layer : draft.layers) {
    if (layer.id == id) return &layer;
  }
  return nullptr;
}

Error noLayer(std::string_view what, int32_t layer) {
  return {
      ErrorCode::kInvalidSettings,
      fmt::format("{} is in layer {}, which the environment does not have; wend info lists its layers", what, layer)};
}

// Where the world comes from: a file is relative to the scenario's folder.
Result<std::string> inputOf(const Scenario& scenario) {
  if (scenario.mesh.ends_with(".wend")) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("'{}' holds the whole world; write environment = \"{}\" and leave 'mesh' out",
                             scenario.mesh, scenario.mesh)};
  }
  if (scenario.environment.starts_with("make:") || scenario.environment.find('(') != std::string::npos) {
    return scenario.environment;
  }
  return (std::filesystem::path(scenario.folder) / scenario.environment).string();
}

// What the world of a file already has: its obstacles and doors.
std::vector<Edit> editsOf(const World& world) {
  std::vector<Edit> edits;
  for (const ObstacleId id : world.obstacles()) edits.push_back(AddObstacle{*world.find(id)});
  for (const Door& door : world.doors()) edits.push_back(AddDoor{door});
  return edits;
}

// Zones with a label become labelled regions; then the mesh has to be made from the new environment.
Result<Environment> addZones(const Scenario& scenario, const Environment& environment, const Context& context) {
  EnvironmentDraft draft = draftOf(environment);
  draft.truth.reset();
  for (const ScenarioZone& zone : scenario.zones) {
    const std::string label = regionLabel(zone, scenario);
    if (label.empty() || zone.area.everywhere) continue;
    LayerDraft* layer = findLayer(draft, zone.area.layer);
    if (layer == nullptr) return noLayer(fmt::format("zone '{}'", zone.id), zone.area.layer);
    layer->regions.push_back({label, {zone.area.loops}});
  }
  return buildEnvironment(draft, context);
}

bool hasLabels(const Scenario& scenario) {
  return std::any_of(scenario.zones.begin(), scenario.zones.end(),
                     [&](const ScenarioZone& zone) { return !regionLabel(zone, scenario).empty(); });
}

Result<World> addDoors(const Scenario& scenario, const World& world, std::vector<Edit> edits, const Context& context) {
  for (const ScenarioDoor& door : scenario.doors) {
    if (world.findDoor(door.id) != nullptr) edits.push_back(RemoveDoor{door.id});
    edits.push_back(AddDoor{
        {door.id, {door.from, door.to}, kDoorThickness, door.layer, true, door.open && door.pass == DoorPass::kFree}});
  }
  if (edits.empty()) return world;
  Result<WorldUpdate> update = world.apply(edits, context);
  if (!update.ok()) return update.error();
  return update->world;
}

}  // namespace

std::string regionLabel(const ScenarioZone& zone, const Scenario& scenario) {
  if (!zone.label.empty() || zone.speedFactor == 1) return zone.label;
  const bool seen = std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                                [](const ScenarioProfile& p) { return p.crowd.route == RouteMethod::kFastest; });
  return seen ? "zone " + zone.id : "";
}

CrowdProfile withZones(CrowdProfile profile, const Scenario& scenario) {
  if (profile.route != RouteMethod::kFastest) return profile;
  std::set<std::string> counted;
  for (const ScenarioZone& zone : scenario.zones) {
    const std::string label = regionLabel(zone, scenario);
    if (zone.speedFactor == 1 || !counted.insert(label).second) continue;
    double& factor = profile.regionSpeed.try_emplace(label, 1).first->second;
    factor = std::clamp(factor * zone.speedFactor, 0.01, 2.0);
  }
  return profile;
}

std::optional<Vec3> ScenarioWorld::lift(Vec2 metres, LayerId layer) const {
  if (locator.locate(metres, layer) == kNone) return {};
  return Vec3{metres.x, metres.y, locator.height(metres, layer)};
}

double ScenarioWorld::clearance(Vec3 place, PlanScratch& scratch) const {
  const std::optional<NearestObstacle> nearest = navigator.nearestObstacle(place, scratch);
  return nearest ? nearest->distance : 0;
}

bool ScenarioWorld::fits(Vec3 place, double radius, PlanScratch& scratch) const {
  return clearance(place, scratch) >= radius;
}

LayerId ScenarioWorld::layerIndex(int32_t id) const {
  for (size_t i = 0; i < environment().layers.size(); ++i) {
    if (environment().layers[i].id == id) return static_cast<LayerId>(i);
  }
  return static_cast<LayerId>(kNone);
}

Result<World> scenarioWorld(const Scenario& scenario, const World& world, const Context& context) {
  if (!hasLabels(scenario)) return addDoors(scenario, world, {}, context);
  GenerateSettings generate{.generator = world.mesh().info().generator, .options = {}, .seed = scenario.seed};
  if (world.settings()) generate.options = world.settings()->options;
  Result<Environment> zoned = addZones(scenario, world.base(), context);
  if (!zoned.ok()) return zoned.error();
  const Result<World> made = bake(*std::move(zoned), generate, context);
  if (!made.ok()) return made.error();
  return addDoors(scenario, *made, editsOf(world), context);
}

Result<World> loadScenarioWorld(const Scenario& scenario, const Context& context) {
  GenerateSettings generate = generatorOf(scenario);
  const Result<std::string> input = inputOf(scenario);
  if (!input.ok()) return input.error();
  Result<EnvironmentReading> read = readAnyEnvironment(*input, {}, context);
  if (!read.ok()) return read.error();
  if (read->world) {
    const std::string& baked = read->world->mesh().info().generator;
    if (!scenario.mesh.empty() && generate.generator != baked) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("the world '{}' was baked with '{}', but the scenario asks for '{}'; leave 'mesh' out, "
                               "or name the environment instead of the .wend file",
                               scenario.environment, baked, scenario.mesh)};
    }
    return scenarioWorld(scenario, *read->world, context);
  }
  if (generate.generator.empty()) generate.generator = GenerateSettings().generator;
  if (hasLabels(scenario)) {
    Result<Environment> zoned = addZones(scenario, read->environment, context);
    if (!zoned.ok()) return zoned.error();
    read->environment = *std::move(zoned);
  }
  const Result<World> world = bake(std::move(read->environment), generate, context);
  if (!world.ok()) return world.error();
  return addDoors(scenario, *world, {}, context);
}

Result<std::optional<World>> withoutStairs(const Scenario& scenario, const World& world, const Context& context) {
  std::vector<Edit> edits;
  for (const ScenarioStair& stair : scenario.stairs) {
    if ((stair.kind != StairKind::kStair && stair.kind != StairKind::kEscalator) || stair.area.loops.empty()) continue;
    // One that covers no floor has no effect, which a warning says.
    const Result<PlacedArea> placed = placeArea(stair.area, world.environment(), fmt::format("stair '{}'", stair.id));
    if (!placed.ok()) continue;
    const Result<double> covered = walkableArea(*placed, world.environment());
    if (!covered.ok() || !(*covered > 0)) continue;
    Obstacle closed;
    PolygonShape shape{stair.area.loops.front(), {stair.area.loops.begin() + 1, stair.area.loops.end()}};
    const auto open = [](std::vector<Vec2>& loop) {
      while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    };
    open(shape.corners);
    for (std::vector<Vec2>& loop : shape.loops) open(loop);
    closed.shape = std::move(shape);
    closed.layers = {stair.area.layer};
    // What lies above or below the stair stays open.
    closed.spreads = false;
    edits.push_back(AddObstacle{std::move(closed)});
  }
  const bool isNeeded = std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                                    [](const ScenarioProfile& profile) { return !profile.stairs; });
  if (!isNeeded || edits.empty()) return std::optional<World>();
  Result<WorldUpdate> update = world.apply(edits, context);
  if (!update.ok()) return update.error();
  if (update->world.mesh().empty()) {
    return Error{ErrorCode::kEmpty,
                 "without its stairs the world has no floor; a profile with stairs = false has no "
                 "place in it"};
  }
  return std::optional<World>(update->world);
}

}  // namespace wend
