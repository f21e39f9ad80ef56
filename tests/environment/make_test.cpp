#include <algorithm>
#include <cmath>
#include <limits>

#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/int128.h"

namespace wend {
namespace {

MakeSettings settingsOf(const std::string& kind, std::vector<std::pair<std::string, double>> parameters = {},
                        uint64_t seed = 1) {
  MakeSettings settings;
  settings.kind = kind;
  settings.parameters = std::move(parameters);
  settings.seed = seed;
  return settings;
}

std::string nameOf(const MakeSettings& settings) {
  std::string name = settings.kind;
  for (const auto& [key, value] : settings.parameters) name += " " + key + "=" + std::to_string(value);
  return name + " seed " + std::to_string(settings.seed);
}

Environment made(const MakeSettings& settings) {
  Result<Environment> world = makeEnvironment(settings);
  EXPECT_TRUE(world.ok()) << nameOf(settings) << ": " << (world.ok() ? "" : world.error().message);
  return world.ok() ? std::move(world.value()) : Environment{};
}

size_t holesOf(const Environment& world) {
  size_t holes = 0;
  for (const Layer& layer : world.layers) {
    for (const Polygon& polygon : layer.free) holes += polygon.holes.size();
  }
  return holes;
}

double areaOf(const Environment& world) {
  return world.lattice.area(world.truth->doubledArea);
}

// Everything that must hold for any made world.
void expectSound(const MakeSettings& settings) {
  SCOPED_TRACE(nameOf(settings));
  const Environment world = made(settings);
  const std::vector<Violation> violations = validate(world, 3);
  EXPECT_TRUE(violations.empty()) << violationName(violations[0].kind) << ": " << violations[0].message;
  ASSERT_TRUE(world.truth.has_value());
  const Topology seen = topology(world);
  EXPECT_TRUE(seen.doubledArea == world.truth->doubledArea);
  EXPECT_EQ(seen.components, world.truth->components);
  EXPECT_EQ(seen.boundaries, world.truth->boundaries);
  EXPECT_EQ(seen.genus, world.truth->genus);
  // Heights agree along connections to a millimetre.
  for (const Connection& connection : world.connections) {
    for (const Point p : connection.line) {
      EXPECT_NEAR(world.layers[connection.layerA].heights.at(toVec2(p)),
                  world.layers[connection.layerB].heights.at(toVec2(p)), 1e-3);
    }
  }
}

TEST(Make, EveryKindIsSoundForSeveralSeeds) {
  for (const EnvironmentKind& kind : environmentKinds()) {
    for (uint64_t seed = 1; seed <= 3; ++seed) expectSound(settingsOf(kind.name, {}, seed));
  }
}

TEST(Make, EveryKindDescribesItself) {
  for (const EnvironmentKind& kind : environmentKinds()) {
    EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    EXPECT_FALSE(kind.standsFor.empty()) << kind.name;
    for (const MakeParameter& p : kind.parameters) {
      EXPECT_LE(p.min, p.defaultValue) << kind.name << " " << p.name;
      EXPECT_LE(p.defaultValue, p.max) << kind.name << " " << p.name;
      EXPECT_FALSE(p.meaning.empty());
    }
  }
}

TEST(Make, SameSeedSameWorld) {
  for (const EnvironmentKind& kind : environmentKinds()) {
    EXPECT_EQ(made(settingsOf(kind.name, {}, 7)), made(settingsOf(kind.name, {}, 7))) << kind.name;
  }
}

TEST(Make, AnotherSeedAnotherWorld) {
  for (const std::string kind :
       {"military", "city",       "cross",   "growth",  "bodies",      "blocks",         "random-boxes",
        "maze",     "university", "zelda",   "random",  "bird",        "crazybox1",      "library",
        "oilrig",   "tower",      "station", "stadium", "sliced-ramp", "two-floor-ramp", "big-city"}) {
    EXPECT_NE(hash(made(settingsOf(kind, {}, 1))), hash(made(settingsOf(kind, {}, 2)))) << kind;
  }
}

TEST(Make, MazeAreaIsThatOfTheTree) {
  for (int size = 2; size <= 256; size *= 2) {
    const Environment world = made(settingsOf("maze", {{"size", size}}));
    EXPECT_DOUBLE_EQ(areaOf(world), 2.0 * (size / 2) * (size / 2) - 1);
    EXPECT_EQ(world.truth->boundaries, 1U);
    EXPECT_EQ(topology(world), *world.truth);
  }
  // The published maze has 5,574 vertices; the density is that of a depth-first tree.
  EXPECT_NEAR(static_cast<double>(vertexCount(made(settingsOf("maze", {{"size", 128}})))), 5574, 150);
}

struct Published {
  MakeSettings settings;
  size_t vertices;
  double area;  // m2; 0 = not published
  uint32_t components, boundaries, genus;
  size_t layers, connections;
};

void expectPublished(const Published& p) {
  SCOPED_TRACE(nameOf(p.settings));
  const Environment world = made(p.settings);
  EXPECT_EQ(vertexCount(world), p.vertices);
  if (p.area > 0) {
    EXPECT_NEAR(areaOf(world), p.area, 0.006);
  }
  EXPECT_EQ(world.truth->components, p.components);
  EXPECT_EQ(world.truth->boundaries, p.boundaries);
  EXPECT_EQ(world.truth->genus, p.genus);
  EXPECT_EQ(world.layers.size(), p.layers);
  EXPECT_EQ(world.connections.size(), p.connections);
}

TEST(Make, FlatWorldsHaveThePublishedFigures) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    expectPublished({settingsOf("military", {}, seed), 86, 36876.82, 1, 16, 0, 1, 0});
    expectPublished({settingsOf("military", {{"edition", 2}}, seed), 108, 0, 1, 17, 0, 1, 0});
    expectPublished({settingsOf("city", {}, seed), 2094, 207518.40, 1, 181, 0, 1, 0});
    expectPublished({settingsOf("city", {{"edition", 2}}, seed), 2102, 0, 1, 181, 0, 1, 0});
    expectPublished({settingsOf("university", {}, seed), 560, 8370.68, 1, 82, 0, 1, 0});
    expectPublished({settingsOf("zelda", {}, seed), 437, 5642.25, 1, 57, 0, 1, 0});
    expectPublished({settingsOf("zelda", {{"tiles", 2}}, seed), 1768, 22632.42, 1, 226, 0, 1, 0});
    expectPublished({settingsOf("zelda", {{"tiles", 4}}, seed), 7072, 90529.70, 1, 906, 0, 1, 0});
    expectPublished({settingsOf("zelda", {{"edition", 2}}, seed), 564, 0, 1, 57, 0, 1, 0});
    for (const int k : {2, 3, 4, 8}) {
      const auto boundaries = static_cast<uint32_t>(56 * k * k + (k - 1) * (k - 1) + 1);
      const MakeSettings settings = settingsOf("zelda", {{"tiles", k}, {"edition", 2}}, seed);
      expectPublished({settings, static_cast<size_t>(573 * k * k + 12), 0, 1, boundaries, 0, 1, 0});
      expectSound(settings);
    }
    for (const int layout : {1, 2}) {
      expectPublished({settingsOf("blocks", {{"layout", layout}}, seed), 64, 0, 1, 8, 0, 1, 0});
    }
    expectPublished({settingsOf("growth", {}, seed), 23, 0, 1, 6, 0, 1, 0});
    EXPECT_NEAR(areaOf(made(settingsOf("growth", {}, seed))), 31 * 26233.08, 0.02);
  }
}

