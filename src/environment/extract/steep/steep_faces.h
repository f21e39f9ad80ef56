#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <wend/context.h>

#include "environment/extract/soup/soup.h"
#include "environment/extract/soup/triangle_neighbours.h"

// The steep triangles in top view: the way uphill over each, and how its sides lie to that.
namespace wend::extraction {

// A line from a corner of a triangle to the next.
struct SideLine {
  double ax, ay;
  double dx, dy;
  // Positive to its left, inside; in units times the side's length.
  double left(double x, double y) const { return dx * (y - ay) - dy * (x - ax); }
  double turn(double x, double y) const { return dx * y - dy * x; }
};
inline SideLine sideOf(const Point3& a, const Point3& b) {
  return {double(a.x), double(a.y), double(b.x) - a.x, double(b.y) - a.y};
}
inline SideLine sideOf(const std::array<Point3, 3>& p, uint32_t i) {
  return sideOf(p[i], p[i == 2 ? 0 : i + 1]);
}

// Lines are led along sides that rise so much per length.
inline constexpr double kSideRise = 0.3;

struct SteepFace {
  double x, y;                   // direction uphill
  double steep;                  // height per length
  std::array<double, 3> turn;    // of each side to the direction uphill: lines up leave over those where it is negative
  std::array<double, 3> length;  // of each side, in top view
};

// Where a line at a corner of a steep triangle goes on, over the triangles around the corner.
struct AroundCorner {
  bool floor = false;  // one of them is a floor
  bool closed = false;
  uint32_t onward = kNone;  // the triangle that the line enters
  // If it enters none: the one with the steepest side from the corner that lines are led along, and that side.
  uint32_t along = kNone;
  uint32_t side = 0;
};

class SteepFaces {
 public:
  SteepFaces(const Soup& soup, const TriangleNeighbours& neighbours, const Context& context);

  // The steep triangles, in their order.
  const std::vector<uint32_t>& triangles() const { return triangles_; }
  // The place of a triangle among these, or kNone.
  uint32_t placeOf(uint32_t triangle) const { return places_[triangle]; }
  const SteepFace& at(uint32_t place) const { return faces_[place]; }
  const SteepFace& of(uint32_t triangle) const { return faces_[places_[triangle]]; }

  // Whether the line up (sign 1) or down (-1) through a point of a steep triangle goes on inside it.
  bool leadsInto(uint32_t triangle, double x, double y, double sign) const;
  AroundCorner around(uint32_t triangle, uint32_t corner, double sign) const;
  // Whether lines that come to a side of a steep triangle are led along it: faces on both sides lead there, or nothing
  // lies beyond.
  bool leadsAlong(uint32_t triangle, uint32_t side, double sign) const;

 private:
  void describe(uint32_t place);

  const Soup& soup_;
  const TriangleNeighbours& neighbours_;
  std::vector<uint32_t> triangles_;
  std::vector<uint32_t> places_;
  std::unique_ptr<SteepFace[]> faces_;
};

}  // namespace wend::extraction
