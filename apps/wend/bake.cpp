#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/peak_memory.h"
#include "extract_options.h"

namespace wend::app {
namespace {

struct BakeOptions {
  Run run;
  std::string input;
  std::string output;
  std::string generator = GenerateSettings{}.generator;
  ReadSettings read;
  ExtractOptions extract;
  std::map<std::string, std::string> values;
  bool check = false;
};

// An environment as it is, or the walkable surfaces of a scene.
Result<Input> read(BakeOptions& o, bool unitGiven) {
  if (!sceneFormat(o.input)) {
    Result<Input> input = readInput(o.input, o.read, o.run.context());
    if (const std::string option = o.extract.given(); input.ok() && !option.empty()) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("{} is for scenes of triangles, which '{}' is not", option, o.input)};
    }
    return input;
  }
  if (unitGiven) o.extract.settings.lattice.unit = o.read.unit;
  o.extract.scale = o.read.scale;
  Result<ExtractOptions::Walkable> walkable = o.extract.run(o.input, o.run.context());
  if (!walkable.ok()) return walkable.error();
  Input input;
  input.environment = std::move(walkable->extraction.environment);
  input.format = "scene";
  const ExtractReport& report = walkable->extraction.report;
  if (!report.spots.empty()) {
    o.run.say(fmt::format("extraction gave up in {} places; wend extract names them", report.spots.size()));
  }
  return input;
}

int run(BakeOptions& o, const CLI::App& command) {
  GenerateSettings settings;
  settings.generator = o.generator;
  settings.seed = o.run.seed;
  for (const auto& [name, value] : o.values) {
    if (command.get_option("--" + name)->count() > 0) settings.options.emplace_back(name, value);
  }
  Stopwatch watch;
  Result<Input> input = read(o, command.get_option("--unit")->count() > 0);
  if (!input.ok()) return o.run.fail(input.error());
  if (!input->environment) {
    return o.run.fail(ErrorCode::kFormat, fmt::format("'{}' is a mesh already; bake takes an environment", o.input));
  }
  const Environment& environment = *input->environment;
  const double readSeconds = watch.restart();
  const Result<NavMesh> mesh = generate(environment, settings, o.run.context());
  if (!mesh.ok()) return o.run.fail(mesh.error());
  const double generateSeconds = watch.restart();
  if (o.check) {
    const std::vector<MeshFault> faults = checkMesh(*mesh, &environment, 1);
    if (!faults.empty()) {
      return o.run.fail(ErrorCode::kInternal, fmt::format("the mesh is wrong ({}): {}; nothing was written",
                                                          faultName(faults[0].kind), faults[0].message));
    }
  }
  const double checkSeconds = watch.restart();
  if (const Status status = saveMesh(*mesh, o.output); !status.ok()) return o.run.fail(status.error());
  const double saveSeconds = watch.seconds();

  o.run.finishProgress();
  const double area = mesh->lattice().area(mesh->info().environment.doubledArea);
  o.run.say(fmt::format("{}: {} cells, {} portals, {} vertices, {} layers, {:.2f} m2", o.output, mesh->cellCount(),
                        mesh->portalCount(), mesh->vertexCount(), mesh->layerCount(), area));
  o.run.say(fmt::format("read {:.3f} s, generate {:.3f} s, {}save {:.3f} s, peak memory {:.0f} MB, hash {}",
                        readSeconds, generateSeconds, o.check ? fmt::format("check {:.3f} s, ", checkSeconds) : "",
                        saveSeconds, peakMegabytes(), hexHash(hash(*mesh))));
  Json seconds = {{"read", readSeconds}, {"generate", generateSeconds}, {"save", saveSeconds}};
  if (o.check) seconds["check"] = checkSeconds;
  o.run.print({{"ok", true},
               {"file", o.output},
               {"generator", o.generator},
               {"format", input->format},
               {"cells", mesh->cellCount()},
               {"portals", mesh->portalCount()},
               {"vertices", mesh->vertexCount()},
               {"layers", mesh->layerCount()},
               {"area", area},
               {"seconds", seconds},
               {"mesh_bytes", mesh->memory()},
               {"peak_megabytes", peakMegabytes()},
               {"hash", hexHash(hash(*mesh))}});
  return kOk;
}

}  // namespace

void addBake(Program& program) {
  auto o = std::make_shared<BakeOptions>();
  CLI::App* command = program.app.add_subcommand("bake", "turn an environment or a 3D scene into a navigation mesh");
  command
      ->add_option("INPUT", o->input,
                   "environment: .env, .wkt, .geojson, .map, .mesh, .png; or scene: .obj, .gltf, .glb, .ply, .stl, "
                   ".fbx, .dae, .ifc "
                   "(recognised by content)")
      ->required();
  command->add_option("-o,--output", o->output, "mesh file to write, FILE.wend")->required();
  command->add_option("-g,--generator", o->generator, "method; wend generators lists them")->capture_default_str();
  command->add_flag("--check", o->check, "validate the mesh against the environment before writing it");
  std::map<std::string, std::string> users;
  for (const GeneratorInfo& generator : generators()) {
    for (const GeneratorOption& option : generator.options) {
      std::string& text = users[option.name];
      text +=
          fmt::format("{}{}: {} [{}]", text.empty() ? "" : "; ", generator.name, option.meaning, option.defaultValue);
    }
  }
  for (const auto& [name, text] : users) {
    command->add_option("--" + name, o->values[name], text)->group("Options of generators");
  }
  addReadOptions(*command, o->read);
  command->get_option("--unit")->description(
      "metres per lattice unit, 1e-6 to 1; finer reaches less far; if not given, a scene chooses: 1e-6 up to 268 m "
      "from the origin, 1e-5 up to 2.6 km, else 1e-4");
  o->extract.addTo(*command);
  o->run.addCommonOptions(*command);
  command->footer(
      "Examples:\n  wend bake city.env -o city.wend\n  wend bake arena.map --cell 0.5 -g delaunay -o arena.wend\n"
      "  wend bake plan.wkt -g hertel-mehlhorn --order shortest --check -o plan.wend\n"
      "  wend bake level.glb --height 1.8 -o level.wend");
  command->callback([o, command, &program] { program.exitCode = run(*o, *command); });
}

}  // namespace wend::app