TEST(Make, WorldsForGrowthHaveTheirCounts) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    expectPublished({settingsOf("bodies", {}, seed), 23, 0, 1, 6, 0, 1, 0});
    expectPublished(
        {settingsOf("bodies", {{"bodies", 40}, {"aligned", 9}, {"turn", 17}}, seed), 163, 0, 1, 41, 0, 1, 0});
    expectSound(settingsOf("bodies", {{"bodies", 7}, {"triangles", 7}, {"turn", 17}}, seed));
  }
  for (const int points : {3, 4, 100, 1000}) {
    expectPublished(
        {settingsOf("fan-dented", {{"points", points}}), static_cast<size_t>(points) + 7, 0, 1, 2, 0, 1, 0});
    expectPublished(
        {settingsOf("fan-pulled", {{"points", points}}), static_cast<size_t>(points) + 4, 0, 1, 2, 0, 1, 0});
    expectSound(settingsOf("fan-dented", {{"points", points}}));
  }
  expectSound(settingsOf("bodies", {{"bodies", 20000}}));
}

TEST(Make, LayeredWorldsHaveThePublishedFigures) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    expectPublished({settingsOf("parking-lot", {}, seed), 120, 1921.50, 1, 9, 0, 7, 6});
    expectPublished({settingsOf("library", {}, seed), 489, 3154.06, 1, 4, 0, 9, 8});
    expectPublished({settingsOf("library", {{"edition", 2}}, seed), 717, 0, 1, 5, 0, 9, 8});
    expectPublished({settingsOf("oilrig", {}, seed), 1644, 75746.52, 1, 26, 1, 6, 6});
    expectPublished({settingsOf("neogen1", {}, seed), 5473, 4748.44, 3, 12, 0, 4, 2});
    expectPublished({settingsOf("neogen2", {}, seed), 1089, 9600.56, 11, 33, 1, 7, 6});
    expectPublished({settingsOf("neogen3", {}, seed), 672, 9642.51, 10, 20, 0, 6, 4});
    expectPublished({settingsOf("tower", {}, seed), 9677, 12093.88, 1, 19, 7, 17, 30});
    expectPublished({settingsOf("tower", {{"edition", 2}}, seed), 6058, 0, 1, 19, 7, 17, 30});
    expectPublished({settingsOf("station", {}, seed), 2242, 0, 1, 48, 31, 34, 64});
    expectPublished({settingsOf("stadium", {}, seed), 12915, 0, 1, 1453, 0, 18, 82});
    expectPublished({settingsOf("ramps", {}, seed), 147, 0, 1, 5, 2, 7, 8});
    expectPublished({settingsOf("ramps", {{"obstacles", 56}}, seed), 422, 0, 1, 60, 2, 7, 8});
  }
  // Holes from the Euler check of the sources.
  EXPECT_EQ(holesOf(made(settingsOf("ramps"))), 6U);
  EXPECT_EQ(holesOf(made(settingsOf("ramps", {{"obstacles", 56}}))), 61U);
  EXPECT_EQ(holesOf(made(settingsOf("station"))), 78U);
  EXPECT_EQ(holesOf(made(settingsOf("tower"))), 18U);
  EXPECT_EQ(holesOf(made(settingsOf("stadium"))), 1387U);
}

