#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/predicates.h"
#include "geometry/triangulation/triangulation.h"

// One component of a layer's free space, cut into cells by portals.
//
// The component is kept triangulated: an edge of the triangulation is a wall, a portal or free, and a cell is what free
// edges join. A new portal becomes an edge by flipping the free edges in its way, so every question about what a vertex
// sees is a walk over triangles, exact and local. Half-edges keep their ids through flips; h and h ^ 1 are the two
// directions of one edge. Cells are also linked as loops of walls and portals (after, before).
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

  uint32_t vertexCount() const { return static_cast<uint32_t>(points_.size()); }
  uint32_t halfCount() const { return static_cast<uint32_t>(origin_.size()); }
  Point point(uint32_t vertex) const { return points_[vertex]; }
  uint32_t origin(Half h) const { return origin_[h]; }
  uint32_t target(Half h) const { return origin_[h ^ 1]; }
  Point start(Half h) const { return points_[origin_[h]]; }
  Point end(Half h) const { return points_[origin_[h ^ 1]]; }
  bool isFree(Half h) const { return kind_[h >> 1] == Kind::kFree; }
  bool isPortal(Half h) const { return kind_[h >> 1] == Kind::kPortal; }
  bool isWall(Half h) const { return kind_[h >> 1] == Kind::kWall; }
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
  static bool reflex(Point v, Point a, Point b) {
    const int turn = orient(v, a, b);
    return turn < 0 || (turn == 0 && sameSide(v, a, b));
  }
  bool reflexCorner(Half out) const { return reflex(start(out), end(out), start(before_[out])); }
  // Whether a portal from the reflex corner to p leaves no angle above 180 degrees on either side: the closed area of
  // interest.
  bool inAreaOfInterest(Half out, Point p) const;
  // The one corner of the vertex that is reflex, or kNone; also kNone for notches that are to be left alone.
  Half notchCorner(uint32_t vertex) const;
  // A vertex whose notch, if it is one, stays as it is.
  void ignore(uint32_t vertex) { ignored_[vertex] = 1; }
  bool isIgnored(uint32_t vertex) const { return ignored_[vertex] != 0; }
  // Whether the portal is needed at its origin.
  bool neededAtOrigin(Half portal) const {
    return ignored_[origin_[portal]] == 0 && reflex(start(portal), end(after_[portal ^ 1]), start(before_[portal]));
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
  // A new vertex on the wall, which must be a lattice point between its ends.
  uint32_t splitWall(Half wall, Point p);
  // Undoes the last splitWall(); everything done since must have been undone before.
  void joinWall(Half wall);

  // Portals, each by its lower half-edge, ascending.
  std::vector<Half> portals() const;
  size_t portalCount() const { return portals_; }

  // The cells as loops of points; points added on walls that serve no portal are left out.
  struct Loops {
    std::vector<uint32_t> begin{0};
    std::vector<Point> points;
    size_t count() const { return begin.size() - 1; }
  };
  Loops loops() const;

 private:
  enum class Kind : uint8_t { kFree, kPortal, kWall };

  // Whether the scalar product of va and vb is positive.
  static bool sameSide(Point v, Point a, Point b);
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
  bool collectCrossed(Half first, Point v, uint32_t vertex);
  Half flipUntilEdge(uint32_t v, uint32_t w);
  bool hasPortal(uint32_t vertex) const;

  std::vector<Point> points_;
  std::vector<Half> wallFrom_;
  std::vector<uint8_t> ignored_;
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
