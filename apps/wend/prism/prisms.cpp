#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct PrismsCommand {
  Run run;
  std::string input;
  std::string output;
  std::string world;
  std::vector<std::string> seeds;
  bool hollow = false;
  double scale = 1;
  SceneOptions scene;
  SceneVoxelSettings voxels;
  PrismSettings growth;
};

Status storePrisms(const PrismsCommand& o, const PrismGrid& grid) {
  if (o.world.empty()) return savePrisms(grid, o.output);
  // Read and written whole, so that the world's table stays with it.
  constexpr size_t kMaxFile = size_t{1} << 32;
  const Result<std::vector<std::byte>> bytes = readFile(o.world, kMaxFile);
  if (!bytes.ok()) return bytes.error();
  if (!isWorldFile(*bytes)) {
    return Error{ErrorCode::kFormat, fmt::format("'{}' is not a .wend file; bake one, or leave --world out", o.world)};
  }
  if (o.world != o.output) {
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (Status status = writeFile(o.output, text); !status.ok()) return status;
  }
  return attachPrisms(grid, o.output);
}

int runPrisms(PrismsCommand& o) {
  for (const std::string& text : o.seeds) {
    const Result<Place> place = parsePlace(text);
    if (!place.ok()) return o.run.fail(place.error());
    if (!place->z) return o.run.fail(ErrorCode::kInvalidSettings, fmt::format("'{}' has no height; write x,y,z", text));
    o.voxels.seeds.push_back({place->x, place->y, *place->z});
  }
  o.voxels.solid = !o.hollow;
  const Context& context = o.run.context();
  Stopwatch watch;
  const Result<Scene> scene = readScene(o.input, o.scene.settings(o.scale), context);
  if (!scene.ok()) return o.run.fail(scene.error());
  const double read = watch.restart();
  SceneVoxelReport report;
  const Result<VoxelGrid> voxels = sceneVoxels(*scene, o.voxels, context, &report);
  if (!voxels.ok()) return o.run.fail(voxels.error());
  const double made = watch.restart();
  const Result<PrismGrid> grid = growPrisms(*voxels, o.growth, context);
  if (!grid.ok()) return o.run.fail(grid.error());
  const double grown = watch.restart();
  if (grid->prisms.empty()) {
    return o.run.fail(ErrorCode::kEmpty, "no voxel is free; choose smaller ones, or more space above the scene");
  }
  if (const Status status = storePrisms(o, *grid); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  const size_t passages = passagesOf(*grid).size();
  uint64_t free = 0;
  for (const GridPrism& prism : grid->prisms) free += prism.voxels();
  const double cubic = grid->voxel * grid->voxel * grid->voxel;
  o.run.say(fmt::format("{}: {} prisms with {} passages fill {:.3f} m3", o.output, grid->prisms.size(), passages,
                        static_cast<double>(free) * cubic));
  o.run.say(fmt::format("  {} x {} x {} voxels of {:g} m: {} free, {} at surfaces, {} inside bodies, {} not reached",
                        grid->size[0], grid->size[1], grid->size[2], grid->voxel, free, report.touched, report.inside,
                        report.unreached));
  o.run.say(fmt::format("  {} triangles: {} closed bodies, {} triangles of open surfaces", report.triangles,
                        report.closedBodies, report.openTriangles));
  o.run.say(fmt::format("  read {:.3f} s, voxels {:.3f} s, growth {:.3f} s, hash {}", read, made, grown,
                        hexHash(hash(*grid))));
  o.run.print({{"ok", true},
               {"file", o.output},
               {"prisms", grid->prisms.size()},
               {"passages", passages},
               {"size", grid->size},
               {"voxel", grid->voxel},
               {"free_voxels", free},
               {"free_volume", static_cast<double>(free) * cubic},
               {"touched", report.touched},
               {"inside", report.inside},
               {"unreached", report.unreached},
               {"triangles", report.triangles},
               {"closed_bodies", report.closedBodies},
               {"open_triangles", report.openTriangles},
               {"seconds", {{"read", read}, {"voxels", made}, {"growth", grown}}},
               {"hash", hexHash(hash(*grid))}});
  return kOk;
}

}  // namespace

void addPrisms(Program& program) {
  auto o = std::make_shared<PrismsCommand>();
  Command command =
      program.line.addCommand("prisms", "fill the free voxels of a 3D scene with boxes: the adaptive grid in space");
  command.addOption("SCENE", o->input, "triangles: .obj, .gltf, .glb, .ply, .stl, .fbx, .dae, .ifc").required();
  command.addOption("-o,--output", o->output, "file to write: FILE.wprm, or with --world FILE.wend").required();
  command.addOption("--world", o->world, "a .wend file to store the prisms with");
  command.addOption("--voxel", o->voxels.voxel, "side of a voxel, metres").check(range(0.01, 100.0)).showDefault();
  command.addOption("--period", o->growth.period, "distance of the first seeds, voxels; 0: one seed")
      .check(range(0, 4096))
      .showDefault();
  command.addFlag("--memory", o->growth.memory, "grow the next side in turn, which gives compact boxes");
  command.addOption("--max-side", o->growth.maxSide, "longest side of a prism, voxels; 0: no limit")
      .check(range(0, 4096))
      .showDefault();
  command.addOption("--above", o->voxels.above, "free space above the scene, metres")
      .check(range(0.0, 10000.0))
      .showDefault();
  command.addOption("--around", o->voxels.around, "free space on its four sides, metres")
      .check(range(0.0, 10000.0))
      .showDefault();
  command.addOption("--below", o->voxels.below, "free space under it, metres").check(range(0.0, 10000.0)).showDefault();
  command.addOption("--seed-point", o->seeds, "x,y,z: only what is joined to it is free; may be repeated")
      .oneValueEach();
  command.addFlag("--hollow", o->hollow, "voxels inside closed bodies are free, too");
  command.addOption("--scale", o->scale, "metres per unit of the scene").check(range(1e-6, 1e6)).showDefault();
  addSceneOptions(command, o->scene);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "info, check, draw and path take the file; for prisms that are stored with a world, draw and path take "
      "--prisms.\n\n"
      "Examples:\n  wend prisms level.glb --voxel 0.5 -o level.wprm\n"
      "  wend path level.wprm --from 1,1,1 --to 8,3,2\n"
      "  wend draw level.wprm -o level.svg --section z=1\n"
      "  wend bake level.glb -o level.wend && wend prisms level.glb --world level.wend -o level.wend\n"
      "  wend path level.wend --prisms --from 1,1,1 --to 8,3,2");
  command.onRun(
      [o, &program] { program.exitCode = o->run.guarded(o->output, {o->input}, [&] { return runPrisms(*o); }); });
}

}  // namespace wend::app
