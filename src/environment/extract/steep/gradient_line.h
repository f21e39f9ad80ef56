#pragma once

#include <cstdint>

#include "environment/extract/facets/facets.h"
#include "environment/extract/soup/triangle_neighbours.h"
#include "environment/extract/steep/steep_borders.h"

// The line straight up or down over steep triangles, from face to face, until it meets a floor.
namespace wend::extraction {

// The point of a triangle that is nearest in top view; its corners counter-clockwise.
Vec2 nearestIn(const std::array<Point3, 3>& triangle, double x, double y);

class GradientLines {
 public:
  GradientLines(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces,
                const SteepBorders& borders, const Tolerances& tolerances)
      : soup_(soup), neighbours_(neighbours), faces_(faces), borders_(borders), tol_(tolerances) {}

  struct Run {
    bool below = false;  // begins on a floor
    bool ends = false;   // on floors, below and above, no more than a step apart
    bool high = false;   // rises more than a step before it does
    uint64_t path = 0;   // a hash of the triangles passed
  };
  // The whole line through a point of a steep triangle.
  Run at(uint32_t triangle, double x, double y) const;

 private:
  struct Walker {
    uint32_t triangle;
    double x, y;
    double climbed = 0;  // or descended
    bool high = false;   // beyond the budget
    uint64_t path = 0;
  };
  enum class Move : uint8_t { kOn, kFloor, kLost };

  bool walk(Walker& walker, double sign, double budget) const;
  Move cross(Walker& walker, uint32_t side, double sign, double budget) const;
  Move slide(Walker& walker, uint32_t side, double z, double sign, double budget) const;
  Move turnAround(Walker& walker, uint32_t side, const AroundCorner& around, const Point3& at, double sign,
                  double budget) const;
  Move jump(Walker& walker, std::span<const uint32_t> beyond, double z, double sign, double budget) const;

  const Soup& soup_;
  const TriangleNeighbours& neighbours_;
  const SteepFaces& faces_;
  const SteepBorders& borders_;
  const Tolerances& tol_;
};

}  // namespace wend::extraction
