#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/predicates.h"
#include "geometry/triangulation/triangulation.h"
#include "geometry/vec2.h"

// One component of a layer's free space, cut into cells by portals.
//
// The component is kept triangulated: an edge of the triangulation is a wall, a portal or free, and a cell is what free
// edges join. A new portal becomes an edge by flipping the free edges in its way, so every question about what a vertex
// sees is a walk over triangles, exact and local. Half-edges keep their ids through flips; h and h ^ 1 are the two
// directions of one edge. Cells are also linked as loops of walls and portals (after, before).
//
// Coordinates are doubles that hold exact numbers: vertices of the layer are lattice points, points added on walls are
// exact fractions (wall_points.h). So every predicate is exact.
//
// Every vertex lies on a wall. Where free space touches itself in a point there is one vertex per fan of triangles, so
// a vertex has exactly one outgoing and one incoming wall.
namespace wend::neogen {

class Subdivision {
 public:
  using Half = uint32_t;

  Subdivision() = default;
  // The given triangles are joined; all their inner edges are free. place[triangles[k]] == k.
  Subdivision(const FreeTriangulation& triangulation, std::span<const uint32_t> triangles,
              std::span<const uint32_t> place);

  // Walls that are connections to other layers, sorted, each in the direction of this layer's boundary.
  void openWalls(std::span<const std::pair<Point, Point>> connections);
  // Degrees, 0 to 90: no corner up to 180 + alpha is reflex, except at vertices of which makeStrict() says otherwise.
  void setAlpha(double alpha);

  uint32_t vertexCount() const { return static_cast<uint32_t>(points_.size()); }
  uint32_t halfCount() const { return static_cast<uint32_t>(origin_.size()); }
  Vec2 point(uint32_t vertex) const { return points_[vertex]; }
  uint32_t origin(Half h) const { return origin_[h]; }
  uint32_t target(Half h) const { return origin_[h ^ 1]; }
  Vec2 start(Half h) const { return points_[origin_[h]]; }
  Vec2 end(Half h) const { return points_[origin_[h ^ 1]]; }
  bool isFree(Half h) const { return kind_[h >> 1] == Kind::kFree; }
  bool isPortal(Half h) const { return kind_[h >> 1] == Kind::kPortal; }
  bool isWall(Half h) const { return kind_[h >> 1] >= Kind::kWall; }
  // A wall of this layer that leads to another one.
  bool isOpen(Half h) const { return kind_[h >> 1] == Kind::kOpen; }
  // Inside a connection, not at one of its ends, and no notch.
  bool isInsideConnection(uint32_t vertex) const { return insideConnection_[vertex] != 0; }
  // The wall seen from outside free space, which belongs to no triangle.
  bool isOutside(Half h) const { return triangleNext_[h] == kNone; }

  // Around a triangle.
  Half next(Half h) const { return triangleNext_[h]; }
  Half previous(Half h) const { return triangleNext_[triangleNext_[h]]; }
  // Around a cell; only for walls seen from inside and for portals.
  Half after(Half h) const { return after_[h]; }
  Half before(Half h) const { return before_[h]; }
  Half wallFrom(uint32_t vertex) const { return wallFrom_[vertex]; }

  // Vertices at the same point, which belong to different fans: the lowest of them, and the next one around. Known
  // after findSites().
  void findSites();
  uint32_t site(uint32_t vertex) const { return site_[vertex]; }
  uint32_t sibling(uint32_t vertex) const { return sibling_[vertex]; }

  // --- corners: named by the half-edge of the cell's loop that leaves the vertex ------------------------------------

  // Whether the angle from va counter-clockwise to vb is above 180 degrees; equal directions mean a full turn.
  static bool reflex(Vec2 v, Vec2 a, Vec2 b) {
    const int turn = orient(v, a, b);
    return turn < 0 || (turn == 0 && dot(v, a, b) > 0);
  }
  // The same at a vertex of the subdivision, where alpha may allow more.
  bool reflexAt(uint32_t vertex, Vec2 a, Vec2 b) const {
    const Vec2 v = points_[vertex];
    return reflex(v, a, b) && !(hasAlpha(vertex) && withinAlpha(v, a, b));
  }
  bool hasAlpha(uint32_t vertex) const { return tanAlpha_ > 0 && strict_[vertex] == 0; }
  double alpha() const { return alpha_; }  // radians
  bool reflexCorner(Half out) const { return reflexAt(origin_[out], end(out), start(before_[out])); }
  // Whether a portal from the reflex corner to p leaves no reflex angle on either side: the closed area of interest,
  // widened by alpha.
  bool inAreaOfInterest(Half out, Vec2 p) const;
  // Whether the boundary has a notch here that alpha alone does not allow.
  bool isNotchOfBoundary(uint32_t vertex) const;
  // The vertex of the layer that follows on the boundary, past points added on the wall.
  Vec2 wallEnd(uint32_t vertex) const;
  // The one corner of the vertex that is reflex, or kNone; also kNone for notches that are to be left alone.
  Half notchCorner(uint32_t vertex) const;
  // Whether the boundary is reflex here. Elsewhere no corner of a cell is, however many portals meet.
  bool isReflexOnBoundary(uint32_t vertex) const { return reflexOnBoundary_[vertex] != 0; }
  // A vertex whose notch, if it is one, stays as it is.
  void ignore(uint32_t vertex) { ignored_[vertex] = 1; }
  bool isIgnored(uint32_t vertex) const { return ignored_[vertex] != 0; }
  // A vertex where alpha does not count.
  void makeStrict(uint32_t vertex) { strict_[vertex] = 1; }
  // Whether the portal is needed at its origin.
  bool neededAtOrigin(Half portal) const {
    return ignored_[origin_[portal]] == 0 && reflexAt(origin_[portal], end(after_[portal ^ 1]), start(before_[portal]));
  }
  bool isNeeded(Half portal) const { return neededAtOrigin(portal) || neededAtOrigin(portal ^ 1); }

