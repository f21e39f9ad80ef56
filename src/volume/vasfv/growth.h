#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/solid/box_grid.h"
#include "volume/vasfv/convex_pieces.h"

// One volume at a time grows among obstacles and finished volumes.
namespace wend::vasfv {

// Sides of a box, in the order in which they take turns: the four at the sides, then top and bottom.
enum class BoxSide : uint8_t { kEast, kWest, kNorth, kSouth, kTop, kBottom };
inline constexpr size_t kBoxSides = 6;
inline int axisOf(BoxSide side) {
  return static_cast<int>(side) / 2;
}
inline int signOf(BoxSide side) {
  return static_cast<int>(side) % 2 == 0 ? 1 : -1;
}

// A face that a volume follows: it lies in the free half-space, and its growth ends where the face does.
struct Contact {
  HalfSpace plane;  // the volume is inside
  bool capped = false;
  Box3 extent;  // of the face
};

// A growing volume: a box without what lies behind the planes that it follows. So it is convex at any time, and a
// corner that meets a slanted face becomes a new face by adding a plane.
struct Region {
  Box3 limits;
  std::vector<Contact> contacts;
  Polyhedron shape;
  std::array<bool, kBoxSides> stopped{};
  uint32_t label = 0;  // class it stands on

  int32_t limit(BoxSide side) const { return coordinate(signOf(side) > 0 ? limits.high : limits.low, axisOf(side)); }
  void setLimit(BoxSide side, int32_t value) {
    coordinate(signOf(side) > 0 ? limits.high : limits.low, axisOf(side)) = value;
  }
};

class Growth {
 public:
  Growth(const Box3& bounds, std::vector<Piece> obstacles, const GrowthSettings& settings, GrowthReport& report);

  // A cube of at most `size` units around a place, in free space; with gravity at the place where it falls to. False if
  // not even a cube of an eighth of the size fits.
  bool seedCube(Vec3 place, int32_t size, Region& region);
  // A piece of free space as it is.
  Region seedPiece(const Polyhedron& piece);
  // Grows until no side moves. `step` in units.
  void grow(Region& region, int32_t step);
  // The volume becomes an obstacle for those after it.
  void finish(const Region& region);

  // The obstacles, then the finished volumes.
  const std::vector<Piece>& blockers() const { return blockers_; }
  size_t obstacleCount() const { return obstacleCount_; }

 private:
  struct Hit {
    uint32_t blocker;
    int32_t at;  // where the side meets it
    bool followable;
  };
  bool isFree(const Box3& box) const;
  void fall(Box3& box) const;
  uint32_t classUnder(const Box3& box) const;
  bool advance(Region& region, BoxSide side, int32_t step);
  void growByEvents(Region& region);
  int32_t towards(BoxSide side, int32_t limit, int64_t distance) const;
  int32_t capped(const Region& region, const Polyhedron& strip, BoxSide side, int32_t goal) const;
  // What a strip ahead of a side meets first; of equals the one with the smallest id.
  std::optional<Hit> firstHit(const Region& region, const Polyhedron& strip, BoxSide side);
  bool follow(Region& region, const Hit& hit, BoxSide side, int32_t goal);
  void commit(Region& region, BoxSide side, int32_t limit);
  Polyhedron shapeOf(const Region& region, const Box3& limits) const;
  void measureFacets();

  Box3 bounds_;
  const GrowthSettings& settings_;
  GrowthReport& report_;
  std::vector<Piece> blockers_;
  size_t obstacleCount_;
  BoxGrid grid_;
  std::vector<std::pair<int32_t, uint32_t>> candidates_;  // of firstHit()
  // For each face of each obstacle the bounds of all faces in its plane that it touches: pieces of one face are one.
  std::vector<std::vector<Box3>> facetExtent_;
};

}  // namespace wend::vasfv
