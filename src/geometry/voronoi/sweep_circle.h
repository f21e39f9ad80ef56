#pragma once

#include <wend/lattice.h>

// Circle events of the Voronoi sweep, computed fast and with a bound. Boost.Polygon's own formulas work with absolute
// coordinates, lose most of their digits where the sites are close together but far from the origin, and so fall back
// to exact integers for nine circles in ten of a building. Here everything is relative to one of the sites.
namespace wend {

// A circle through points and along lines. `sure` says of each number that it is off by less than kSweepCircleError of
// its own size; what is not sure must be computed exactly.
struct SweepCircle {
  double x = 0;  // of the centre
  double y = 0;
  double lowerX = 0;  // where the sweep, which goes to the right, has passed all of it
  bool sureX = false;
  bool sureY = false;
  bool sureLowerX = false;

  bool sure() const { return sureX && sureY && sureLowerX; }
};
inline constexpr double kSweepCircleError = 32 * 0x1.0p-52;  // Boost asks for 64 units in the last place

// The infinite line from a to b. A line takes part in many circles, so its length is computed once.
struct SweepLine {
  SweepLine(Point a, Point b);
  SweepLine reversed() const;

  Point a;
  Point b;
  long double length;
  long double inverse;  // 1 / length
};

// Coordinates within +-2^30. O(1); nothing is sure where there is no circle.
SweepCircle sweepCircle(Point p, Point q, Point r);
// Of the two circles with both points on their outline, the one whose centre lies further to the left of p -> q, or the
// one further to the right.
SweepCircle sweepCircle(Point p, Point q, const SweepLine& line, bool left);
// With one of the lines on its left and the other one on its right. Of the two circles, the one further along the
// middle of both directions, or the one further back.
SweepCircle sweepCircle(Point p, const SweepLine& s, const SweepLine& t, bool ahead);
// With all lines on the same hand.
SweepCircle sweepCircle(const SweepLine& s, const SweepLine& t, const SweepLine& u);

}  // namespace wend
