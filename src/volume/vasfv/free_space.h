#pragma once

#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "geometry/solid/box_grid.h"
#include "volume/vasfv/convex_pieces.h"

// What is not claimed yet, as disjoint convex pieces. It is where seeds come from and how growth knows that it is done.
namespace wend::vasfv {

// A piece without another; nothing if they do not overlap. The parts are convex and disjoint.
std::optional<std::vector<Polyhedron>> without(const Polyhedron& piece, const Polyhedron& other);

// The bounds without the obstacles. kLimit above `limit` pieces. O(n log n) expected: space is halved until few
// obstacles are left in each part.
Result<std::vector<Polyhedron>> freePieces(const Box3& bounds, std::span<const Piece> obstacles, size_t limit);

class FreeSpace {
 public:
  // With `lowestFirst`, pieces come by height, then by volume; otherwise by volume only.
  FreeSpace(const Box3& bounds, std::vector<Polyhedron> pieces, bool lowestFirst);

  bool empty() const { return order_.empty(); }
  size_t size() const { return order_.size(); }
  const Polyhedron& first() const { return pieces_[std::get<2>(*order_.begin())].solid; }
  // Takes a claimed volume out.
  void subtract(const Polyhedron& solid, const Box3& box);

 private:
  struct Entry {
    Polyhedron solid;
    Box3 box;
  };
  using Key = std::tuple<int32_t, double, uint32_t>;  // height, minus volume, id
  Key keyOf(uint32_t id) const;
  void insert(Polyhedron solid);

  bool lowestFirst_;
  std::vector<Entry> pieces_;
  std::vector<uint32_t> unused_;
  std::set<Key> order_;
  BoxGrid grid_;
};

}  // namespace wend::vasfv
