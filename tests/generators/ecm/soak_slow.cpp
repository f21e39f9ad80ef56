#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ranges>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generators/ecm/corridor_cells.h"
#include "geometry/predicates.h"
#include "tests/generators/ecm/open_cuts.h"
#include "tests/generators/layered_worlds.h"

// Random worlds for as long as WEND_SOAK_SECONDS says, each held against every law; the tally at the end.
//   WEND_SOAK_SECONDS=1200 WEND_SOAK_SEED=50000000 test_generators_slow --gtest_filter=EcmSoak*
namespace wend::ecm {
namespace {

// Worlds refused with an error because two walls are closer than the sweep can tell.
uint64_t refused = 0;

// How near an obstacle vertex comes to a wall across free space, which lies left of each wall; in parts of the vertex's
// largest coordinate. By brute force.
double narrowestGap(const Layer& layer) {
  std::vector<Segment> walls;
  for (const Polygon& polygon : layer.free) {
    std::vector<Ring> rings{polygon.outer};
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
    for (const Ring& ring : rings) {
      for (size_t i = 0; i < ring.size(); ++i) walls.push_back({ring[i], ring[(i + 1) % ring.size()]});
    }
  }
  double narrowest = 1;
  for (const Segment& wall : walls) {
    const Vec2 u{static_cast<double>(wall.b.x) - wall.a.x, static_cast<double>(wall.b.y) - wall.a.y};
    for (const Point p : std::views::transform(walls, &Segment::a)) {
      const Vec2 v{static_cast<double>(p.x) - wall.a.x, static_cast<double>(p.y) - wall.a.y};
      const double along = u.x * v.x + u.y * v.y;
      if (p == wall.a || p == wall.b || along < 0 || along > u.x * u.x + u.y * u.y) continue;
      const auto left = static_cast<double>(wend::cross(wall.a, wall.b, p));
      const double largest = std::max({1.0, std::abs(static_cast<double>(p.x)), std::abs(static_cast<double>(p.y))});
      if (left > 0) narrowest = std::min(narrowest, left / std::hypot(u.x, u.y) / largest);
    }
  }
  return narrowest;
}

// Needles that stand almost upright, some of them one lattice unit wide: what makes sweeps lose edges.
std::string needlesFault(uint64_t seed) {
  Random random(seed, 31);
  EnvironmentDraft draft;
  draft.lattice.unit = 1;
  const double height = random.chance(0.5) ? 1e6 : 1e8;
  const double width = random.chance(0.5) ? 100 : 1e5;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {width, 0}, {width, height}, {0, height}}});
  for (uint64_t i = random.below(20); i > 0; --i) {
    const Vec2 p{random.real(0, width), random.real(0, height)};
    const auto lean = [&] { return static_cast<double>(random.between(-2, 2)); };
    const double h = random.real(0, 1) * height;
    layer.obstacles.push_back({{p, {p.x + lean(), p.y + h}, {p.x + 1 + lean(), p.y + random.real(0, 1) * h}}});
  }
  Context serial;
  serial.threads = 1;
  const Result<Environment> world = buildEnvironment(draft, serial);
  if (!world.ok()) return world.error().message;
  Opened opened;
  if (std::string fault = openInto(opened, *world); !fault.empty()) {
    // The stated limit: 2e-7 units at 1 km, which is 1e7 units.
    if (fault.find("almost touch") == std::string::npos || narrowestGap(world->layers[0]) > 2e-14) return fault;
    ++refused;
    return "";
  }
  expectLaws(*world, seed);
  return "";
}

