#include "volume_commands.h"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

namespace wend::app {
namespace {

Result<Vec3> parsePoint(std::string_view text) {
  const Result<Place> place = parsePlace(text);
  if (!place.ok()) return place.error();
  if (!place->z) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("'{}' has no height; a place among volumes is x,y,z in metres", text)};
  }
  return Vec3{place->x, place->y, *place->z};
}

Result<VolumeRoute> plan(const VolumeLocator& locator, std::string_view from, std::string_view to) {
  const Result<Vec3> start = parsePoint(from);
  if (!start.ok()) return start.error();
  const Result<Vec3> goal = parsePoint(to);
  if (!goal.ok()) return goal.error();
  VolumeQuery query;
  query.from = *start;
  query.to = *goal;
  return planVolumes(locator, query);
}

Result<VolumeSection> parseSection(const std::string& text) {
  VolumeSection section;
  const size_t axis = text.empty() ? std::string::npos : std::string_view("xyz").find(text[0]);
  if (axis != std::string::npos && text.size() > 2 && text[1] == '=') {
    section.axis = static_cast<int>(axis);
    const char* end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + 2, end, section.at);
    if (error == std::errc() && next == end && std::isfinite(section.at)) return section;
  }
  return Error{ErrorCode::kInvalidSettings,
               fmt::format("'{}' is not a section; write x=METRES, y=METRES or z=METRES", text)};
}

}  // namespace

bool holdsVolumes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // opening a pipe would wait for its writer
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> head{};
  file.read(head.data(), head.size());
  return file.gcount() == static_cast<std::streamsize>(head.size()) &&
         isVolumeFile(std::as_bytes(std::span<const char>(head)));
}

int volumeInfo(Run& run, const std::string& file) {
  const Result<VolumeMesh> mesh = loadVolumes(file, run.context());
  if (!mesh.ok()) return run.fail(mesh.error());
  run.finishProgress();
  const VolumeDraft& info = mesh->info();
  const Vec3 low = info.lattice.toMetres({double(info.low.x), double(info.low.y), double(info.low.z)});
  const Vec3 high = info.lattice.toMetres({double(info.high.x), double(info.high.y), double(info.high.z)});
  double volume = 0;
  size_t mostFaces = 0;
  for (VolumeId c = 0; c < mesh->cellCount(); ++c) {
    volume += mesh->volume(c);
    mostFaces = std::max<size_t>(mostFaces, mesh->endFace(c) - mesh->firstFace(c));
  }
  size_t slanted = 0;
  for (GatewayId g = 0; g < mesh->gatewayCount(); ++g) slanted += mesh->gateway(g).slanted ? 1 : 0;
  const std::vector<StandingPlace> places = standingPlaces(*mesh);
  double floor = 0;
  for (const StandingPlace& place : places) floor += place.area;
  const double faces = mesh->empty() ? 0 : static_cast<double>(mesh->faceCount()) / mesh->cellCount();
  run.say(fmt::format("{}: volumes by {} (settings {})", file, info.generator, hexHash(info.settingsHash)));
  run.say(fmt::format("  {} volumes with {:.2f} faces each, at most {}; {} gateways, of which {} slanted",
                      mesh->cellCount(), faces, mostFaces, mesh->gatewayCount(), slanted));
  run.say(fmt::format("  {:.4f} m3 of {:.4f} m3 free, unit {:g} m", volume,
                      info.freeVolume ? info.freeVolume->cubicMetres : 0.0, info.lattice.unit));
  run.say(fmt::format("  {} floors with {:.4f} m2 in top view, no steeper than 45 degrees", places.size(), floor));
  const VolumeMetrics metrics = measureVolumes(*mesh);
  run.say(fmt::format("  {} components, diameter {}, {:.2f} neighbours per volume, {} without any", metrics.components,
                      metrics.diameter, metrics.meanDegree, metrics.isolated));
  run.say(
      fmt::format("  mean volume {:.3f} m3 (deviation {:.3f}), smallest angle {:.1f} degrees on average, {} nearly "
                  "degenerate",
                  metrics.meanVolume, metrics.volumeDeviation, metrics.minAngle, metrics.degenerate));
  run.say(fmt::format("  from ({:.3f}, {:.3f}, {:.3f}) to ({:.3f}, {:.3f}, {:.3f}) m", low.x, low.y, low.z, high.x,
                      high.y, high.z));
  run.say(fmt::format("  {:.1f} kB, hash {}", static_cast<double>(mesh->memory()) / 1000, hexHash(hash(*mesh))));
  run.print({{"ok", true},
             {"file", file},
             {"kind", "volumes"},
             {"generator", info.generator},
             {"unit", info.lattice.unit},
             {"volumes", mesh->cellCount()},
             {"faces", mesh->faceCount()},
             {"faces_per_volume", faces},
             {"gateways", mesh->gatewayCount()},
             {"slanted_gateways", slanted},
             {"volume", volume},
             {"free_volume", info.freeVolume ? info.freeVolume->cubicMetres : 0.0},
             {"floors", places.size()},
             {"floor_area", floor},
             {"metrics",
              {{"coverage", metrics.coverage},
               {"mean_volume", metrics.meanVolume},
               {"volume_deviation", metrics.volumeDeviation},
               {"mean_degree", metrics.meanDegree},
               {"degree_deviation", metrics.degreeDeviation},
               {"isolated", metrics.isolated},
               {"mean_order", metrics.meanOrder},
               {"min_angle", metrics.minAngle},
               {"nearly_degenerate", metrics.degenerate},
               {"components", metrics.components},
               {"diameter", metrics.diameter}}},
             {"min", {low.x, low.y, low.z}},
             {"max", {high.x, high.y, high.z}},
             {"bytes", mesh->memory()},
             {"hash", hexHash(hash(*mesh))}});
  return kOk;
}

