#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/exact/layers/layer_flooding.h"

// The boundary of patches cut at the ends of their links, so that both sides of a link are one and the same segment: it
// vanishes inside a layer, and between layers it is a connection.
namespace wend::exact {

struct Seam {
  Point a, b;  // the patch is on the left
  uint32_t patch;
  uint32_t partner;  // the patch beyond it that may be walked to, or kNone
  uint32_t layer;
};

// Whether a point lies on a segment, or as near to it as that.
bool liesOn(Point a, Point b, Point p, double near);

// Fills the crack of a link. Its patch id comes after those of the patches.
struct Zipper {
  uint32_t count = 0;
  std::array<Point, 4> p{};
  std::array<double, 4> z{};  // units
  uint32_t layer = 0;
  uint32_t label = 0;
};

class Seams {
 public:
  Seams(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
        const Selection& selection, const LayerPlan& plan);

  std::span<const Zipper> zippers() const { return zippers_; }
  uint32_t firstZipper() const { return patches_.count(); }
  // All seams of a wanted patch, ring by ring; `ringBegin` (may be null) gets the first of each ring and the end.
  void of(uint32_t patch, std::vector<Seam>& seams, std::vector<uint32_t>* ringBegin = nullptr) const;
  // The seams of all wanted patches and zippers, by patch, without those that vanish inside a layer.
  std::vector<Seam> boundary(const Context& context) const;
  // The same without patches with a mark; seams towards them stay.
  std::vector<Seam> boundary(const std::vector<Seam>& whole, const std::vector<uint8_t>& marked) const;

 private:
  struct Stretch {  // part of an edge that is one side of a link
    uint32_t edge;
    double along;
    Point from, to;
    uint32_t partner;
  };
  Point moved(Point p) const;
  void addStretch(uint32_t edge, Point from, Point to, uint32_t partner);
  void addLink(const Facets& facets, const Link& link);
  std::span<const Stretch> stretchesOf(uint32_t edge) const;
  void zipperSeams(uint32_t zipper, std::vector<Seam>& seams) const;
  void openOf(uint32_t patch, const std::vector<uint8_t>& marked, std::vector<Seam>& all,
              std::vector<Seam>& open) const;

  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const LayerPlan& plan_;
  std::vector<std::pair<Point, Point>> moves_;  // sorted
  std::bitset<4096> mayMove_;                   // by a hash of the point: most points do not move
  std::vector<Stretch> stretches_;              // sorted by edge, along it
  std::vector<uint32_t> stretchBegin_;          // of each edge
  std::vector<Zipper> zippers_;
  struct ZipperSides {
    uint32_t p, q;  // patches on either side
  };
  std::vector<ZipperSides> sides_;
};

// Removes seams that meet their partner in the same layer. What is left between layers is returned as pairs of indices
// into the seams that remain.
std::vector<std::pair<uint32_t, uint32_t>> closeSeams(std::vector<Seam>& seams);

}  // namespace wend::exact
