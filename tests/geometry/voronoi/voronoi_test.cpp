#include "geometry/voronoi/voronoi.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/voronoi/voronoi_sweep.h"
#include "tests/geometry/random_worlds.h"
#include "tests/geometry/voronoi/voronoi_laws.h"

namespace wend {
namespace {

using Kind = VoronoiSite::Kind;

VoronoiDiagram build(const std::vector<Segment>& segments, const std::vector<Point>& points = {}) {
  Result<VoronoiDiagram> result = voronoi(segments, points);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  if (!result.ok()) return {};
  EXPECT_EQ(findVoronoiFault(*result), "");
  return std::move(result).value();
}

std::vector<Segment> loop(const std::vector<Point>& ring) {
  std::vector<Segment> segments;
  for (size_t i = 0; i < ring.size(); ++i) segments.push_back({ring[i], ring[(i + 1) % ring.size()]});
  return segments;
}

std::vector<Segment> box(int32_t low, int32_t width, int32_t height) {
  return loop({{low, low}, {low + width, low}, {low + width, low + height}, {low, low + height}});
}

// --- The medial axis inside a closed ring, counted: the oracle of the analytic cases. -------------------------------

struct Counts {
  size_t corners = 0;    // degree 1
  size_t junctions = 0;  // degree 3 and above
  size_t semi = 0;       // degree 2
  size_t edges = 0;      // chains between true vertices
};

// Primary edges inside [low, high]^2. Where an edge ends in the end of a segment it ends for good, so every arriving
// edge has a vertex of its own there.
Counts medialAxis(const VoronoiDiagram& d, double low, double high) {
  std::map<uint32_t, size_t> degree;
  size_t arcs = 0;
  Counts counts;
  for (uint32_t e = 0; e < d.edges.size(); e += 2) {
    if (!d.edges[e].primary || d.edges[e].start == kNone || d.end(e) == kNone) continue;
    const auto inside = [&](uint32_t v) {
      const Vec2 p = d.vertices[v];
      return p.x >= low && p.x <= high && p.y >= low && p.y <= high;
    };
    if (!inside(d.edges[e].start) || !inside(d.end(e))) continue;
    ++arcs;
    for (const uint32_t v : {d.edges[e].start, d.end(e)}) {
      if (distance(d.sites[d.edges[e].site], d.vertices[v]) < 1e-6) {
        ++counts.corners;
      } else {
        ++degree[v];
      }
    }
  }
  for (const auto& [v, n] : degree) {
    EXPECT_NE(n, 1U);
    ++(n == 2 ? counts.semi : counts.junctions);
  }
  counts.edges = arcs - counts.semi;
  return counts;
}

bool hasVertex(const VoronoiDiagram& d, double x, double y) {
  return std::any_of(d.vertices.begin(), d.vertices.end(), [&](Vec2 v) {
    return std::abs(v.x - x) < 1e-9 * (1 + std::abs(x)) && std::abs(v.y - y) < 1e-9 * (1 + std::abs(y));
  });
}

TEST(Voronoi, NothingFromNothing) {
  const VoronoiDiagram d = build({});
  EXPECT_TRUE(d.sites.empty());
  EXPECT_TRUE(d.edges.empty());
}

TEST(Voronoi, OnePoint) {
  const VoronoiDiagram d = build({}, {{3, 4}, {3, 4}});
  ASSERT_EQ(d.sites.size(), 1U);
  EXPECT_EQ(d.sites[0].source, 0U);
  EXPECT_EQ(d.edgeOf[0], kNone);
  EXPECT_EQ(build({{{3, 4}, {3, 4}}}).sites.size(), 1U);
}

TEST(Voronoi, OneSegment) {
  const VoronoiDiagram d = build({{{10, 4}, {0, 0}}});
  ASSERT_EQ(d.sites.size(), 3U);
  EXPECT_EQ(d.sites[2].kind, Kind::kSegment);
  EXPECT_EQ(d.sites[2].a, (Point{10, 4}));
  EXPECT_EQ(d.sites[d.sites[2].siteA].a, (Point{10, 4}));
  EXPECT_EQ(d.sites[d.sites[2].siteB].a, (Point{0, 0}));
  EXPECT_TRUE(d.vertices.empty());
  EXPECT_EQ(d.edges.size(), 4U);
  for (const auto& edge : d.edges) EXPECT_FALSE(edge.primary);
}

TEST(Voronoi, PointsOnALine) {
  const VoronoiDiagram d = build({}, {{0, 0}, {20, 10}, {10, 5}, {40, 20}});
  EXPECT_TRUE(d.vertices.empty());
  EXPECT_EQ(d.edges.size(), 6U);
}

TEST(Voronoi, SegmentsOnALine) {
  const VoronoiDiagram d = build({{{0, 0}, {10, 5}}, {{10, 5}, {20, 10}}, {{40, 20}, {30, 15}}}, {{50, 25}, {-10, -5}});
  EXPECT_TRUE(d.vertices.empty());
  EXPECT_EQ(d.sites.size(), 5U + 3U + 2U);
}

TEST(Voronoi, DuplicatesAreMerged) {
  const std::vector<Segment> segments{{{0, 0}, {10, 0}}, {{10, 0}, {0, 0}}, {{0, 0}, {0, 10}}, {{0, 0}, {10, 0}}};
  const VoronoiDiagram d = build(segments, {{0, 0}, {5, 5}, {5, 5}});
  EXPECT_EQ(d.sites.size(), 4U + 2U);
  std::multiset<uint32_t> sources;
  for (const VoronoiSite& site : d.sites) sources.insert(site.source);
  EXPECT_EQ(sources, (std::multiset<uint32_t>{0, 0, 0, 2, 2, 5}));
}

TEST(Voronoi, SegmentsThatMeetInTheirInteriorsAreErrors) {
  const auto code = [](const std::vector<Segment>& segments, const std::vector<Point>& points) {
    const auto result = voronoi(segments, points);
    EXPECT_FALSE(result.ok());
    return result.ok() ? ErrorCode::kInternal : result.error().code;
  };
  const Segment s{{0, 0}, {10, 10}};
  EXPECT_EQ(code({s, {{0, 10}, {10, 0}}}, {}), ErrorCode::kInvalidGeometry);
  EXPECT_EQ(code({s, {{5, 5}, {10, 0}}}, {}), ErrorCode::kInvalidGeometry);
  EXPECT_EQ(code({s, {{3, 3}, {20, 20}}, {{0, 3}, {1, 9}}}, {}), ErrorCode::kInvalidGeometry);
  EXPECT_EQ(code({s, {{3, 3}, {20, 20}}}, {}), ErrorCode::kInvalidGeometry);  // all on one line
  EXPECT_EQ(code({s}, {{4, 4}}), ErrorCode::kInvalidGeometry);
  EXPECT_EQ(code({s}, {{4, 4}, {4, 7}}), ErrorCode::kInvalidGeometry);
  EXPECT_EQ(code({}, {{0, kMaxCoordinate + 1}}), ErrorCode::kOutsideLattice);
}

TEST(Voronoi, Rectangle) {
  const VoronoiDiagram d = build(box(0, 1000, 400));
  const Counts c = medialAxis(d, 0, 1000);
  EXPECT_EQ(c.corners, 4U);
  EXPECT_EQ(c.junctions, 2U);
  EXPECT_EQ(c.edges, 5U);
  EXPECT_EQ(c.semi, 0U);
  EXPECT_TRUE(hasVertex(d, 200, 200));
  EXPECT_TRUE(hasVertex(d, 800, 200));
}

TEST(Voronoi, SquareHasOneVertexOfDegreeFour) {
  const VoronoiDiagram d = build(box(0, 1000, 1000));
  const Counts c = medialAxis(d, 0, 1000);
  EXPECT_EQ(c.corners, 4U);
  EXPECT_EQ(c.junctions, 1U);
  EXPECT_EQ(c.edges, 4U);
}

TEST(Voronoi, SquareRoomWithACentralPoint) {
  const VoronoiDiagram d = build(box(0, 100000, 100000), {{50000, 50000}});
  const Counts c = medialAxis(d, 0, 100000);
  EXPECT_EQ(c.corners, 4U);
  EXPECT_EQ(c.junctions, 4U);
  EXPECT_EQ(c.edges, 8U);
  EXPECT_EQ(c.semi, 0U);
  const double at = 50000 * std::sqrt(2.0) / (1 + std::sqrt(2.0));  // on the diagonal, from a corner, along x
  for (const double x : {at, 100000 - at}) {
    for (const double y : {at, 100000 - at}) EXPECT_TRUE(hasVertex(d, x, y));
  }
}

TEST(Voronoi, SquareRoomWithASquareObstacle) {
  std::vector<Segment> segments = box(0, 1000, 1000);
  for (const Segment& s : box(400, 200, 200)) segments.push_back(s);
  const VoronoiDiagram d = build(segments);
  // Inside the obstacle there is an axis too: a cross of four edges.
  const Counts c = medialAxis(d, 0, 1000);
  EXPECT_EQ(c.corners, 4U + 4U);
  EXPECT_EQ(c.junctions, 4U + 1U);
  EXPECT_EQ(c.edges, 8U + 4U);
  EXPECT_EQ(c.semi, 8U);
  for (const Vec2 v : d.vertices) {
    if (v.x > 399 && v.x < 601 && v.y > 1 && v.y < 399) {
      EXPECT_NEAR(v.y, 200, 1e-9);
    }
  }
}

TEST(Voronoi, CollinearWallsMakeNoArc) {
  // A wall in three pieces gives the medial axis of the whole wall, plus vertices of degree two.
  const VoronoiDiagram d = build(loop({{0, 0}, {300, 0}, {600, 0}, {1000, 0}, {1000, 400}, {500, 400}, {0, 400}}));
  const Counts c = medialAxis(d, 0, 1000);
  EXPECT_EQ(c.corners, 4U);
  EXPECT_EQ(c.junctions, 2U);
  EXPECT_EQ(c.edges, 5U);
}

TEST(Voronoi, TouchingObstaclesKeepTheirEndsApart) {
  std::vector<Segment> segments = box(0, 1000, 1000);
  for (const Segment& s : loop({{300, 400}, {500, 500}, {300, 600}})) segments.push_back(s);
  for (const Segment& s : loop({{700, 400}, {700, 600}, {500, 500}})) segments.push_back(s);
  const VoronoiDiagram d = build(segments);
  EXPECT_EQ(d.sites.size(), 9U + 10U);  // the common corner is one point
  EXPECT_EQ(findNearerSite(d), "");
}

TEST(Voronoi, ExtremeCoordinates) {
  constexpr int32_t m = kMaxCoordinate;
  const VoronoiDiagram d = build(loop({{-m, -m}, {m, -m}, {m, m}, {-m, m}}), {{0, 0}, {1, 0}, {m - 1, m - 1}});
  EXPECT_EQ(findNearerSite(d), "");
  EXPECT_EQ(findNearerSite(build({{{-m, 0}, {m, 1}}, {{-m, 2}, {m, 2}}, {{-m, -m}, {m, -m + 1}}})), "");
}

// The middle of a round room has its vertices near the origin, where they are more exact than any distance to the wall.
TEST(Voronoi, RoundRoomsAroundTheOrigin) {
  for (const int sides : {16, 32, 64, 256}) {
    for (const double radius : {4e5, 4e6, 4e7, 4e8}) {
      std::vector<Point> ring;
      for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        ring.push_back({static_cast<int32_t>(std::lround(radius * std::cos(angle))),
                        static_cast<int32_t>(std::lround(radius * std::sin(angle)))});
      }
      EXPECT_EQ(build(loop(ring)).sites.size(), 2 * ring.size());
    }
  }
}

// boostorg/polygon issue 43: the sweep loses the cell of a near-vertical segment.
TEST(Voronoi, KnownDefectIsRepairedByTurning) {
  const std::vector<Segment> segments =
      loop({{0, 10000000}, {700000, 1}, {700000, 9000000}, {9100000, 9000000}, {9100000, 0}, {10000000, 10000000}});
  const VoronoiDiagram d = build(segments);
  EXPECT_GT(d.attempts, 1);
  EXPECT_EQ(d.sites.size(), 12U);
  EXPECT_EQ(findNearerSite(d), "");
  EXPECT_TRUE(hasVertex(d, 9100000, 0));
}

// Two circles touch the upright wall from its left, 0.05 units apart: the sweep takes the wrong one first.
TEST(Voronoi, TieAtAnUprightWallIsRepairedByTurning) {
  const std::vector<Segment> segments{
      {{2585000, 9984896}, {2592189, 9989896}},   {{2592189, 9989896}, {2585000, 9994896}},
      {{2585000, 9994896}, {2585000, 10002303}},  {{2585000, 10002303}, {2589662, 10007303}},
      {{2589662, 10007303}, {2585000, 10012303}}, {{2585000, 10012303}, {2585000, 10021920}},
      {{2585000, 10021920}, {2576785, 10026920}}, {{2576785, 10026920}, {2585000, 10031920}},
      {{2585000, 10031920}, {2585000, 10046695}}, {{2545000, 10036827}, {2538547, 10031827}},
      {{2538547, 10031827}, {2545000, 10026827}}, {{2545000, 10026827}, {2545000, 10015270}},
      {{2545000, 10015270}, {2550700, 10010270}}, {{2550700, 10010270}, {2545000, 10005270}},
      {{2545000, 10005270}, {2545000, 9997469}},  {{2545000, 9997469}, {2551769, 9992469}},
      {{2551769, 9992469}, {2545000, 9987469}},   {{2545000, 9987469}, {2545000, 9978243}},
  };
  const VoronoiDiagram d = build(segments);
  EXPECT_EQ(d.attempts, 2);
  EXPECT_NE(findVoronoiFault(sweepVoronoi(d.sites)), "");
}

// --- A sweep with a fault in the first attempts. ---------------------------------------------------------------------

using Damage = std::function<void(VoronoiDiagram&)>;

const std::vector<Segment>& room() {
  static const std::vector<Segment> segments = [] {
    std::vector<Segment> s = box(0, 1000, 1000);
    for (const Segment& t : loop({{310, 420}, {500, 503}, {290, 600}})) s.push_back(t);
    return s;
  }();
  return segments;
}

TEST(Voronoi, ValidatorCatchesEveryDamage) {
  const std::vector<std::pair<const char*, Damage>> damages{
      {"vertex moved", [](VoronoiDiagram& d) { d.vertices[4].x += 1e-3; }},
      {"vertex not finite", [](VoronoiDiagram& d) { d.vertices[4].y = std::nan(""); }},
      {"cell lost", [](VoronoiDiagram& d) { d.edgeOf[2] = kNone; }},
      {"sites swapped", [](VoronoiDiagram& d) { std::swap(d.edges[6].site, d.edges[7].site); }},
      {"next lost", [](VoronoiDiagram& d) { d.edges[8].next = kNone; }},
      {"ring short cut", [](VoronoiDiagram& d) { d.edges[8].next = d.edges[d.edges[8].next].next; }},
      {"starts exchanged", [](VoronoiDiagram& d) { std::swap(d.edges[10].start, d.edges[11].start); }},
      {"edge pair dropped", [](VoronoiDiagram& d) { d.edges.resize(d.edges.size() - 2); }},
      {"vertex added",
       [](VoronoiDiagram& d) {
         d.vertices.push_back({5, 5});
       }},
      {"site added", [](VoronoiDiagram& d) {
         d.sites.push_back(d.sites[0]);
         d.edgeOf.push_back(d.edgeOf[0]);
       }}};
  for (const auto& [name, damage] : damages) {
    VoronoiDiagram d = build(room());
    damage(d);
    EXPECT_NE(findVoronoiFault(d), "") << name;
  }
}

TEST(Voronoi, TurnedConstructionComesBackRight) {
  const VoronoiDiagram straight = build(room(), {{700, 700}});
  const auto vertices = [](const VoronoiDiagram& d) {
    std::vector<std::pair<int64_t, int64_t>> rounded;
    for (const Vec2 v : d.vertices) rounded.emplace_back(std::llround(v.x * 1e3), std::llround(v.y * 1e3));
    std::sort(rounded.begin(), rounded.end());
    return rounded;
  };
  for (int faults = 1; faults < 8; ++faults) {
    int calls = 0;
    const auto faulty = [&](const std::vector<VoronoiSite>& sites) {
      VoronoiDiagram d = sweepVoronoi(sites);
      if (calls++ < faults) d.edges[8].next = d.edges[d.edges[8].next].next;
      return d;
    };
    const auto result = voronoiBy(faulty, room(), std::vector<Point>{{700, 700}}, {});
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->attempts, faults + 1);
    EXPECT_EQ(result->sites, straight.sites);
    EXPECT_EQ(vertices(*result), vertices(straight));
    EXPECT_EQ(result->edges.size(), straight.edges.size());
    EXPECT_EQ(findNearerSite(*result), "");
  }
}

