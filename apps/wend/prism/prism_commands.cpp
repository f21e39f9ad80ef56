#include "prism/prism_commands.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace wend::app {
namespace {

Result<Vec3> prismPlace(const std::string& text) {
  const Result<Place> place = parsePlace(text);
  if (!place.ok()) return place.error();
  if (place->z) return Vec3{place->x, place->y, *place->z};
  return Error{ErrorCode::kInvalidSettings,
               fmt::format("'{}' has no height; a place among prisms is x,y,z in metres", text)};
}

// Components joined by passages.
uint32_t prismComponents(const PrismGrid& grid, std::span<const PrismPassage> passages) {
  std::vector<uint32_t> root(grid.prisms.size());
  for (uint32_t i = 0; i < root.size(); ++i) root[i] = i;
  const auto find = [&](uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  auto components = static_cast<uint32_t>(root.size());
  for (const PrismPassage& p : passages) {
    const uint32_t a = find(p.from);
    const uint32_t b = find(p.to);
    if (a == b) continue;
    root[a] = b;
    --components;
  }
  return components;
}

}  // namespace

bool isFileOfPrisms(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // opening a pipe would wait for its writer
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> head{};
  file.read(head.data(), head.size());
  return file.gcount() == static_cast<std::streamsize>(head.size()) &&
         isPrismFile(std::as_bytes(std::span<const char>(head)));
}

int prismInfo(Run& run, const std::string& file) {
  const Result<PrismGrid> grid = loadPrisms(file);
  if (!grid.ok()) return run.fail(grid.error());
  run.finishProgress();
  const std::vector<PrismPassage> passages = passagesOf(*grid);
  const uint32_t components = prismComponents(*grid, passages);
  uint64_t voxels = 0;
  uint64_t largest = 0;
  for (const GridPrism& prism : grid->prisms) {
    voxels += prism.voxels();
    largest = std::max(largest, prism.voxels());
  }
  const double cubic = grid->voxel * grid->voxel * grid->voxel;
  const Vec3 low = grid->origin;
  const Vec3 high{low.x + grid->size[0] * grid->voxel, low.y + grid->size[1] * grid->voxel,
                  low.z + grid->size[2] * grid->voxel};
  run.say(fmt::format("{}: {} prisms with {} passages in {} components", file, grid->prisms.size(), passages.size(),
                      components));
  run.say(fmt::format("  {} x {} x {} voxels of {:g} m, {} of them free: {:.4f} m3; the largest prism has {:.4f} m3",
                      grid->size[0], grid->size[1], grid->size[2], grid->voxel, voxels,
                      static_cast<double>(voxels) * cubic, static_cast<double>(largest) * cubic));
  run.say(fmt::format("  from ({:.3f}, {:.3f}, {:.3f}) to ({:.3f}, {:.3f}, {:.3f}) m, hash {}", low.x, low.y, low.z,
                      high.x, high.y, high.z, hexHash(hash(*grid))));
  run.print({{"ok", true},
             {"file", file},
             {"kind", "prisms"},
             {"prisms", grid->prisms.size()},
             {"passages", passages.size()},
             {"components", components},
             {"size", grid->size},
             {"voxel", grid->voxel},
             {"free_voxels", voxels},
             {"free_volume", static_cast<double>(voxels) * cubic},
             {"min", {low.x, low.y, low.z}},
             {"max", {high.x, high.y, high.z}},
             {"hash", hexHash(hash(*grid))}});
  return kOk;
}

int prismCheck(Run& run, const std::string& file) {
  const Result<PrismGrid> grid = loadPrisms(file);
  if (!grid.ok()) return run.fail(grid.error());
  const std::vector<std::string> faults = checkPrisms(*grid);
  run.finishProgress();
  for (const std::string& fault : faults) run.say(fault);
  run.say(faults.empty() ? fmt::format("{}: right: prisms are disjoint and within the grid", file)
                         : fmt::format("{}: {} fault(s)", file, faults.size()));
  run.print({{"ok", faults.empty()}, {"file", file}, {"faults", faults}});
  return faults.empty() ? kOk : kFailed;
}

int prismPath(Run& run, const std::string& file, const std::string& from, const std::string& to) {
  const Result<PrismGrid> grid = loadPrisms(file);
  if (!grid.ok()) return run.fail(grid.error());
  const Result<Vec3> start = prismPlace(from);
  if (!start.ok()) return run.fail(start.error());
  const Result<Vec3> goal = prismPlace(to);
  if (!goal.ok()) return run.fail(goal.error());
  for (const auto& [place, text] : {std::pair(*start, from), std::pair(*goal, to)}) {
    if (grid->locate(place) == kNone) {
      return run.fail(ErrorCode::kNotOnMesh, fmt::format("{} is in no prism; move it into free space", text));
    }
  }
  const std::vector<PrismPassage> passages = passagesOf(*grid);
  run.finishProgress();
  const Stopwatch watch;
  const PrismRoute route = routeOf(*grid, passages, *start, *goal);
  const double microseconds = watch.seconds() * 1e6;
  if (route.prisms.empty()) {
    return run.fail(ErrorCode::kNoWay, fmt::format("no way leads from {} to {} through the prisms", from, to));
  }
  run.say(fmt::format("found: {:.4f} m, {} points, {} prisms, {:.1f} microseconds", route.length, route.points.size(),
                      route.prisms.size(), microseconds));
  Json points = Json::array();
  for (const Vec3 p : route.points) {
    run.say(fmt::format("  {:.4f}, {:.4f}, {:.4f}", p.x, p.y, p.z));
    points.push_back({p.x, p.y, p.z});
  }
  run.print({{"ok", true},
             {"found", true},
             {"length", route.length},
             {"points", points},
             {"prisms", route.prisms},
             {"microseconds", microseconds}});
  return kOk;
}

int prismDraw(Run& run, const std::string& file, const std::string& output, const VolumeDrawOptions& options) {
  const Result<PrismGrid> grid = loadPrisms(file);
  if (!grid.ok()) return run.fail(grid.error());
  const Result<VolumeMesh> mesh = prismVolumes(*grid, run.context());
  if (!mesh.ok()) return run.fail(mesh.error());
  return drawVolumeMesh(run, *mesh, file, output, options);
}

}  // namespace wend::app
