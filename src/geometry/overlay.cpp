#include "geometry/overlay.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/area.h"
#include "geometry/polygon_check.h"
#include "geometry/predicates.h"
#include "geometry/snap_round.h"
#include "geometry/triangulation/triangulation.h"

namespace wend {
namespace {

// The boundaries of all shapes as distinct edges between distinct points, each with the shapes that it bounds: those in
// which it occurs an odd number of times. An edge that bounds none is not there.
struct Arrangement {
  std::vector<Point> points;
  std::vector<Edge> edges;      // a < b, sorted
  std::vector<uint32_t> begin;  // into shapes, one more than edges
  std::vector<uint32_t> shapes;
};

Arrangement arrange(const std::vector<Piece>& pieces, const std::vector<uint32_t>& shapeOfSegment) {
  struct Side {
    Point a;
    Point b;
    uint32_t shape;
    auto operator<=>(const Side&) const = default;
  };
  std::vector<Side> sides;
  sides.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    sides.push_back({std::min(piece.a, piece.b), std::max(piece.a, piece.b), shapeOfSegment[piece.source]});
  }
  std::sort(sides.begin(), sides.end());
  size_t kept = 0;
  for (size_t i = 0, j = 0; i < sides.size(); i = j) {
    while (j < sides.size() && sides[j] == sides[i]) ++j;
    if ((j - i) % 2 == 1) sides[kept++] = sides[i];
  }
  sides.resize(kept);

  Arrangement result;
  result.points.reserve(2 * sides.size());
  for (const Side& side : sides) {
    result.points.push_back(side.a);
    result.points.push_back(side.b);
  }
  std::sort(result.points.begin(), result.points.end());
  result.points.erase(std::unique(result.points.begin(), result.points.end()), result.points.end());
  const auto id = [&](Point p) {
    return static_cast<uint32_t>(std::lower_bound(result.points.begin(), result.points.end(), p) -
                                 result.points.begin());
  };
  for (size_t i = 0; i < sides.size(); ++i) {
    if (i == 0 || sides[i].a != sides[i - 1].a || sides[i].b != sides[i - 1].b) {
      result.edges.push_back({id(sides[i].a), id(sides[i].b)});
      result.begin.push_back(static_cast<uint32_t>(i));
    }
    result.shapes.push_back(sides[i].shape);
  }
  result.begin.push_back(static_cast<uint32_t>(sides.size()));
  return result;
}

// Finds the edge between two points of the triangulation.
class EdgeFinder {
 public:
  EdgeFinder(const Arrangement& arrangement, const Triangulation& triangulation)
      : edges_(arrangement.edges.size()), begin_(triangulation.points.size() + 1, 0) {
    const auto ends = [&](const Edge& edge) {
      const auto [a, b] = std::minmax(triangulation.pointOf[edge.a], triangulation.pointOf[edge.b]);
      return Edge{a, b};
    };
    for (const Edge& edge : arrangement.edges) ++begin_[ends(edge).a + 1];
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<uint32_t> fill(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < arrangement.edges.size(); ++i) {
      const Edge edge = ends(arrangement.edges[i]);
      edges_[fill[edge.a]++] = {edge.b, i};
    }
    for (size_t p = 0; p + 1 < begin_.size(); ++p)
      std::sort(edges_.begin() + begin_[p], edges_.begin() + begin_[p + 1]);
  }
  uint32_t find(uint32_t a, uint32_t b) const {
    if (a > b) std::swap(a, b);
    const auto first = edges_.begin() + begin_[a];
    const auto last = edges_.begin() + begin_[a + 1];
    const auto at = std::lower_bound(first, last, Entry{b, 0});
    return at != last && at->other == b ? at->edge : kNone;
  }

