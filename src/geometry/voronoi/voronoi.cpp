#include "geometry/voronoi/voronoi.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "geometry/index/hilbert_order.h"
#include "geometry/index/segment_pairs.h"
#include "geometry/predicates.h"
#include "geometry/triangulation/delaunay_mesh.h"
#include "geometry/triangulation/triangulation_steps.h"
#include "geometry/voronoi/voronoi_sweep.h"

namespace wend {
namespace {

// The distinct sites of the input, points first.
std::vector<VoronoiSite> collectSites(std::span<const Segment> segments, std::span<const Point> points,
                                      const DistinctPoints& distinct) {
  std::vector<VoronoiSite> sites;
  sites.reserve(distinct.points.size() + segments.size());
  sites.resize(distinct.points.size());
  for (size_t i = 0; i < sites.size(); ++i) {
    sites[i].a = distinct.points[i];
    sites[i].b = distinct.points[i];
  }
  const auto claim = [&](size_t input, size_t source) {
    VoronoiSite& site = sites[distinct.idOf[input]];
    site.source = std::min(site.source, static_cast<uint32_t>(source));
  };
  for (size_t i = 0; i < segments.size(); ++i) {
    claim(2 * i, i);
    claim(2 * i + 1, i);
  }
  for (size_t i = 0; i < points.size(); ++i) claim(2 * segments.size() + i, segments.size() + i);

  // By their lower end, and there by the other one: equal segments come together, the first one of the input first.
  struct Ends {
    uint32_t high, segment;
    auto operator<=>(const Ends&) const = default;
  };
  const auto lowOf = [&](size_t i) { return std::min(distinct.idOf[2 * i], distinct.idOf[2 * i + 1]); };
  const auto highOf = [&](size_t i) { return std::max(distinct.idOf[2 * i], distinct.idOf[2 * i + 1]); };
  std::vector<uint32_t> begin(sites.size() + 1, 0);
  for (size_t i = 0; i < segments.size(); ++i) ++begin[lowOf(i) + 1];
  for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Ends> ends(segments.size());
  std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < segments.size(); ++i) ends[fill[lowOf(i)]++] = {highOf(i), i};
  std::vector<uint8_t> isFirst(segments.size(), 0);
  for (uint32_t low = 0; low + 1 < begin.size(); ++low) {
    const auto group = std::span(ends).subspan(begin[low], begin[low + 1] - begin[low]);
    std::sort(group.begin(), group.end());
    for (size_t k = 0; k < group.size(); ++k) {
      if (group[k].high != low && (k == 0 || group[k].high != group[k - 1].high)) isFirst[group[k].segment] = 1;
    }
  }
  for (uint32_t i = 0; i < segments.size(); ++i) {
    if (isFirst[i] == 0) continue;
    sites.push_back(
        {VoronoiSite::Kind::kSegment, segments[i].a, segments[i].b, i, distinct.idOf[2 * i], distinct.idOf[2 * i + 1]});
  }
  return sites;
}

Error insideError(const VoronoiSite& segment, Point p) {
  return {
      ErrorCode::kInvalidGeometry,
      fmt::format("segment {} from ({}, {}) to ({}, {}) passes through the point or end at ({}, {}); split it there "
                  "first (snapRound)",
                  segment.source, segment.a.x, segment.a.y, segment.b.x, segment.b.y, p.x, p.y)};
}

// Whether the segments meet in common ends only and no isolated point lies on them, unless comparing those that are
// close to each other takes too long to tell.
bool areSurelyDisjoint(std::span<const VoronoiSite> segments, std::span<const Point> points) {
  uint64_t budget = 64 * static_cast<uint64_t>(segments.size());
  std::vector<uint8_t> isEnd(points.size(), 0);
  for (const VoronoiSite& s : segments) isEnd[s.siteA] = isEnd[s.siteB] = 1;
  for (size_t i = 0; i < points.size(); ++i) {
    if (isEnd[i] != 0) continue;
    if (budget < segments.size()) return false;
    budget -= segments.size();
    for (const VoronoiSite& s : segments) {
      if (onSegment(s.a, s.b, points[i])) return false;
    }
  }
  std::vector<Segment> compared;
  compared.reserve(segments.size());
  for (const VoronoiSite& s : segments) compared.push_back({s.a, s.b});
  return forEachClosePair(compared, {}, budget, [&](uint32_t i, uint32_t j) {
           const VoronoiSite& s = segments[i];
           const VoronoiSite& t = segments[j];
           const Meeting meeting = meet(s.a, s.b, t.a, t.b);
           if (meeting == Meeting::kNone) return true;
           return meeting == Meeting::kTouch &&
                  (s.siteA == t.siteA || s.siteA == t.siteB || s.siteB == t.siteA || s.siteB == t.siteB);
         }) == PairSearch::kDone;
}

// A triangulation with the segments as constraints finds crossings and touchings in O(n log n), whatever their lengths.
Status checkDisjoint(std::span<const VoronoiSite> sites, std::span<const Point> points, const Context& context) {
  const std::span<const VoronoiSite> segments = sites.subspan(points.size());
  if (segments.empty()) return Done{};
  if (areSurelyDisjoint(segments, points)) return Done{};
  DelaunayMesh mesh(points);
  if (!mesh.insertPoints(context)) return Error{ErrorCode::kCancelled, "the Voronoi diagram was cancelled"};
  if (mesh.triangles().empty()) {
    // All on one line: segments must join neighbours on it.
    std::vector<Point> order(points.begin(), points.end());
    std::sort(order.begin(), order.end());
    for (const VoronoiSite& s : segments) {
      const auto after = std::upper_bound(order.begin(), order.end(), std::min(s.a, s.b));
      if (*after != std::max(s.a, s.b)) return insideError(s, *after);
    }
    return Done{};
  }
  std::vector<Edge> pieces;
  for (const VoronoiSite& s : segments) {
    pieces.clear();
    if (const auto crossing = mesh.insertConstraint(s.siteA, s.siteB, &pieces)) {
      return crossingError(fmt::format("segment {}", s.source), s.a, s.b, "a segment", points[crossing->crossed.a],
                           points[crossing->crossed.b]);
    }
    if (pieces.size() != 1) return insideError(s, points[pieces.front().b]);
  }
  return Done{};
}

// One of the eight symmetries of the lattice.
struct Turn {
  int quarters;
  bool mirror;