TEST(Voronoi, NoPassingConstructionIsAnInternalError) {
  const auto broken = [](const std::vector<VoronoiSite>& sites) {
    VoronoiDiagram d = sweepVoronoi(sites);
    d.vertices[0].x += 1;
    return d;
  };
  const auto result = voronoiBy(broken, room(), {}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInternal);
  const auto throwing = [](const std::vector<VoronoiSite>&) -> VoronoiDiagram { throw std::runtime_error("lost"); };
  EXPECT_FALSE(voronoiBy(throwing, room(), {}, {}).ok());
}

// --- Random worlds. --------------------------------------------------------------------------------------------------

TEST(VoronoiProperty, RandomWorlds) {
  size_t turned = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, 21);
    const int64_t extent = int64_t{1} << random.between(2, 30);
    const SiteWorld world = randomSites(random, extent, random.below(30) + 1);
    const auto result = voronoi(world.segments, world.points);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
    ASSERT_EQ(findNearerSite(*result), "") << "seed " << seed;
    turned += result->attempts > 1;
  }
  EXPECT_GT(turned, 0U);  // so the way back from a turn is exercised on real defects
}

// --- The error bound, against 50 digits. -----------------------------------------------------------------------------

using Digits = boost::multiprecision::cpp_bin_float_50;
struct Place {
  Digits x, y;
};

