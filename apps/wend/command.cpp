#include "command.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/wall_clock.h"
#include "process/interrupt.h"
#include "process/streams.h"

namespace wend::app {
void Run::addCommonOptions(Command& command) {
  commandName = command.name();
  command.addFlag("--json", json, "one machine-readable object on standard output, messages on standard error");
  command.addFlag("--quiet", quiet, "no progress, no notes, no report; errors only");
  command.addOption("--threads", threads, "worker threads; 0 = all cores; the result never depends on it")
      .check(range(0, 1024))
      .showDefault();
  command.addOption("--seed", seed, "seed of everything random").showDefault();
}

void Run::addForce(Command& command) {
  command.addFlag("--force", force, "overwrite whatever has the name of the output, also an input");
}

Status Run::mayWrite(const std::string& output, std::initializer_list<std::string> inputs) const {
  for (const std::string& input : inputs) {
    std::error_code none;
    if (force || output.empty() || input.empty() || !std::filesystem::equivalent(output, input, none)) continue;
    return Error{
        ErrorCode::kFileNotWritten,
        fmt::format("the output '{}' is the input; choose another name, or overwrite it with --force", output)};
  }
  return Done{};
}

Context& Run::context() {
  if (ready_) return context_;
  ready_ = true;
  context_.threads = threads;
  bar_.enable(!quiet);
  context_.onProgress = [this](std::string_view stage, double fraction) { bar_.update(stage, fraction); };
  context_.onNote = [this](std::string_view sentence) {
    if (quiet) return;
    bar_.finish();
    printError(fmt::format("note: {}\n", sentence));
  };
  cancelOnSignal(context_);
  return context_;
}

int Run::fail(const Error& error) {
  bar_.finish();
  printError(fmt::format("wend {}: {}\n", commandName, error.message));
  if (json) {
    print(Json{{"ok", false}, {"error", errorName(error.code)}, {"message", error.message}});
  }
  return error.code == ErrorCode::kInvalidSettings ? kUsage : kFailed;
}

void Run::say(std::string_view line) const {
  if (!json && !quiet) printOut(fmt::format("{}\n", line));
}

void Run::print(const Json& object) const {
  if (json) printOut(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<Input> readInput(const std::string& path, const ReadSettings& settings, const Context& context,
                        const SceneReadSettings* scenes) {
  const Result<InputFormat> format = recogniseInput(path);
  if (!format.ok()) return format.error();
  Input input;
  input.format = format->name;
  if (format->kind == InputKind::kScene) {
    if (scenes == nullptr) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("'{}' is a scene of triangles; make an environment of it first: wend extract", path)};
    }
    Result<Scene> scene = readScene(path, *scenes, context);
    if (!scene.ok()) return scene.error();
    input.scene = *std::move(scene);
    return input;
  }
  WorldReadSettings reading;
  reading.environment = settings;
  Result<EnvironmentReading> read = readAnyEnvironment(path, reading, context);
  if (!read.ok()) return read.error();
  if (read->world) {
    input.world = std::move(read->world);
  } else {
    input.environment = std::move(read->environment);
  }
  return input;
}

void addReadOptions(Command& command, ReadSettings& settings) {
  const std::string group = "Reading";
  command.addOption("--unit", settings.unit, "metres per lattice unit, 1e-6 to 1; finer reaches less far")
      .check(range(1e-6, 1.0))
      .group(group)
      .showDefault();
  command.addOption("--scale", settings.scale, "metres per unit of a WKT, GeoJSON, .mesh or scene file")
      .check(positive())
      .group(group)
      .showDefault();
  command.addOption("--cell", settings.cell, "metres per character of a .map or pixel of a PNG")
      .check(positive())
      .group(group)
      .showDefault();
  command.addOption("--max-vertices", settings.maxVertices, "files with more corners are refused")
      .check(range(size_t{3}, size_t{1} << 32))
      .group(group)
      .showDefault();
  command.addOption("--threshold", settings.threshold, "brightness from which a PNG's pixel is free, above 0 to 1")
      .check(range(1e-6, 1.0))
      .group(group)
      .showDefault();
  command
      .addOption(
          "--fill",
          [&settings](const std::string& rule) {
            settings.fill = rule == "nonzero" ? FillRule::kNonzero : FillRule::kEvenOdd;
          },
          "loops of one polygon that cross or repeat: evenodd, or nonzero, where holes add up")
      .check(oneOf({"evenodd", "nonzero"}))
      .group(group)
      .showDefault("evenodd");
}

SceneReadSettings SceneOptions::settings(double scale) const {
  SceneReadSettings settings;
  settings.scale = scale;
  if (maxTriangles != settings.maxTriangles) {
    settings.maxTriangles = maxTriangles;
    settings.maxVertices = 3 * maxTriangles;
  }
  settings.maxImporterBytes = static_cast<size_t>(importMegabytes * 1048576.0);
  settings.maxSeconds = importSeconds;
  if (up == "x") settings.up = UpAxis::kX;
  if (up == "y") settings.up = UpAxis::kY;
  if (up == "z") settings.up = UpAxis::kZ;
  if (labels == "material") settings.labels = LabelSource::kMaterial;
  if (labels == "object") settings.labels = LabelSource::kObject;
  return settings;
}

void addSceneOptions(Command& command, SceneOptions& options) {
  command
      .addOption("--up", options.up,
                 "the scene's up axis: auto (y for OBJ and glTF, z for PLY, STL and IFC), x, y or z")
      .check(oneOf({"auto", "x", "y", "z"}))
      .group("Scenes")
      .showDefault();
  command
      .addOption("--labels", options.labels, "what labels triangles: material, object, or any (material, else object)")
      .check(oneOf({"any", "material", "object"}))
      .group("Scenes")
      .showDefault();
  command
      .addOption("--max-triangles", options.maxTriangles,
                 "scenes with more triangles, or with three times as many vertices, are refused")
      .check(range(size_t{1}, size_t{1} << 32))
      .group("Scenes")
      .showDefault();
  command.addOption("--import-memory", options.importMegabytes, "MiB that reading FBX, COLLADA or IFC may take")
      .check(range(64.0, 1e7))
      .group("Scenes")
      .showDefault();
  command.addOption("--import-seconds", options.importSeconds, "seconds that it may take")
      .check(range(1.0, 86400.0))
      .group("Scenes")
      .showDefault();
}

Result<Place> parsePlace(std::string_view text) {
  const Error wrong{
      ErrorCode::kInvalidSettings,
      fmt::format("'{}' is not a place; write x,y or x,y,z in metres, for example 2.5,7 or 2.5,7,3", text)};
  double numbers[3] = {0, 0, 0};
  int count = 0;
  const char* p = text.data();
  const char* end = p + text.size();
  while (count < 3) {
    const auto [next, error] = std::from_chars(p, end, numbers[count]);
    if (error != std::errc() || !std::isfinite(numbers[count])) return wrong;
    ++count;
    p = next;
    if (p == end) break;
    if (*p != ',') return wrong;
    ++p;
  }
  if (p != end || count < 2) return wrong;
  return count == 3 ? Place{numbers[0], numbers[1], numbers[2]} : Place{numbers[0], numbers[1]};
}

Json toJson(const Topology& topology, const Lattice& lattice) {
  return {{"area", lattice.area(topology.doubledArea)},
          {"components", topology.components},
          {"boundaries", topology.boundaries},
          {"genus", topology.genus}};
}

std::string hexHash(uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

namespace {

std::string unsupported(const PathQuery& query) {
  if (query.side || query.method == PathMethod::kCorridor) {
    return "--side and --method corridor need a medial axis, which this mesh has not; bake it with --generator ecm";
  }
  const bool isForPoints = query.method == PathMethod::kPolyanya || query.method == PathMethod::kAStar ||
                           query.method == PathMethod::kGraph || query.method == PathMethod::kBreadth;
  if (query.radius > 0 && isForPoints) {
    return fmt::format("--method {} plans for a point; use --radius 0, or leave --method out",
                       methodName(query.method));
  }
  return fmt::format(
      "radius {:g} m needs a mesh whose cells do not overlap; use --radius 0, or bake it with another generator",
      query.radius);
}

}  // namespace

std::string explain(PathStatus status, const PathQuery& query) {
  const auto place = [](const Place& p) {
    return p.z ? fmt::format("({:g}, {:g}, {:g})", p.x, p.y, *p.z) : fmt::format("({:g}, {:g})", p.x, p.y);
  };
  const auto offMesh = [&](const char* end, const Place& p) {
    return fmt::format("the {} {} is inside an obstacle or outside the world; move it onto the mesh{}", end, place(p),
                       p.z ? fmt::format(", within {:g} m of a layer's height", p.tolerance) : "");
  };
  switch (status) {
    case PathStatus::kFound:
      return "found";
    case PathStatus::kStartOffMesh:
      return offMesh("start", query.from);
    case PathStatus::kGoalOffMesh:
      return offMesh("goal", query.to);
    case PathStatus::kUnreachable:
      return fmt::format("there is no way from {} to {}: {}", place(query.from), place(query.to),
                         query.radius > 0 ? fmt::format("no passage is wide enough for radius {:g} m", query.radius)
                                          : "they lie in different components of the world");
    case PathStatus::kBadQuery:
      return "a coordinate is not a finite number, or the radius is negative";
    case PathStatus::kUnsupported:
      return unsupported(query);
    case PathStatus::kStartTooNear:
      return fmt::format("a disk of radius {:g} m does not fit at the start {}: an obstacle is nearer", query.radius,
                         place(query.from));
    case PathStatus::kGoalTooNear:
      return fmt::format("a disk of radius {:g} m does not fit at the goal {}: an obstacle is nearer", query.radius,
                         place(query.to));
  }
  return "unknown";
}

Error noRoute(PathStatus status, const PathQuery& query) {
  const auto code = [&] {
    switch (status) {
      case PathStatus::kStartOffMesh:
      case PathStatus::kGoalOffMesh:
        return ErrorCode::kNotOnMesh;
      case PathStatus::kUnreachable:
        return ErrorCode::kNoWay;
      case PathStatus::kStartTooNear:
      case PathStatus::kGoalTooNear:
        return ErrorCode::kTooNarrow;
      case PathStatus::kBadQuery:
        return ErrorCode::kInvalidSettings;
      case PathStatus::kUnsupported:
        return ErrorCode::kUnsupported;
      case PathStatus::kFound:
        break;
    }
    return ErrorCode::kInternal;
  };
  return {code(), explain(status, query)};
}

Status makeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return Done{};
  return Error{ErrorCode::kFileNotWritten, fmt::format("cannot make the folder '{}': {}", path, error.message())};
}

Stopwatch::Stopwatch() : start_(wallSeconds()) {}

double Stopwatch::seconds() const {
  return wallSeconds() - start_;
}

double Stopwatch::restart() {
  const double spent = seconds();
  *this = Stopwatch();
  return spent;
}

}  // namespace wend::app
