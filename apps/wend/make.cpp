#include <algorithm>
#include <charconv>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct MakeOptions {
  Run run;
  std::string kind;
  std::string output;
  bool list = false;
  bool scene = false;
  std::vector<std::string> damage;
  double unit = 1e-4;
  std::map<std::string, double> values;
};

Json listParameters(const MakeOptions& o, const std::vector<MakeParameter>& parameters) {
  Json list = Json::array();
  for (const MakeParameter& p : parameters) {
    o.run.say(
        fmt::format("{:<16}   --{} {:g} ({:g} to {:g}): {}", "", p.name, p.defaultValue, p.min, p.max, p.meaning));
    list.push_back({{"name", p.name},
                    {"meaning", p.meaning},
                    {"default", p.defaultValue},
                    {"min", p.min},
                    {"max", p.max},
                    {"whole", p.whole}});
  }
  return list;
}

void listKinds(const MakeOptions& o) {
  Json kinds = Json::array();
  Json scenes = Json::array();
  if (!o.scene) {
    for (const EnvironmentKind& kind : environmentKinds()) {
      o.run.say(fmt::format("{:<16} {}", kind.name, kind.meaning));
      if (!kind.standsFor.empty()) o.run.say(fmt::format("{:<16}   stands for: {}", "", kind.standsFor));
      kinds.push_back({{"name", kind.name},
                       {"meaning", kind.meaning},
                       {"stands_for", kind.standsFor},
                       {"parameters", listParameters(o, kind.parameters)}});
    }
    o.run.say("\nscenes of triangles, with --3d:");
  }
  for (const SceneKind& kind : sceneKinds()) {
    o.run.say(fmt::format("{:<16} {}", kind.name, kind.meaning));
    scenes.push_back(
        {{"name", kind.name}, {"meaning", kind.meaning}, {"parameters", listParameters(o, kind.parameters)}});
  }
  o.run.print({{"ok", true}, {"kinds", kinds}, {"scenes", scenes}});
}

Result<SceneDamage> parseDamage(const std::string& text) {
  const size_t equals = text.find('=');
  for (size_t k = 0; equals != std::string::npos && k <= static_cast<size_t>(DamageKind::kIntersect); ++k) {
    const DamageKind kind = static_cast<DamageKind>(k);
    if (text.substr(0, equals) != damageName(kind)) continue;
    double amount = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, amount);
    if (error == std::errc() && stop == end) return SceneDamage{kind, amount};
  }
  return Error{
      ErrorCode::kInvalidSettings,
      fmt::format(
          "'{}' is not a kind of damage; write jitter=METRES, crack=METRES, or duplicate, delete, split, flip or "
          "intersect=FRACTION",
          text)};
}

Json truthJson(const SceneTruth& truth) {
  Json components = Json::array();
  for (const SceneTruth::Component& component : truth.components) {
    components.push_back(
        {{"area", component.area < 0 ? Json() : Json(component.area)}, {"tolerance", component.tolerance}});
  }
  Json spots = Json::array();
  for (const SceneSpot& spot : truth.spots) {
    spots.push_back({{"name", spot.name},
                     {"position", {spot.position.x, spot.position.y, spot.position.z}},
                     {"component", spot.component}});
  }
  return {{"complete", truth.complete}, {"components", components}, {"spots", spots}};
}