// f(v) = distance to the site minus radius, with its gradient. For a segment the signed distance on the side of v.
struct Slope {
  Digits value, x, y;
};
Slope slopeOf(const VoronoiSite& site, const Place& v, const Vec2& side) {
  const Digits x = v.x - site.a.x;
  const Digits y = v.y - site.a.y;
  if (site.kind == Kind::kPoint) {
    const Digits d = sqrt(Digits(x * x + y * y));
    return {d, x / d, y / d};
  }
  const Digits ux = Digits(site.b.x) - site.a.x;
  const Digits uy = Digits(site.b.y) - site.a.y;
  const Digits size = sqrt(Digits(ux * ux + uy * uy));
  const Digits sx = Digits(side.x) - site.a.x;
  const Digits sy = Digits(side.y) - site.a.y;
  const int sign = ux * sy - uy * sx >= 0 ? 1 : -1;
  return {sign * (ux * y - uy * x) / size, -sign * uy / size, sign * ux / size};
}

// The equations of a vertex: differences of distances; for a segment and its own end, being on the perpendicular.
struct Equation {
  const VoronoiSite* first;
  const VoronoiSite* second;
  Slope at(const Place& v, Vec2 side) const {
    const VoronoiSite* segment = first->kind == Kind::kSegment ? first : second;
    const VoronoiSite* point = segment == first ? second : first;
    if (segment->kind == Kind::kSegment && point->kind == Kind::kPoint &&
        (point->a == segment->a || point->a == segment->b)) {
      const Digits ux = Digits(segment->b.x) - segment->a.x;
      const Digits uy = Digits(segment->b.y) - segment->a.y;
      const Digits size = sqrt(Digits(ux * ux + uy * uy));
      return {(ux * (v.x - point->a.x) + uy * (v.y - point->a.y)) / size, ux / size, uy / size};
    }
    const Slope a = slopeOf(*first, v, side);
    const Slope b = slopeOf(*second, v, side);
    return {a.value - b.value, a.x - b.x, a.y - b.y};
  }
};

