#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/exact/layers/layer_flooding.h"

// The borders of patches, cut into segments at the ends of their links. Both sides of a link are then the same segment:
// inside a layer it vanishes, between layers it is a connection.
namespace wend::exact {

struct BorderSegment {
  Point a, b;  // the patch is on the left
  uint32_t patch;
  uint32_t partner;  // the patch beyond it that may be walked to, or kNone
  uint32_t layer;
};

// Whether a point lies on a segment, or as near to it as that.
bool liesOn(Point a, Point b, Point p, double near);

// Fills the crack of a link. Its patch id comes after those of the patches.
struct CrackFilling {
  uint32_t count = 0;
  std::array<Point, 4> p{};
  std::array<double, 4> z{};  // units
  uint32_t layer = 0;
  uint32_t label = 0;
};

class PatchBorders {
 public:
  PatchBorders(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
               const Selection& selection, const LayerPlan& plan);

  std::span<const CrackFilling> fillings() const { return fillings_; }
  uint32_t firstFilling() const { return patches_.count(); }
  // All segments of a wanted patch, ring by ring; `ringBegin` (may be null) gets the first of each ring and the end.
  void of(uint32_t patch, std::vector<BorderSegment>& borders, std::vector<uint32_t>* ringBegin = nullptr) const;
  // The segments of all wanted patches and fillings, by patch, without those that vanish inside a layer.
  std::vector<BorderSegment> boundary(const Context& context) const;
  // The same without patches with a mark; segments towards them stay.
  std::vector<BorderSegment> boundary(const std::vector<BorderSegment>& whole,
                                      const std::vector<uint8_t>& marked) const;

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
  void fillingBorders(uint32_t filling, std::vector<BorderSegment>& borders) const;
  void openOf(uint32_t patch, const std::vector<uint8_t>& marked, std::vector<BorderSegment>& all,
              std::vector<BorderSegment>& open) const;

  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const LayerPlan& plan_;
  std::vector<std::pair<Point, Point>> moves_;  // sorted
  std::bitset<4096> mayMove_;                   // by a hash of the point: most points do not move
  std::vector<Stretch> stretches_;              // sorted by edge, along it
  std::vector<uint32_t> stretchBegin_;          // of each edge
  std::vector<CrackFilling> fillings_;
  struct FillingSides {
    uint32_t p, q;  // patches on either side
  };
  std::vector<FillingSides> sides_;
};

// Removes segments that meet their partner in the same layer. What is left between layers is returned as pairs of
// indices into the segments that remain.
std::vector<std::pair<uint32_t, uint32_t>> closeBorders(std::vector<BorderSegment>& borders);

}  // namespace wend::exact
