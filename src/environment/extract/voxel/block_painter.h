#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/voxel/depth_map.h"

// Draws the triangles of one block: a software rasteriser for orthographic views that keeps every hit.
namespace wend::voxel {

enum class HitKind : uint8_t {
  kFloor,  // may be stood on
  kCover,  // a floor that is not wanted here: it only takes head room
  kOther,  // steep, vertical or facing down
};
struct Hit {
  int32_t z;
  uint32_t facet;
  uint16_t pixel;
  HitKind kind;
  bool sloped;  // rises by more than the slack of the head room from pixel to pixel
};
// A floor that misses the pixel's centre by no more than the gap.
struct NearHit {
  int32_t z;
  uint32_t facet;
  uint16_t pixel;
  Vec2 off;  // from the centre to the nearest point of the floor, units
};

class BlockPainter {
 public:
  BlockPainter(const extraction::Soup& soup, const extraction::Facets& facets, const Voxels& voxels,
               const Measures& measures, uint32_t block, BlockPlace place);

  void draw(std::span<const uint32_t> triangles);

  std::vector<Hit> hits;
  std::vector<NearHit> nearHits;
  std::vector<Wall> walls;

 private:
  using Corners = std::array<extraction::Point3, 3>;
  struct Span {
    int32_t from, to;  // pixels of a row, inclusive
  };
  Span within(const Corners& corners, double area, int32_t y) const;
  void drawArea(const extraction::Triangle& t, const Corners& corners, bool floor);
  void drawRim(const extraction::Triangle& t, const Corners& corners);
  void drawWall(const extraction::Triangle& t, const Corners& corners, int axis);
  void hit(int32_t pixel, int32_t z, const extraction::Triangle& t, bool floor, bool sloped);

  const extraction::Soup& soup_;
  const extraction::Facets& facets_;
  const Voxels& voxels_;
  const Measures& m_;
  uint32_t block_;
  int32_t left_;    // first pixel
  int32_t bottom_;  // first row
  double low_ = 0;  // triangles below or above this are skipped
  double high_ = 0;
};

}  // namespace wend::voxel
