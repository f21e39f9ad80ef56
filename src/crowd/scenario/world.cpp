#include "crowd/scenario/world.h"

#include <charconv>
#include <filesystem>
#include <fstream>

#include <wend/environment_file.h>
#include <wend/extract.h>
#include <wend/file.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/mesh_file.h>
#include <wend/mesh_navigator.h>

#include <fmt/format.h>

#include "base/hash.h"

namespace wend {
namespace {

// A shut door is a wall this thick, a little longer than its line so that no slit stays at its posts.
constexpr double kDoorThickness = 0.1;  // m
constexpr double kDoorOverhang = 0.05;  // m

Result<Environment> makeFromText(std::string_view text, const Context& context) {
  MakeSettings settings;
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i), text.size());
    if (end > i) words.emplace_back(text.substr(i, end - i));
    i = end + 1;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (i == 0 && equals == std::string::npos) {
      settings.kind = words[i];
      continue;
    }
    double value = 0;
    const char* end = words[i].data() + words[i].size();
    if (equals == std::string::npos || i == 0 || std::from_chars(words[i].data() + equals + 1, end, value).ptr != end) {
      return Error{
          ErrorCode::kInvalidSettings,
          fmt::format("'{}' in the environment is not 'name=number'; write for example make:city size=300", words[i])};
    }
    const std::string name = words[i].substr(0, equals);
    if (name == "seed") {
      settings.seed = static_cast<uint64_t>(std::clamp(value, 0.0, 1e15));
    } else {
      settings.parameters.emplace_back(name, value);
    }
  }
  return makeWorld(settings, context);
}

bool isWkt(std::string_view text) {
  if (text.find('(') == std::string_view::npos) return false;
  std::string head(text.substr(0, 18));
  for (char& c : head) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return head.starts_with("POLYGON") || head.starts_with("MULTIPOLYGON") || head.starts_with("GEOMETRYCOLLECTION");
}

Result<Environment> readWorldFile(const std::string& path, const Context& context) {
  std::vector<std::byte> head;
  {
    std::ifstream file(path, std::ios::binary);
    head.resize(size_t{16} << 10);
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(file.gcount()));
  }
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && !isMeshFile(head) && recogniseScene(head, size).ok()) {
    const Result<Scene> scene = readScene(path, {}, context);
    if (!scene.ok()) return scene.error();
    Result<Extraction> extraction = extract(*scene, {}, context);
    if (!extraction.ok()) return extraction.error();
    return std::move(extraction->environment);
  }
  return readEnvironment(path, {}, context);
}

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

std::optional<Vec3> World::lift(Vec2 metres, LayerId layer) const {
  if (locator.locate(metres, layer) == kNone) return {};
  return Vec3{metres.x, metres.y, locator.height(metres, layer)};
}

double World::clearance(Vec3 place, PlanScratch& scratch) const {
  const std::optional<NearestObstacle> nearest = navigator->nearestObstacle(place, withHeights, scratch);
  return nearest ? nearest->distance : 0;
}

bool World::fits(Vec3 place, double radius, PlanScratch& scratch) const {
  return clearance(place, scratch) >= radius;
}

LayerId World::layerIndex(int32_t id) const {
  for (size_t i = 0; i < environment.layers.size(); ++i) {
    if (environment.layers[i].id == id) return static_cast<LayerId>(i);
  }
  return static_cast<LayerId>(kNone);
}

Result<WorldMaker> WorldMaker::load(const Scenario& scenario, const Context& context) {
  WorldMaker maker;
  maker.scenario_ = &scenario;
  const auto resolve = [&](const std::string& path) {
    return (std::filesystem::path(scenario.folder) / path).string();
  };
  Result<Environment> environment = scenario.environment.starts_with("make:")
                                        ? makeFromText(std::string_view(scenario.environment).substr(5), context)
                                    : isWkt(scenario.environment)
                                        ? parseEnvironment(asBytes(scenario.environment), "environment", {}, context)
                                        : readWorldFile(resolve(scenario.environment), context);
  if (!environment.ok()) return environment.error();
  maker.base_ = std::move(environment).value();
  const bool labelled = std::any_of(scenario.zones.begin(), scenario.zones.end(),
                                    [&](const ScenarioZone& z) { return !regionLabel(z, scenario).empty(); });
  if (labelled) {
    EnvironmentDraft draft = draftOf(maker.base_);
    draft.truth.reset();
    for (const ScenarioZone& zone : scenario.zones) {
      const std::string label = regionLabel(zone, scenario);
      if (label.empty() || zone.area.everywhere) continue;
      LayerDraft* layer = findLayer(draft, zone.area.layer);
      if (layer == nullptr) return noLayer(fmt::format("zone '{}'", zone.id), zone.area.layer);
      layer->regions.push_back({label, {zone.area.loops}});
    }
    Result<Environment> built = buildEnvironment(draft, context);
    if (!built.ok()) return built.error();
    maker.base_ = std::move(built).value();
  }
  maker.generator_ = scenario.mesh;
  if (scenario.mesh.ends_with(".wend")) {
    Result<NavMesh> mesh = loadMesh(resolve(scenario.mesh));
    if (!mesh.ok()) return mesh.error();
    if (mesh->info().environmentHash != hash(maker.base_)) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("the mesh '{}' was made from another environment; bake it again", scenario.mesh)};
    }
    maker.generator_ = mesh->info().generator;
    maker.given_ = std::move(mesh).value();
  }
  return maker;
}

Result<std::shared_ptr<const World>> WorldMaker::make(const WorldEdits& edits, const Context& context) {
  const std::string key = keyOf(edits);
  for (const auto& [known, world] : made_) {
    if (known == key) return world;
  }
  auto world = std::make_shared<World>();
  world->environment = base_;
  if (!key.empty()) {
    EnvironmentDraft draft = draftOf(base_);
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
    world->environment = std::move(built).value();
  }
  std::optional<NavMesh> mesh;
  if (key.empty() && given_) mesh = given_;
  if (!mesh) {
    Result<NavMesh> made = generate(world->environment, {.generator = generator_, .seed = scenario_->seed}, context);
    if (!made.ok()) return made.error();
    mesh = std::move(made).value();
  }
  world->locator = Locator(*mesh);
  world->withHeights = world->environment.layers.size() > 1;
  if (mesh->corridorMap() != nullptr) {
    auto navigator = EcmNavigator::make(*mesh);
    if (!navigator.ok()) return navigator.error();
    world->navigator = *navigator;
  } else {
    world->navigator = std::make_shared<MeshNavigator>(*mesh);
  }
  made_.emplace_back(key, world);
  return std::shared_ptr<const World>(world);
}

}  // namespace wend
