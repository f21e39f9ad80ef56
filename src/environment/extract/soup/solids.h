#pragma once

#include <cstdint>
#include <vector>

#include "base/disjoint_sets.h"
#include "environment/extract/soup/soup.h"

// The insides of solids: what an outward-facing surface encloses is no place to stand, however high it is.
namespace wend::extraction {

// A body is a set of triangles joined along their sides. Where more than two share a side, as modules side by side do,
// those are joined that have the solid between them. A body is a solid as seen from a place if all of
// its borders lie lower: a crate without a bottom encloses the floor it stands on. Bodies that are open above the place
// enclose nothing, so in a damaged scene floors stay rather than go. Bodies too low to stand in are not looked at.
//
// Made in O(n); a question costs what lies above the place. Read by any thread.
class Solids {
 public:
  Solids(const Soup& soup, const Tolerances& tolerances, const Context& context);

  // Without any, holds() is always false.
  bool any() const { return !bodies_.empty(); }
  // Whether a solid may hold something in a box, from a height on.
  bool mayHold(const Box& box, double low, double high) const;
  // Whether one of these has cracks: a question goes astray where one lies above the place.
  bool isTorn(const Box& box, double low, double high) const;
  // Whether the place at height z lies inside a solid: the turns of the closed surfaces around it add up to more than
  // none. A hollow inside a solid, whose surface faces inwards, is not inside it. Exact for the lattice point.
  bool holds(Point p, double z) const;

 private:
  struct Body {
    Box box;
    double low, high;
    double open;  // its borders lie no higher
    bool torn;    // some of its triangles are joined over cracks
  };
  // A side of one triangle only, between places that are known by two numbers.
  struct OpenSide {
    uint64_t ends;
    uint32_t side;
    int way;      // +1 from the place with the smaller number to the other, -1 back
    bool joined;  // with another one
  };
  void findTall();
  void findBodies();
  template <typename Sides>
  std::vector<OpenSide> closeCracks(const Sides& sides, const std::vector<uint32_t>& open, DisjointSets& sets);
  void makeTree(const Context& context);

  const Soup& soup_;
  double grain_;
  double crack_;
  double height_;                 // of what can hold a person: it may begin a step above the floor
  std::vector<uint32_t> tall_;    // triangles of what is high enough
  std::vector<uint32_t> bodyOf_;  // of each of these
  std::vector<Body> bodies_;
  std::vector<uint32_t> triangles_;  // of the bodies, without vertical ones
  std::vector<uint32_t> bodyOfTriangle_;
  BoxTree tree_;  // of triangles_, by their places in it
};

}  // namespace wend::extraction