TEST(Make, BigCityHasThePublishedFigures) {
  expectPublished({settingsOf("big-city"), 61785, 280897.00, 1, 301, 44, 113, 196});
  const MakeSettings chapters = settingsOf("big-city", {{"edition", 2}});
  expectPublished({chapters, 49476, 0, 1, 304, 43, 113, 196});
  EXPECT_EQ(holesOf(made(chapters)), 305U);
  const MakeSettings fourTiles = settingsOf("big-city", {{"edition", 2}, {"tiles", 2}});
  expectPublished({fourTiles, 197884, 0, 1, 1213, 172, 449, 784});
  EXPECT_EQ(holesOf(made(fourTiles)), 1220U);
  expectSound(chapters);
  expectSound(fourTiles);
  expectSound(settingsOf("big-city", {{"tiles", 3}}));
}

TEST(Make, SizesAreThePublishedOnes) {
  struct Size {
    const char* kind;
    double width, depth, height;
  };
  for (const Size& size : {Size{"military", 200, 200, 0},
                           {"university", 120, 80, 0},
                           {"zelda", 100, 100, 0},
                           {"city", 500, 500, 0},
                           {"blocks", 50, 100, 0},
                           {"parking-lot", 36, 21, 9},
                           {"library", 59.5, 23.9, 21.1},
                           {"oilrig", 273.6, 225.6, 84.4},
                           {"neogen1", 63.5, 63.5, 15.7},
                           {"neogen2", 63.5, 63.5, 31.1},
                           {"neogen3", 63.5, 63.5, 57.4},
                           {"tower", 34.8, 37.3, 39.2},
                           {"big-city", 500, 500, 39.2},
                           {"ramps", 100, 100, 10},
                           {"station", 153, 111, 6},
                           {"stadium", 280, 184, 15}}) {
    SCOPED_TRACE(size.kind);
    const Environment world = made(settingsOf(size.kind));
    const Box box = boundingBox(world);
    EXPECT_NEAR((box.max.x - box.min.x) * world.lattice.unit, size.width, 1e-9);
    EXPECT_NEAR((box.max.y - box.min.y) * world.lattice.unit, size.depth, 1e-9);
    double top = 0;
    for (const Layer& layer : world.layers) {
      top = std::max(top, layer.heights.base);
      for (const double z : layer.heights.z) top = std::max(top, z);
    }
    EXPECT_NEAR(top, size.height, 1e-9);
  }
}

