#include "generators/ecm/layer_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wend::ecm {
namespace {

// Lattice units: a vertex this near to a connection may be named in the layer across it (open_passages.cpp).
constexpr double kBehind = 0.01;
// Lattice units: where a side passes an end of a gate this near, it passes through it, for all cells that have the
// side.
constexpr double kThrough = 0.01;

// Signed distance from the line through a and b, left positive.
double above(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 u{b.x - a.x, b.y - a.y};
  return (u.x * (p.y - a.y) - u.y * (p.x - a.x)) / std::hypot(u.x, u.y);
}
double along(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 u{b.x - a.x, b.y - a.y};
  return (u.x * (p.x - a.x) + u.y * (p.y - a.y)) / std::hypot(u.x, u.y);
}
Vec2 between(Vec2 a, Vec2 b, double t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

void addTo(Box& box, Vec2 p) {
  const auto low = [](double v) { return static_cast<int32_t>(std::clamp(std::floor(v) - 1, -2e9, 2e9)); };
  const auto high = [](double v) { return static_cast<int32_t>(std::clamp(std::ceil(v) + 1, -2e9, 2e9)); };
  box.add(Point{low(p.x), low(p.y)});
  box.add(Point{high(p.x), high(p.y)});
}
Box boxOf(Vec2 p, Vec2 q) {
  Box box;
  addTo(box, p);
  addTo(box, q);
  return box;
}
struct Extent {
  Vec2 low;
  Vec2 high;
};
Extent extentOf(std::span<const PieceCorner> polygon) {
  Extent extent{polygon.front().p, polygon.front().p};
  for (const PieceCorner& corner : polygon) {
    extent.low = {std::min(extent.low.x, corner.p.x), std::min(extent.low.y, corner.p.y)};
    extent.high = {std::max(extent.high.x, corner.p.x), std::max(extent.high.y, corner.p.y)};
  }
  return extent;
}
Box boxOf(std::span<const PieceCorner> polygon) {
  const auto [low, high] = extentOf(polygon);
  return boxOf(low, high);
}

// The part of a convex polygon left of the line from a to b. Cuts near one of the two ends of a gate are made there.
std::vector<PieceCorner> leftOf(std::span<const PieceCorner> polygon, Vec2 a, Vec2 b, const std::array<Vec2, 2>& ends) {
  const auto cutAt = [&](Vec2 p, Vec2 q, double t) {
    const Vec2 at = between(p, q, t);
    for (const Vec2 end : ends) {
      if (std::hypot(end.x - at.x, end.y - at.y) < kThrough) return end;
    }
    return at;
  };
  std::vector<PieceCorner> out;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const auto [p, wall] = polygon[i];
    const Vec2 q = polygon[i + 1 == polygon.size() ? 0 : i + 1].p;
    const double hp = above(a, b, p);
    const double hq = above(a, b, q);
    // Where the outline leaves, it goes on along the line, which is no wall.
    if (hp >= 0) out.push_back({p, hp == 0 && hq < 0 ? uint8_t{0} : wall});
    if (hp > 0 && hq < 0) out.push_back({cutAt(p, q, hp / (hp - hq)), 0});
    if (hp < 0 && hq > 0) out.push_back({cutAt(p, q, hp / (hp - hq)), wall});
  }
  return out;
}

Vec2 centreOf(std::span<const PieceCorner> polygon) {
  Vec2 sum;
  for (const auto& [p, wall] : polygon) sum = {sum.x + p.x, sum.y + p.y};
  const auto count = static_cast<double>(polygon.size());
  return {sum.x / count, sum.y / count};
}

}  // namespace

LayerPieces::LayerPieces(const Environment& environment, double sliver)
    : sliver_(sliver), gates_(environment.layers.size()) {
  uint32_t segment = 0;
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i, ++segment) {
      if (connection.line[i] == connection.line[i + 1]) continue;
      if (std::max(connection.layerA, connection.layerB) >= gates_.size()) continue;
      const Vec2 a = toVec2(connection.line[i]);
      const Vec2 b = toVec2(connection.line[i + 1]);
      gates_[connection.layerA].push_back({a, b, connection.layerB, segment});
      gates_[connection.layerB].push_back({b, a, connection.layerA, segment});
    }
  }
  for (const std::vector<Gate>& gates : gates_) {
    std::vector<Box> boxes;
    for (const Gate& gate : gates) boxes.push_back(boxOf(gate.a, gate.b));
    index_.emplace_back(boxes);
  }
}

