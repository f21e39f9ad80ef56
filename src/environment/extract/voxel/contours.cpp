#include "environment/extract/voxel/contours.h"

#include <algorithm>
#include <tuple>

#include "base/parallel.h"

namespace wend::voxel {
namespace {

// One side of a pixel on the boundary, in corner coordinates of the pixel grid.
struct PixelSide {
  Direction outward;
  int32_t line;   // the coordinate that is the same at both ends
  int32_t along;  // the smaller of the other two
  uint32_t partner;
  auto key() const { return std::tuple(outward, line, along); }
};

// Sides in one line with one partner become one stretch, with the interior on its left.
void join(std::vector<PixelSide>& sides, int32_t pixel, Contour& contour) {
  std::sort(sides.begin(), sides.end(), [](const PixelSide& p, const PixelSide& q) { return p.key() < q.key(); });
  for (size_t i = 0, j = 0; i < sides.size(); i = j) {
    const PixelSide& first = sides[i];
    j = i + 1;
    while (j < sides.size() && sides[j].outward == first.outward && sides[j].line == first.line &&
           sides[j].partner == first.partner && sides[j].along == sides[j - 1].along + 1) {
      ++j;
    }
    const int32_t line = first.line * pixel;
    const int32_t from = first.along * pixel;
    const int32_t to = (sides[j - 1].along + 1) * pixel;
    Contour::Stretch s{{}, {}, first.partner};
    switch (first.outward) {
      case kDown:
        s.a = {from, line};
        s.b = {to, line};
        break;
      case kUp:
        s.a = {to, line};
        s.b = {from, line};
        break;
      case kRight:
        s.a = {line, from};
        s.b = {line, to};
        break;
      case kLeft:
        s.a = {line, to};
        s.b = {line, from};
        break;
    }
    contour.stretches.push_back(s);
  }
}

void chain(Contour& contour) {
  std::vector<extraction::Arrow> arrows;
  arrows.reserve(contour.stretches.size());
  for (const Contour::Stretch& s : contour.stretches) arrows.push_back({s.a, s.b});
  extraction::Rings rings;
  extraction::chainRings(arrows, rings);
  contour.polygons = extraction::polygonsOf(rings);
}

PixelSide sideOf(const Drawing& d, uint32_t block, int32_t pixel, Direction outward, uint32_t partner) {
  const int32_t x = d.blocks.place[block].x * kBlock + (pixel & (kBlock - 1));
  const int32_t y = d.blocks.place[block].y * kBlock + (pixel >> kBlockShift);
  switch (outward) {
    case kRight:
      return {outward, x + 1, y, partner};
    case kUp:
      return {outward, y + 1, x, partner};
    case kLeft:
      return {outward, x, y, partner};
    default:
      return {outward, y, x, partner};
  }
}

}  // namespace

std::vector<Contour> trace(const Drawing& d, uint32_t parts, const std::vector<uint32_t>& part,
                           const Context& context) {
  std::vector<std::vector<std::pair<uint32_t, PixelSide>>> found(d.blocks.count());
  parallelFor(d.blocks.count(), context, [&](size_t i) {
    const auto block = static_cast<uint32_t>(i);
    if (d.maps.begin[block].empty()) return;
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      const auto [first, last] = d.maps.at(block, pixel);
      for (uint32_t s = first; s < last; ++s) {
        if (part[s] == kNone) continue;
        for (const Direction direction : {kRight, kUp, kLeft, kDown}) {
          const uint32_t linked = d.links.to[s][direction];
          if (linked != kNone && part[linked] == part[s]) continue;
          const uint32_t beyond = linked == kNone ? kNone : d.selection.layer[linked];
          const uint32_t partner = beyond == d.selection.layer[s] ? kNone : beyond;
          found[i].emplace_back(part[s], sideOf(d, block, pixel, direction, partner));
        }
      }
    }
  });
  std::vector<std::vector<PixelSide>> sides(parts);
  for (auto& list : found) {
    for (const auto& [of, side] : list) sides[of].push_back(side);
    std::vector<std::pair<uint32_t, PixelSide>>().swap(list);
  }
  std::vector<Contour> contours(parts);
  parallelFor(parts, context, [&](size_t i) {
    join(sides[i], d.measures.pixel, contours[i]);
    chain(contours[i]);
  });
  return contours;
}

}  // namespace wend::voxel