 private:
  struct Entry {
    uint32_t other;
    uint32_t edge;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> edges_;
  std::vector<uint32_t> begin_;
};

constexpr int next(int i) {
  return i == 2 ? 0 : i + 1;
}
constexpr int previous(int i) {
  return i == 0 ? 2 : i - 1;
}

// Which triangles are kept: a walk over all of them that enters and leaves shapes as it crosses their edges, forth and
// back along its tree, so that each edge's shapes are toggled twice at most.
class Flood {
 public:
  Flood(std::span<const Shape> shapes, const Arrangement& arrangement, const Triangulation& triangulation)
      : shapes_(shapes),
        arrangement_(arrangement),
        triangulation_(triangulation),
        finder_(arrangement, triangulation),
        inside_(shapes.size(), 0) {}

  std::vector<uint8_t> run(const std::function<bool(uint32_t)>& keep) {
    const auto& triangles = triangulation_.triangles;
    std::vector<uint8_t> kept(triangles.size(), 0);
    std::vector<uint8_t> visited(triangles.size(), 0);
    struct Step {
      uint32_t triangle;
      uint32_t entry;  // the edge through which it was entered, kNone if free
      int side;
    };
    std::vector<Step> path;
    const auto enter = [&](uint32_t t, uint32_t edge) {
      toggle(edge);
      visited[t] = 1;
      kept[t] = keep(groups_) ? 1 : 0;
      path.push_back({t, edge, 0});
    };
    for (uint32_t start = 0; start < triangles.size(); ++start) {
      const int hull = outerSide(triangles[start]);
      if (hull < 0 || visited[start] != 0) continue;
      enter(start, edgeAt(triangles[start], hull));
      while (!path.empty()) {
        Step& step = path.back();
        if (step.side == 3) {
          toggle(step.entry);
          path.pop_back();
          continue;
        }
        const Triangulation::Triangle& triangle = triangles[step.triangle];
        const int side = step.side++;
        const uint32_t neighbour = triangle.n[side];
        if (neighbour != kNone && visited[neighbour] == 0) enter(neighbour, edgeAt(triangle, side));
      }
    }
    return kept;
  }

 private:
  static int outerSide(const Triangulation::Triangle& triangle) {
    for (int i = 0; i < 3; ++i) {
      if (triangle.n[i] == kNone) return i;
    }
    return -1;
  }

  uint32_t edgeAt(const Triangulation::Triangle& triangle, int side) const {
    return triangle.isFixed(side) ? finder_.find(triangle.v[next(side)], triangle.v[previous(side)]) : kNone;
  }

  void toggle(uint32_t edge) {
    if (edge == kNone) return;
    for (uint32_t i = arrangement_.begin[edge]; i < arrangement_.begin[edge + 1]; ++i) {
      const uint32_t shape = arrangement_.shapes[i];
      const uint32_t group = shapes_[shape].group;
      inside_[shape] ^= 1U;
      covers_[group] += inside_[shape] != 0 ? 1 : -1;
      const uint32_t bit = uint32_t{1} << group;
      groups_ = covers_[group] > 0 ? groups_ | bit : groups_ & ~bit;
    }
  }

  std::span<const Shape> shapes_;
  const Arrangement& arrangement_;
  const Triangulation& triangulation_;
  EdgeFinder finder_;
  std::vector<uint8_t> inside_;
  std::array<int32_t, 32> covers_{};
  uint32_t groups_ = 0;
};

// How often the outline and the holes wind around each triangle, and so which triangles are kept: a walk over all of
// them, from outside.
class WindingFlood {
 public:
  using Counts = std::array<int32_t, 2>;  // outline, holes

  // `turns`: per edge, how often it is run along from a to b, less how often backwards.
  WindingFlood(const Arrangement& arrangement, std::span<const Counts> turns, const Triangulation& triangulation)
      : turns_(turns), triangulation_(triangulation), finder_(arrangement, triangulation) {}

