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
  std::vector<exact::Arrow> arrows;
  arrows.reserve(contour.stretches.size());
  for (const Contour::Stretch& s : contour.stretches) arrows.push_back({s.a, s.b});
  exact::Rings rings;
  exact::chainRings(arrows, rings);
  contour.polygons = exact::polygonsOf(rings);
}

// The sample of a pixel that belongs to a layer, or kNone.
uint32_t sampleOf(const Drawing& d, uint32_t block, int32_t pixel, uint32_t layer) {
  if (block == kNone) return kNone;
  const auto [first, last] = d.maps.at(block, pixel);
  for (uint32_t i = first; i < last; ++i) {
    if (d.selection.layer[i] == layer) return i;
  }
  return kNone;
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

constexpr Direction kDirections[] = {kRight, kUp, kLeft, kDown};

}  // namespace

std::vector<Contour> traceLayers(const Drawing& d, const Context& context) {
  const uint32_t layers = d.selection.layers;
  std::vector<std::vector<std::pair<uint32_t, PixelSide>>> found(d.blocks.count());
  parallelFor(d.blocks.count(), context, [&](size_t i) {
    const auto block = static_cast<uint32_t>(i);
    if (d.maps.begin[block].empty()) return;
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      const auto [first, last] = d.maps.at(block, pixel);
      for (uint32_t s = first; s < last; ++s) {
        const uint32_t layer = d.selection.layer[s];
        if (layer == kNone) continue;
        for (const Direction direction : kDirections) {
          const uint32_t linked = d.links.to[s][direction];
          const uint32_t beyond = linked == kNone ? kNone : d.selection.layer[linked];
          if (beyond == layer) continue;
          found[i].emplace_back(layer, sideOf(d, block, pixel, direction, beyond));
        }
      }
    }
  });
  std::vector<std::vector<PixelSide>> sides(layers);
  for (auto& list : found) {
    for (const auto& [layer, side] : list) sides[layer].push_back(side);
    list.clear();
    list.shrink_to_fit();
  }
  std::vector<Contour> contours(layers);
  parallelFor(layers, context, [&](size_t i) {
    join(sides[i], d.measures.pixel, contours[i]);
    chain(contours[i]);
  });
  return contours;
}

std::vector<Contour> traceParts(const Drawing& d, uint32_t layer, uint32_t parts,
                                const std::function<uint32_t(uint32_t)>& of) {
  std::vector<std::vector<PixelSide>> sides(parts);
  for (uint32_t block = 0; block < d.blocks.count(); ++block) {
    if (d.maps.begin[block].empty()) continue;
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      const uint32_t s = sampleOf(d, block, pixel, layer);
      const uint32_t part = s == kNone ? kNone : of(s);
      if (part == kNone) continue;
      for (const Direction direction : kDirections) {
        uint32_t next = block;
        const int32_t beside = step(d.neighbours, next, pixel, direction);
        const uint32_t other = sampleOf(d, next, beside, layer);
        if (other == kNone || of(other) != part) sides[part].push_back(sideOf(d, block, pixel, direction, kNone));
      }
    }
  }
  std::vector<Contour> contours(parts);
  for (uint32_t part = 0; part < parts; ++part) {
    join(sides[part], d.measures.pixel, contours[part]);
    chain(contours[part]);
  }
  return contours;
}

}  // namespace wend::voxel