int volumeMeasure(Run& run, const std::string& file, double objectArea) {
  if (!(objectArea >= 1e-4 && objectArea <= 1e8)) {
    return run.fail(ErrorCode::kInvalidSettings, "--object-area must be 1e-4 to 1e8 m2");
  }
  const Result<VolumeMesh> mesh = loadVolumes(file, run.context());
  if (!mesh.ok()) return run.fail(mesh.error());
  const VolumeMetrics metrics = measureVolumes(*mesh, std::pow(objectArea, 1.5));
  run.finishProgress();
  Json values = Json::object();
  for (const VolumeMetric& metric : metricTable(metrics)) {
    run.say(fmt::format("{:<24} {:>16.6g} {:<8} {}", metric.name, metric.value, metric.unit, metric.meaning));
    values[metric.name] = metric.value;
  }
  const auto line = [](const std::vector<uint32_t>& groups) {
    std::string text;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (groups[i] > 0) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", i, groups[i]);
    }
    return text;
  };
  run.say(fmt::format("volumes by neighbours: {}", line(metrics.degreeGroups)));
  run.say(fmt::format("volumes by faces: {}", line(metrics.orderGroups)));
  run.print({{"ok", true},
             {"file", file},
             {"kind", "volumes"},
             {"generator", mesh->info().generator},
             {"metrics", values},
             {"groups", {{"degree", metrics.degreeGroups}, {"order", metrics.orderGroups}}}});
  return kOk;
}

int volumeCheck(Run& run, const std::string& file, size_t limit) {
  const Result<VolumeMesh> mesh = loadVolumes(file, run.context());
  if (!mesh.ok()) return run.fail(mesh.error());
  const std::vector<VolumeFault> faults = checkVolumes(*mesh, limit);
  run.finishProgress();
  Json found = Json::array();
  for (const VolumeFault& fault : faults) {
    const Vec3 p = fault.place;
    run.say(fmt::format("{} at ({:.4f}, {:.4f}, {:.4f}): {}", faultName(fault.kind), p.x, p.y, p.z, fault.message));
    found.push_back({{"kind", faultName(fault.kind)}, {"place", {p.x, p.y, p.z}}, {"message", fault.message}});
  }
  run.say(faults.empty() ? fmt::format("{}: right: convex, disjoint, gateways mutual, volumes add up", file)
                         : fmt::format("{}: {} fault(s)", file, faults.size()));
  run.print({{"ok", faults.empty()}, {"file", file}, {"faults", found}});
  return faults.empty() ? kOk : kFailed;
}