  std::vector<uint8_t> run() const {
    const auto& triangles = triangulation_.triangles;
    std::vector<uint8_t> visited(triangles.size(), 0);
    std::vector<Counts> around(triangles.size(), Counts{});
    std::vector<uint32_t> stack;
    for (uint32_t start = 0; start < triangles.size(); ++start) {
      for (int side = 0; side < 3 && visited[start] == 0; ++side) {
        if (triangles[start].n[side] != kNone) continue;
        around[start] = added({}, triangles[start], side, 1);
        visited[start] = 1;
        stack.push_back(start);
      }
      while (!stack.empty()) {
        const uint32_t t = stack.back();
        stack.pop_back();
        for (int side = 0; side < 3; ++side) {
          const uint32_t neighbour = triangles[t].n[side];
          if (neighbour == kNone || visited[neighbour] != 0) continue;
          around[neighbour] = added(around[t], triangles[t], side, -1);
          visited[neighbour] = 1;
          stack.push_back(neighbour);
        }
      }
    }
    std::vector<uint8_t> kept(triangles.size(), 0);
    for (size_t t = 0; t < kept.size(); ++t) kept[t] = around[t][0] != 0 && around[t][1] == 0 ? 1 : 0;
    return kept;
  }

 private:
  // Across a side: into its triangle (1) or out of it (-1). A loop winds around what lies left of its edges.
  Counts added(Counts counts, const Triangulation::Triangle& triangle, int side, int32_t sign) const {
    if (!triangle.isFixed(side)) return counts;
    const uint32_t a = triangle.v[next(side)];
    const uint32_t b = triangle.v[previous(side)];
    const uint32_t edge = finder_.find(a, b);
    if (edge == kNone) return counts;
    const int32_t along = triangulation_.points[a] < triangulation_.points[b] ? sign : -sign;
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += along * turns_[edge][i];
    return counts;
  }

  std::span<const Counts> turns_;
  const Triangulation& triangulation_;
  EdgeFinder finder_;
};

// Starts a ring at its smallest vertex; where it passes that one several times, at the passage that reads smallest.
void startAtSmallest(Ring& ring) {
  const Point smallest = *std::min_element(ring.begin(), ring.end());
  const size_t n = ring.size();
  size_t best = kNone;
  const auto reads = [&](size_t i, size_t j) {
    for (size_t k = 0; k < n; ++k) {
      const Point p = ring[(i + k) % n];
      const Point q = ring[(j + k) % n];
      if (p != q) return p < q;
    }
    return false;
  };
  for (size_t i = 0; i < n; ++i) {
    if (ring[i] == smallest && (best == kNone || reads(i, best))) best = i;
  }
  std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(best), ring.end());
}

// Walks the border of the kept triangles into polygons.
class BoundaryWalk {
 public:
  BoundaryWalk(const Triangulation& triangulation, const std::vector<uint8_t>& kept, const std::vector<Point>& corners)
      : triangulation_(triangulation), kept_(kept), corners_(corners) {}

  std::vector<Polygon> run() {
    labelParts();
    countVisits();
    std::vector<Polygon> polygons(parts_);
    std::vector<uint8_t> walked(3 * triangulation_.triangles.size(), 0);
    for (uint32_t t = 0; t < kept_.size(); ++t) {
      for (int side = 0; side < 3; ++side) {
        if (kept_[t] == 0 || !isBorder(t, side) || walked[3 * size_t{t} + side] != 0) continue;
        Ring ring = walk(t, side, walked);
        startAtSmallest(ring);
        Polygon& polygon = polygons[partOf_[t]];
        if (doubledArea(ring) > 0) {
          polygon.outer = std::move(ring);
        } else {
          polygon.holes.push_back(std::move(ring));
        }
      }
    }
    for (Polygon& polygon : polygons) std::sort(polygon.holes.begin(), polygon.holes.end());
    std::sort(polygons.begin(), polygons.end(), [](const Polygon& p, const Polygon& q) { return p.outer < q.outer; });
    return polygons;
  }

 private:
  bool isBorder(uint32_t t, int side) const {
    const uint32_t neighbour = triangulation_.triangles[t].n[side];
    return neighbour == kNone || kept_[neighbour] == 0;
  }

