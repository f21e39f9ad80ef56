#include "environment/edit/live_base.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"

namespace wend {
LiveBase::LiveBase(std::shared_ptr<const Environment> environment)
    : environment_(std::move(environment)),
      boundary_(environment_->layers, environment_->connections),
      twin_(glue(boundary_, environment_->connections)),
      isConnected_(boundary_.rings().size(), 0) {
  const size_t layers = environment_->layers.size();
  begin_.assign(layers + 1, 0);
  firstRing_.assign(boundary_.polygonCount() + 1, static_cast<uint32_t>(boundary_.rings().size()));
  for (uint32_t r = 0; r < boundary_.rings().size(); ++r) {
    const Boundary::Ring& ring = boundary_.rings()[r];
    begin_[ring.layer + 1] = ring.end;
    if (ring.hole == 0) firstRing_[ring.polygon] = r;
    for (uint32_t e = ring.begin; e < ring.end && isConnected_[r] == 0; ++e)
      isConnected_[r] = twin_[e] != kNone ? 1 : 0;
  }
  for (size_t i = 1; i <= layers; ++i) begin_[i] = std::max(begin_[i], begin_[i - 1]);
  for (uint32_t layer = 0; layer < layers; ++layer) {
    std::vector<Box> boxes(begin_[layer + 1] - begin_[layer]);
    for (uint32_t i = 0; i < boxes.size(); ++i) {
      boxes[i].add(boundary_.start(begin_[layer] + i));
      boxes[i].add(boundary_.end(begin_[layer] + i));
    }
    grids_.emplace_back(boxes);
    heights_.emplace_back(environment_->layers[layer].heights);
  }
}

uint32_t LiveBase::ringOf(uint32_t edge) const {
  return static_cast<uint32_t>(&boundary_.ring(edge) - boundary_.rings().data());
}

std::vector<uint32_t> LiveBase::ringsAround(uint32_t layer, Vec2 units) const {
  // A ray to the left crosses a ring an odd number of times if it starts inside.
  const auto y = static_cast<int32_t>(std::floor(units.y));
  Box row;
  row.min = {grids_[layer].bounds().min.x, y};
  row.max = {static_cast<int32_t>(std::ceil(units.x)), y + 1};
  std::vector<uint32_t> crossed;
  forEachEdge(layer, row, [&](uint32_t e) {
    const Vec2 a = toVec2(boundary_.start(e));
    const Vec2 b = toVec2(boundary_.end(e));
    if ((a.y > units.y) == (b.y > units.y)) return;
    const int side = orient(a, b, units);
    if ((a.y < b.y ? side : -side) < 0) crossed.push_back(e);
  });
  std::sort(crossed.begin(), crossed.end());
  crossed.erase(std::unique(crossed.begin(), crossed.end()), crossed.end());
  std::vector<uint32_t> rings;
  for (size_t i = 0, j = 0; i < crossed.size(); i = j) {
    const uint32_t ring = ringOf(crossed[i]);
    while (j < crossed.size() && ringOf(crossed[j]) == ring) ++j;
    if ((j - i) % 2 == 1) rings.push_back(ring);
  }
  return rings;
}

uint32_t LiveBase::polygonAt(uint32_t layer, Vec2 units) const {
  const std::vector<uint32_t> rings = ringsAround(layer, units);
  for (size_t i = 0; i < rings.size(); ++i) {
    const Boundary::Ring& ring = boundary_.rings()[rings[i]];
    // The rings of a polygon are neighbours, the outer one first.
    if (ring.hole != 0) continue;
    if (i + 1 == rings.size() || boundary_.rings()[rings[i + 1]].polygon != ring.polygon) return ring.polygon;
  }
  return kNone;
}

}  // namespace wend