bool LayerPieces::nearConnection(std::span<const PieceCorner> polygon, LayerId layer) const {
  if (gates_[layer].empty()) return false;
  // Most polygons are far from all connections.
  const auto [low, high] = extentOf(polygon);
  const Box& bounds = index_[layer].bounds();
  constexpr double kMargin = 2;  // of boxOf, rounded up
  if (low.x - kMargin > bounds.max.x || high.x + kMargin < bounds.min.x || low.y - kMargin > bounds.max.y ||
      high.y + kMargin < bounds.min.y) {
    return false;
  }
  bool found = false;
  index_[layer].forEach(boxOf(low, high), [&](uint32_t) { found = true; });
  return found;
}

// Walks straight from `start` to p.
LayerId LayerPieces::layerAt(Vec2 start, LayerId layer, Vec2 p) const {
  uint32_t last = kNone;
  double reached = 0;
  for (int steps = 0; steps < 1000; ++steps) {
    const Gate* first = nullptr;
    double at = 2;
    index_[layer].forEach(boxOf(start, p), [&](uint32_t g) {
      const Gate& gate = gates_[layer][g];
      if (gate.segment == last) return;
      const double to = above(gate.a, gate.b, p);
      const double from = std::max(0.0, above(gate.a, gate.b, start));
      if (to >= 0 || above(gate.a, gate.b, start) < -std::max(sliver_, kBehind)) return;
      const double t = from / (from - to);
      const double position = along(gate.a, gate.b, between(start, p, t));
      const double length = std::hypot(gate.b.x - gate.a.x, gate.b.y - gate.a.y);
      if (position < -sliver_ || position > length + sliver_ || t < reached - 1e-9 || t >= at) return;
      at = t;
      first = &gate;
    });
    if (first == nullptr) return layer;
    layer = first->other;
    last = first->segment;
    reached = at;
  }
  return layer;
}

// The line to cut a polygon along: of a gate of the layer that runs through it, with more than a sliver on both sides.
// Where a gate ends inside, the polygon is first cut across: beyond the end the connection turns away, by as little as
// rounding makes it.
std::optional<LayerPieces::Line> LayerPieces::crossing(std::span<const PieceCorner> polygon, LayerId layer) const {
  const Gate* found = nullptr;
  Line line;
  index_[layer].forEach(boxOf(polygon), [&](uint32_t g) {
    const Gate& gate = gates_[layer][g];
    if (found != nullptr && found <= &gate) return;
    double highest = 0;
    double lowest = 0;
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 p = polygon[i].p;
      const Vec2 q = polygon[i + 1 == polygon.size() ? 0 : i + 1].p;
      const double hp = above(gate.a, gate.b, p);
      const double hq = above(gate.a, gate.b, q);
      highest = std::max(highest, hp);
      lowest = std::min(lowest, hp);
      if ((hp > 0) == (hq > 0)) continue;
      const double t = along(gate.a, gate.b, between(p, q, hp / (hp - hq)));
      first = std::min(first, t);
      last = std::max(last, t);
    }
    if (highest <= sliver_ || lowest >= -sliver_) return;
    const double length = std::hypot(gate.b.x - gate.a.x, gate.b.y - gate.a.y);
    if (std::min(last, length) - std::max(first, 0.0) <= sliver_) return;
    found = &gate;
    const Vec2 across{gate.a.y - gate.b.y, gate.b.x - gate.a.x};
    if (first < -kThrough) {
      line = {gate.a, {gate.a.x + across.x, gate.a.y + across.y}, {gate.a, gate.a}};
    } else if (last > length + kThrough) {
      line = {gate.b, {gate.b.x + across.x, gate.b.y + across.y}, {gate.b, gate.b}};
    } else {
      line = {gate.a, gate.b, {gate.a, gate.b}};
    }
  });
  return found == nullptr ? std::nullopt : std::optional(line);
}

void LayerPieces::cut(std::span<const PieceCorner> polygon, Vec2 start, LayerId layer,
                      const std::function<void(LayerId, std::span<const PieceCorner>)>& emit) const {
  std::vector<std::vector<PieceCorner>> open{{polygon.begin(), polygon.end()}};
  while (!open.empty()) {
    const std::vector<PieceCorner> piece = std::move(open.back());
    open.pop_back();
    const LayerId here = layerAt(start, layer, centreOf(piece));
    const std::optional<Line> line = crossing(piece, here);
    if (!line) {
      emit(here, piece);
      continue;
    }
    open.push_back(leftOf(piece, line->a, line->b, line->ends));
    open.push_back(leftOf(piece, line->b, line->a, line->ends));
  }
}

}  // namespace wend::ecm