  // Kept triangles that are joined by sides are one polygon.
  void labelParts() {
    partOf_.assign(kept_.size(), kNone);
    std::vector<uint32_t> stack;
    for (uint32_t t = 0; t < kept_.size(); ++t) {
      if (kept_[t] == 0 || partOf_[t] != kNone) continue;
      partOf_[t] = parts_;
      stack.push_back(t);
      while (!stack.empty()) {
        const uint32_t at = stack.back();
        stack.pop_back();
        for (int side = 0; side < 3; ++side) {
          if (isBorder(at, side)) continue;
          const uint32_t neighbour = triangulation_.triangles[at].n[side];
          if (partOf_[neighbour] != kNone) continue;
          partOf_[neighbour] = parts_;
          stack.push_back(neighbour);
        }
      }
      ++parts_;
    }
  }

  void countVisits() {
    visits_.assign(triangulation_.points.size(), 0);
    for (uint32_t t = 0; t < kept_.size(); ++t) {
      for (int side = 0; side < 3; ++side) {
        if (kept_[t] != 0 && isBorder(t, side)) ++visits_[triangulation_.triangles[t].v[next(side)]];
      }
    }
  }

  // The side opposite corner i runs from corner i+1 to corner i+2, with the triangle on its left. At its end the walk
  // turns through the fan of kept triangles around that vertex: it stays with its own fan where several meet.
  Ring walk(uint32_t t, int side, std::vector<uint8_t>& walked) const {
    std::vector<uint32_t> loop;
    while (walked[3 * size_t{t} + side] == 0) {
      walked[3 * size_t{t} + side] = 1;
      const uint32_t end = triangulation_.triangles[t].v[previous(side)];
      loop.push_back(end);
      side = next(side);
      while (!isBorder(t, side)) {
        t = triangulation_.triangles[t].n[side];
        const auto& v = triangulation_.triangles[t].v;
        const int corner = v[0] == end ? 0 : v[1] == end ? 1 : 2;
        side = previous(corner);
      }
    }
    return withoutTraces(loop);
  }

  // Drops vertices on straight lines where no input has a vertex: traces of edges that are gone.
  Ring withoutTraces(const std::vector<uint32_t>& loop) const {
    Ring ring;
    const size_t n = loop.size();
    for (size_t i = 0; i < n; ++i) {
      const Point p = triangulation_.points[loop[i]];
      const Point before = triangulation_.points[loop[i == 0 ? n - 1 : i - 1]];
      const Point after = triangulation_.points[loop[i + 1 == n ? 0 : i + 1]];
      const bool trace = visits_[loop[i]] == 1 && orient(before, p, after) == 0 &&
                         !std::binary_search(corners_.begin(), corners_.end(), p);
      if (!trace) ring.push_back(p);
    }
    return ring;
  }

  const Triangulation& triangulation_;
  const std::vector<uint8_t>& kept_;
  const std::vector<Point>& corners_;  // of the input, sorted
  std::vector<uint32_t> partOf_;
  std::vector<uint32_t> visits_;  // of the border to each point
  uint32_t parts_ = 0;
};

Shape shapeOf(const Polygon& polygon, uint32_t group) {
  Shape shape{group, {polygon.outer}};
  shape.loops.insert(shape.loops.end(), polygon.holes.begin(), polygon.holes.end());
  return shape;
}

Result<std::vector<Polygon>> combine(std::span<const Polygon> a, std::span<const Polygon> b,
                                     const std::function<bool(uint32_t)>& keep) {
  std::vector<Shape> shapes;
  shapes.reserve(a.size() + b.size());
  for (const Polygon& polygon : a) shapes.push_back(shapeOf(polygon, 0));
  for (const Polygon& polygon : b) shapes.push_back(shapeOf(polygon, 1));
  return overlay(shapes, keep);
}

}  // namespace

