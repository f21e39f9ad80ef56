#include "metrics/cover_count.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/predicates.h"
#include "geometry/snap_round.h"

namespace wend {
namespace {

constexpr int next(int i) {
  return i == 2 ? 0 : i + 1;
}
constexpr int previous(int i) {
  return i == 0 ? 2 : i - 1;
}

// What changes when one steps over an edge from its right to its left; seen along the edge from its smaller end.
struct Step {
  int32_t cells = 0;
  int32_t overhangs = 0;
  int32_t free = 0;
  bool none() const { return cells == 0 && overhangs == 0 && free == 0; }
};

struct CoverEdge {
  Point a;  // a < b
  Point b;
  Step step;
};

struct DirectedPiece {
  Point a;  // a < b
  Point b;
  bool forward;
  uint32_t source;
  auto key() const { return std::tuple(a, b); }
};

// Several pieces over the same two points become one edge; those that cancel each other vanish.
std::vector<CoverEdge> mergePieces(const std::vector<Piece>& pieces, std::span<const CoverSegment> segments,
                                   std::vector<LostPortal>& lost) {
  std::vector<DirectedPiece> sorted;
  sorted.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    sorted.push_back({std::min(piece.a, piece.b), std::max(piece.a, piece.b), piece.a < piece.b, piece.source});
  }
  std::sort(sorted.begin(), sorted.end(), [](const DirectedPiece& p, const DirectedPiece& q) {
    return std::tuple(p.a, p.b, p.source) < std::tuple(q.a, q.b, q.source);
  });
  std::vector<CoverEdge> edges;
  for (size_t i = 0, j = 0; i < sorted.size(); i = j) {
    Step step;
    uint32_t forwardWall = kNone;
    uint32_t backwardWall = kNone;
    bool open = false;
    for (; j < sorted.size() && sorted[j].key() == sorted[i].key(); ++j) {
      const CoverSegment& segment = segments[sorted[j].source];
      const int32_t sign = sorted[j].forward ? 1 : -1;
      switch (segment.source) {
        case CoverSource::kWall:
          (sorted[j].forward ? forwardWall : backwardWall) = segment.cell;
          step.cells += sign;
          break;
        case CoverSource::kPassage:
          step.cells += sign;
          break;
        case CoverSource::kOpen:
          open = true;
          step.free += sign;
          break;
        case CoverSource::kFree:
          step.free += sign;
          break;
        case CoverSource::kOverhang:
          step.overhangs += sign;
          break;
      }
    }
    const bool both = forwardWall != kNone && backwardWall != kNone;
    const uint32_t wall = forwardWall != kNone ? forwardWall : backwardWall;
    if (both || (open && wall != kNone)) lost.push_back({sorted[i].a, sorted[i].b, wall});
    if (!step.none()) edges.push_back({sorted[i].a, sorted[i].b, step});
  }
  return edges;
}

// Area between a segment and the chain of pieces it was rounded to, at most.
double sweptArea(std::span<const CoverSegment> segments, const std::vector<Piece>& pieces) {
  double swept = 0;
  for (const Piece& piece : pieces) {
    const CoverSegment& segment = segments[piece.source];
    const double length =
        std::hypot(static_cast<double>(segment.b.x) - segment.a.x, static_cast<double>(segment.b.y) - segment.a.y);
    double off = 0;
    for (const Point p : {piece.a, piece.b}) {
      if (orient(segment.a, segment.b, p) == 0) continue;
      off = std::max(off, std::abs(static_cast<double>(cross(segment.a, segment.b, p))) / length);
    }
    if (off == 0) continue;
    swept += off * std::hypot(static_cast<double>(piece.b.x) - piece.a.x, static_cast<double>(piece.b.y) - piece.a.y);
  }
  return swept;
}

// The steps at the edges of a triangulation.
class StepTable {
 public:
  StepTable(std::span<const CoverEdge> edges, std::span<const Edge> ends, const Triangulation& triangulation) {
    entries_.reserve(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) {
      const uint32_t a = triangulation.pointOf[ends[i].a];
      const uint32_t b = triangulation.pointOf[ends[i].b];
      const Step& s = edges[i].step;
      entries_.push_back(a < b ? Entry{a, b, s} : Entry{b, a, {-s.cells, -s.overhangs, -s.free}});
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& p, const Entry& q) { return std::tuple(p.a, p.b) < std::tuple(q.a, q.b); });
  }
  // Seen along the edge from a to b.
  Step at(uint32_t a, uint32_t b) const {
    const auto [low, high] = std::minmax(a, b);
    const auto found = std::lower_bound(
        entries_.begin(), entries_.end(), std::tuple(low, high),
        [](const Entry& e, const std::tuple<uint32_t, uint32_t>& k) { return std::tuple(e.a, e.b) < k; });
    if (found == entries_.end() || found->a != low || found->b != high) return {};
    const Step& s = found->step;
    return a < b ? s : Step{-s.cells, -s.overhangs, -s.free};
  }

 private:
  struct Entry {
    uint32_t a, b;  // a < b
    Step step;
  };
  std::vector<Entry> entries_;
};

