#include "crowd/scenario/scenario_world.h"

#include <algorithm>
#include <filesystem>

#include <wend/world_input.h>

#include <fmt/format.h>

namespace wend {
namespace {

// A shut door is a wall this thick, a little longer than its line so that no slit stays at its posts.
constexpr double kDoorThickness = 0.1;  // m
constexpr double kDoorOverhang = 0.05;  // m

std::vector<Vec2> doorWall(const ScenarioDoor& door) {
  const double length = std::hypot(door.to.x - door.from.x, door.to.y - door.from.y);
  const Vec2 u{(door.to.x - door.from.x) / length, (door.to.y - door.from.y) / length};
  const Vec2 n{-u.y * kDoorThickness / 2, u.x * kDoorThickness / 2};
  const Vec2 a{door.from.x - u.x * kDoorOverhang, door.from.y - u.y * kDoorOverhang};
  const Vec2 b{door.to.x + u.x * kDoorOverhang, door.to.y + u.y * kDoorOverhang};
  return {{a.x - n.x, a.y - n.y}, {b.x - n.x, b.y - n.y}, {b.x + n.x, b.y + n.y}, {a.x + n.x, a.y + n.y}};
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

// Equal edits, equal text.
std::string keyOf(const WorldEdits& edits) {
  std::string key;
  for (const std::string& door : edits.closed) key += fmt::format("d{}:{};", door.size(), door);
  for (const auto& [id, area] : edits.obstacles) {
    key += fmt::format("o{}:{}@{}", id.size(), id, area.layer);
    for (const auto& loop : area.loops) {
      for (const Vec2 p : loop) key += fmt::format(",{} {}", p.x, p.y);
    }
    key += ';';
  }
  return key;
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

Result<ScenarioWorldMaker> ScenarioWorldMaker::load(const Scenario& scenario, const Context& context) {
  ScenarioWorldMaker maker;
  maker.scenario_ = &scenario;
  maker.generate_ = {.generator = scenario.mesh, .options = {}, .seed = scenario.seed};
  const Result<std::string> input = inputOf(scenario);
  if (!input.ok()) return input.error();
  Result<EnvironmentReading> read = readAnyEnvironment(*input, {}, context);
  if (!read.ok()) return read.error();
  if (read->world) {
    maker.generate_.generator = read->world->mesh().info().generator;
    if (!scenario.mesh.empty() && scenario.mesh != maker.generate_.generator) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("the world '{}' was baked with '{}', but the scenario asks for '{}'; leave 'mesh' out, "
                               "or name the environment instead of the .wend file",
                               scenario.environment, maker.generate_.generator, scenario.mesh)};
    }
    maker.base_ = *read->world;
  }
  if (maker.generate_.generator.empty()) maker.generate_.generator = GenerateSettings().generator;
  maker.environment_ = std::move(read->environment);
  return maker.addZones(context);
}

// Zones with a label become labelled regions; then the mesh has to be made from the new environment.
Result<ScenarioWorldMaker> ScenarioWorldMaker::addZones(const Context& context) {
  const std::vector<ScenarioZone>& zones = scenario_->zones;
  const bool labelled = std::any_of(zones.begin(), zones.end(),
                                    [&](const ScenarioZone& z) { return !regionLabel(z, *scenario_).empty(); });
  if (!labelled) return *this;
  EnvironmentDraft draft = draftOf(environment_);
  draft.truth.reset();
  for (const ScenarioZone& zone : zones) {
    const std::string label = regionLabel(zone, *scenario_);
    if (label.empty() || zone.area.everywhere) continue;
    LayerDraft* layer = findLayer(draft, zone.area.layer);
    if (layer == nullptr) return noLayer(fmt::format("zone '{}'", zone.id), zone.area.layer);
    layer->regions.push_back({label, {zone.area.loops}});
  }
  Result<Environment> built = buildEnvironment(draft, context);
  if (!built.ok()) return built.error();
  environment_ = *std::move(built);
  base_.reset();
  return *this;
}

Result<std::shared_ptr<const ScenarioWorld>> ScenarioWorldMaker::make(const WorldEdits& edits, const Context& context) {
  const std::string key = keyOf(edits);
  for (const auto& [known, world] : made_) {
    if (known == key) return world;
  }
  Environment environment = environment_;
  if (!key.empty()) {
    EnvironmentDraft draft = draftOf(environment_);
    draft.truth.reset();
    for (const ScenarioDoor& door : scenario_->doors) {
      if (!edits.closed.contains(door.id)) continue;
      LayerDraft* layer = findLayer(draft, door.layer);
      if (layer == nullptr) return noLayer(fmt::format("door '{}'", door.id), door.layer);
      layer->obstacles.push_back({doorWall(door)});
    }
    for (const auto& [id, area] : edits.obstacles) {
      LayerDraft* layer = findLayer(draft, area.layer);
      if (layer == nullptr) return noLayer(fmt::format("obstacle '{}'", id), area.layer);
      layer->obstacles.push_back(area.loops);
    }
    Result<Environment> built = buildEnvironment(draft, context);
    if (!built.ok()) return built.error();
    environment = *std::move(built);
  }
  auto made = std::make_shared<ScenarioWorld>();
  if (key.empty() && base_) {
    made->world = *base_;
  } else {
    Result<World> baked = bake(std::move(environment), generate_, context);
    if (!baked.ok()) return baked.error();
    made->world = *std::move(baked);
  }
  made->locator = Locator(made->world.mesh());
  made->navigator = makeNavigator(made->world);
  made_.emplace_back(key, made);
  return std::shared_ptr<const ScenarioWorld>(made);
}

}  // namespace wend