Result<std::vector<Polygon>> overlay(std::span<const Shape> shapes, const std::function<bool(uint32_t)>& keep,
                                     const Context& context) {
  std::vector<Segment> segments;
  std::vector<uint32_t> shapeOfSegment;
  std::vector<Point> corners;
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    if (shapes[s].group > 31) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("shape {} has group {}; groups are 0 to 31", s, shapes[s].group)};
    }
    for (const Ring& loop : shapes[s].loops) {
      for (size_t i = 0; i < loop.size(); ++i) {
        segments.push_back({loop[i], loop[i + 1 == loop.size() ? 0 : i + 1]});
        shapeOfSegment.push_back(s);
        corners.push_back(loop[i]);
      }
    }
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());

  const auto pieces = snapRound(segments, context);
  if (!pieces.ok()) return pieces.error();
  const Arrangement arrangement = arrange(*pieces, shapeOfSegment);
  const auto triangulation = triangulate(arrangement.points, arrangement.edges, context);
  if (!triangulation.ok()) return triangulation.error();
  const std::vector<uint8_t> kept = Flood(shapes, arrangement, *triangulation).run(keep);
  std::vector<Polygon> result = BoundaryWalk(*triangulation, kept, corners).run();
  WEND_ASSERT(findPolygonFaults(result, 1).empty(), "an overlay gives valid polygons");
  return result;
}

Result<std::vector<Polygon>> fillNonzero(std::span<const Ring> loops, const Context& context) {
  std::vector<Segment> segments;
  std::vector<WindingFlood::Counts> turnOfSegment;
  std::vector<Point> corners;
  for (size_t k = 0; k < loops.size(); ++k) {
    const Ring& loop = loops[k];
    WindingFlood::Counts turn{};
    // Holes in one direction, so that they never cancel.
    turn[k == 0 ? 0 : 1] = doubledArea(loop) < 0 ? -1 : 1;
    for (size_t i = 0; i < loop.size(); ++i) {
      segments.push_back({loop[i], loop[i + 1 == loop.size() ? 0 : i + 1]});
      turnOfSegment.push_back(turn);
      corners.push_back(loop[i]);
    }
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const auto pieces = snapRound(segments, context);
  if (!pieces.ok()) return pieces.error();

  std::map<std::pair<Point, Point>, WindingFlood::Counts> turnOf;
  for (const Piece& piece : *pieces) {
    WindingFlood::Counts& counts = turnOf[std::minmax(piece.a, piece.b)];
    for (size_t i = 0; i < counts.size(); ++i) {
      counts[i] += piece.a < piece.b ? turnOfSegment[piece.source][i] : -turnOfSegment[piece.source][i];
    }
  }
  Arrangement arrangement;
  for (const auto& [ends, counts] : turnOf) {
    arrangement.points.push_back(ends.first);
    arrangement.points.push_back(ends.second);
  }
  std::sort(arrangement.points.begin(), arrangement.points.end());
  arrangement.points.erase(std::unique(arrangement.points.begin(), arrangement.points.end()), arrangement.points.end());
  const auto id = [&](Point p) {
    return static_cast<uint32_t>(std::lower_bound(arrangement.points.begin(), arrangement.points.end(), p) -
                                 arrangement.points.begin());
  };
  std::vector<WindingFlood::Counts> turns;
  for (const auto& [ends, counts] : turnOf) {
    arrangement.edges.push_back({id(ends.first), id(ends.second)});
    turns.push_back(counts);
  }
  const auto triangulation = triangulate(arrangement.points, arrangement.edges, context);
  if (!triangulation.ok()) return triangulation.error();
  const std::vector<uint8_t> kept = WindingFlood(arrangement, turns, *triangulation).run();
  return BoundaryWalk(*triangulation, kept, corners).run();
}

Result<std::vector<Polygon>> unite(std::span<const Ring> loops, const Context& context) {
  std::vector<Shape> shapes;
  shapes.reserve(loops.size());
  for (const Ring& loop : loops) shapes.push_back({0, {loop}});
  return overlay(
      shapes, [](uint32_t groups) { return groups != 0; }, context);
}

Result<std::vector<Polygon>> unite(std::span<const Polygon> a, std::span<const Polygon> b) {
  return combine(a, b, [](uint32_t groups) { return groups != 0; });
}

Result<std::vector<Polygon>> intersect(std::span<const Polygon> a, std::span<const Polygon> b) {
  return combine(a, b, [](uint32_t groups) { return groups == 3; });
}

Result<std::vector<Polygon>> subtract(std::span<const Polygon> a, std::span<const Polygon> b) {
  return combine(a, b, [](uint32_t groups) { return groups == 1; });
}

}  // namespace wend
