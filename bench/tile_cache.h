#pragma once

#ifdef WEND_BENCH_TILE_CACHE

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <wend/extract.h>
#include <wend/scene.h>

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>
#include <Recast.h>

// Detour's tile cache of a scene, as Recast's demo of temporary obstacles sets it up: tiles of 48 voxels of 0.3 m,
// 0.2 m high, layers of walkable voxels eroded by 0.6 m. Tiles are kept as they are, not compressed: that is faster.
namespace wend {

class TileCache {
 public:
  static std::unique_ptr<TileCache> make(const Scene& scene, const ExtractSettings& person) {
    auto out = std::make_unique<TileCache>();
    return out->build(scene, person) ? std::move(out) : nullptr;
  }
  TileCache() = default;
  TileCache(const TileCache&) = delete;
  TileCache& operator=(const TileCache&) = delete;
  ~TileCache() {
    dtFreeTileCache(cache_);
    dtFreeNavMesh(mesh_);
  }

  // A box that stands on a place, turned about the vertical; the mesh is ready afterwards.
  dtObstacleRef add(Vec3 at, double size, double radians) {
    const auto half = static_cast<float>(size / 2);
    const float centre[3] = {static_cast<float>(at.x), static_cast<float>(at.z) + half, static_cast<float>(-at.y)};
    const float extents[3] = {half, half, half};
    dtObstacleRef box = 0;
    cache_->addBoxObstacle(centre, extents, static_cast<float>(radians), &box);
    update();
    return box;
  }
  void remove(dtObstacleRef box) {
    cache_->removeObstacle(box);
    update();
  }
  // How many tiles a box has changed.
  int tilesOf(dtObstacleRef box) const {
    const dtTileCacheObstacle* obstacle = cache_->getObstacleByRef(box);
    return obstacle == nullptr ? 0 : obstacle->ntouched;
  }
  size_t polygons() const {
    size_t sum = 0;
    const dtNavMesh& mesh = *mesh_;
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
      if (const dtMeshTile* tile = mesh.getTile(i); tile->header != nullptr) {
        sum += static_cast<size_t>(tile->header->polyCount);
      }
    }
    return sum;
  }

 private:
  static constexpr int kTile = 48;
  static constexpr float kVoxel = 0.3F;
  static constexpr float kVoxelHeight = 0.2F;
  static constexpr float kRadius = 0.6F;
  static constexpr float kSimplify = 1.3F;
  static constexpr int kMostLayers = 32;