TEST(Make, StackedLayersKeepTwoMetresBetweenThem) {
  for (const EnvironmentKind& kind : environmentKinds()) {
    const Environment world = made(settingsOf(kind.name));
    // The big city repeats the tower and the library.
    if (world.layers.size() < 2 || kind.name == "big-city") continue;
    SCOPED_TRACE(kind.name);
    const Box box = boundingBox(world);
    Random random(3);
    for (int i = 0; i < 400; ++i) {
      const Point p{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                    static_cast<int32_t>(random.between(box.min.y, box.max.y))};
      std::vector<double> heights;
      for (const Layer& layer : world.layers) {
        if (locate(layer.free, p) == Side::kInside) heights.push_back(layer.heights.at(toVec2(p)));
      }
      std::sort(heights.begin(), heights.end());
      for (size_t k = 1; k < heights.size(); ++k) EXPECT_GE(heights[k] - heights[k - 1], 2.0) << p.x << " " << p.y;
    }
  }
}

TEST(Make, ParametersOfLayeredWorlds) {
  for (const int turns : {1, 2, 40}) {
    const MakeSettings settings = settingsOf("spiral", {{"turns", turns}});
    expectSound(settings);
    EXPECT_EQ(made(settings).layers.size(), 2U * turns);
  }
  for (const int slices : {1, 7, 50}) {
    for (const int obstacles : {1, 3, 200}) {
      const MakeSettings settings = settingsOf("sliced-ramp", {{"slices", slices}, {"obstacles", obstacles}});
      expectSound(settings);
      EXPECT_EQ(made(settings).connections.size(), static_cast<size_t>(slices));
      EXPECT_EQ(holesOf(made(settings)), static_cast<size_t>(obstacles));
    }
  }
  for (const int obstacles : {1, 2, 3, 57, 3000}) expectSound(settingsOf("ramps", {{"obstacles", obstacles}}));
}

TEST(Make, DormitoryHasTheRoomsOfItsFloors) {
  expectPublished({settingsOf("dormitory"), 938, 848, 1, 1, 0, 5, 4});
  for (const int floors : {1, 2, 50}) {
    for (const double corridor : {0.5, 1.37, 2.0}) {
      expectSound(settingsOf("dormitory", {{"floors", floors}, {"rooms", 1}, {"corridor", corridor}}));
    }
  }
  expectSound(settingsOf("dormitory", {{"floors", 4}, {"rooms", 200}}));
}

TEST(Make, RandomBoxesCountAsAsked) {
  for (const int boxes : {1, 2, 3, 17, 5000}) {
    const MakeSettings settings = settingsOf("random-boxes", {{"boxes", boxes}});
    expectSound(settings);
    EXPECT_EQ(vertexCount(made(settings)), 4U + 4U * boxes);
  }
}

