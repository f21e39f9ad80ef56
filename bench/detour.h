#pragma once

#ifdef WEND_BENCH_DETOUR

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <wend/generate.h>
#include <wend/route.h>

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

// Detour on a mesh by Recast of the same surface, as its users set it up: one tile, voxels of 0.3 m or half the radius,
// walkable area eroded by the radius.
namespace wend {

class DetourMesh {
 public:
  static std::unique_ptr<DetourMesh> make(const Environment& environment, double radius) {
    auto out = std::make_unique<DetourMesh>();
    return out->build(environment, radius) ? std::move(out) : nullptr;
  }
  ~DetourMesh() {
    dtFreeNavMeshQuery(query_);
    dtFreeNavMesh(mesh_);
  }
  size_t polygons() const { return polygons_; }

  // The length of the path in top view, negative without one: the polygons of both ends, the corridor, its string.
  double plan(const Place& from, const Place& to) {
    const float extents[3] = {0.5F, 1.0F, 0.5F};
    const dtQueryFilter filter;
    const float a[3] = {static_cast<float>(from.x), static_cast<float>(from.z.value_or(0)),
                        static_cast<float>(-from.y)};
    const float b[3] = {static_cast<float>(to.x), static_cast<float>(to.z.value_or(0)), static_cast<float>(-to.y)};
    dtPolyRef start = 0;
    dtPolyRef goal = 0;
    float p[3];
    float q[3];
    query_->findNearestPoly(a, extents, &filter, &start, p);
    query_->findNearestPoly(b, extents, &filter, &goal, q);
    if (start == 0 || goal == 0) return -1;
    constexpr int kMost = 2048;
    static dtPolyRef path[kMost];
    static float points[3 * kMost];
    int count = 0;
    query_->findPath(start, goal, p, q, &filter, path, &count, kMost);
    if (count == 0 || path[count - 1] != goal) return -1;
    int corners = 0;
    query_->findStraightPath(p, q, path, count, points, nullptr, nullptr, &corners, kMost);
    double length = 0;
    for (int i = 1; i < corners; ++i) {
      length += std::hypot(points[3 * i] - points[3 * i - 3], points[3 * i + 2] - points[3 * i - 1]);
    }
    return length;
  }

 private:
  bool build(const Environment& environment, double radius) {
    const Result<NavMesh> triangles = generate(environment, {.generator = "delaunay"});
    if (!triangles.ok()) return false;
    std::vector<float> vertices;
    std::vector<int> ids;
    for (VertexId v = 0; v < triangles->vertexCount(); ++v) {
      const Vec3 p = triangles->position(v);
      for (const double value : {p.x, p.z, -p.y}) vertices.push_back(static_cast<float>(value));
    }
    for (CellId cell = 0; cell < triangles->cellCount(); ++cell) {
      const SideId first = triangles->firstSide(cell);
      for (SideId s = first + 1; s + 1 < triangles->endSide(cell); ++s) {
        for (const SideId corner : {first, s, s + 1}) ids.push_back(static_cast<int>(triangles->startVertex(corner)));
      }
    }
    rcContext context(false);
    const float cs = radius > 0 ? static_cast<float>(radius / 2) : 0.3F;
    const float ch = 0.1F;
    const int climb = static_cast<int>(0.4F / ch);
    const int room = static_cast<int>(2.0F / ch);
    float low[3];
    float high[3];
    const auto vertexCount = static_cast<int>(vertices.size() / 3);
    const auto triangleCount = static_cast<int>(ids.size() / 3);
    rcCalcBounds(vertices.data(), vertexCount, low, high);
    int width = 0;
    int height = 0;
    rcCalcGridSize(low, high, cs, &width, &height);
    if (width > 4096 || height > 4096) return false;
    rcHeightfield* field = rcAllocHeightfield();
    rcCreateHeightfield(&context, *field, width, height, low, high, cs, ch);
    std::vector<unsigned char> areas(static_cast<size_t>(triangleCount), RC_WALKABLE_AREA);
    rcRasterizeTriangles(&context, vertices.data(), vertexCount, ids.data(), areas.data(), triangleCount, *field,
                         climb);
    rcFilterWalkableLowHeightSpans(&context, room, *field);
    rcCompactHeightfield* compact = rcAllocCompactHeightfield();
    rcBuildCompactHeightfield(&context, room, climb, *field, *compact);
    rcFreeHeightField(field);
    if (radius > 0) rcErodeWalkableArea(&context, static_cast<int>(std::ceil(radius / cs)), *compact);
    rcBuildDistanceField(&context, *compact);
    rcBuildRegions(&context, *compact, 0, 8, 400);
    rcContourSet* contours = rcAllocContourSet();
    rcBuildContours(&context, *compact, 1.3F, static_cast<int>(12 / cs), *contours);
    rcPolyMesh* mesh = rcAllocPolyMesh();
    const bool built = rcBuildPolyMesh(&context, *contours, DT_VERTS_PER_POLYGON, *mesh);
    rcFreeCompactHeightfield(compact);
    rcFreeContourSet(contours);
    const bool made = built && mesh->npolys > 0 && makeQuery(*mesh, low, high, cs, ch, static_cast<float>(radius));
    rcFreePolyMesh(mesh);
    return made;
  }
  bool makeQuery(rcPolyMesh& mesh, const float* low, const float* high, float cs, float ch, float radius) {
    for (int i = 0; i < mesh.npolys; ++i) mesh.flags[i] = 1;
    dtNavMeshCreateParams params{};
    params.verts = mesh.verts;
    params.vertCount = mesh.nverts;
    params.polys = mesh.polys;
    params.polyAreas = mesh.areas;
    params.polyFlags = mesh.flags;
    params.polyCount = mesh.npolys;
    params.nvp = mesh.nvp;
    params.walkableHeight = 2;
    params.walkableRadius = radius;
    params.walkableClimb = 0.4F;
    std::copy_n(low, 3, params.bmin);
    std::copy_n(high, 3, params.bmax);
    params.cs = cs;
    params.ch = ch;
    params.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) return false;
    mesh_ = dtAllocNavMesh();
    query_ = dtAllocNavMeshQuery();
    polygons_ = static_cast<size_t>(mesh.npolys);
    return dtStatusSucceed(mesh_->init(data, size, DT_TILE_FREE_DATA)) && dtStatusSucceed(query_->init(mesh_, 65535));
  }

  dtNavMesh* mesh_ = nullptr;
  dtNavMeshQuery* query_ = nullptr;
  size_t polygons_ = 0;
};

}  // namespace wend

#endif