  // One block of memory that is empty again after each tile.
  struct Memory : dtTileCacheAlloc {
    void reset() override { used = 0; }
    void* alloc(size_t size) override {
      const size_t begin = used;
      used += (size + 15) / 16 * 16;
      return used <= block.size() ? block.data() + begin : nullptr;
    }
    void free(void*) override {}
    std::vector<unsigned char> block = std::vector<unsigned char>(4 << 20);
    size_t used = 0;
  };
  struct NoCompressor : dtTileCacheCompressor {
    int maxCompressedSize(int size) override { return size; }
    dtStatus compress(const unsigned char* from, int size, unsigned char* to, int, int* written) override {
      std::memcpy(to, from, static_cast<size_t>(size));
      *written = size;
      return DT_SUCCESS;
    }
    dtStatus decompress(const unsigned char* from, int size, unsigned char* to, int, int* written) override {
      return compress(from, size, to, size, written);
    }
  };
  struct Walkable : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char* areas, unsigned short* flags) override {
      for (int i = 0; i < params->polyCount; ++i) {
        areas[i] = 0;
        flags[i] = 1;
      }
    }
  };

  void update() {
    bool isDone = false;
    while (!isDone && dtStatusSucceed(cache_->update(0, mesh_, &isDone))) {
    }
  }

  bool build(const Scene& scene, const ExtractSettings& person) {
    for (const Vec3 p : scene.vertices) {
      for (const double value : {p.x, p.z, -p.y}) vertices_.push_back(static_cast<float>(value));
    }
    for (const Scene::Triangle& t : scene.triangles) {
      for (const uint32_t id : t.vertices) ids_.push_back(static_cast<int>(id));
    }
    rcCalcBounds(vertices_.data(), static_cast<int>(vertices_.size() / 3), low_, high_);
    int width = 0;
    int height = 0;
    rcCalcGridSize(low_, high_, kVoxel, &width, &height);
    const int columns = (width + kTile - 1) / kTile;
    const int rows = (height + kTile - 1) / kTile;

    dtTileCacheParams cacheParams{};
    std::copy_n(low_, 3, cacheParams.orig);
    cacheParams.cs = kVoxel;
    cacheParams.ch = kVoxelHeight;
    cacheParams.width = kTile;
    cacheParams.height = kTile;
    cacheParams.walkableHeight = static_cast<float>(person.height);
    cacheParams.walkableRadius = kRadius;
    cacheParams.walkableClimb = static_cast<float>(person.step);
    cacheParams.maxSimplificationError = kSimplify;
    cacheParams.maxTiles = columns * rows * 4;
    cacheParams.maxObstacles = 128;
    cache_ = dtAllocTileCache();
    if (dtStatusFailed(cache_->init(&cacheParams, &memory_, &compressor_, &walkable_))) return false;

    dtNavMeshParams meshParams{};
    std::copy_n(low_, 3, meshParams.orig);
    meshParams.tileWidth = kTile * kVoxel;
    meshParams.tileHeight = kTile * kVoxel;
    const auto bits =
        std::min(14, static_cast<int>(dtIlog2(dtNextPow2(static_cast<unsigned int>(cacheParams.maxTiles)))));
    meshParams.maxTiles = 1 << bits;
    meshParams.maxPolys = 1 << (22 - bits);
    mesh_ = dtAllocNavMesh();
    if (dtStatusFailed(mesh_->init(&meshParams))) return false;

    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        if (!addTile(column, row, person)) return false;
      }
    }
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) cache_->buildNavMeshTilesAt(column, row, mesh_);
    }
    return true;
  }

  std::vector<int> trianglesIn(const float* low, const float* high) const {
    std::vector<int> found;
    for (size_t i = 0; i + 2 < ids_.size(); i += 3) {
      bool isIn = true;
      for (const int axis : {0, 2}) {
        const auto at = [&](size_t k) { return vertices_[static_cast<size_t>(ids_[i + k] * 3 + axis)]; };
        isIn = isIn && std::min({at(0), at(1), at(2)}) <= high[axis] && std::max({at(0), at(1), at(2)}) >= low[axis];
      }
      if (isIn)
        found.insert(found.end(), ids_.begin() + static_cast<ptrdiff_t>(i),
                     ids_.begin() + static_cast<ptrdiff_t>(i) + 3);
    }
    return found;
  }

  bool addTile(int column, int row, const ExtractSettings& person) {
    rcContext context(false);
    const int headRoom = static_cast<int>(std::ceil(static_cast<float>(person.height) / kVoxelHeight));
    const int climb = static_cast<int>(std::floor(static_cast<float>(person.step) / kVoxelHeight));
    const int radius = static_cast<int>(std::ceil(kRadius / kVoxel));
    const int border = radius + 3;
    const int side = kTile + 2 * border;
    const float size = kTile * kVoxel;
    const float around = static_cast<float>(border) * kVoxel;
    float low[3] = {low_[0] + static_cast<float>(column) * size - around, low_[1],
                    low_[2] + static_cast<float>(row) * size - around};
    float high[3] = {low[0] + size + 2 * around, high_[1], low[2] + size + 2 * around};
    const std::vector<int> ids = trianglesIn(low, high);
    if (ids.empty()) return true;
    const auto vertexCount = static_cast<int>(vertices_.size() / 3);
    const auto triangleCount = static_cast<int>(ids.size() / 3);
    std::vector<unsigned char> areas(ids.size() / 3, 0);
    rcMarkWalkableTriangles(&context, static_cast<float>(person.slope), vertices_.data(), vertexCount, ids.data(),
                            triangleCount, areas.data());
    rcHeightfield* field = rcAllocHeightfield();
    rcCreateHeightfield(&context, *field, side, side, low, high, kVoxel, kVoxelHeight);
    rcRasterizeTriangles(&context, vertices_.data(), vertexCount, ids.data(), areas.data(), triangleCount, *field,
                         climb);
    rcFilterLowHangingWalkableObstacles(&context, climb, *field);
    rcFilterLedgeSpans(&context, headRoom, climb, *field);
    rcFilterWalkableLowHeightSpans(&context, headRoom, *field);
    rcCompactHeightfield* compact = rcAllocCompactHeightfield();
    rcBuildCompactHeightfield(&context, headRoom, climb, *field, *compact);
    rcFreeHeightField(field);
    rcErodeWalkableArea(&context, radius, *compact);
    rcHeightfieldLayerSet* layers = rcAllocHeightfieldLayerSet();
    const bool built = rcBuildHeightfieldLayers(&context, *compact, border, headRoom, *layers);
    rcFreeCompactHeightfield(compact);
    for (int i = 0; built && i < std::min(layers->nlayers, kMostLayers); ++i) {
      const rcHeightfieldLayer& layer = layers->layers[i];
      dtTileCacheLayerHeader header{};
      header.magic = DT_TILECACHE_MAGIC;
      header.version = DT_TILECACHE_VERSION;
      header.tx = column;
      header.ty = row;
      header.tlayer = i;
      std::copy_n(layer.bmin, 3, header.bmin);
      std::copy_n(layer.bmax, 3, header.bmax);
      header.width = static_cast<unsigned char>(layer.width);
      header.height = static_cast<unsigned char>(layer.height);
      header.minx = static_cast<unsigned char>(layer.minx);
      header.maxx = static_cast<unsigned char>(layer.maxx);
      header.miny = static_cast<unsigned char>(layer.miny);
      header.maxy = static_cast<unsigned char>(layer.maxy);
      header.hmin = static_cast<unsigned short>(layer.hmin);
      header.hmax = static_cast<unsigned short>(layer.hmax);
      unsigned char* data = nullptr;
      int bytes = 0;
      if (dtStatusSucceed(
              dtBuildTileCacheLayer(&compressor_, &header, layer.heights, layer.areas, layer.cons, &data, &bytes))) {
        cache_->addTile(data, bytes, DT_COMPRESSEDTILE_FREE_DATA, nullptr);
      }
    }
    rcFreeHeightfieldLayerSet(layers);
    return built;
  }

  Memory memory_;
  NoCompressor compressor_;
  Walkable walkable_;
  std::vector<float> vertices_;
  std::vector<int> ids_;
  float low_[3] = {};
  float high_[3] = {};
  dtTileCache* cache_ = nullptr;
  dtNavMesh* mesh_ = nullptr;
};

}  // namespace wend

#endif