int cornerSign(Point a, Point b, Point c) {
  const Int128 turn = static_cast<Int128>(b.x - a.x) * (c.y - b.y) - static_cast<Int128>(b.y - a.y) * (c.x - b.x);
  return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

size_t notchesOf(const Environment& world) {
  size_t notches = 0;
  const auto count = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const int sign = cornerSign(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]);
      EXPECT_NE(sign, 0);
      if (sign < 0) ++notches;
    }
  };
  for (const Layer& layer : world.layers) {
    for (const Polygon& polygon : layer.free) {
      count(polygon.outer);
      for (const Ring& hole : polygon.holes) count(hole);
    }
  }
  return notches;
}

TEST(Make, NeogenMapsHaveThePublishedNotchesAndHoles) {
  struct Map {
    const char* name;
    size_t vertices, notches, holes;
  };
  for (const Map& map : {Map{"circle1", 52, 32, 4},
                         {"circle2", 80, 48, 4},
                         {"circle3", 256, 128, 4},
                         {"funny", 100, 42, 11},
                         {"box100", 100, 56, 7},
                         {"guitar", 144, 76, 3},
                         {"debug", 200, 79, 26},
                         {"bird", 275, 102, 0},
                         {"superior", 518, 172, 12},
                         {"crazybox1", 812, 728, 73},
                         {"crazybox2", 3012, 2212, 73},
                         {"nazca-heron", 1036, 272, 1},
                         {"nazca-monkey", 1204, 374, 2}}) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(map.name);
      const Environment world = made(settingsOf(map.name, {}, seed));
      EXPECT_EQ(vertexCount(world), map.vertices);
      EXPECT_EQ(notchesOf(world), map.notches);
      EXPECT_EQ(holesOf(world), map.holes);
    }
  }
}

TEST(Make, MilitaryHasThePublishedConvexCorners) {
  const Environment world = made(settingsOf("military"));
  EXPECT_EQ(vertexCount(world) - notchesOf(world), 15U);
}

TEST(Make, RandomPolygonsCountAsAsked) {
  struct Asked {
    int vertices, notches, holes;
  };
  for (const Asked& asked : {Asked{4, 0, 0},
                             {5, 1, 0},
                             {5, 0, 0},
                             {10, 3, 0},
                             {12, 6, 0},
                             {7, 3, 1},
                             {60, 50, 0},
                             {60, 10, 0},
                             {200, 20, 3},
                             {200, 180, 3},
                             {1000, 996, 1},
                             {1000, 900, 0},
                             {1000, 100, 0},
                             {1000, 500, 0},
                             {1001, 499, 100},
                             {3004, 3000, 1000},
                             {20000, 9999, 500}}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const MakeSettings settings = settingsOf(
          "random", {{"vertices", asked.vertices}, {"notches", asked.notches}, {"holes", asked.holes}}, seed);
      expectSound(settings);
      const Environment world = made(settings);
      EXPECT_EQ(vertexCount(world), static_cast<size_t>(asked.vertices)) << nameOf(settings);
      EXPECT_EQ(notchesOf(world), static_cast<size_t>(asked.notches)) << nameOf(settings);
      EXPECT_EQ(holesOf(world), static_cast<size_t>(asked.holes)) << nameOf(settings);
    }
  }
  // Random requests: either an error that names the bounds, or exact counts.
  Random random(5);
  int drawn = 0;
  for (int i = 0; i < 300; ++i) {
    const int64_t vertices = random.between(4, 2000);
    const int64_t notches = random.between(0, vertices);
    const int64_t holes = random.between(0, vertices / 6);
    const MakeSettings settings = settingsOf("random",
                                             {{"vertices", static_cast<double>(vertices)},
                                              {"notches", static_cast<double>(notches)},
                                              {"holes", static_cast<double>(holes)}},
                                             static_cast<uint64_t>(i));
    const Result<Environment> world = makeEnvironment(settings);
    if (!world.ok()) {
      EXPECT_EQ(world.error().code, ErrorCode::kInvalidSettings);
      continue;
    }
    ++drawn;
    EXPECT_EQ(vertexCount(*world), static_cast<size_t>(vertices));
    EXPECT_EQ(notchesOf(*world), static_cast<size_t>(notches)) << nameOf(settings);
    EXPECT_EQ(holesOf(*world), static_cast<size_t>(holes));
    EXPECT_TRUE(validate(*world, 1).empty()) << nameOf(settings);
    EXPECT_EQ(topology(*world), *world->truth) << nameOf(settings);
  }
  EXPECT_GT(drawn, 100);
}