int volumePath(Run& run, const std::string& file, const std::string& from, const std::string& to) {
  const Result<VolumeMesh> mesh = loadVolumes(file, run.context());
  if (!mesh.ok()) return run.fail(mesh.error());
  run.finishProgress();
  const VolumeLocator locator(*mesh);
  const Stopwatch watch;
  const Result<VolumeRoute> route = plan(locator, from, to);
  const double microseconds = watch.seconds() * 1e6;
  if (!route.ok()) return run.fail(route.error());
  run.say(fmt::format("found: {:.4f} m, {} points, {} volumes, {:.1f} microseconds", route->length,
                      route->points.size(), route->cells.size(), microseconds));
  Json points = Json::array();
  for (const Vec3 p : route->points) {
    run.say(fmt::format("  {:.4f}, {:.4f}, {:.4f}", p.x, p.y, p.z));
    points.push_back({p.x, p.y, p.z});
  }
  run.print({{"ok", true},
             {"found", true},
             {"length", route->length},
             {"points", points},
             {"volumes", route->cells},
             {"expanded", route->expanded},
             {"microseconds", microseconds}});
  return kOk;
}

int volumeDraw(Run& run, const std::string& file, const std::string& output, const VolumeDrawOptions& options) {
  const Result<VolumeMesh> mesh = loadVolumes(file, run.context());
  if (!mesh.ok()) return run.fail(mesh.error());
  return drawVolumeMesh(run, *mesh, file, output, options);
}

int drawVolumeMesh(Run& run, const VolumeMesh& mesh, const std::string& file, const std::string& output,
                   const VolumeDrawOptions& options) {
  const std::string extension = std::filesystem::path(output).extension().string();
  if (extension == ".glb" || extension == ".obj") {
    if (const Status status = writeScene(cellScene(mesh), output); !status.ok()) return run.fail(status.error());
    run.finishProgress();
    run.say(fmt::format("{}: {} volumes as bodies", output, mesh.cellCount()));
    run.print({{"ok", true}, {"file", output}, {"volumes", mesh.cellCount()}});
    return kOk;
  }
  VolumeDrawSettings settings = options.settings;
  settings.title = std::filesystem::path(file).filename().string();
  for (const std::string& text : options.sections) {
    const Result<VolumeSection> section = parseSection(text);
    if (!section.ok()) return run.fail(section.error());
    settings.sections.push_back(*section);
  }
  std::vector<VolumeRoute> routes;
  const VolumeLocator locator(mesh);
  for (const std::string& text : options.routes) {
    const size_t colon = text.find(':');
    if (colon == std::string::npos) {
      return run.fail(ErrorCode::kInvalidSettings, fmt::format("'{}' is not a route; write x,y,z:x,y,z", text));
    }
    const std::string_view view = text;
    Result<VolumeRoute> route = plan(locator, view.substr(0, colon), view.substr(colon + 1));
    if (!route.ok()) return run.fail(route.error());
    routes.push_back(*std::move(route));
  }
  const Result<std::string> svg = drawVolumes(mesh, routes, settings);
  if (!svg.ok()) return run.fail(svg.error());
  if (const Status status = writeFile(output, *svg); !status.ok()) return run.fail(status.error());
  run.finishProgress();
  run.say(fmt::format("{}: {:.1f} kB", output, static_cast<double>(svg->size()) / 1000));
  run.print({{"ok", true}, {"file", output}, {"bytes", svg->size()}, {"routes", routes.size()}});
  return kOk;
}

}  // namespace wend::app