void flood(const StepTable& table, CoverCount& cover) {
  const auto& triangles = cover.triangulation.triangles;
  std::vector<Step> at(triangles.size());
  std::vector<uint8_t> seen(triangles.size(), 0);
  std::vector<uint32_t> stack;
  const auto enter = [&](uint32_t t, const Step& step) {
    seen[t] = 1;
    at[t] = step;
    stack.push_back(t);
  };
  // The side opposite corner i runs from corner i + 1 to i + 2, with the triangle on its left.
  const auto step = [&](uint32_t t, int side) {
    const auto& triangle = triangles[t];
    return triangle.isFixed(side) ? table.at(triangle.v[next(side)], triangle.v[previous(side)]) : Step{};
  };
  for (uint32_t start = 0; start < triangles.size(); ++start) {
    for (int side = 0; side < 3 && seen[start] == 0; ++side) {
      if (triangles[start].n[side] == kNone) enter(start, step(start, side));
    }
    while (!stack.empty()) {
      const uint32_t t = stack.back();
      stack.pop_back();
      for (int side = 0; side < 3; ++side) {
        const uint32_t neighbour = triangles[t].n[side];
        if (neighbour == kNone || seen[neighbour] != 0) continue;
        const Step s = step(t, side);
        enter(neighbour, {at[t].cells - s.cells, at[t].overhangs - s.overhangs, at[t].free - s.free});
      }
    }
  }
  for (const Step& s : at) {
    cover.cells.push_back(s.cells);
    cover.overhangs.push_back(s.overhangs);
    cover.free.push_back(s.free > 0 ? 1 : 0);
  }
}

}  // namespace

FineLattice::FineLattice(const Box& box) {
  if (box.empty()) return;
  const auto middle = [](int32_t a, int32_t b) { return std::floor((static_cast<double>(a) + b) / 2); };
  origin_ = {middle(box.min.x, box.max.x), middle(box.min.y, box.max.y)};
  // One unit of room: corners off the lattice may be rounded outwards.
  const double reach =
      2 + std::max({box.max.x - origin_.x, origin_.x - box.min.x, box.max.y - origin_.y, origin_.y - box.min.y});
  while (scale_ < 0x1p20 && 2 * scale_ * reach <= kMaxCoordinate) scale_ *= 2;
}

Point FineLattice::round(Vec2 units) const {
  return {static_cast<int32_t>(std::nearbyint((units.x - origin_.x) * scale_)),
          static_cast<int32_t>(std::nearbyint((units.y - origin_.y) * scale_))};
}

Int128 CoverCount::doubledArea(uint32_t t) const {
  const auto& v = triangulation.triangles[t].v;
  return cross(triangulation.points[v[0]], triangulation.points[v[1]], triangulation.points[v[2]]);
}

Result<CoverCount> countCover(std::span<const CoverSegment> segments, const Context& context) {
  std::vector<Segment> plain;
  plain.reserve(segments.size());
  for (const CoverSegment& segment : segments) plain.push_back({segment.a, segment.b});
  const Result<std::vector<Piece>> pieces = snapRound(plain, context);
  if (!pieces.ok()) return pieces.error();

  CoverCount cover;
  cover.bend = sweptArea(segments, *pieces);
  const std::vector<CoverEdge> edges = mergePieces(*pieces, segments, cover.lost);
  std::vector<Point> points;
  points.reserve(2 * edges.size());
  for (const CoverEdge& edge : edges) {
    points.push_back(edge.a);
    points.push_back(edge.b);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const auto id = [&](Point p) {
    return static_cast<uint32_t>(std::lower_bound(points.begin(), points.end(), p) - points.begin());
  };
  std::vector<Edge> ends;
  ends.reserve(edges.size());
  for (const CoverEdge& edge : edges) ends.push_back({id(edge.a), id(edge.b)});
  Result<Triangulation> triangulation = triangulate(points, ends, context);
  if (!triangulation.ok()) return triangulation.error();
  cover.triangulation = std::move(triangulation).value();
  flood(StepTable(edges, ends, cover.triangulation), cover);
  return cover;
}

uint32_t countOutlines(const CoverCount& cover) {
  const auto& triangles = cover.triangulation.triangles;
  const auto isBorder = [&](uint32_t t, int side) {
    const uint32_t neighbour = triangles[t].n[side];
    return neighbour == kNone || !cover.covered(neighbour);
  };
  std::vector<bool> walked(3 * triangles.size(), false);
  uint32_t curves = 0;
  for (uint32_t first = 0; first < triangles.size(); ++first) {
    for (int side = 0; side < 3; ++side) {
      if (!cover.covered(first) || !isBorder(first, side) || walked[3 * size_t{first} + side]) continue;
      ++curves;
      uint32_t t = first;
      for (int s = side; !walked[3 * size_t{t} + s];) {
        walked[3 * size_t{t} + s] = true;
        const uint32_t end = triangles[t].v[previous(s)];
        s = next(s);
        while (!isBorder(t, s)) {
          t = triangles[t].n[s];
          const auto& v = triangles[t].v;
          s = previous(v[0] == end ? 0 : v[1] == end ? 1 : 2);
        }
      }
    }
  }
  return curves;
}

}  // namespace wend