int runScene(MakeOptions& o, const std::vector<std::pair<std::string, double>>& parameters) {
  const Stopwatch watch;
  Result<MadeScene> made = makeScene({o.kind, parameters, o.run.seed}, o.run.context());
  if (!made.ok()) return o.run.fail(made.error());
  for (const std::string& text : o.damage) {
    const Result<SceneDamage> damage = parseDamage(text);
    if (!damage.ok()) return o.run.fail(damage.error());
    Result<Scene> damaged = damageScene(std::move(made->scene), *damage, o.run.seed);
    if (!damaged.ok()) return o.run.fail(damaged.error());
    made->scene = std::move(damaged).value();
  }
  const double seconds = watch.seconds();
  const Scene& scene = made->scene;
  if (const Status status = writeScene(scene, o.output); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  o.run.say(fmt::format("{}: {} triangles, {} vertices, {} labels", o.output, scene.triangles.size(),
                        scene.vertices.size(), scene.labels.size()));
  if (o.damage.empty()) {
    const SceneTruth& truth = made->truth;
    for (size_t i = 0; i < truth.components.size(); ++i) {
      std::string names;
      for (const SceneSpot& spot : truth.spots) {
        if (spot.component == i && names.size() < 60) names += (names.empty() ? "" : ", ") + spot.name;
      }
      o.run.say(fmt::format("  walkable {}{}",
                            truth.components[i].area < 0 ? "?" : fmt::format("{:.3f} m2", truth.components[i].area),
                            names.empty() ? "" : ": " + names));
    }
  }
  o.run.say(fmt::format("made in {:.3f} s, hash {}", seconds, hexHash(hash(scene))));
  Json report = {{"ok", true},
                 {"kind", o.kind},
                 {"file", o.output},
                 {"triangles", scene.triangles.size()},
                 {"vertices", scene.vertices.size()}};
  report["truth"] = o.damage.empty() ? truthJson(made->truth) : Json();
  report["seconds"] = seconds;
  report["hash"] = hexHash(hash(scene));
  o.run.print(report);
  return kOk;
}

// Heights in centimetres, one metre up; 0 stands for pixels without return.
int runPicture(MakeOptions& o, const std::vector<std::pair<std::string, double>>& parameters) {
  if (o.kind != "grid-city") {
    return o.run.fail(ErrorCode::kInvalidSettings,
                      fmt::format("only the kind grid-city makes a range image, not '{}'; write it as .env", o.kind));
  }
  RangeCitySettings settings;
  settings.seed = o.run.seed;
  for (const auto& [name, value] : parameters) {
    if (!(value >= 0 && value <= 65536)) {
      return o.run.fail(ErrorCode::kInvalidSettings, fmt::format("--{} cannot be {:g}", name, value));
    }
    if (name == "size") settings.pixels = static_cast<uint32_t>(value);
    if (name == "blocks") settings.blocks = static_cast<uint32_t>(value);
    if (name == "buildings") settings.buildings = static_cast<uint32_t>(value);
    if (name == "rotation") settings.rotation = value;
    if (name == "fill") settings.fill = value;
    if (name == "lidar") settings.lidar = value != 0;
  }
  const Result<RangeCity> city = makeRangeCity(settings, o.run.context());
  if (!city.ok()) return o.run.fail(city.error());
  std::vector<uint16_t> values;
  values.reserve(city->image.heights.size());
  for (const int32_t z : city->image.heights) {
    const int64_t value = 100 + int64_t{z} / 10;
    values.push_back(z == RangeImage::kNoReturn ? uint16_t{0}
                                                : static_cast<uint16_t>(std::clamp<int64_t>(value, 1, 65535)));
  }
  const Result<std::string> bytes = encodePng16(city->image.width, city->image.height, values);
  if (!bytes.ok()) return o.run.fail(bytes.error());
  if (const Status status = writeFile(o.output, *bytes); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  const auto free = static_cast<double>(std::count(city->truth.free.begin(), city->truth.free.end(), 1));
  const double share = free / static_cast<double>(city->truth.free.size());
  o.run.say(
      fmt::format("{}: {} x {} pixels of 1 m, {} buildings, {:.1f} % free; read it with --height-scale 0.01 --no-data "
                  "0",
                  o.output, city->image.width, city->image.height, city->buildings.size(), 100 * share));
  o.run.print({{"ok", true},
               {"kind", o.kind},
               {"file", o.output},
               {"pixels", city->image.width},
               {"buildings", city->buildings.size()},
               {"free_share", share}});
  return kOk;
}

template <typename Kinds>
bool has(const Kinds& kinds, const std::string& name) {
  return std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == name; });
}

