#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "environment/extract/facets/facets.h"
#include "environment/extract/soup/triangle_neighbours.h"
#include "environment/extract/steep/steep_borders.h"
#include "environment/extract/steep/steep_faces.h"

// Sloped risers: steep faces that join a floor below to one above, no more than a step higher. The height is that of
// the line straight up through the place, over all faces it passes: a curb may climb a hill, and a cliff made of small
// faces is a cliff.
namespace wend::extraction {

// The steep triangles that may be risers.
class RiserCandidates {
 public:
  // The tree is walkableTree(). All must outlive this.
  RiserCandidates(const Soup& soup, const TriangleNeighbours& neighbours, const Facets& facets, const BoxTree& walkable,
                  const Tolerances& tolerances, const Context& context);

  std::span<const uint32_t> triangles() const { return triangles_; }

  // Adds those with a mark through which such lines go, each as a facet of its own; what other lines of it go through
  // is closed. Sets Triangle::facet of these. A mark for each facet added that may be wanted: where next to nothing is
  // open, a riser only keeps others away.
  std::vector<uint8_t> add(std::span<const uint8_t> wanted, Soup& soup, Facets& facets, const Context& context) const;

 private:
  const TriangleNeighbours& neighbours_;
  const BoxTree& walkable_;
  const Tolerances& tolerances_;
  SteepFaces faces_;
  std::vector<uint32_t> triangles_;
  std::optional<SteepBorders> borders_;  // if there are any
};

}  // namespace wend::extraction