  // --- changes ------------------------------------------------------------------------------------------------------

  // Makes a portal from the corner to the vertex; kNone, and nothing changed, if the vertex is not visible from there.
  Half connect(Half out, uint32_t vertex);
  // The free edge becomes a portal.
  void mark(Half h);
  // The portal becomes a free edge.
  struct Removed {
    Half portal, before, after, twinBefore, twinAfter;
  };
  Removed unmark(Half h);
  // Undoes unmark(); everything done since must have been undone before.
  void remark(const Removed& removed);
  // Undoes connect(), with `flips` as flipCount() was before it.
  void disconnect(Half h, size_t flips);
  size_t flipCount() const { return flips_.size(); }
  void forgetFlips() { flips_.clear(); }
  // Every free edge becomes a portal.
  void markAll();
  // A new vertex on the wall, exactly on it and between its ends.
  uint32_t splitWall(Half wall, Vec2 p);
  // Undoes the last splitWall(); everything done since must have been undone before.
  void joinWall(Half wall);

  // Portals, each by its lower half-edge, ascending.
  std::vector<Half> portals() const;
  size_t portalCount() const { return portals_; }

  // The cells as loops of points; points added on walls that serve no portal are left out.
  struct Loops {
    std::vector<uint32_t> begin{0};
    std::vector<Vec2> points;
    size_t count() const { return begin.size() - 1; }
  };
  Loops loops() const;

 private:
  enum class Kind : uint8_t { kFree, kPortal, kWall, kOpen };

  // The scalar product of va and vb: rounded, but its sign is right for collinear points.
  static double dot(Vec2 v, Vec2 a, Vec2 b) { return (a.x - v.x) * (b.x - v.x) + (a.y - v.y) * (b.y - v.y); }
  // Whether a reflex angle is at most 180 degrees and alpha.
  bool withinAlpha(Vec2 v, Vec2 a, Vec2 b) const {
    const double opposite = -dot(v, a, b);
    return opposite > 0 && accurateCross(v, b, a) <= tanAlpha_ * opposite;
  }
  void addTriangles(const FreeTriangulation& triangulation, std::span<const uint32_t> triangles,
                    std::span<const uint32_t> place);
  void numberFans(const FreeTriangulation& triangulation, const std::vector<uint32_t>& pointOf);
  void link(Half h, Half follower) {
    after_[h] = follower;
    before_[follower] = h;
  }
  Half newEdge(uint32_t from, uint32_t to, Kind kind);
  void setTriangle(Half a, Half b, Half c);
  void flip(Half h);
  void unflip(Half h);
  // The half-edge of the cell's loop that arrives at the origin of the free edge h.
  Half arriving(Half h) const;
  Half spokeOrCrossing(Half out, uint32_t vertex, bool& crossing) const;
  bool collectCrossed(Half first, Vec2 v, uint32_t vertex);
  Half flipUntilEdge(uint32_t v, uint32_t w);
  bool hasPortal(uint32_t vertex) const;

  std::vector<Vec2> points_;
  std::vector<Half> wallFrom_;
  std::vector<uint8_t> ignored_;
  std::vector<uint8_t> strict_;
  std::vector<uint8_t> reflexOnBoundary_;
  std::vector<uint8_t> insideConnection_;
  double alpha_ = 0;  // radians
  double tanAlpha_ = 0;
  std::vector<uint32_t> site_;
  std::vector<uint32_t> sibling_;
  uint32_t firstAdded_ = 0;  // vertices from here on were added on walls
  std::vector<uint32_t> origin_;
  std::vector<Half> triangleNext_;
  std::vector<Half> after_;
  std::vector<Half> before_;
  std::vector<Kind> kind_;  // per edge
  size_t portals_ = 0;
  std::vector<Half> flips_;
  std::vector<Half> crossed_;  // scratch of connect()
};

}  // namespace wend::neogen