// Layers above each other: the map, and the mesh made from it.
std::string overlapFault(uint64_t seed) {
  const auto world = overlappingWorld(seed);
  if (!world) return "";
  Random random(seed, 37);
  Opened opened;
  if (std::string fault = openInto(opened, *world, randomOpening(random)); !fault.empty()) return fault;
  const SurfaceOracle oracle(*world);
  for (const auto& point : opened.map.bendingPoints) {
    if (oracle.isOnConnection(point.layer, point.p)) continue;
    const double distance = oracle.distance(point.layer, point.p);
    if (std::abs(distance - point.clearance) > 1e-3) {
      return fmt::format("the clearance at ({}, {}) of layer {} is {} instead of {}", point.p.x, point.p.y, point.layer,
                         point.clearance, distance);
    }
  }
  Context serial;
  serial.threads = 1;
  const Result<NavMesh> mesh = corridorMesh(*world, opened.map, "ecm", 0, serial);
  if (!mesh.ok()) return mesh.error().message;
  for (const MeshFault& fault : checkMesh(*mesh, &*world, 1)) return fault.message;
  return "";
}

std::string flatFault(uint64_t seed) {
  Random random(seed, 41);
  const auto n = static_cast<size_t>(random.between(3, 40));
  const int32_t extents[]{8, 12, 1000, 100000, 10000000, 1000000000};
  expectLaws(oneLayer({{simplePolygon(random, n, std::max(extents[random.below(6)], static_cast<int32_t>(n))), {}}}),
             seed);
  return "";
}

std::string squaresFault(uint64_t seed) {
  Random random(seed, 43);
  SquaresSettings settings;
  settings.columns = static_cast<int32_t>(random.between(1, 12));
  settings.rows = static_cast<int32_t>(random.between(1, 12));
  settings.density = random.real(0.3, 1.0);
  settings.pitch = random.chance(0.5) ? 100 : 100000;
  settings.jitter = random.chance(0.5) ? settings.pitch / 5 : 0;
  expectLaws(SquaresWorld(random, settings).environment(), seed);
  return "";
}

TEST(EcmSoak, RandomWorlds) {
  const char* wanted = std::getenv("WEND_SOAK_SECONDS");
  if (wanted == nullptr) GTEST_SKIP() << "skipped: WEND_SOAK_SECONDS is not set";
  const std::chrono::duration<double> limit(std::atof(wanted));
  const auto begin = std::chrono::steady_clock::now();
  struct Kind {
    const char* name;
    std::string (*fault)(uint64_t);
    uint64_t worlds = 0;
    uint64_t failures = 0;
  };
  Kind kinds[]{{"squares in one layer", squaresFault},
               {"polygons in one layer", flatFault},
               {"needles", needlesFault},
               {"squares cut into strips", stripsDifference},
               {"squares in any layer", [](uint64_t seed) { return gridFault(seed, 1.0); }},
               {"squares with closed doors", [](uint64_t seed) { return gridFault(seed, 0.7); }},
               {"polygons cut at diagonals", diagonalsDifference},
               {"layers above each other", overlapFault}};
  const char* first = std::getenv("WEND_SOAK_SEED");
  uint64_t seed = first == nullptr ? 50'000'000 : std::strtoull(first, nullptr, 10);
  for (; std::chrono::steady_clock::now() - begin < limit; ++seed) {
    Kind& kind = kinds[seed % std::size(kinds)];
    const bool before = testing::Test::HasFailure();
    const std::string fault = kind.fault(seed);
    EXPECT_EQ(fault, "") << kind.name << ", seed " << seed;
    ++kind.worlds;
    kind.failures += !fault.empty() || (!before && testing::Test::HasFailure()) ? 1 : 0;
  }
  uint64_t worlds = 0;
  uint64_t failures = 0;
  for (const Kind& kind : kinds) {
    fmt::print("{}: {} worlds, {} failures\n", kind.name, kind.worlds, kind.failures);
    worlds += kind.worlds;
    failures += kind.failures;
  }
  fmt::print(
      "{} worlds, {} failures, {} refused because walls almost touch. {} diagrams of layers, {} of them refused by "
      "the validator and constructed again. {} segments of connections opened in top view, {} swept because that "
      "was not safe or by choice.\n",
      worlds, failures, refused, openTally.layers, openTally.constructed, openTally.simple, openTally.swept);
}

}  // namespace
}  // namespace wend::ecm
