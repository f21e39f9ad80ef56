#include <cmath>
#include <memory>

#include <wend/metrics.h>

#include <fmt/format.h>

#include "base/peak_memory.h"
#include "command.h"
#include "compare/metric_groups.h"
#include "volume_commands.h"

namespace wend::app {
namespace {

struct MeasureOptions {
  Run run;
  std::string file;
  std::string against;
  std::vector<std::string> parts{"mesh", "paths", "map"};
  MeasureSettings mesh;
  PathSettings paths;
  DistanceMapSettings map;
  ReadSettings read;
  bool histograms = false;
};

Json toJson(const MeshDefect& defect) {
  return {{"kind", defectName(defect.kind)},
          {"layer", defect.layer},
          {"cell", defect.cell == kNone ? Json() : Json(defect.cell)},
          {"place", {defect.place.x, defect.place.y}},
          {"size", defect.size}};
}

Json toJson(const RadiusMetrics& r) {
  return {{"radius", r.radius}, {"asked", r.asked},        {"possible", r.possible},  {"missed", r.missed},
          {"wrong", r.wrong},   {"length", r.lengthRatio}, {"clearance", r.clearance}};
}

bool wants(const MeasureOptions& o, std::string_view part) {
  return std::find(o.parts.begin(), o.parts.end(), part) != o.parts.end();
}

int run(MeasureOptions& o) {
  if (holdsVolumes(o.file)) return volumeMeasure(o.run, o.file, o.mesh.objectArea);
  const Context& context = o.run.context();
  Stopwatch watch;
  std::vector<MetricGroups> groups;
  const Result<World> world = loadWorld(o.file);
  if (!world.ok()) return o.run.fail(world.error());
  const NavMesh& mesh = world->mesh();
  Result<Environment> environment = world->environment();
  if (!o.against.empty()) environment = readEnvironment(o.against, o.read, context);
  if (!environment.ok()) return o.run.fail(environment.error());

  std::vector<MetricValue> values;
  const auto keep = [&](const std::vector<MetricValue>& more) {
    values.insert(values.end(), more.begin(), more.end());
  };
  Json report = {{"ok", true}, {"file", o.file}, {"generator", mesh.info().generator}};
  if (wants(o, "mesh")) {
    const Result<MeshMetrics> metrics = measureMesh(mesh, *environment, o.mesh, context);
    if (!metrics.ok()) return o.run.fail(metrics.error());
    keep(metricValues(*metrics));
    groups = metricGroups(metrics->shape, o.mesh);
    report["truth"] = {{"components", metrics->connectivity.trueComponents},
                       {"boundaries", metrics->connectivity.trueBoundaries},
                       {"genus", metrics->connectivity.trueGenus}};
    report["defects"] = Json::array();
    for (const MeshDefect& defect : metrics->defects) report["defects"].push_back(toJson(defect));
  }
  if (wants(o, "paths") || wants(o, "map")) {
    GenerateSettings exact;
    exact.generator = "delaunay";
    const Result<NavMesh> truth = generate(*environment, exact, context);
    if (!truth.ok()) return o.run.fail(truth.error());
    if (wants(o, "paths")) {
      o.paths.seed = o.run.seed;
      const Result<PathMetrics> metrics = measurePaths(mesh, *truth, o.paths, context);
      if (!metrics.ok()) return o.run.fail(metrics.error());
      keep(metricValues(*metrics));
      report["radii"] = Json::array();
      for (const RadiusMetrics& r : metrics->radii) report["radii"].push_back(toJson(r));
    }
    if (wants(o, "map")) {
      const Result<DistanceMapMetrics> metrics = measureDistanceMap(mesh, *truth, o.map, context);
      if (!metrics.ok()) return o.run.fail(metrics.error());
      keep(metricValues(*metrics));
    }
  }
  o.run.finishProgress();
  report["seconds"] = watch.seconds();
  report["peak_megabytes"] = peakMegabytes();
  report["metrics"] = Json::object();
  for (const MetricValue& value : values) {
    const MetricInfo& info = *findMetric(value.name);
    o.run.say(fmt::format("{:<24} {:>16.6g} {:<8} {}", value.name, value.value, info.unit, info.meaning));
    // JSON has no infinity.
    report["metrics"][value.name] = std::isfinite(value.value) ? Json(value.value) : Json("infinite");
  }
  report["groups"] = toJson(groups);
  if (o.histograms) {
    for (const MetricGroups& group : groups) o.run.say(asText(group));
  }
  if (report.contains("defects")) {
    for (const Json& d : report["defects"]) {
      o.run.say(fmt::format("{} at ({:.4f}, {:.4f}) in layer {}: {:.6g}", d["kind"].get<std::string>(),
                            d["place"][0].get<double>(), d["place"][1].get<double>(), d["layer"].get<int>(),
                            d["size"].get<double>()));
    }
  }
  o.run.print(report);
  return kOk;
}

}  // namespace

void addMeasure(Program& program) {
  auto o = std::make_shared<MeasureOptions>();
  Command command =
      program.line.addCommand("measure", "measure the mesh of a world against its environment, or a file of volumes");
  command.addOption("FILE", o->file, "world, FILE.wend, or volumes, FILE.wvol").required();
  command.addOption("--against", o->against, "another environment to measure against, instead of the world's own");
  command.addOption("--parts", o->parts, "what to measure: mesh, paths, map")
      .separatedBy(',')
      .check(oneOf({"mesh", "paths", "map"}))
      .showDefault();
  command
      .addOption("--object-area", o->mesh.objectArea,
                 "m2 of the object of placement and area groups; of volumes, of a side of a cube")
      .showDefault();
  command.addFlag("--histograms", o->histograms, "also how areas, neighbours, corners and angles are distributed");
  command.addOption("--mapping", o->mesh.mapping, "metres above or below a surface that still lie on it").showDefault();
  command.addOption("--defects", o->mesh.defects, "what is wrong, named at most so many times").showDefault();
  command.addOption("--queries", o->paths.queries, "random pairs of places for the paths").showDefault();
  command.addOption("--radii", o->paths.radii, "radii of the paths, metres").separatedBy(',').showDefault();
  command.addOption("--pixels", o->map.pixels, "pixels along the longer side of the distance map").showDefault();
  command.addFlag(
      "--geodesic", [o] { o->map.reference = DistanceReference::kGeodesic; },
      "true shortest ways as reference of the distance map, instead of ways over 8 neighbours");
  addReadOptions(command, o->read);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend measure city.wend\n  wend measure city.wend --parts mesh --histograms\n"
      "  wend measure level.wvol\n"
      "  wend measure city.wend --parts mesh --json");
  command.onRun([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