int run(MakeOptions& o, const Command& command) {
  if (o.list) {
    listKinds(o);
    return kOk;
  }
  if (o.kind.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, "which world? give a KIND; wend make --list shows them");
  }
  if (o.output.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, o.scene ? "where to? give -o FILE.glb (or .obj)"
                                                           : "where to? give -o FILE.env (or .wkt, .geojson)");
  }
  if (has(environmentKinds(), o.kind) != has(sceneKinds(), o.kind) && o.scene != has(sceneKinds(), o.kind)) {
    return o.run.fail(ErrorCode::kInvalidSettings,
                      fmt::format("'{}' is a {}", o.kind,
                                  o.scene ? "world of polygons; leave out --3d" : "scene of triangles; add --3d"));
  }
  if (!o.scene && !o.damage.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, "--damage is for scenes; add --3d");
  }
  MakeSettings settings;
  settings.kind = o.kind;
  settings.seed = o.run.seed;
  settings.lattice.unit = o.unit;
  for (const auto& [name, value] : o.values) {
    if (command.isGiven("--" + name)) settings.parameters.emplace_back(name, value);
  }
  if (o.scene) return runScene(o, settings.parameters);
  if (o.output.ends_with(".png")) return runPicture(o, settings.parameters);
  const Stopwatch watch;
  const Result<Environment> world = makeEnvironment(settings, o.run.context());
  if (!world.ok()) return o.run.fail(world.error());
  const double seconds = watch.seconds();
  if (const Status status = writeEnvironment(*world, o.output); !status.ok()) return o.run.fail(status.error());

  const Topology& truth = *world->truth;
  o.run.finishProgress();
  o.run.say(fmt::format("{}: {} layers, {} connections, {} vertices, {:.2f} m2, {} components, {} boundaries, genus {}",
                        o.output, world->layers.size(), world->connections.size(), vertexCount(*world),
                        world->lattice.area(truth.doubledArea), truth.components, truth.boundaries, truth.genus));
  o.run.say(fmt::format("made in {:.3f} s, hash {}", seconds, hexHash(hash(*world))));
  Json report = {{"ok", true},
                 {"kind", o.kind},
                 {"file", o.output},
                 {"layers", world->layers.size()},
                 {"connections", world->connections.size()},
                 {"vertices", vertexCount(*world)}};
  report.update(toJson(truth, world->lattice));
  report["seconds"] = seconds;
  report["hash"] = hexHash(hash(*world));
  o.run.print(report);
  return kOk;
}

}  // namespace

void addMake(Program& program) {
  auto o = std::make_shared<MakeOptions>();
  Command command = program.line.addCommand("make", "make a synthetic world, or a scene of triangles");
  command.addOption("KIND", o->kind, "the family of worlds; --list shows all with their sizes");
  command.addFlag("--list", o->list, "show every kind with its parameters");
  command.addFlag("--3d", o->scene, "make a scene of triangles instead of a world");
  command.addOption(
      "-o,--output", o->output,
      "file to write: .env, .wkt or .geojson; .png for a range image of grid-city; with --3d .glb or .obj");
  command
      .addOption("--damage", o->damage,
                 "break a scene: jitter=METRES, crack=METRES, or duplicate, delete, split, flip or intersect=FRACTION; "
                 "may be repeated")
      .oneValueEach();
  command.addOption("--unit", o->unit, "metres per lattice unit").check(range(1e-6, 1.0)).showDefault();
  // One option per name; kinds that mean the same by it share the sentence.
  std::map<std::string, std::map<std::string, std::string>> users;
  const auto addUser = [&](const std::string& kind, const MakeParameter& p) {
    std::string& kinds = users[p.name][fmt::format("{} [{:g}]", p.meaning, p.defaultValue)];
    kinds += (kinds.empty() ? "" : ", ") + kind;
  };
  for (const EnvironmentKind& kind : environmentKinds()) {
    for (const MakeParameter& p : kind.parameters) addUser(kind.name, p);
  }
  for (const SceneKind& kind : sceneKinds()) {
    for (const MakeParameter& p : kind.parameters) {
      // Thirty-two names would say nothing.
      const bool small = p.name == "turn";
      if (!small) addUser("3d " + kind.name, p);
      if (small && kind.name == "s01") addUser("3d s01 to s32", p);
    }
  }
  for (const auto& [name, meanings] : users) {
    std::string text;
    for (const auto& [meaning, kinds] : meanings) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kinds, meaning);
    }
    command.addOption("--" + name, o->values[name], text).group("Sizes, by kind");
  }
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend make --list\n  wend make maze --size 32 --seed 7 -o maze.env\n  wend make zelda --tiles 2 -o "
      "zelda2x2.env\n  wend make --3d house -o house.glb\n  wend make --3d stadium --rows 40 --damage flip=0.01 -o "
      "stadium.glb");
  command.onRun([o, command, &program] { program.exitCode = run(*o, command); });
}

}  // namespace wend::app
