#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/peak_memory.h"
#include "options/extract_options.h"
#include "options/image_options.h"

namespace wend::app {
namespace {

struct BakeOptions {
  Run run;
  std::string input;
  std::string output;
  std::string generator = GenerateSettings{}.generator;
  ReadSettings read;
  ExtractOptions extract;
  ImageOptions image;
  std::map<std::string, std::string> values;
  bool check = false;
};

// An environment as it is, that of a world, or the walkable surfaces of a scene.
Result<EnvironmentReading> read(BakeOptions& o, bool unitGiven, bool cellGiven) {
  WorldReadSettings settings;
  settings.environment = o.read;
  o.extract.scale = o.read.scale;
  if (const Status status = o.extract.addTo(settings); !status.ok()) return status.error();
  if (const Status status = o.image.addTo(settings, cellGiven ? o.read.cell : 0); !status.ok()) return status.error();
  if (unitGiven) settings.extract.lattice.unit = o.read.unit;
  Result<EnvironmentReading> reading = readAnyEnvironment(o.input, settings, o.run.context());
  if (const std::string option = o.extract.given(); reading.ok() && !reading->extraction && !option.empty()) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} is for scenes of triangles, which '{}' is not", option, o.input)};
  }
  if (const std::string option = o.image.given(); reading.ok() && !reading->navigable && !option.empty()) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} is for range images and top views, which '{}' is not", option, o.input)};
  }
  return reading;
}

// What extraction left out, and where it gave up.
void sayLosses(const BakeOptions& o, const ExtractReport& report) {
  if (report.droppedComponents > 0) {
    o.run.say(
        fmt::format("left out: {} components with at most {:.2f} m2 in all (smaller than --min-area, or not "
                    "reached from the seed points)",
                    report.droppedComponents, report.droppedArea));
  }
  sayLeftOut(o.run, o.extract.settings, report);
  if (!report.spots.empty()) {
    o.run.say(fmt::format("extraction gave up in {} places; wend extract names them", report.spots.size()));
  }
}

using StageSeconds = std::vector<std::pair<std::string, double>>;

// The stages of extraction in place of its sum.
StageSeconds stagesOf(const EnvironmentReading& reading) {
  StageSeconds stages;
  for (const auto& stage : reading.seconds) {
    if (stage.first != "extract") {
      stages.push_back(stage);
      continue;
    }
    for (const auto& [name, seconds] : reading.extraction->seconds) stages.emplace_back("extract " + name, seconds);
  }
  return stages;
}

