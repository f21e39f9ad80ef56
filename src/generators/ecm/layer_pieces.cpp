#include "generators/ecm/layer_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

// Lattice units: a vertex this near to a connection may be named in the layer across it (open_passages.cpp).
constexpr double kBehind = 0.01;

// Signed distance from the line through a and b, left positive.
double above(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 u{b.x - a.x, b.y - a.y};
  return (u.x * (p.y - a.y) - u.y * (p.x - a.x)) / std::hypot(u.x, u.y);
}
double along(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 u{b.x - a.x, b.y - a.y};
  return (u.x * (p.x - a.x) + u.y * (p.y - a.y)) / std::hypot(u.x, u.y);
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

Vec2 centreOf(std::span<const PieceCorner> polygon) {
  Vec2 sum;
  for (const PieceCorner& corner : polygon) sum = {sum.x + corner.p.x, sum.y + corner.p.y};
  const auto count = static_cast<double>(polygon.size());
  return {sum.x / count, sum.y / count};
}

}  // namespace

LayerPieces::LayerPieces(const Environment& environment, double sliver)
    : sliver_(sliver), segments_(environment.layers.size()) {
  uint32_t number = 0;
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i, ++number) {
      if (connection.line[i] == connection.line[i + 1]) continue;
      if (std::max(connection.layerA, connection.layerB) >= segments_.size()) continue;
      const Vec2 a = toVec2(connection.line[i]);
      const Vec2 b = toVec2(connection.line[i + 1]);
      segments_[connection.layerA].push_back({a, b, connection.layerB, number});
      segments_[connection.layerB].push_back({b, a, connection.layerA, number});
    }
  }
  for (const std::vector<ConnectionSegment>& segments : segments_) {
    std::vector<Box> boxes;
    for (const ConnectionSegment& segment : segments) boxes.push_back(boxOf(segment.a, segment.b));
    index_.emplace_back(boxes);
  }
}

bool LayerPieces::nearConnection(std::span<const PieceCorner> polygon, LayerId layer) const {
  if (segments_[layer].empty()) return false;
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
    const ConnectionSegment* first = nullptr;
    double at = 2;
    index_[layer].forEach(boxOf(start, p), [&](uint32_t g) {
      const ConnectionSegment& segment = segments_[layer][g];
      if (segment.number == last) return;
      const double to = above(segment.a, segment.b, p);
      const double from = std::max(0.0, above(segment.a, segment.b, start));
      if (to >= 0 || above(segment.a, segment.b, start) < -std::max(sliver_, kBehind)) return;
      const double t = from / (from - to);
      const double position = along(segment.a, segment.b, between(start, p, t));
      const double length = std::hypot(segment.b.x - segment.a.x, segment.b.y - segment.a.y);
      if (position < -sliver_ || position > length + sliver_ || t < reached - 1e-9 || t >= at) return;
      at = t;
      first = &segment;
    });
    if (first == nullptr) return layer;
    layer = first->other;
    last = first->number;
    reached = at;
  }
  return layer;
}

void LayerPieces::cut(std::span<const PieceCorner> polygon, Vec2 start, LayerId layer,
                      const std::function<void(LayerId, std::span<const PieceCorner>)>& emit) const {
  struct Piece {
    std::vector<PieceCorner> loop;
    LayerId layer;
    Vec2 known;  // in that layer
  };
  // If the centre lies on a connection, either layer will do: the path decides which side is in which layer.
  const Vec2 centre = centreOf(polygon);
  std::vector<Piece> open{{{polygon.begin(), polygon.end()}, layerAt(start, layer, centre), centre}};
  const Box box = boxOf(polygon);
  std::vector<uint32_t> ids;
  std::vector<ConnectionSegment> segments;
  while (!open.empty()) {
    Piece piece = std::move(open.back());
    open.pop_back();
    ids.clear();
    segments.clear();
    index_[piece.layer].forEach(box, [&](uint32_t g) { ids.push_back(g); });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const uint32_t g : ids) segments.push_back(segments_[piece.layer][g]);
    enterConnections(piece.loop, segments, sliver_ / 2);
    const std::optional<ConnectionPath> path = findPath(piece.loop, polygon, piece.known, segments, sliver_ / 2);
    if (!path) {
      emit(piece.layer, piece.loop);
      continue;
    }
    std::vector<PieceCorner> right = rightOf(piece.loop, *path);
    const Vec2 across = between(right.back().p, right.front().p, 0.5);
    open.push_back({leftOf(piece.loop, *path), piece.layer, piece.known});
    open.push_back({std::move(right), path->other, across});
  }
}

}  // namespace wend::ecm