// The vertex where both equations hold, by Newton's method; false if they do not determine it well.
bool solve(const Equation& f, const Equation& g, Vec2 start, Place& v) {
  v = {start.x, start.y};
  for (int i = 0; i < 12; ++i) {
    const Slope a = f.at(v, start);
    const Slope b = g.at(v, start);
    const Digits det = a.x * b.y - a.y * b.x;
    if (abs(det) < 1e-12) return false;
    v.x -= (a.value * b.y - b.value * a.y) / det;
    v.y -= (b.value * a.x - a.value * b.x) / det;
  }
  return abs(f.at(v, start).value) < 1e-25 && abs(g.at(v, start).value) < 1e-25;
}

// Largest error of a vertex of the diagram, relative to max(1, |x|, |y|); counts the vertices that could be judged.
double worstError(const VoronoiDiagram& d, size_t& judged) {
  std::vector<std::vector<uint32_t>> star(d.vertices.size());
  for (uint32_t e = 0; e < d.edges.size(); ++e) {
    if (d.edges[e].start != kNone) star[d.edges[e].start].push_back(e);
  }
  double worst = 0;
  for (uint32_t v = 0; v < d.vertices.size(); ++v) {
    const Vec2 at = d.vertices[v];
    const double scale = std::max({1.0, std::abs(at.x), std::abs(at.y)});
    Place exact;
    bool found = false;
    for (size_t i = 0; i < star[v].size() && !found; ++i) {
      const auto& site = d.sites[d.edges[star[v][i]].site];
      if (site.kind == Kind::kPoint && distance(site, at) < 1e-3) {
        exact = {site.a.x, site.a.y};
        found = true;
      }
    }
    for (size_t i = 0; i < star[v].size() && !found; ++i) {
      for (size_t j = 0; j < i && !found; ++j) {
        const Equation f{&d.sites[d.edges[star[v][i]].site], &d.sites[d.across(star[v][i])]};
        const Equation g{&d.sites[d.edges[star[v][j]].site], &d.sites[d.across(star[v][j])]};
        found = solve(f, g, at, exact);
      }
    }
    if (!found) continue;
    ++judged;
    const Digits error = std::max<Digits>(abs(Digits(exact.x - at.x)), abs(Digits(exact.y - at.y)));
    worst = std::max(worst, static_cast<double>(error) / scale);
  }
  return worst;
}

TEST(VoronoiProperty, VerticesWithinTheStatedError) {
  double worst = 0;
  size_t judged = 0;
  size_t vertices = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed, 22);
    const int64_t extent = int64_t{1} << random.between(2, 30);
    const SiteWorld world = randomSites(random, extent, random.below(30) + 1);
    const auto result = voronoi(world.segments, world.points);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
    vertices += result->vertices.size();
    const double error = worstError(*result, judged);
    ASSERT_LE(error, kVoronoiError) << "seed " << seed;
    worst = std::max(worst, error);
  }
  EXPECT_EQ(judged, vertices);
  RecordProperty("worst", std::to_string(worst));
}

}  // namespace
}  // namespace wend