  bool isNone() const { return quarters == 0 && !mirror; }
  template <typename P>
  P apply(P p) const {
    if (mirror) p = {-p.x, p.y};
    for (int i = 0; i < quarters; ++i) p = {-p.y, p.x};
    return p;
  }
  template <typename P>
  P undo(P p) const {
    for (int i = 0; i < quarters; ++i) p = {p.y, -p.x};
    if (mirror) p = {-p.x, p.y};
    return p;
  }
};

// Circles that touch an upright segment all end on the same line of the sweep: the ties in which it takes the wrong one
// first, about once in a million. Level walls take the sweep a quarter longer, so turning first pays only for large
// input with more upright than level segments.
bool shouldTurnFirst(std::span<const VoronoiSite> sites) {
  constexpr size_t kLarge = 500'000;  // sites; a point and a segment for each vertex of a polygon
  if (sites.size() < kLarge) return false;
  int64_t excess = 0;
  for (const VoronoiSite& s : sites) {
    if (s.kind == VoronoiSite::Kind::kSegment) excess += (s.a.x == s.b.x ? 1 : 0) - (s.a.y == s.b.y ? 1 : 0);
  }
  return excess > 0;
}

std::vector<VoronoiSite> turned(std::vector<VoronoiSite> sites, Turn turn) {
  for (VoronoiSite& site : sites) {
    site.a = turn.apply(site.a);
    site.b = turn.apply(site.b);
  }
  return sites;
}

// Puts the diagram of turned sites back over the original ones.
void turnBack(VoronoiDiagram& diagram, const std::vector<VoronoiSite>& sites, Turn turn) {
  if (!turn.isNone()) diagram.sites = sites;
  for (Vec2& v : diagram.vertices) {
    v = turn.undo(v);
    v = {v.x + 0.0, v.y + 0.0};  // no negative zero
  }
  if (!turn.mirror) return;
  // A mirror turns left into right: each half-edge runs the other way around its site.
  std::vector<VoronoiDiagram::HalfEdge> mirrored = diagram.edges;
  for (uint32_t e = 0; e < mirrored.size(); ++e) {
    mirrored[e].start = diagram.end(e);
    mirrored[e].next = kNone;
  }
  for (uint32_t e = 0; e < mirrored.size(); ++e) {
    if (diagram.edges[e].next < mirrored.size()) mirrored[diagram.edges[e].next].next = e;
  }
  diagram.edges = std::move(mirrored);
}

// Of all points, if each of them has one segment that leads to it and one that leads on; else none.
std::vector<LoopCorner> loopCorners(std::span<const VoronoiSite> sites, size_t points) {
  std::vector<LoopCorner> corners(points, {kNone, kNone});
  for (auto i = static_cast<uint32_t>(points); i < sites.size(); ++i) {
    uint32_t& out = corners[sites[i].siteA].out;
    uint32_t& in = corners[sites[i].siteB].in;
    if (out != kNone || in != kNone) return {};
    out = i;
    in = i;
  }
  for (const LoopCorner& corner : corners) {
    if (corner.in == kNone || corner.out == kNone) return {};
  }
  return corners;
}

// Loops around an inside to their left, less those with the inside around them: the lowest corner tells.
int64_t countLoops(std::span<const VoronoiSite> sites, const std::vector<LoopCorner>& corners) {
  int64_t count = 0;
  std::vector<uint8_t> seen(corners.size(), 0);
  for (uint32_t first = 0; first < corners.size(); ++first) {
    if (seen[first] != 0) continue;
    uint32_t lowest = first;
    for (uint32_t p = first; seen[p] == 0; p = sites[corners[p].out].siteB) {
      seen[p] = 1;
      if (sites[p].a < sites[lowest].a) lowest = p;
    }
    const LoopCorner& corner = corners[lowest];
    count += orient(sites[corner.in].a, sites[lowest].a, sites[corner.out].b);
  }
  return count;
}

struct Input {
  std::vector<VoronoiSite> sites;
  size_t points;  // of them
};
Result<Input> collect(std::span<const Segment> segments, std::span<const Point> points, const Context& context) {
  std::vector<Point> all;
  all.reserve(2 * segments.size() + points.size());
  for (const Segment& s : segments) all.insert(all.end(), {s.a, s.b});
  all.insert(all.end(), points.begin(), points.end());
  if (const Status status = checkPoints(all); !status.ok()) return status.error();
  const DistinctPoints distinct = distinctInHilbertOrder(all);
  Input input{collectSites(segments, points, distinct), distinct.points.size()};
  if (const Status status = checkDisjoint(input.sites, distinct.points, context); !status.ok()) return status.error();
  return input;
}

// Sweeps over turned sites until a diagram passes the validator.
class Construction {
 public:
  Construction(const std::vector<VoronoiSite>& sites, const Context& context) : sites_(sites), context_(context) {}

