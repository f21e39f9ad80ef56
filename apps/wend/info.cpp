#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "prism/prism_commands.h"
#include "report/recording_info.h"
#include "volume_commands.h"

namespace wend::app {
namespace {

struct InfoOptions {
  Run run;
  std::string file;
  ReadSettings read;
  SceneOptions scene;
};

Json placeJson(Vec3 p) {
  return {p.x, p.y, p.z};
}

// Labels by the number of their triangles.
std::vector<std::pair<size_t, std::string>> rankedLabels(const Scene& scene, const SceneReport& report) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (size_t i = 0; i < scene.labels.size(); ++i) ranked.emplace_back(report.trianglesByLabel[i], scene.labels[i]);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return ranked;
}

int sceneInfo(InfoOptions& o, const Scene& scene, const std::string& format) {
  constexpr size_t kShownLabels = 20;
  const Result<SceneReport> inspected = inspectScene(scene, Lattice{o.read.unit});
  if (!inspected.ok()) return o.run.fail(inspected.error());
  const SceneReport& report = *inspected;
  const Run& run = o.run;
  const auto size = [](double low, double high) { return high - low; };
  run.say(fmt::format("{}: scene ({}), z up, metres", o.file, format));
  run.say(fmt::format("  {} triangles, {} vertices at {} places, {} labels", scene.triangles.size(),
                      scene.vertices.size(), report.places, scene.labels.size()));
  run.say(fmt::format(
      "  from ({:.3f}, {:.3f}, {:.3f}) to ({:.3f}, {:.3f}, {:.3f}) m: {:.2f} by {:.2f} by {:.2f} m high", report.low.x,
      report.low.y, report.low.z, report.high.x, report.high.y, report.high.z, size(report.low.x, report.high.x),
      size(report.low.y, report.high.y), size(report.low.z, report.high.z)));
  run.say(fmt::format("  surface {:.2f} m2, of it {:.2f} m2 in top view facing up within 45 degrees", report.area,
                      report.floorArea));
  Json defects = Json::object();
  std::string words;
  for (size_t k = 0; k < kSceneDefectKinds; ++k) {
    const char* name = defectName(static_cast<SceneDefectKind>(k));
    defects[name] = report.defects[k];
    if (report.defects[k] > 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", report.defects[k], name);
  }
  run.say(fmt::format("  defects: {}", words.empty() ? "none" : words));
  Json labels = Json::array();
  const auto ranked = rankedLabels(scene, report);
  for (size_t i = 0; i < ranked.size(); ++i) {
    labels.push_back({{"name", ranked[i].second}, {"triangles", ranked[i].first}});
    if (i < kShownLabels) {
      const std::string label = ranked[i].second.empty() ? "no label" : fmt::format("label '{}'", ranked[i].second);
      run.say(fmt::format("  {}: {} triangles", label, ranked[i].first));
    }
  }
  if (ranked.size() > kShownLabels) run.say(fmt::format("  and {} labels more", ranked.size() - kShownLabels));
  run.say(fmt::format("  hash {}", hexHash(hash(scene))));
  run.print({{"ok", true},
             {"file", o.file},
             {"kind", "scene"},
             {"format", format},
             {"triangles", scene.triangles.size()},
             {"vertices", scene.vertices.size()},
             {"places", report.places},
             {"unused_vertices", report.unusedVertices},
             {"min", placeJson(report.low)},
             {"max", placeJson(report.high)},
             {"area", report.area},
             {"floor_area", report.floorArea},
             {"defects", defects},
             {"labels", labels},
             {"hash", hexHash(hash(scene))}});
  return kOk;
}

int environmentInfo(const InfoOptions& o, const Environment& environment, const std::string& format) {
  const Topology t = topology(environment);
  Box box;
  for (const Layer& layer : environment.layers) box.add(boundingBox(layer.free));
  const Vec2 low = environment.lattice.toMetres(box.min);
  const Vec2 high = environment.lattice.toMetres(box.max);
  const Run& run = o.run;
  run.say(fmt::format("{}: environment ({}){}", o.file, format,
                      environment.name.empty() ? "" : fmt::format(", '{}'", environment.name)));
  run.say(fmt::format("  {} layers, {} connections, {} vertices, unit {:g} m", environment.layers.size(),
                      environment.connections.size(), vertexCount(environment), environment.lattice.unit));
  run.say(fmt::format("  walkable {:.4f} m2 in {} components with {} boundaries, genus {}",
                      environment.lattice.area(t.doubledArea), t.components, t.boundaries, t.genus));
  run.say(fmt::format("  from ({:.4f}, {:.4f}) to ({:.4f}, {:.4f}) m", low.x, low.y, high.x, high.y));
  if (environment.truth) run.say(fmt::format("  made world: truth {}", *environment.truth == t ? "holds" : "DIFFERS"));
  Json layers = Json::array();
  for (const Layer& layer : environment.layers) {
    const double area = polygonArea(layer.free, environment.lattice);
    layers.push_back({{"id", layer.id},
                      {"name", layer.name},
                      {"polygons", layer.free.size()},
                      {"vertices", vertexCount(layer.free)},
                      {"area", area},
                      {"height", layer.heights.base},
                      {"height_triangles", layer.heights.triangles.size()},
                      {"regions", layer.regions.size()}});
    if (environment.layers.size() > 1 && environment.layers.size() <= 40) {
      run.say(fmt::format("  layer {}{}: {} polygons, {} vertices, {:.2f} m2", layer.id,
                          layer.name.empty() ? "" : " " + layer.name, layer.free.size(), vertexCount(layer.free),
                          area));
    }
  }
  run.say(fmt::format("  hash {}", hexHash(hash(environment))));
  Json report = {{"ok", true},
                 {"file", o.file},
                 {"kind", "environment"},
                 {"format", format},
                 {"name", environment.name},
                 {"unit", environment.lattice.unit},
                 {"vertices", vertexCount(environment)},
                 {"connections", environment.connections.size()}};
  report.update(toJson(t, environment.lattice));
  report["min"] = {low.x, low.y};
  report["max"] = {high.x, high.y};
  report["layers"] = layers;
  report["hash"] = hexHash(hash(environment));
  run.print(report);
  return kOk;
}

// Vertices of degree 2 are none of the medial axis: they are where edges were cut at connections.
size_t splitVertices(const CorridorMap& map) {
  return static_cast<size_t>(std::count_if(map.vertices.begin(), map.vertices.end(),
                                           [](const CorridorMap::Vertex& vertex) { return vertex.degree == 2; }));
}

constexpr size_t kShownObstacles = 20;

Json obstaclesOf(const Run& run, const World& world) {
  static constexpr const char* kKinds[] = {"polygon", "segment", "point", "box", "cylinder", "hull"};
  Json list = Json::array();
  const std::vector<ObstacleId> ids = world.obstacles();
  if (!ids.empty()) run.say(fmt::format("  {} obstacles in version {}:", ids.size(), world.version()));
  for (const ObstacleId id : ids) {
    const Obstacle& obstacle = *world.find(id);
    const Vec3 at = obstacle.place.at;
    const char* kind = kKinds[obstacle.shape.index()];
    if (list.size() < kShownObstacles) {
      run.say(fmt::format("    {} {}{} at ({:g}, {:g}, {:g}) m", id.slot, kind,
                          obstacle.name.empty() ? "" : fmt::format(" '{}'", obstacle.name), at.x, at.y, at.z));
    }
    list.push_back({{"slot", id.slot},
                    {"generation", id.generation},
                    {"name", obstacle.name},
                    {"kind", kind},
                    {"at", {at.x, at.y, at.z}},
                    {"layers", obstacle.layers}});
  }
  if (ids.size() > kShownObstacles) run.say(fmt::format("    and {} more", ids.size() - kShownObstacles));
  return list;
}

Json doorsOf(const Run& run, const World& world) {
  Json list = Json::array();
  for (const Door& door : world.doors()) {
    run.say(fmt::format("  door '{}' on layer {}: {}", door.name, door.layer, door.open ? "open" : "shut"));
    list.push_back({{"name", door.name}, {"layer", door.layer}, {"open", door.open}});
  }
  return list;
}

int worldInfo(const InfoOptions& o, const World& world) {
  const NavMesh& mesh = world.mesh();
  const Environment& environment = world.environment();
  const Topology t = topology(mesh);
  uint32_t portals = 0;
  uint32_t across = 0;
  uint32_t largest = 0;
  for (SideId side = 0; side < mesh.sideCount(); ++side) {
    if (mesh.isWall(side) || mesh.twin(side) < side) continue;
    ++portals;
    if (mesh.layerOf(mesh.cellOf(side)) != mesh.layerOf(mesh.neighbour(side))) ++across;
  }
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) largest = std::max(largest, mesh.sideCount(cell));
  const double perCell = mesh.empty() ? 0 : static_cast<double>(mesh.memory()) / mesh.cellCount();
  const Run& run = o.run;
  run.say(fmt::format("{}: world{}, navigation mesh by {} (settings {})", o.file,
                      environment.name.empty() ? "" : fmt::format(" '{}'", environment.name), mesh.info().generator,
                      hexHash(mesh.info().settingsHash)));
  run.say(fmt::format("  environment: {} layers, {} connections, {} vertices, unit {:g} m, hash {}",
                      environment.layers.size(), environment.connections.size(), vertexCount(environment),
                      environment.lattice.unit, hexHash(hash(environment))));
  run.say(fmt::format("  {} cells, {} portals ({} between layers), {} vertices, {} layers, at most {} sides per cell",
                      mesh.cellCount(), portals, across, mesh.vertexCount(), mesh.layerCount(), largest));
  run.say(fmt::format("  {:.4f} m2 in {} components with {} boundaries, genus {}", mesh.lattice().area(t.doubledArea),
                      t.components, t.boundaries, t.genus));
  const size_t slivers = countSlivers(mesh);
  run.say(fmt::format("  {} slivers (cells with an angle below 5 degrees, not between two walls)", slivers));
  if (const CorridorMap* map = mesh.corridorMap().get()) {
    run.say(fmt::format("  medial axis: {} vertices, {} edges, {} bending points, {} cells", map->vertices.size(),
                        map->edges.size(), map->bendingPoints.size(), map->bendingPoints.size() - map->edges.size()));
    run.say(
        fmt::format("  built with {} Voronoi diagrams made a second time, {} connections opened by projecting, {} by "
                    "sweeping, {} vertices where edges are split",
                    map->voronoiAttempts, map->simpleOpenings, map->sweptOpenings, splitVertices(*map)));
  }
  run.say(fmt::format("  {:.1f} bytes per cell, hash {}", perCell, hexHash(hash(mesh))));
  Json report = {{"ok", true},
                 {"file", o.file},
                 {"kind", "world"},
                 {"name", environment.name},
                 {"generator", mesh.info().generator},
                 {"unit", mesh.lattice().unit},
                 {"cells", mesh.cellCount()},
                 {"portals", portals},
                 {"portals_between_layers", across},
                 {"slivers", slivers},
                 {"vertices", mesh.vertexCount()},
                 {"layers", mesh.layerCount()}};
  report.update(toJson(t, mesh.lattice()));
  if (const CorridorMap* map = mesh.corridorMap().get()) {
    report["medial_axis"] = {{"vertices", map->vertices.size()},
                             {"edges", map->edges.size()},
                             {"bending_points", map->bendingPoints.size()},
                             {"cells", map->bendingPoints.size() - map->edges.size()},
                             {"second_constructions", map->voronoiAttempts},
                             {"simple_openings", map->simpleOpenings},
                             {"swept_openings", map->sweptOpenings},
                             {"split_vertices", splitVertices(*map)}};
  }
  report["version"] = world.version();
  report["obstacles"] = obstaclesOf(run, world);
  report["doors"] = doorsOf(run, world);
  if (const Result<NextHopTable> table = loadTable(o.file, world); table.ok()) {
    run.say(fmt::format("  next hops from {} cells to {} goals, {} byte each, {:.3f} MiB, hash {}", table->cellCount(),
                        table->goalCount(), table->entryBytes(), static_cast<double>(table->memory()) / (1 << 20),
                        hexHash(table->hash())));
    report["table"] = {{"goals", table->goalCount()},
                       {"entry_bytes", table->entryBytes()},
                       {"bytes", table->memory()},
                       {"hash", hexHash(table->hash())}};
  }
  if (const Result<PrismGrid> prisms = loadPrisms(o.file); prisms.ok()) {
    run.say(fmt::format("  {} prisms of {} x {} x {} voxels of {:g} m, hash {}", prisms->prisms.size(), prisms->size[0],
                        prisms->size[1], prisms->size[2], prisms->voxel, hexHash(hash(*prisms))));
    report["prisms"] = {{"prisms", prisms->prisms.size()}, {"voxel", prisms->voxel}, {"hash", hexHash(hash(*prisms))}};
  }
  report["bytes"] = mesh.memory();
  report["bytes_per_cell"] = perCell;
  report["environment_hash"] = hexHash(mesh.info().environmentHash);
  report["hash"] = hexHash(hash(mesh));
  report["world_hash"] = hexHash(hash(world));
  run.print(report);
  return kOk;
}

int run(InfoOptions& o) {
  if (holdsVolumes(o.file)) return volumeInfo(o.run, o.file);
  if (isFileOfPrisms(o.file)) return prismInfo(o.run, o.file);
  if (isDatabase(o.file)) return recordingInfo(o.run, o.file);
  const SceneReadSettings scenes = o.scene.settings(o.read.scale);
  const Result<Input> input = readInput(o.file, o.read, o.run.context(), &scenes);
  if (!input.ok()) return o.run.fail(input.error());
  o.run.finishProgress();
  if (input->scene) return sceneInfo(o, *input->scene, input->format);
  return input->world ? worldInfo(o, *input->world) : environmentInfo(o, *input->environment, input->format);
}

}  // namespace

void addInfo(Program& program) {
  auto o = std::make_shared<InfoOptions>();
  Command command = program.line.addCommand("info", "tell what is in a file");
  command.addOption("FILE", o->file, "scene, environment, world, volumes, prisms or recording").required();
  addReadOptions(command, o->read);
  addSceneOptions(command, o->scene);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend info level.glb\n  wend info city.env\n  wend info city.wend --json\n  wend info run.sqlite");
  command.onRun([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
