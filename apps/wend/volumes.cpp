#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "scene/boxed_bodies.h"

namespace wend::app {
namespace {

struct VolumesCommand {
  Run run;
  std::string input;
  std::string output;
  std::string project;
  std::string method = "vasfv";
  std::vector<std::string> classes;
  std::vector<std::string> seeds;
  bool noGravity = false;
  bool noFollow = false;
  bool noMerge = false;
  double scale = 1;
  double boxes = 0;
  SceneOptions scene;
  GrowthSettings growth;
};

// "name=label,label".
Result<VolumeClass> parseClass(const std::string& text) {
  const size_t equals = text.find('=');
  VolumeClass result;
  if (equals != std::string::npos && equals > 0) {
    result.name = text.substr(0, equals);
    for (size_t at = equals + 1; at <= text.size();) {
      const size_t comma = std::min(text.find(',', at), text.size());
      if (comma > at) result.labels.push_back(text.substr(at, comma - at));
      at = comma + 1;
    }
  }
  if (!result.labels.empty()) return result;
  return Error{ErrorCode::kInvalidSettings,
               fmt::format("'{}' is not a class; write NAME=LABEL,LABEL with labels of the scene", text)};
}

Status readSettings(VolumesCommand& o) {
  o.growth.method = o.method == "wavefront" ? GrowthMethod::kWavefront : GrowthMethod::kVasfv;
  o.growth.gravity = !o.noGravity;
  o.growth.follow = !o.noFollow;
  o.growth.merge = !o.noMerge;
  for (const std::string& text : o.classes) {
    Result<VolumeClass> parsed = parseClass(text);
    if (!parsed.ok()) return parsed.error();
    o.growth.classes.push_back(*std::move(parsed));
  }
  for (const std::string& text : o.seeds) {
    const Result<Place> place = parsePlace(text);
    if (!place.ok()) return place.error();
    o.growth.seeds.push_back({place->x, place->y, place->z.value_or(0)});
  }
  return Done{};
}

int run(VolumesCommand& o) {
  if (const Status status = readSettings(o); !status.ok()) return o.run.fail(status.error());
  const Context& context = o.run.context();
  const Stopwatch watch;
  Result<Scene> scene = readScene(o.input, o.scene.settings(o.scale), context);
  if (!scene.ok()) return o.run.fail(scene.error());
  if (o.boxes > 0) {
    BoxedScene boxed = withBoxes(*scene, o.boxes);
    o.run.say(fmt::format("{} bodies of at most {:g} m count as boxes", boxed.bodies, o.boxes));
    scene = std::move(boxed.scene);
  }
  const double readSeconds = watch.seconds();
  const Result<GrownVolumes> grown = growVolumes(*scene, o.growth, context);
  if (!grown.ok()) return o.run.fail(grown.error());
  const VolumeMesh& mesh = grown->mesh;
  if (const Status status = saveVolumes(mesh, o.output); !status.ok()) return o.run.fail(status.error());
  if (!o.project.empty()) {
    const Result<Extraction> projected = projectVolumes(mesh, {}, context);
    if (!projected.ok()) return o.run.fail(projected.error());
    if (const Status status = writeEnvironment(projected->environment, o.project); !status.ok()) {
      return o.run.fail(status.error());
    }
  }
  o.run.finishProgress();
  const GrowthReport& report = grown->report;
  const double free = mesh.info().freeVolume ? mesh.info().freeVolume->cubicMetres : 0;
  o.run.say(fmt::format("{}: {} volumes with {} gateways fill {:.3f} m3, unit {:g} m", o.output, mesh.cellCount(),
                        mesh.gatewayCount(), free, mesh.lattice().unit));
  o.run.say(fmt::format("  {} triangles ({} left out): {} closed bodies, {} turned; {} triangles of open surfaces",
                        report.triangles, report.degenerate, report.closedBodies, report.reorientedBodies,
                        report.openTriangles));
  o.run.say(fmt::format("  {} convex obstacles, {} seeds ({} of them pieces of free space), {} followed faces",
                        report.obstaclePieces, report.seeds, report.thinSeeds, report.follows));
  std::string seconds = fmt::format("read {:.3f} s", readSeconds);
  Json stages = {{"read", readSeconds}};
  for (const auto& [name, time] : report.seconds) {
    seconds += fmt::format(", {} {:.3f} s", name, time);
    stages[name] = time;
  }
  o.run.say(fmt::format("  {}, hash {}", seconds, hexHash(hash(mesh))));
  if (!o.project.empty()) o.run.say(fmt::format("{}: the floors below the volumes", o.project));
  o.run.print({{"ok", true},
               {"file", o.output},
               {"volumes", mesh.cellCount()},
               {"gateways", mesh.gatewayCount()},
               {"free_volume", free},
               {"unit", mesh.lattice().unit},
               {"triangles", report.triangles},
               {"degenerate", report.degenerate},
               {"closed_bodies", report.closedBodies},
               {"turned_bodies", report.reorientedBodies},
               {"open_triangles", report.openTriangles},
               {"obstacles", report.obstaclePieces},
               {"seeds", report.seeds},
               {"thin_seeds", report.thinSeeds},
               {"follows", report.follows},
               {"moves", report.moves},
               {"collision_tests", report.collisionTests},
               {"seconds", stages},
               {"hash", hexHash(hash(mesh))}});
  return kOk;
}

}  // namespace

void addVolumes(Program& program) {
  auto o = std::make_shared<VolumesCommand>();
  Command command = program.line.addCommand("volumes", "fill the free space of a 3D scene with convex volumes");
  command.addOption("SCENE", o->input, "triangles: .obj, .gltf, .glb, .ply, .stl, .fbx, .dae, .ifc").required();
  command.addOption("-o,--output", o->output, "volumes to write, FILE.wvol").required();
  command.addOption("--project", o->project, "also write the walkable floors below the volumes, FILE.env");
  command.addOption("--method", o->method, "how volumes grow").check(oneOf({"vasfv", "wavefront"})).showDefault();
  command
      .addOption("--unit", o->growth.unit,
                 "metres per lattice unit, 1e-6 to 1; chosen by the scene if not given: the finest of 0.1 mm to 1 m "
                 "that reaches")
      .check(range(1e-6, 1.0));
  command.addOption("--scale", o->scale, "metres per unit of the scene").check(range(1e-6, 1e6)).showDefault();
  command.addOption("--above", o->growth.above, "free space above the scene, metres")
      .check(range(0.0, 10000.0))
      .showDefault();
  command.addOption("--around", o->growth.around, "free space on its four sides, metres")
      .check(range(0.0, 10000.0))
      .showDefault();
  command.addOption("--below", o->growth.below, "free space under it, metres").check(range(0.0, 10000.0)).showDefault();
  command
      .addOption("--obstacles-as-boxes", o->boxes,
                 "bodies of more than 12 triangles that fit into a cube of this side, metres, count as the boxes "
                 "around them; 0: none. For furniture")
      .check(range(0.0, 100.0));
  command.addOption("--seed-size", o->growth.seed, "side of the cube that a volume begins with, metres")
      .check(positive())
      .showDefault();
  command.addOption("--step", o->growth.step, "how far a side moves in its first turn, metres")
      .check(positive())
      .showDefault();
  command.addOption("--seed-point", o->seeds, "x,y,z where a volume begins; may be repeated").oneValueEach();
  command.addOption("--class", o->classes, "NAME=LABEL,LABEL: floors that no volume mixes with others; may be repeated")
      .oneValueEach();
  command
      .addOption("--max-pieces", o->growth.maxPieces,
                 "end with an error above this many obstacles, pieces of free space or volumes: bounds time and memory")
      .check(range(1, 4000000))
      .showDefault();
  command.addFlag("--no-gravity", o->noGravity, "seeds do not fall");
  command.addFlag("--no-follow", o->noFollow, "volumes do not follow slanted faces");
  command.addFlag("--no-merge", o->noMerge, "keep volumes apart whose union is convex");
  addSceneOptions(command, o->scene);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Closed bodies are solid, open surfaces are plates one lattice unit thick. info, check, draw and path take the\n"
      "file; what walks takes the projection.\n\n"
      "Examples:\n  wend volumes level.glb -o level.wvol\n  wend volumes house.obj --up z -o house.wvol --project "
      "house.env\n  wend draw level.wvol -o level.svg --section y=2\n  wend draw level.wvol -o level_volumes.glb\n"
      "  wend path level.wvol --from 1,1,1 --to 8,3,2");
  command.onRun([o, &program] {
    program.exitCode = o->run.guarded(o->output, {o->input},
                                      [&] { return o->run.guarded(o->project, {o->input}, [&] { return run(*o); }); });
  });
}

}  // namespace wend::app