TEST(Make, UnknownKindNamesTheNearest) {
  const Result<Environment> world = makeEnvironment(settingsOf("cty"));
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.error().code, ErrorCode::kInvalidSettings);
  EXPECT_NE(world.error().message.find("city"), std::string::npos) << world.error().message;
  EXPECT_FALSE(makeEnvironment(settingsOf("")).ok());
  EXPECT_FALSE(makeEnvironment(settingsOf(std::string(100000, 'x'))).ok());
}

TEST(Make, BadParametersAreErrors) {
  const auto error = [](const MakeSettings& settings) {
    const Result<Environment> world = makeEnvironment(settings);
    EXPECT_FALSE(world.ok()) << nameOf(settings);
    if (world.ok()) return std::string();
    EXPECT_EQ(world.error().code, ErrorCode::kInvalidSettings);
    return world.error().message;
  };
  EXPECT_NE(error(settingsOf("maze", {{"sise", 8}})).find("size"), std::string::npos);
  EXPECT_NE(error(settingsOf("maze", {{"size", 1 << 20}})).find("1024"), std::string::npos);
  EXPECT_NE(error(settingsOf("maze", {{"size", -8}})).find("between"), std::string::npos);
  EXPECT_NE(error(settingsOf("maze", {{"size", 8.5}})).find("whole"), std::string::npos);
  EXPECT_NE(error(settingsOf("maze", {{"size", 12}})).find("power of two"), std::string::npos);
  EXPECT_NE(error(settingsOf("maze", {{"size", 8}, {"size", 16}})).find("twice"), std::string::npos);
  error(settingsOf("maze", {{"size", std::numeric_limits<double>::quiet_NaN()}}));
  error(settingsOf("maze", {{"size", std::numeric_limits<double>::infinity()}}));
}

TEST(Make, OtherLattices) {
  for (const EnvironmentKind& kind : environmentKinds()) {
    for (const double unit : {1e-5, 2.5e-5, 3e-4, 1e-3}) {
      MakeSettings settings = settingsOf(kind.name);
      settings.lattice.unit = unit;
      const Result<Environment> world = makeEnvironment(settings);
      ASSERT_TRUE(world.ok()) << kind.name << " " << unit << ": " << world.error().message;
      EXPECT_EQ(world->lattice.unit, unit);
      EXPECT_TRUE(validate(*world, 1).empty()) << kind.name << " " << unit;
      EXPECT_EQ(topology(*world), *world->truth) << kind.name << " " << unit;
    }
  }
  MakeSettings settings = settingsOf("growth");
  for (const double unit : {0.0, -1.0, 1.0, 1e-9, std::numeric_limits<double>::quiet_NaN()}) {
    settings.lattice.unit = unit;
    EXPECT_FALSE(makeEnvironment(settings).ok()) << unit;
  }
  settings = settingsOf("random-boxes", {{"boxes", 100000}});
  settings.lattice.unit = 1e-6;
  const Result<Environment> world = makeEnvironment(settings);
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.error().code, ErrorCode::kOutsideLattice);
}

TEST(Make, CancelledMakesNothing) {
  Context context;
  context.cancel();
  const Result<Environment> world = makeEnvironment(settingsOf("city"), context);
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace wend
