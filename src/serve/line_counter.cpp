#include "serve/line_counter.h"

#include <algorithm>

namespace wend::serve {
namespace {

double turn(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// A step that ends on the line has not crossed it yet, and one that begins on it has not before: each crossing counts
// once.
bool crosses(Vec2 from, Vec2 to, Vec2 a, Vec2 b) {
  if ((turn(a, b, from) > 0) == (turn(a, b, to) > 0)) return false;
  return (turn(from, to, a) > 0) != (turn(from, to, b) > 0);
}

}  // namespace

LineCounter::LineCounter(const std::vector<MeasuringLine>& lines, const Environment& environment) {
  for (const MeasuringLine& line : lines) {
    uint32_t layer = 0;
    for (size_t i = 0; i < environment.layers.size(); ++i) {
      if (environment.layers[i].id == line.layer) layer = static_cast<uint32_t>(i);
    }
    lines_.push_back({line, layer, 0});
  }
}

void LineCounter::count(std::span<const FramePerson> persons) {
  if (lines_.empty()) return;
  size_t before = 0;
  for (const FramePerson& p : persons) {
    while (before < ids_.size() && ids_[before] < p.id) ++before;
    if (before == ids_.size() || ids_[before] != p.id) continue;
    const Vec2 from = places_[before];
    const Vec2 to{p.position.x, p.position.y};
    for (Line& line : lines_) {
      if (line.layer == p.layer && crosses(from, to, line.line.from, line.line.to)) ++line.crossed;
    }
  }
  ids_.clear();
  places_.clear();
  for (const FramePerson& p : persons) {
    ids_.push_back(p.id);
    places_.push_back({p.position.x, p.position.y});
  }
}

}  // namespace wend::serve
