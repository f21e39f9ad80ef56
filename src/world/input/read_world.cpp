#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <wend/file.h>
#include <wend/make.h>
#include <wend/volume/volume_mesh.h>
#include <wend/world_input.h>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr std::string_view kMake = "make:";
constexpr size_t kHeadBytes = size_t{16} << 10;

class Clock {
 public:
  // Seconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double spent = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return spent;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool isWkt(std::string_view text) {
  if (text.find('(') == std::string_view::npos) return false;
  std::string head(text.substr(0, 18));
  for (char& c : head) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return head.starts_with("POLYGON") || head.starts_with("MULTIPOLYGON") || head.starts_with("GEOMETRYCOLLECTION");
}

// "KIND name=value ...".
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
    if (equals == std::string::npos || i == 0 || std::from_chars(words[i].data() + equals + 1, end, value).ptr != end ||
        !std::isfinite(value)) {
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
  return makeEnvironment(settings, context);
}

// The head of a regular file; an Error if there is none.
Result<std::vector<std::byte>> readHead(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status)) {
    return Error{ErrorCode::kFileNotFound, fmt::format("'{}' is a pipe or a device; save it as a file first", path)};
  }
  if (!std::filesystem::is_regular_file(status)) {
    // Says what is wrong with it.
    Result<std::vector<std::byte>> whole = readFile(path, 0);
    if (!whole.ok()) return whole;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return readFile(path, 0);
  std::vector<std::byte> head(kHeadBytes);
  file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  return head;
}

}  // namespace

Result<InputFormat> recogniseInput(const std::string& input) {
  if (input.starts_with(kMake)) return InputFormat{InputKind::kEnvironment, "make"};
  if (isWkt(input)) return InputFormat{InputKind::kEnvironment, formatName(EnvironmentFormat::kWkt)};
  const Result<std::vector<std::byte>> head = readHead(input);
  if (!head.ok()) return head.error();
  if (isWorldFile(*head)) return InputFormat{InputKind::kWorld, "wend"};
  if (isVolumeFile(*head)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}' holds volumes, not floors; wend volumes SCENE --project FILE.env writes the floors "
                             "below them",
                             input)};
  }
  if (isTiff(*head)) return InputFormat{InputKind::kImage, "TIFF"};
  std::error_code error;
  const Result<SceneFormat> scene = recogniseScene(*head, std::filesystem::file_size(input, error));
  if (scene.ok()) return InputFormat{InputKind::kScene, formatName(*scene)};
  const Result<EnvironmentFormat> format = recogniseEnvironment(*head);
  if (format.ok()) return InputFormat{InputKind::kEnvironment, formatName(*format)};
  return Error{format.error().code, fmt::format("'{}': {}", input, format.error().message)};
}

namespace {

// A surface model may lie millions of metres from the origin. It stays there if the lattice reaches so far; else it is
// moved to the origin, and a note says by how much. Returns the move.
Vec2 placeOnLattice(NavigableGrid& grid, double unit, const Context& context) {
  const Lattice lattice{unit};
  const Vec2 far{grid.origin.x + grid.width * grid.pixel, grid.origin.y + grid.height * grid.pixel};
  if (lattice.snap(grid.origin).ok() && lattice.snap(far).ok()) return {};
  context.note(
      fmt::format("the picture lies at {:.3f}, {:.3f} m, out of the lattice's reach of {:g} m; it is moved to the "
                  "origin (a coarser unit would keep its place)",
                  grid.origin.x, grid.origin.y, lattice.reach()));
  const Vec2 moved{-grid.origin.x, -grid.origin.y};
  grid.origin = {0, 0};
  return moved;
}

Status readImage(const std::string& input, const WorldReadSettings& settings, const Context& context,
                 EnvironmentReading& reading) {
  Clock clock;
  RangeImage image;
  std::vector<std::vector<Vec2>> omitted;
  if (reading.format.kind == InputKind::kScene) {
    const Result<Scene> scene = readScene(input, settings.scene, context);
    if (!scene.ok()) return scene.error();
    reading.triangles = scene->triangles.size();
    Result<TopView> view = topView(*scene, settings.view, context);
    if (!view.ok()) return Error{view.error().code, fmt::format("'{}': {}", input, view.error().message)};
    image = std::move(view->image);
    omitted = std::move(view->omitted);
  } else {
    Result<RangeImage> read = readRangeImage(input, settings.range, context);
    if (!read.ok()) return read.error();
    image = *std::move(read);
  }
  reading.seconds.emplace_back("read", clock.lap());
  Result<NavigableReport> report = extractNavigable(image, settings.navigable, context, settings.step);
  if (!report.ok()) return Error{report.error().code, fmt::format("'{}': {}", input, report.error().message)};
  const Vec2 moved = placeOnLattice(report->grid, settings.environment.unit, context);
  reading.seconds.emplace_back("filter", clock.lap());
  Result<Environment> environment = gridEnvironment(report->grid, Lattice{settings.environment.unit}, context);
  if (!environment.ok())
    return Error{environment.error().code, fmt::format("'{}': {}", input, environment.error().message)};
  // What was left out of the picture stays known by its place: crowds walk around it (CrowdSettings::localObstacles).
  if (!omitted.empty()) {
    EnvironmentDraft draft = draftOf(*environment);
    RegionDraft objects{"object", {}};
    for (std::vector<Vec2>& outline : omitted) {
      for (Vec2& corner : outline) corner = {corner.x + moved.x, corner.y + moved.y};
      objects.area.push_back({std::move(outline)});
    }
    draft.layers[0].regions.push_back(std::move(objects));
    environment = buildEnvironment(draft, context);
    if (!environment.ok())
      return Error{environment.error().code, fmt::format("'{}': {}", input, environment.error().message)};
  }
  reading.environment = *std::move(environment);
  reading.environment.name = std::filesystem::path(input).stem().string();
  reading.navigable = std::move(*report);
  reading.navigable->grid.free = {};
  reading.seconds.emplace_back("trace", clock.lap());
  return Done{};
}

}  // namespace

