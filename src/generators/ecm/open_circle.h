#pragma once

#include <array>

#include <wend/lattice.h>

// Circles that touch three sites of the medial axis: points and lines whose free side is known.
namespace wend::ecm {

// The vertices of a zone are computed from lattice coordinates with the widest type the machine has, so that ties of
// symmetric worlds stay far below every tolerance.
using Wide = long double;

struct WideVec {
  Wide x = 0;
  Wide y = 0;
};
inline WideVec operator+(WideVec a, WideVec b) {
  return {a.x + b.x, a.y + b.y};
}
inline WideVec operator-(WideVec a, WideVec b) {
  return {a.x - b.x, a.y - b.y};
}
inline WideVec operator*(WideVec a, Wide s) {
  return {a.x * s, a.y * s};
}
inline Wide dot(WideVec a, WideVec b) {
  return a.x * b.x + a.y * b.y;
}
inline Wide cross(WideVec a, WideVec b) {
  return a.x * b.y - a.y * b.x;
}
// Turned by 90 degrees to the left.
inline WideVec left(WideVec a) {
  return {-a.y, a.x};
}
Wide norm(WideVec a);
inline WideVec wide(Point p) {
  return {static_cast<Wide>(p.x), static_cast<Wide>(p.y)};
}
inline WideVec wide(Vec2 p) {
  return {static_cast<Wide>(p.x), static_cast<Wide>(p.y)};
}

// A site that circles touch: a point, or the line through a and b with the free side on its left. A zone bounds the
// cells of segments by the normals at their ends, so their lines may be taken as infinite.
struct TangentSite {
  TangentSite(Point a, Point b, Wide offset = 0);
  static TangentSite point(Point p) { return {p, p}; }
  bool isPoint() const { return a == b; }

  Point a;
  Point b;
  WideVec normal;   // of a line: unit, to the free side
  Wide offset = 0;  // of a line: it lies this much behind a and b
};

// Signed for lines: positive on the free side.
Wide distance(const TangentSite& site, WideVec p);
// The point of the site nearest to p.
WideVec nearest(const TangentSite& site, WideVec p);
// Whether one is a point on the line of the other (for example its own end): they are equally far along the normal of
// the line in that point.
bool onLine(const TangentSite& u, const TangentSite& v);

struct Circle {
  WideVec centre;
  Wide radius = 0;
};

struct Circles {
  std::array<Circle, 2> circle;
  int count = 0;
};
// The circles on the free side of u, v and w that touch all three; none where they are in a degenerate position (two
// equal points, lines of one direction, a segment with both of its ends).
Circles tangentCircles(const TangentSite& u, const TangentSite& v, const TangentSite& w);

// A direction in which the bisector of u and v, walked with u on the left, always advances. Zero if there is none.
WideVec bisectorDirection(const TangentSite& u, const TangentSite& v);

}  // namespace wend::ecm