int run(BakeOptions& o, const Command& command) {
  GenerateSettings settings;
  settings.generator = o.generator;
  settings.seed = o.run.seed;
  for (const auto& [name, value] : o.values) {
    if (command.isGiven("--" + name)) settings.options.emplace_back(name, value);
  }
  Result<EnvironmentReading> reading = read(o, command.isGiven("--unit"), command.isGiven("--cell"));
  if (!reading.ok()) return o.run.fail(reading.error());
  // On a picture, an adaptive grid is grown on its own pixels.
  if (o.generator == "adaptive-grid" && !command.isGiven("--pixel")) {
    const bool isMask = reading->format.name == formatName(EnvironmentFormat::kPngMask);
    const double pixel = reading->navigable ? reading->navigable->grid.pixel : isMask ? o.read.cell : 0;
    if (pixel > 0) settings.options.emplace_back("pixel", fmt::format("{}", pixel));
  }
  StageSeconds stages = stagesOf(*reading);
  Stopwatch watch;
  const Result<World> world = bake(std::move(reading->environment), settings, o.run.context());
  if (!world.ok()) return o.run.fail(world.error());
  stages.emplace_back("generate", watch.restart());
  const NavMesh& mesh = world->mesh();
  if (o.check) {
    const std::vector<MeshFault> faults = checkMesh(mesh, &world->environment(), 1);
    if (!faults.empty()) {
      return o.run.fail(ErrorCode::kInternal, fmt::format("the mesh is wrong ({}): {}; nothing was written",
                                                          faultName(faults[0].kind), faults[0].message));
    }
    stages.emplace_back("check", watch.restart());
  }
  if (const Status status = saveWorld(*world, o.output); !status.ok()) return o.run.fail(status.error());
  stages.emplace_back("save", watch.seconds());

  o.run.finishProgress();
  const Topology& t = mesh.info().environment;
  const double area = mesh.lattice().area(t.doubledArea);
  o.run.say(fmt::format("{}: {} by {}: {} cells, {} portals, {} vertices", o.output, reading->format.name, o.generator,
                        mesh.cellCount(), mesh.portalCount(), mesh.vertexCount()));
  o.run.say(fmt::format("walkable: {:.2f} m2 in {} components, {} layers, {} boundaries", area, t.components,
                        mesh.layerCount(), t.boundaries));
  if (reading->extraction) sayLosses(o, *reading->extraction);
  if (reading->navigable) o.run.say(sayImage(*reading->navigable));
  std::string times;
  Json seconds = Json::object();
  for (const auto& [name, spent] : stages) {
    times += fmt::format("{}{} {:.3f} s", times.empty() ? "" : ", ", name, spent);
    seconds[name] = spent;
  }
  o.run.say(fmt::format("{}, peak memory {:.0f} MB, hash {}", times, peakMegabytes(), hexHash(hash(mesh))));
  Json report = {{"ok", true},
                 {"file", o.output},
                 {"generator", o.generator},
                 {"format", reading->format.name},
                 {"cells", mesh.cellCount()},
                 {"portals", mesh.portalCount()},
                 {"vertices", mesh.vertexCount()},
                 {"layers", mesh.layerCount()},
                 {"area", area},
                 {"components", t.components},
                 {"boundaries", t.boundaries},
                 {"seconds", seconds},
                 {"mesh_bytes", mesh.memory()},
                 {"peak_megabytes", peakMegabytes()},
                 {"hash", hexHash(hash(mesh))}};
  if (reading->navigable) report["image"] = toJson(*reading->navigable);
  if (reading->extraction) report["extraction"] = toJson(*reading->extraction);
  o.run.print(report);
  return kOk;
}

}  // namespace

void addBake(Program& program) {
  auto o = std::make_shared<BakeOptions>();
  Command command =
      program.line.addCommand("bake", "turn an environment or a 3D scene into a world with a navigation mesh");
  command
      .addOption("INPUT", o->input,
                 "environment: .env, .wkt, .geojson, .map, .mesh, .png; or heights: .tif, .png with --range; or "
                 "scene: .obj, .gltf, .glb, .ply, .stl, "
                 ".fbx, .dae, .ifc; or .wend: its environment, baked anew "
                 "(recognised by content)")
      .required();
  command.addOption("-o,--output", o->output, "world file to write, FILE.wend").required();
  command.addOption("-g,--generator", o->generator, "method; wend generators lists them").showDefault();
  command.addFlag("--check", o->check, "validate the mesh against the environment before writing it");
  std::map<std::string, std::string> users;
  for (const GeneratorInfo& generator : generators()) {
    for (const GeneratorOption& option : generator.options) {
      std::string& text = users[option.name];
      text +=
          fmt::format("{}{}: {} [{}]", text.empty() ? "" : "; ", generator.name, option.meaning, option.defaultValue);
    }
  }
  for (const auto& [name, text] : users) {
    command.addOption("--" + name, o->values[name], text).group("Options of generators");
  }
  addReadOptions(command, o->read);
  command.option("--unit").describe(
      "metres per lattice unit, 1e-6 to 1; finer reaches less far; if not given, a scene chooses: 1e-6 up to 268 m "
      "from the origin, 1e-5 up to 2.6 km, else 1e-4");
  o->extract.addTo(command);
  o->image.addTo(command, false);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend bake city.env -o city.wend\n  wend bake arena.map --cell 0.5 -g delaunay -o arena.wend\n"
      "  wend bake plan.wkt -g hertel-mehlhorn --order shortest --check -o plan.wend\n"
      "  wend bake level.glb --height 1.8 -o level.wend\n"
      "  wend bake surface.tif --lidar -g adaptive-grid --seeds sampled --seed-period 32 -o town.wend");
  command.onRun([o, command, &program] {
    program.exitCode = o->run.guarded(o->output, {o->input}, [&] { return run(*o, command); });
  });
}

}  // namespace wend::app
