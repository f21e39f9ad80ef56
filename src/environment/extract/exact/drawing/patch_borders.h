#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <tuple>
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

// Fills the crack of a link, or the place where filled cracks meet. Its patch id comes after those of the patches.
struct CrackFilling {
  static constexpr uint32_t kMostCorners = 8;
  uint32_t count = 0;
  std::array<Point, kMostCorners> p{};
  std::array<double, kMostCorners> z{};          // units
  std::array<uint32_t, kMostCorners> partner{};  // beyond the side that begins in each corner
  uint32_t layer = 0;
  uint32_t label = 0;

  void add(Point at, double height) {
    p[count] = at;
    z[count] = height;
    partner[count++] = kNone;
  }
};

class PatchBorders {
 public:
  PatchBorders(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
               const Selection& selection, const LayerPlan& plan, const Tolerances& tolerances);

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
  // Where the short end of a filling meets others of these, or what is left of a patch's border between links.
  struct Opening {
    Point a, b;
    uint32_t patch;   // or filling
    uint32_t corner;  // of the filling
    double za, zb;
    uint32_t layer;
    uint32_t label;
  };
  void joinEnds(const Facets& facets);
  void addEnds(uint32_t filling, std::vector<Opening>& openings) const;
  void addLeftOvers(const Facets& facets, const std::vector<Point>& ends, std::vector<Opening>& openings) const;
  bool joinAround(std::span<const Opening> openings, std::span<const uint32_t> around);
  size_t endOfRest(std::span<const BorderSegment> ring, size_t first) const;
  void setPartner(const Opening& opening, uint32_t partner);
  void leadToEnds(uint32_t patch, size_t first, std::vector<BorderSegment>& borders) const;
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
  // Parts of borders that lead to the end of a filling; sorted when all are known.
  struct EndLink {
    uint32_t patch;
    Point a, b;
    uint32_t partner;
    bool operator<(const EndLink& other) const {
      return std::tie(patch, a, b) < std::tie(other.patch, other.a, other.b);
    }
  };
  std::vector<EndLink> endLinks_;
  double climb_ = 0;
  double overlap_ = 0;
  double reach_ = 0;  // of what a crack may leave between its ends
};

// Removes segments that meet their partner in the same layer. What is left between layers is returned as pairs of
// indices into the segments that remain.
std::vector<std::pair<uint32_t, uint32_t>> closeBorders(std::vector<BorderSegment>& borders);

}  // namespace wend::exact
