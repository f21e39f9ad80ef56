#include "mesh/near_cuts.h"

#include <algorithm>
#include <cmath>

#include "geometry/index/grid_index.h"

namespace wend {
namespace {

// How another segment lies along a directed segment: the parameters (lattice units from its start) of the other's ends.
struct Overlap {
  bool found = false;
  double low = 0;  // of the other segment, not clipped
  double high = 0;
  uint32_t lowPosition = 0;
  uint32_t highPosition = 0;
  double length = 0;  // of the directed segment
};

struct Segment {
  uint32_t a = 0;
  uint32_t b = 0;
};

// Asks for opposite directions if `opposite`, else for the same direction.
Overlap overlapOf(const Welding& welding, Segment s, Segment other, bool opposite, double tolerance) {
  const Vec2 p = welding.positions[s.a];
  const Vec2 q = welding.positions[s.b];
  Overlap out;
  out.length = std::hypot(q.x - p.x, q.y - p.y);
  const Vec2 unit{(q.x - p.x) / out.length, (q.y - p.y) / out.length};
  if (opposite) std::swap(other.a, other.b);
  const Vec2 c = welding.positions[other.a];
  const Vec2 d = welding.positions[other.b];
  out.low = (c.x - p.x) * unit.x + (c.y - p.y) * unit.y;
  out.high = (d.x - p.x) * unit.x + (d.y - p.y) * unit.y;
  out.lowPosition = other.a;
  out.highPosition = other.b;
  const double from = std::max(0.0, out.low);
  const double to = std::min(out.length, out.high);
  if (to - from <= tolerance) return out;
  // Distances of the other segment from the line at both ends of the common part.
  const double lowOff = (c.y - p.y) * unit.x - (c.x - p.x) * unit.y;
  const double highOff = (d.y - p.y) * unit.x - (d.x - p.x) * unit.y;
  const auto off = [&](double t) { return lowOff + (highOff - lowOff) * (t - out.low) / (out.high - out.low); };
  out.found = std::abs(off(from)) <= tolerance && std::abs(off(to)) <= tolerance;
  return out;
}

void addCuts(std::vector<Cut>& cuts, uint32_t piece, const Overlap& overlap, double tolerance) {
  if (overlap.low > tolerance && overlap.low < overlap.length - tolerance) {
    cuts.push_back({piece, overlap.lowPosition, overlap.low});
  }
  if (overlap.high > tolerance && overlap.high < overlap.length - tolerance) {
    cuts.push_back({piece, overlap.highPosition, overlap.high});
  }
}

bool isFractional(const SidePiece& piece, const Welding& welding) {
  return welding.whole[piece.a] == 0 || welding.whole[piece.b] == 0;
}

// With a margin of one unit, far more than the tolerance.
Box boxOf(Vec2 p, Vec2 q) {
  const auto low = [](double v, double w) { return static_cast<int32_t>(std::floor(std::min(v, w) - 1)); };
  const auto high = [](double v, double w) { return static_cast<int32_t>(std::ceil(std::max(v, w) + 1)); };
  Box box;
  box.min = {low(p.x, q.x), low(p.y, q.y)};
  box.max = {high(p.x, q.x), high(p.y, q.y)};
  return box;
}
bool meet(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

Box boxOf(const Welding& welding, Segment s) {
  return boxOf(welding.positions[s.a], welding.positions[s.b]);
}

// Visits the items near a segment. A slanted segment is walked in short steps, so that its own large box does not visit
// everything below it.
template <typename Visit>
void forEachNear(const GridIndex& grid, const Welding& welding, Segment s, Visit&& visit) {
  const Vec2 p = welding.positions[s.a];
  const Vec2 q = welding.positions[s.b];
  const Box& bounds = grid.bounds();
  constexpr double kBoxMargin = 2;  // of boxOf, rounded up
  if (bounds.empty() || std::min(p.x, q.x) - kBoxMargin > bounds.max.x ||
      std::max(p.x, q.x) + kBoxMargin < bounds.min.x || std::min(p.y, q.y) - kBoxMargin > bounds.max.y ||
      std::max(p.y, q.y) + kBoxMargin < bounds.min.y) {
    return;
  }
  const double extent = std::max(
      {1.0, static_cast<double>(bounds.max.x) - bounds.min.x, static_cast<double>(bounds.max.y) - bounds.min.y});
  const double slant = std::min(std::abs(q.x - p.x), std::abs(q.y - p.y));
  const int steps = static_cast<int>(std::clamp(std::ceil(slant / extent * 256), 1.0, 256.0));
  Vec2 from = p;
  for (int i = 1; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const Vec2 to{p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t};
    grid.forEach(boxOf(from, to), visit);
    from = to;
  }
}

template <typename Visit>
void forEachNearConnection(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                           std::span<const ConnectionEdge> connectionEdges, const Welding& welding, double tolerance,
                           Visit&& visit) {
  std::vector<Box> boxes;
  boxes.reserve(connectionEdges.size());
  for (const ConnectionEdge& edge : connectionEdges) boxes.push_back(boxOf(welding, {edge.a, edge.b}));
  const GridIndex grid(boxes);
  for (const uint32_t i : loose) {
    const SidePiece& piece = pieces[i];
    if (!isFractional(piece, welding)) continue;
    forEachNear(grid, welding, {piece.a, piece.b}, [&](uint32_t g) {
      if (connectionEdges[g].layer != piece.domain) return;
      const Overlap overlap =
          overlapOf(welding, {piece.a, piece.b}, {connectionEdges[g].a, connectionEdges[g].b}, false, tolerance);
      if (overlap.found) visit(i, overlap, connectionEdges[g]);
    });
  }
}

}  // namespace

std::vector<Cut> nearCutsAtConnections(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                                       std::span<const ConnectionEdge> connectionEdges, const Welding& welding,
                                       double tolerance) {
  std::vector<Cut> cuts;
  forEachNearConnection(
      pieces, loose, connectionEdges, welding, tolerance,
      [&](uint32_t piece, const Overlap& overlap, const ConnectionEdge&) { addCuts(cuts, piece, overlap, tolerance); });
  return cuts;
}

void nearlyEnterConnections(std::span<SidePiece> pieces, std::span<const uint32_t> loose,
                            std::span<const ConnectionEdge> connectionEdges, const Welding& welding, double tolerance) {
  std::vector<std::pair<uint32_t, uint32_t>> entering;
  forEachNearConnection(pieces, loose, connectionEdges, welding, tolerance,
                        [&](uint32_t piece, const Overlap& overlap, const ConnectionEdge& edge) {
                          if (overlap.low <= tolerance && overlap.high >= overlap.length - tolerance) {
                            entering.emplace_back(piece, edge.domain);
                          }
                        });
  for (const auto& [piece, domain] : entering) pieces[piece].domain = domain;
}

std::vector<Cut> nearCutsAtOpposite(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                                    const Welding& welding, double tolerance) {
  std::vector<Box> boxes;
  boxes.reserve(loose.size());
  for (const uint32_t i : loose) boxes.push_back(boxOf(welding, {pieces[i].a, pieces[i].b}));
  const GridIndex grid(boxes);
  std::vector<Cut> cuts;
  for (uint32_t j = 0; j < loose.size(); ++j) {
    const uint32_t i = loose[j];
    const SidePiece& piece = pieces[i];
    if (!isFractional(piece, welding)) continue;
    forEachNear(grid, welding, {piece.a, piece.b}, [&](uint32_t k) {
      const SidePiece& other = pieces[loose[k]];
      if (k == j || other.domain != piece.domain || !meet(boxes[j], boxes[k])) return;
      const Segment s{piece.a, piece.b};
      const Segment o{other.a, other.b};
      const Overlap mine = overlapOf(welding, s, o, true, tolerance);
      if (!mine.found) return;
      addCuts(cuts, i, mine, tolerance);
      addCuts(cuts, loose[k], overlapOf(welding, o, s, true, tolerance), tolerance);
    });
  }
  return cuts;
}

}  // namespace wend
