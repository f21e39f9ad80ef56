#include "environment/space_hash.h"

#include "base/hash.h"
#include "geometry/int128.h"

namespace wend {

// One thing that is there: two hashes of it with different beginnings.
struct SpaceSum::Term {
  explicit Term(uint64_t kind) {
    low.add(kind);
    high.add(~kind);
  }
  template <typename Value>
  void add(const Value& value) {
    low.add(value);
    high.add(value);
  }
  template <typename Value>
  void array(std::span<const Value> values) {
    low.array(values);
    high.array(values);
  }
  void real(double value) { add(value == 0 ? 0.0 : value); }  // -0 is 0

  Hash low;
  Hash high;
};

namespace {

enum SpaceKind : uint64_t { kEdge = 1, kConnection, kLayer, kHeights, kRegion, kLattice };

}  // namespace

void SpaceSum::count(const Term& term, bool adds) {
  __extension__ using Sum = unsigned __int128;
  const Sum one = (Sum{term.high.value()} << 64) | term.low.value();
  const Sum now = (Sum{high_} << 64) | low_;
  const Sum next = adds ? now + one : now - one;
  low_ = static_cast<uint64_t>(next);
  high_ = static_cast<uint64_t>(next >> 64);
}

void SpaceSum::ringEdges(uint32_t layer, std::span<const Point> ring, bool adds) {
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i];
    const Point b = ring[i + 1 == ring.size() ? 0 : i + 1];
    Term term(kEdge);
    term.add(layer);
    for (const int32_t value : {a.x, a.y, b.x, b.y}) term.add(value);
    count(term, adds);
  }
}

void SpaceSum::connections(const Environment& environment, bool adds) {
  for (const Connection& connection : environment.connections) {
    Term term(kConnection);
    term.add(connection.layerA);
    term.add(connection.layerB);
    term.array(std::span<const Point>(connection.line));
    count(term, adds);
  }
}

void SpaceSum::addGround(const Environment& environment) {
  Term lattice(kLattice);
  lattice.real(environment.lattice.unit);
  count(lattice, true);
  for (uint32_t i = 0; i < environment.layers.size(); ++i) {
    const Layer& layer = environment.layers[i];
    Term itself(kLayer);
    itself.add(i);
    itself.add(layer.id);
    count(itself, true);
    Term heights(kHeights);
    heights.add(i);
    heights.real(layer.heights.base);
    heights.array(std::span<const Point>(layer.heights.points));
    for (const double z : layer.heights.z) heights.real(z);
    heights.add(layer.heights.triangles.size());
    for (const auto& triangle : layer.heights.triangles) {
      for (const uint32_t corner : triangle) heights.add(corner);
    }
    count(heights, true);
    for (const Region& region : layer.regions) {
      Term term(kRegion);
      term.add(i);
      term.add(std::string_view(region.label));
      for (const Polygon& polygon : region.area) {
        term.array(std::span<const Point>(polygon.outer));
        for (const Ring& hole : polygon.holes) term.array(std::span<const Point>(hole));
      }
      count(term, true);
    }
  }
}

SpaceHash spaceHash(const Environment& environment) {
  SpaceSum sum;
  sum.addGround(environment);
  sum.addConnections(environment);
  for (uint32_t i = 0; i < environment.layers.size(); ++i) {
    for (const Polygon& polygon : environment.layers[i].free) {
      sum.addRing(i, polygon.outer);
      for (const Ring& hole : polygon.holes) sum.addRing(i, hole);
    }
  }
  return sum.value();
}

}  // namespace wend
