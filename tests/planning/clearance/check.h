#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "planning/disk/disk_navigator.h"
#include "tests/planning/disk/oracle.h"
#include "tests/planning/random_world.h"

// DiskNavigator against the disk oracle, on small random worlds.
namespace wend {

struct ClearanceCount {
  size_t asked = 0;
  size_t found = 0;
  size_t critical = 0;  // the answer changes within 1e-6 of the radius: no test
  size_t missed = 0;    // the corridor does not hold the shortest path
  double excess = 0;    // sum and maximum of what that costs, relative
  double worst = 0;
  double nearest = 1e300;  // smallest clearance minus radius of a route, metres
};

// The same world on a finer lattice, so that generators with corners off the lattice (ecm) round by less than is
// tested.
inline Environment refineLattice(Environment environment) {
  constexpr int32_t kFactor = 4096;
  environment.lattice.unit /= kFactor;
  const auto scale = [](Ring& ring) {
    for (Point& p : ring) p = {p.x * kFactor, p.y * kFactor};
  };
  for (Layer& layer : environment.layers) {
    for (Polygon& polygon : layer.free) {
      scale(polygon.outer);
      for (Ring& hole : polygon.holes) scale(hole);
    }
  }
  environment.truth.reset();
  return environment;
}

// The least distance between the route's polyline and the walls (lattice unit 1 m).
inline double routeClearance(const std::vector<OracleWall>& walls, const Route& route) {
  double best = 1e300;
  const auto sub = [](Vec2 a, Vec2 b) { return Vec2{a.x - b.x, a.y - b.y}; };
  const auto crossOf = [](Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; };
  const auto toSegment = [&](Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 d = sub(b, a);
    const double square = d.x * d.x + d.y * d.y;
    const double t = square > 0 ? std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / square, 0.0, 1.0) : 0.0;
    return std::hypot(p.x - a.x - t * d.x, p.y - a.y - t * d.y);
  };
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Vec2 p{route.points[i - 1].x, route.points[i - 1].y};
    const Vec2 q{route.points[i].x, route.points[i].y};
    for (const OracleWall& wall : walls) {
      const Vec2 a = toVec2(wall.a);
      const Vec2 b = toVec2(wall.b);
      if (crossOf(sub(q, p), sub(a, p)) * crossOf(sub(q, p), sub(b, p)) < 0 &&
          crossOf(sub(b, a), sub(p, a)) * crossOf(sub(b, a), sub(q, a)) < 0) {
        return 0;
      }
      best = std::min({best, toSegment(p, a, b), toSegment(q, a, b), toSegment(a, p, q), toSegment(b, p, q)});
    }
  }
  return best;
}

inline std::string findPortalFault(const NavMesh& mesh, const Route& route) {
  if (route.cells.size() != route.portals.size() + 1 || route.shrunkPortals.size() != route.portals.size())
    return "counts";
  for (size_t i = 0; i < route.portals.size(); ++i) {
    if (mesh.cellOf(route.portals[i]) != route.cells[i]) return "portal of another cell";
    if (mesh.neighbour(route.portals[i]) != route.cells[i + 1]) return "portal to another cell";
  }
  return {};
}

// One world, one radius, `queries` pairs of places, every generator.
inline void checkClearance(uint64_t seed, uint64_t world, int queries, const std::vector<GenerateSettings>& generators,
                           ClearanceCount& count) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", world " + std::to_string(world));
  Random random(seed, world);
  const std::optional<Environment> environment = randomEnvironment(random);
  if (!environment || environment->layers[0].free.empty()) return;
  const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
  const double size = boundingBox(*environment).max.x;
  const double r = 0.01 * size * std::pow(20.0, random.real());
  DiskOracle smaller(walls, r * (1 - 1e-6));
  DiskOracle larger(walls, r * (1 + 1e-6));
  struct Pair {
    Vec3 from, to;
    double low, high;
  };
  std::vector<Pair> pairs;
  const VisibilityOracle space(walls);
  for (int i = 0; i < queries; ++i) {
    const auto draw = [&] {
      Vec3 p{random.real(0, size), random.real(0, size), 0};
      if (random.chance(0.3)) p = {std::round(p.x), std::round(p.y), 0};
      return p;
    };
    Pair pair{draw(), draw(), 0, 0};
    pair.low = smaller.length({pair.from.x, pair.from.y}, {pair.to.x, pair.to.y});
    pair.high = larger.length({pair.from.x, pair.from.y}, {pair.to.x, pair.to.y});
    if (std::isinf(pair.low) != std::isinf(pair.high)) {
      ++count.critical;
    } else {
      pairs.push_back(pair);
    }
  }
  Context serial;
  serial.threads = 1;
  const Environment fine = refineLattice(*environment);
  PlanScratch scratch;
  Route route;
  for (const GenerateSettings& settings : generators) {
    const Result<NavMesh> mesh = generate(fine, settings, serial);
    if (!mesh.ok()) continue;  // others test generators
    const DiskNavigator navigator(*mesh);
    for (const Pair& pair : pairs) {
      PathQuery query;
      query.from = pair.from;
      query.to = pair.to;
      query.radius = r;
      SCOPED_TRACE(settings.generator + ", radius " + std::to_string(r) + ", from " + std::to_string(pair.from.x) +
                   "," + std::to_string(pair.from.y) + " to " + std::to_string(pair.to.x) + "," +
                   std::to_string(pair.to.y));
      const PathStatus status = navigator.reachable(query, scratch);
      if (status == PathStatus::kStartOffMesh || status == PathStatus::kGoalOffMesh) continue;
      ++count.asked;
      EXPECT_EQ(status == PathStatus::kFound, std::isfinite(pair.low));
      EXPECT_EQ(navigator.plan(query, scratch, route), status);
      if (::testing::Test::HasFailure()) return;
      if (status != PathStatus::kFound) continue;
      ++count.found;
      EXPECT_EQ(findPortalFault(navigator.mesh(), route), "");
      EXPECT_EQ(route.points.front().x, pair.from.x);
      EXPECT_EQ(route.points.back().y, pair.to.y);
      const double clearance = routeClearance(walls, route) - r;
      count.nearest = std::min(count.nearest, clearance);
      // Tips of needles are cut off an ecm mesh within about a thousandth of a lattice unit.
      EXPECT_GE(clearance, settings.generator == "ecm" ? -3e-6 : -1e-6);
      EXPECT_GE(route.length, pair.low * (1 - 1e-6) - 1e-5);
      if (route.length > pair.high * (1 + 1e-6) + 1e-5) {
        ++count.missed;
        count.excess += route.length / pair.high - 1;
        count.worst = std::max(count.worst, route.length / pair.high - 1);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

inline std::vector<GenerateSettings> clearanceGenerators() {
  std::vector<GenerateSettings> list;
  for (const GeneratorInfo& info : generators()) {
    if (info.traits.disjoint && info.traits.exact) list.push_back({info.name, {}, 1});
  }
  // Cells with small concavities.
  list.push_back({"neogen", {{"alpha", "15"}, {"tau", "0.5"}}, 1});
  return list;
}

}  // namespace wend
