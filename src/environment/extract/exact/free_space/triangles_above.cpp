#include "environment/extract/exact/free_space/triangles_above.h"

#include <algorithm>
#include <bit>

namespace wend::exact {
namespace {

// Floors are looked after together while the box around them is not larger than this many times the largest of them.
constexpr double kFar = 3;
// From so many triangles above a facet on, what others hide is looked for first.
constexpr double kMany = 4096;

uint64_t pairOf(uint32_t above, uint32_t floor) {
  return uint64_t{above} << 32 | floor;
}

}  // namespace

// Pairs of a triangle that may cover something and a triangle of a facet beneath it, for each facet.
void TrianglesAbove::find(std::span<const uint32_t> ids) {
  floors_.clear();
  for (size_t slot = 0; slot < ids.size(); ++slot) {
    pairsOf_[slot].clear();
    const Facet& facet = facets_.list[ids[slot]];
    if (facet.ringCount == 0) continue;
    for (const uint32_t t : facets_.trianglesOf(facet)) {
      const Box& box = soup_.triangles[t].box;
      if (floors_.size() == BoxTree::kTogether || (!floors_.empty() && isFar(box))) findAbove();
      addFloor(facet, slot, ids[slot], t);
    }
  }
  findAbove();
}

void TrianglesAbove::findSeen(uint32_t id) {
  const Facet& facet = facets_.list[id];
  // Walls that are floors too cover strips instead of themselves.
  hiding_ = !walkableWalls_ && !facet.riser && mayHaveManyAbove(facet) && cells_.begin(id);
  find({&id, 1});
  hiding_ = false;
}

// Whether as many as are worth it lie above a facet if triangles are spread evenly.
bool TrianglesAbove::mayHaveManyAbove(const Facet& facet) const {
  const auto area = [](const Box& box) { return (double(box.max.x) - box.min.x) * (double(box.max.y) - box.min.y); };
  return area(facet.box) * static_cast<double>(soup_.triangles.size()) > kMany * area(soup_.box);
}

// Whether a box is so far from the floors that looking for both at once would find much between them.
bool TrianglesAbove::isFar(const Box& box) const {
  const auto size = [](const Box& b) { return (double(b.max.x) - b.min.x) + (double(b.max.y) - b.min.y); };
  return size(joined(around_, box)) > kFar * std::max(largest_, size(box));
}

void TrianglesAbove::addFloor(const Facet& facet, size_t slot, uint32_t facetId, uint32_t id) {
  const Triangle& t = soup_.triangles[id];
  // Floors may be off the planes of their facets.
  const double off = 2 * tol_.plane;
  const double low = t.low - off;
  const double contact = facet.riser ? contactOf(facet, tol_) : tol_.contact;
  const double above = (settings_.strict ? 0 : tol_.step) + tol_.contact;
  const double below = facet.riser ? tol_.step + tol_.contact : tol_.contact;
  const std::array<Point, 3> corners = topOf(soup_, t);
  const std::array<LatticeLine, 3> sides = sidesOf(corners);
  std::array<LatticeLine, 3> farSides = sides;
  for (LatticeLine& side : farSides) {
    const auto x = static_cast<double>(side.x);
    const auto y = static_cast<double>(side.y);
    side.at -= static_cast<int64_t>((tol_.wall + 2) * std::sqrt(x * x + y * y));
  }
  const int32_t from = BoxTree::wholeFloor(low - std::max(below, contact));
  const int32_t to = -BoxTree::wholeFloor(-(t.high + tol_.height + tol_.contact + off));
  // Walls that are no floors stand higher than a step, or are none to a floor.
  const int32_t wallFrom = facet.riser || walkableWalls_ ? from : BoxTree::wholeFloor(low + above);
  const auto margin = static_cast<int32_t>(std::ceil(tol_.wall));
  if (floors_.empty()) {
    places_.clear();
    wallPlaces_.clear();
    around_ = t.box;
    largest_ = 0;
  }
  floors_.push_back(
      {slot, facetId, id, facet.riser, corners, sides, farSides, {low + above, low - below, low - contact}});
  places_.push_back({t.box, from, to});
  wallPlaces_.push_back(
      {{{t.box.min.x - margin, t.box.min.y - margin}, {t.box.max.x + margin, t.box.max.y + margin}}, wallFrom, to});
  around_ = joined(around_, t.box);
  largest_ = std::max(largest_, (double(t.box.max.x) - t.box.min.x) + (double(t.box.max.y) - t.box.min.y));
}

// What may cover the floors, which are forgotten then. Filters follow each other, so that none has to guess what the
// one before found.
void TrianglesAbove::findAbove() {
  findNear(trees_.others, places_);
  for (const auto& [b, f] : near_) {
    const Floor& floor = floors_[f];
    const std::array<Point, 3> above = topOf(soup_, soup_.triangles[b]);
    if (!beyondOne(floor.sides, above) && !beyondOne(sidesOf(above), floor.corners)) {
      pairsOf_[floor.slot].push_back(pairOf(b, floor.triangle));
    }
  }
  findNear(trees_.walls, wallPlaces_);
  for (const auto& [b, f] : near_) {
    const Floor& floor = floors_[f];
    if (!beyondOne(floor.farSides, topOf(soup_, soup_.triangles[b]))) {
      pairsOf_[floor.slot].push_back(pairOf(b, floor.triangle));
    }
  }
  floors_.clear();
}

// Triangles that are high enough to cover something of a floor near them.
void TrianglesAbove::findNear(const BoxTree& tree, std::span<const BoxTree::Extent> places) {
  near_.clear();
  if (floors_.empty()) return;
  // All of what hides others stays.
  const auto isHidden = [&](uint32_t b) {
    if (!hiding_) return false;
    const Triangle& other = soup_.triangles[b];
    return !cells_.isCover(other.facet) && cells_.hide(other.box);
  };
  if (places.size() == 1) {
    tree.forEach(places[0].box, places[0].low, places[0].high, [&](uint32_t b) {
      if (!isHidden(b)) near_.push_back({b, 0});
    });
  } else {
    tree.forEach(places, [&](uint32_t b, uint32_t which) {
      if (isHidden(b)) return;
      for (; which != 0; which &= which - 1) near_.push_back({b, static_cast<uint32_t>(std::countr_zero(which))});
    });
  }
  size_t kept = 0;
  for (const Near near : near_) {
    const Triangle& other = soup_.triangles[near.triangle];
    const Floor& floor = floors_[near.floor];
    size_t kind = other.walkable ? 1 : 0;
    if (floor.riser && kind == 0 && other.facet != kNone && facets_.list[other.facet].riser) kind = 2;
    near_[kept] = near;
    kept += static_cast<size_t>(other.facet != floor.facet) & static_cast<size_t>(other.high > floor.lowest[kind]);
  }
  near_.resize(kept);
}

}  // namespace wend::exact