  std::optional<VoronoiDiagram> attempt(const VoronoiSweep& sweep, Turn turn, int64_t euler) {
    ++attempts_;
    std::string fault;
    try {
      VoronoiDiagram diagram = turn.isNone() ? sweep(sites_) : sweep(turned(sites_, turn));
      turnBack(diagram, sites_, turn);
      diagram.attempts = attempts_;
      fault = findVoronoiFault(diagram, euler);
      if (fault.empty()) return diagram;
    } catch (const std::exception& e) {
      fault = e.what();
    }
    if (firstFault_.empty()) firstFault_ = fault;
    return std::nullopt;
  }

  Result<VoronoiDiagram> whole(const VoronoiSweep& sweep) {
    constexpr Turn kTurns[] = {{0, false}, {1, false}, {2, false}, {3, false},
                               {0, true},  {1, true},  {2, true},  {3, true}};
    const int firstQuarter = shouldTurnFirst(sites_) ? 1 : 0;
    firstFault_.clear();
    for (Turn turn : kTurns) {
      turn.quarters = (turn.quarters + firstQuarter) % 4;
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "the Voronoi diagram was cancelled"};
      if (auto diagram = attempt(sweep, turn, 1)) return std::move(*diagram);
    }
    return Error{ErrorCode::kInternal,
                 fmt::format("no construction of the Voronoi diagram of {} sites passed the check: {}; please report "
                             "the input",
                             sites_.size(), firstFault_)};
  }

 private:
  const std::vector<VoronoiSite>& sites_;
  const Context& context_;
  int attempts_ = 0;
  std::string firstFault_;
};

}  // namespace

Result<VoronoiDiagram> voronoiBy(const VoronoiSweep& sweep, std::span<const Segment> segments,
                                 std::span<const Point> points, const Context& context) {
  const Result<Input> input = collect(segments, points, context);
  if (!input.ok()) return input.error();
  return Construction(input->sites, context).whole(sweep);
}

Result<VoronoiDiagram> voronoi(std::span<const Segment> segments, std::span<const Point> points,
                               const Context& context) {
  return voronoiBy(sweepVoronoi, segments, points, context);
}

Result<VoronoiDiagram> voronoiInside(std::span<const Segment> segments, const Context& context) {
  const Result<Input> input = collect(segments, {}, context);
  if (!input.ok()) return input.error();
  const std::vector<LoopCorner> corners = loopCorners(input->sites, input->points);
  Construction construction(input->sites, context);
  if (!corners.empty()) {
    const auto sweep = [&](const std::vector<VoronoiSite>& sites) { return sweepInside(sites, corners); };
    const int64_t euler = countLoops(input->sites, corners);
    for (const int quarters : {0, 1}) {
      if (context.cancelled()) return Error{ErrorCode::kCancelled, "the Voronoi diagram was cancelled"};
      if (auto diagram = construction.attempt(sweep, {quarters, false}, euler)) return std::move(*diagram);
    }
  }
  return construction.whole(sweepVoronoi);
}

}  // namespace wend
