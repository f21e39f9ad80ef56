#pragma once

#include <cstdint>
#include <vector>

#include "geometry/voronoi/voronoi.h"

// The edges that the Voronoi sweep leaves behind it.
namespace wend {

// Half-edges in twin pairs e and e ^ 1. Sites by the numbers of the diagram.
class SweepEdges {
 public:
  explicit SweepEdges(size_t sites);

  // An edge that grows into both directions. Returns the half-edge of `left`; its twin is that of `right`.
  uint32_t add(uint32_t left, uint32_t right) {
    const auto e = static_cast<uint32_t>(edges_.size());
    edges_.push_back({kNone, kNone, kNone, left});
    edges_.push_back({kNone, kNone, kNone, right});
    return e;
  }
  // Edges `low` (between `left` and a site that vanishes) and `high` (between that and `right`), known by the
  // half-edges that end in the sweep, meet at p. Returns the one that goes on from there, between `left` and `right`.
  uint32_t join(uint32_t left, uint32_t right, Vec2 p, uint32_t low, uint32_t high) {
    const auto vertex = static_cast<uint32_t>(vertices_.size());
    vertices_.push_back(p);
    const uint32_t e = add(left, right);
    edges_[low].start = edges_[high].start = edges_[e ^ 1].start = vertex;
    link(e, low);
    link(low ^ 1, high);
    link(high ^ 1, e ^ 1);
    return e;
  }

  // With edges whose ends are the same place as one vertex, infinite ends closed and all numbered along the rings.
  VoronoiDiagram finish(const std::vector<VoronoiSite>& sites) &&;

 private:
  struct HalfEdge {
    uint32_t start = kNone;
    uint32_t next = kNone;
    uint32_t previous = kNone;
    uint32_t site = kNone;  // kNone: taken away
  };

  void link(uint32_t e, uint32_t next) {
    edges_[e].next = next;
    edges_[next].previous = e;
  }
  void dropShort();
  void collapse(uint32_t e);
  void closeAtInfinity();
  void closeParallel();
  std::vector<uint32_t> numberAlongRings(std::vector<uint32_t>& idOf) const;

  size_t sites_;
  std::vector<Vec2> vertices_;
  std::vector<HalfEdge> edges_;
  size_t left_ = 0;  // half-edges that were not taken away
};

}  // namespace wend
