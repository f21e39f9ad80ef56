#pragma once

#include <span>

#include <wend/environment.h>

// The parts of spaceHash(), for those that keep it up to date.
namespace wend {

class SpaceSum {
 public:
  SpaceSum() = default;
  explicit SpaceSum(const SpaceHash& hash) : low_(hash.low), high_(hash.high) {}

  // Boundary edges of a layer.
  void addRing(uint32_t layer, std::span<const Point> ring) { ringEdges(layer, ring, true); }
  void removeRing(uint32_t layer, std::span<const Point> ring) { ringEdges(layer, ring, false); }
  void addConnections(const Environment& environment) { connections(environment, true); }
  void removeConnections(const Environment& environment) { connections(environment, false); }
  // Lattice, layers, heights and regions: what no edit changes.
  void addGround(const Environment& environment);

  SpaceHash value() const { return {low_, high_}; }

 private:
  struct Term;
  void count(const Term& term, bool adds);
  void ringEdges(uint32_t layer, std::span<const Point> ring, bool adds);
  void connections(const Environment& environment, bool adds);

  uint64_t low_ = 0;
  uint64_t high_ = 0;
};

}  // namespace wend
