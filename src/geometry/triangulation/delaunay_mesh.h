#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/lattice.h>

#include "geometry/predicates.h"
#include "geometry/triangulation/triangulation.h"

// The working form of a triangulation while it is being built.
namespace wend {

// A triangulation of the whole plane: outside the convex hull, each hull edge has a triangle whose third corner is a
// vertex at infinity, the ghost. So every side has a twin and every vertex a closed star, and nothing treats the hull
// apart except the predicates.
class DelaunayMesh {
 public:
  static constexpr uint32_t kGhost = kNone;

  // Side i of triangle t, the edge from corner i + 1 to corner i + 2, is written t * 4 + i; so is corner i.
  using Side = uint32_t;
  static constexpr uint32_t triangleOf(Side s) { return s >> 2; }
  static constexpr Side side(uint32_t triangle, unsigned i) { return triangle << 2 | i; }
  static constexpr Side following(Side s) { return (s & 3) == 2 ? s - 2 : s + 1; }
  static constexpr Side preceding(Side s) { return (s & 3) == 0 ? s + 2 : s - 1; }

  struct Triangle {
    std::array<uint32_t, 3> v;
    std::array<Side, 3> twin;
    uint8_t fixed = 0;  // bit i: side i is a constraint
    uint8_t mark = 0;   // scratch of the current step; 0 between steps
  };

  // Points are distinct and within +-kMaxCoordinate. The span must outlive the mesh.
  explicit DelaunayMesh(std::span<const Point> points) : points_(points) {}

  // The Delaunay triangulation of all points. No triangles if all are collinear. False if cancelled.
  bool insertPoints(const Context& context);

  // Where a constraint meets an earlier one.
  struct Crossing {
    Edge crossed;  // the constrained edge in the way
  };
  // Makes the segment ab a union of edges, marks them as constraints, and restores the constrained Delaunay property.
  // Appends the edges, in the direction from a to b, to `pieces` if given. Stops at a constraint in the way: the mesh
  // then stays valid but holds only a part of ab. Must follow insertPoints().
  std::optional<Crossing> insertConstraint(uint32_t a, uint32_t b, std::vector<Edge>* pieces = nullptr);

  // Turns each maximal cocircular face into a fan from its lexicographically smallest corner.
  void makeCanonical();

  std::span<const Point> points() const { return points_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  bool isGhost(uint32_t t) const {
    const Triangle& triangle = triangles_[t];
    return triangle.v[0] == kGhost || triangle.v[1] == kGhost || triangle.v[2] == kGhost;
  }
  Side twin(Side s) const { return triangles_[s >> 2].twin[s & 3]; }
  uint32_t corner(Side s) const { return triangles_[s >> 2].v[s & 3]; }
  uint32_t startOf(Side s) const { return corner(following(s)); }
  uint32_t endOf(Side s) const { return corner(preceding(s)); }
  bool isFixed(Side s) const { return (triangles_[s >> 2].fixed >> (s & 3) & 1) != 0; }
  // The side that runs from a to b, or kNone. Takes as long as the smaller of the two stars. After insertConstraint().
  Side findSide(uint32_t a, uint32_t b);

 private:
  // delaunay_insertion.cpp
  void makeFirstTriangle(uint32_t a, uint32_t b, uint32_t c);
  void insertPoint(uint32_t p);
  struct Place {
    Side side;  // any side of the triangle, or the side the point lies on
    bool onSide;
  };
  Place locate(Point p);
  void splitTriangle(uint32_t t, uint32_t p);
  void splitSide(Side s, uint32_t p);
  // Whether p lies in the triangle's circle.
  bool conflicts(uint32_t t, Point p) const {
    const auto [a, b, c] = triangles_[t].v;
    if (a != kGhost && b != kGhost && c != kGhost) return inCircle(points_[a], points_[b], points_[c], p) > 0;
    // A ghost's circle is the half plane beyond its hull edge.
    const uint32_t from = a == kGhost ? b : b == kGhost ? c : a;
    const uint32_t to = a == kGhost ? c : b == kGhost ? a : b;
    return orient(points_[from], points_[to], p) > 0;
  }
  void flipAround(uint32_t p);

  // constraint_insertion.cpp
  struct Ahead {
    enum class Kind : uint8_t { kNothing, kVertex, kCrossing };
    Kind kind = Kind::kNothing;
    Side side = 0;        // kCrossing: the side opposite the start that is crossed
    uint32_t vertex = 0;  // kVertex: the first vertex on the way
  };
  // One edge of the hole that a constraint cuts into the mesh.
  struct ChainEdge {
    uint32_t to;               // its end in walking direction
    Side old;                  // its side inside the hole
    Side outer = 0;            // the twin of that
    uint32_t partner = kNone;  // if the edge dangles into the hole: the chain edge of its other side
    Side fresh = 0;            // the side that replaces `old`
    bool fixed = false;
  };
  struct Scan {
    uint32_t vertex;
    uint32_t chainEdge;  // the edge arriving at the vertex: of the hole, or
    Side side;           // a new side, if chainEdge is kNone
  };
  void indexStars();
  Side nextAround(Side corner) const { return following(twin(following(corner))); }
  Ahead lookAhead(Side corner, uint32_t target) const;
  std::optional<Crossing> cutThrough(Side first, uint32_t a, uint32_t b, uint32_t& reached);
  void resolveOuterSides();
  Side closeChain(uint32_t from, uint32_t begin, uint32_t end, size_t& used);
  void attach(const Scan& edge, Side s);
  void setFixed(Side s);
  void legalize();

  // canonical_fans.cpp
  void collectFace(uint32_t seed);
  void makeFan();

  void link(Side a, Side b) {
    triangles_[a >> 2].twin[a & 3] = b;
    triangles_[b >> 2].twin[b & 3] = a;
  }
  // Replaces the edge of side s by the other diagonal. With s = side i of (p, a, b) and d the corner behind it, the
  // triangle of s becomes (p, a, d) and the other one (p, d, b).
  void flip(Side s);

  std::span<const Point> points_;
  std::vector<Triangle> triangles_;
  uint32_t last_ = 0;               // where the last point went
  std::vector<Side> stack_;         // sides to check
  std::vector<uint32_t> incident_;  // vertex -> one of its triangles
  std::vector<uint32_t> hole_;      // triangles being replaced
  std::vector<ChainEdge> chain_;    // left chain, then right chain reversed
  std::vector<Scan> scan_;
};

}  // namespace wend
