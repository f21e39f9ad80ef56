#include "generators/recast/recast_library.h"

#ifdef WEND_RECAST

#include <memory>

#include <Recast.h>
#include <fmt/format.h>

namespace wend::recast {
namespace {

// Voxel columns; Recast takes some hundred bytes for each.
constexpr int64_t kMostColumns = int64_t{1} << 25;

class Log : public rcContext {
 public:
  Log() : rcContext(true) { enableTimer(false); }
  std::vector<std::string> problems;

 protected:
  void doLog(const rcLogCategory category, const char* message, const int length) override {
    if (category == RC_LOG_PROGRESS || problems.size() >= 20) return;
    problems.emplace_back(message, static_cast<size_t>(length));
  }
};

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* memory) const {
    Free(memory);
  }
};
using Heightfield = std::unique_ptr<rcHeightfield, Freed<rcFreeHeightField>>;
using CompactHeightfield = std::unique_ptr<rcCompactHeightfield, Freed<rcFreeCompactHeightfield>>;
using ContourSet = std::unique_ptr<rcContourSet, Freed<rcFreeContourSet>>;
using PolyMesh = std::unique_ptr<rcPolyMesh, Freed<rcFreePolyMesh>>;
using PolyMeshDetail = std::unique_ptr<rcPolyMeshDetail, Freed<rcFreePolyMeshDetail>>;

// Heights of the detail mesh as in Recast's demo: a sample every so many voxels, off by at most so many of their
// heights.
constexpr float kSampleDistance = 6;
constexpr float kSampleError = 1;

Error failed(const Log& log, const char* step) {
  return {ErrorCode::kLimit,
          fmt::format("Recast could not {}{}; choose larger voxels or split the world.", step,
                      log.problems.empty() ? std::string() : fmt::format(" ({})", log.problems.back()))};
}

Error cancelled() {
  return {ErrorCode::kCancelled, "Recast was stopped because the caller cancelled it."};
}

Polygons read(const rcPolyMesh& mesh) {
  Polygons out;
  for (int i = 0; i < mesh.nverts; ++i) {
    out.vertices.push_back({mesh.verts[3 * i], mesh.verts[3 * i + 1], mesh.verts[3 * i + 2]});
  }
  for (int i = 0; i < mesh.npolys; ++i) {
    std::vector<uint16_t>& loop = out.loops.emplace_back();
    for (int k = 0; k < mesh.nvp && mesh.polys[2 * mesh.nvp * i + k] != RC_MESH_NULL_IDX; ++k) {
      loop.push_back(mesh.polys[2 * mesh.nvp * i + k]);
    }
  }
  return out;
}

}  // namespace

bool isLibraryPresent() {
  return true;
}

Result<Polygons> build(const Soup& soup, const Build& settings, const Context& context) {
  Log log;
  int width = 0;
  int height = 0;
  rcCalcGridSize(settings.min.data(), settings.max.data(), settings.voxel, &width, &height);
  if (width <= 0 || height <= 0 || static_cast<int64_t>(width) * height > kMostColumns || width > 0xfffe ||
      height > 0xfffe) {
    return Error{ErrorCode::kLimit, fmt::format("Voxels of {} m make a grid of {} x {}; choose larger ones.",
                                                settings.voxel, width, height)};
  }
  const Heightfield field(rcAllocHeightfield());
  if (!rcCreateHeightfield(&log, *field, width, height, settings.min.data(), settings.max.data(), settings.voxel,
                           settings.voxelHeight)) {
    return failed(log, "make a height field");
  }
  const auto vertices = static_cast<int>(soup.vertices.size() / 3);
  const auto triangles = static_cast<int>(soup.triangles.size() / 3);
  std::vector<unsigned char> areas(static_cast<size_t>(triangles), 0);
  rcMarkWalkableTriangles(&log, settings.slope, soup.vertices.data(), vertices, soup.triangles.data(), triangles,
                          areas.data());
  if (!rcRasterizeTriangles(&log, soup.vertices.data(), vertices, soup.triangles.data(), areas.data(), triangles,
                            *field, settings.climb)) {
    return failed(log, "rasterise the surface");
  }
  if (context.cancelled()) return cancelled();
  rcFilterLowHangingWalkableObstacles(&log, settings.climb, *field);
  if (settings.ledges) rcFilterLedgeSpans(&log, settings.headRoom, settings.climb, *field);
  rcFilterWalkableLowHeightSpans(&log, settings.headRoom, *field);
  const CompactHeightfield compact(rcAllocCompactHeightfield());
  if (!rcBuildCompactHeightfield(&log, settings.headRoom, settings.climb, *field, *compact)) {
    return failed(log, "compact the height field");
  }
  if (!rcBuildDistanceField(&log, *compact)) return failed(log, "build the distance field");
  if (context.cancelled()) return cancelled();
  if (!rcBuildRegions(&log, *compact, settings.border, settings.leastRegion, settings.mergedRegion))
    return failed(log, "build regions");
  if (context.cancelled()) return cancelled();
  const ContourSet contours(rcAllocContourSet());
  if (!rcBuildContours(&log, *compact, settings.error, settings.edgeLength, *contours)) {
    return failed(log, "trace contours");
  }
  if (context.cancelled()) return cancelled();
  const PolyMesh mesh(rcAllocPolyMesh());
  if (!rcBuildPolyMesh(&log, *contours, settings.corners, *mesh)) return failed(log, "build polygons");
  Polygons polygons = read(*mesh);
  if (settings.detail) {
    const PolyMeshDetail detail(rcAllocPolyMeshDetail());
    if (!rcBuildPolyMeshDetail(&log, *mesh, *compact, kSampleDistance * settings.voxel,
                               kSampleError * settings.voxelHeight, *detail)) {
      return failed(log, "build triangles that follow the heights");
    }
    polygons.detailTriangles = detail->ntris;
  }
  polygons.warnings = std::move(log.problems);
  return polygons;
}

}  // namespace wend::recast

#else

namespace wend::recast {

bool isLibraryPresent() {
  return false;
}

Result<Polygons> build(const Soup&, const Build&, const Context&) {
  return Error{ErrorCode::kUnsupported, "This wend was built without the Recast library; install it and build again."};
}

}  // namespace wend::recast

#endif
