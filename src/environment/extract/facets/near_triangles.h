#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "environment/extract/soup/soup.h"

// Finds triangles that may be connected if no obstacle stands between them: those within a crack and a step of each
// other. All face up.
namespace wend::extraction {

class NearTriangles {
 public:
  NearTriangles(const Soup& soup, const Tolerances& tolerances);

  using Boxes = std::array<BoxTree::Extent, BoxTree::kTogether>;
  // Where to look for the neighbours of the first of some triangles, as many as lie near each other.
  std::span<const BoxTree::Extent> around(std::span<const uint32_t> triangles, Boxes& boxes) const;
  // Whether one of those that have a bit comes so near to another triangle in top view. Boxes tell little of long ones
  // that lie askew.
  bool anyNear(std::span<const uint32_t> triangles, uint32_t which, uint32_t other) const;

  // A side of what is free.
  struct Segment {
    Point a, b;
    double za, zb;
  };
  BoxTree::Extent around(const Segment& segment) const;
  bool isNear(const Segment& segment, uint32_t triangle) const;

 private:
  BoxTree::Extent around(const Triangle& triangle) const;

  const Soup& soup_;
  double distance_;
  int32_t margin_;
  double climb_;
};

}  // namespace wend::extraction
