#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <wend/navmesh.h>
#include <wend/place.h>
#include <wend/result.h>

// Which moving objects may touch each other and the walls, with the cells of a mesh as the index (Hale 2011,
// appendix D). No second structure beside the mesh: an object is listed in the cell that holds its middle.
namespace wend {

using ObjectId = uint32_t;

// Objects are disks on the surface of a mesh. Two objects collide if their middles are closer than the sum of their
// radii on one side of all walls: disks that touch no wall (touchesWall) are found exactly, on any mesh, also over
// portals between layers. Disks that reach through a wall do not collide with what is behind it.
//
// Not thread-safe. Costs, for k cells near the object: insert O(1) with a hint or by point location, remove O(1),
// update O(1) for small motion, find O(k + objects in them). All pairs together: O(n log n) to sort the objects of each
// cell by x, then each is tested with those that overlap it along x.
class CollisionService {
 public:
  explicit CollisionService(NavMesh mesh);
  ~CollisionService();
  CollisionService(CollisionService&&) noexcept;
  CollisionService& operator=(CollisionService&&) noexcept;

  // Places a disk. `hint` is a cell near the place, where the search begins. kNotOnMesh for a
  // place off the mesh, kInvalidSettings for a radius that is negative or not finite.
  Result<ObjectId> insert(const Place& place, double radius, CellId hint = kNone);
  void remove(ObjectId object);  // unknown ids are ignored; ids are used again
  // Moves a disk: looks in its cell first, then in cells around it, breadth first. On an Error it stays where it was.
  Status update(ObjectId object, const Place& place);

  size_t size() const;
  bool contains(ObjectId object) const;
  CellId cellOf(ObjectId object) const;  // kNone for unknown ids
  Vec2 position(ObjectId object) const;  // metres

  // Objects that touch this one, ascending; the vector is cleared first.
  void findColliding(ObjectId object, std::vector<ObjectId>& out) const;
  // All pairs that touch, each once, the smaller id first; sorted.
  std::vector<std::pair<ObjectId, ObjectId>> collidingPairs() const;

  // Whether a disk at a place leaves the mesh or crosses a wall: the static test. A place off the mesh does.
  bool touchesWall(const Place& place, double radius, CellId hint = kNone) const;
  bool touchesWall(ObjectId object) const;

  // Pairs of disks whose distance was computed since the service was made.
  uint64_t tests() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wend