Result<EnvironmentReading> readAnyEnvironment(const std::string& input, const WorldReadSettings& settings,
                                              const Context& context) {
  const Result<InputFormat> format = recogniseInput(input);
  if (!format.ok()) return format.error();
  const bool isPng = format->name == formatName(EnvironmentFormat::kPngMask);
  if (format->kind == InputKind::kImage || (settings.rangeImage && isPng) ||
      (settings.topView && format->kind == InputKind::kScene)) {
    EnvironmentReading image;
    image.format = *format;
    if (isPng) image.format = {InputKind::kImage, "PNG range image"};
    if (Status status = readImage(input, settings, context, image); !status.ok()) return status.error();
    return image;
  }
  EnvironmentReading reading;
  reading.format = *format;
  Clock clock;
  if (format->kind == InputKind::kWorld) {
    Result<World> world = loadWorld(input);
    if (!world.ok()) return world.error();
    reading.environment = world->environment();
    reading.world = *std::move(world);
    reading.seconds.emplace_back("read", clock.lap());
    return reading;
  }
  if (format->kind == InputKind::kScene) {
    const Result<Scene> scene = readScene(input, settings.scene, context);
    if (!scene.ok()) return scene.error();
    reading.seconds.emplace_back("read", clock.lap());
    reading.triangles = scene->triangles.size();
    Result<Extraction> extraction = extract(*scene, settings.extract, context);
    if (!extraction.ok()) {
      return Error{extraction.error().code, fmt::format("'{}': {}", input, extraction.error().message)};
    }
    reading.environment = std::move(extraction->environment);
    reading.environment.name = std::filesystem::path(input).stem().string();
    reading.extraction = std::move(extraction->report);
    reading.seconds.emplace_back("extract", clock.lap());
    return reading;
  }
  Result<Environment> environment =
      input.starts_with(kMake) ? makeFromText(std::string_view(input).substr(kMake.size()), context)
      : isWkt(input)           ? parseEnvironment(asBytes(input), "environment", settings.environment, context)
                               : readEnvironment(input, settings.environment, context);
  if (!environment.ok()) return environment.error();
  reading.environment = *std::move(environment);
  reading.seconds.emplace_back("read", clock.lap());
  return reading;
}

Result<WorldReading> readWorld(const std::string& input, const WorldReadSettings& settings, const Context& context) {
  Result<EnvironmentReading> read = readAnyEnvironment(input, settings, context);
  if (!read.ok()) return read.error();
  WorldReading reading;
  reading.format = std::move(read->format);
  reading.extraction = std::move(read->extraction);
  reading.seconds = std::move(read->seconds);
  if (read->world) {
    reading.world = *std::move(read->world);
    return reading;
  }
  Clock clock;
  Result<World> world = bake(std::move(read->environment), settings.generate, context);
  if (!world.ok()) return world.error();
  reading.world = *std::move(world);
  reading.seconds.emplace_back("generate", clock.lap());
  return reading;
}

}  // namespace wend
