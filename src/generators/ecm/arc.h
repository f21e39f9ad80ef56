#pragma once

#include <array>

#include <wend/corridor_map.h>

// An arc of the medial axis in closed form: the points equally far from two sites, between two ends.
//
//   sites             curve      clearance at parameter u
//   point, point      straight   sqrt(w^2 + u^2), u from the middle between the points, w half their distance
//   point, segment    parabola   (u^2 / h + h) / 2, u along the segment from the foot of the point, h above it
//   segment, segment  straight   linear
//
// Lattice units. The parameter grows from the first end to the second.
namespace wend::ecm {

class ArcCurve {
 public:
  enum class Kind : uint8_t { kPoints, kParabola, kSegments };

  // The two ends lie on the bisector of the two sites, `fromClearance` and `toClearance` away from both. Segments stand
  // for the lines through them. Any values are safe.
  ArcCurve(const CorridorMap::Site& left, const CorridorMap::Site& right, Vec2 from, Vec2 to, double fromClearance,
           double toClearance);

  Kind kind() const { return kind_; }
  double begin() const { return begin_; }
  double end() const { return end_; }

  Vec2 position(double u) const;
  double clearance(double u) const;
  // Of the point of the arc whose projection on the parameter's axis is that of p, clamped to the arc.
  double parameter(Vec2 p) const;

  double length() const { return lengthBetween(begin_, end_); }
  // Of the curve between two parameters, u <= v; relative error about 1e-14.
  double lengthBetween(double u, double v) const;
  // The parameter at which `length` of the curve lies behind, clamped to the arc.
  double parameterAtLength(double length) const;

  // Where the clearance is smallest on the arc, and how large it is there.
  double narrowest() const { return narrowestBetween(begin_, end_); }
  double narrowestBetween(double u, double v) const;
  double minClearance() const;

  // The parameters in [begin, end] where the clearance is c, ascending; none if it is constant.
  struct Crossings {
    int count = 0;
    std::array<double, 2> at{};
  };
  Crossings parametersOf(double c) const;

  // The parameters in [begin, end] where the arc meets the segment from a to b, ascending; none where it runs along it.
  Crossings crossingsWith(Vec2 a, Vec2 b) const;
  // How fast the arc moves to the left of the line from a to b at u.
  double slopeAcross(Vec2 a, Vec2 b, double u) const;
  // Where the tangents in both ends meet: the arc lies in the triangle of its ends and this point.
  Vec2 bend() const;

 private:
  Kind kind_ = Kind::kSegments;
  Vec2 origin_;      // parameter 0
  Vec2 direction_;   // unit vector
  Vec2 normal_;      // parabola: unit vector from the segment to the point
  double size_ = 0;  // w or h
  double begin_ = 0;
  double end_ = 0;
  double beginClearance_ = 0;
  double endClearance_ = 0;
};

// The nearest point of a closed site.
Vec2 nearestOn(const CorridorMap::Site& site, Vec2 p);

}  // namespace wend::ecm
