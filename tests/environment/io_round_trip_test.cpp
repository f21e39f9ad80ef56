#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <wend/environment_file.h>
#include <wend/file.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/int128.h"
#include "tests/data.h"
#include "tests/environment/hand_made.h"

// The law of every writer: what it writes reads as the same environment, and is written again as the same bytes.
namespace wend {
namespace {

Result<Environment> parse(const std::string& text, const ReadSettings& settings = {}) {
  return parseEnvironment(asBytes(text), "text", settings);
}

void expectRoundTrip(const Environment& environment, EnvironmentFormat format) {
  const Result<std::string> text = formatEnvironment(environment, format);
  ASSERT_TRUE(text.ok()) << text.error().message;
  ReadSettings settings;
  settings.unit = environment.lattice.unit;
  const Result<Environment> again = parse(*text, settings);
  ASSERT_TRUE(again.ok()) << again.error().message << "\n" << *text;
  EXPECT_EQ(hash(*again), hash(environment));
  ASSERT_TRUE(*again == environment) << text->substr(0, 3000);
  ASSERT_EQ(*formatEnvironment(*again, format), *text);
}

// Random soup on a small grid of metres or anywhere: overlaps, crossings, spikes and repeated points are common.
Loops randomLoops(Random& random, double size, bool coarse) {
  Loops loops(1 + random.below(3));
  for (auto& loop : loops) {
    const size_t corners = 3 + random.below(6);
    for (size_t i = 0; i < corners; ++i) {
      Vec2 p{random.real(0, size), random.real(0, size)};
      if (coarse) p = {std::round(p.x), std::round(p.y)};
      loop.push_back(p);
    }
  }
  return loops;
}

std::vector<Loops> randomArea(Random& random, double size, bool coarse, uint64_t most) {
  std::vector<Loops> area(random.below(most + 1));
  for (Loops& loops : area) loops = randomLoops(random, size, coarse);
  return area;
}

EnvironmentDraft randomDraft(Random& random, bool everything) {
  EnvironmentDraft draft;
  draft.name = "text";
  constexpr double kUnits[] = {1, 0.1, 1e-2, 1e-4, 1e-6, 0.25, 0.0371};
  draft.lattice.unit = kUnits[random.below(7)];
  const bool coarse = random.chance(0.5);
  const double size = std::max(10.0, 20 * draft.lattice.unit);
  const size_t layers = everything ? 1 + random.below(3) : 1;
  for (size_t i = 0; i < layers; ++i) {
    LayerDraft& layer = draft.layers.emplace_back();
    layer.walkable = randomArea(random, size, coarse, 4);
    layer.obstacles = randomArea(random, size, coarse, 3);
    layer.openings = randomArea(random, size, coarse, 1);
    if (!everything) continue;
    layer.id = static_cast<int32_t>(100 * i) - 100;
    layer.name = i == 0 ? "Küche <&>\"'" : "";
    layer.height = random.chance(0.5) ? 0 : random.real(-5, 5);
    for (uint64_t k = random.below(3); k > 0; --k) {
      layer.regions.push_back({random.chance(0.5) ? "grass" : "road", randomArea(random, size, coarse, 2)});
    }
    for (uint64_t k = random.below(4); k > 0; --k) {
      auto& triangle = layer.surface.emplace_back();
      for (Vec3& corner : triangle) {
        corner = {std::round(random.real(0, size)), std::round(random.real(0, size)), random.real(-1, 1)};
      }
    }
  }
  return draft;
}

TEST(IoRoundTrip, HandMadeWorlds) {
  for (Environment environment :
       {twoRooms(), quadrants(false), quadrants(true), spiral(3), bridgeAndTunnel(), platform()}) {
    environment.name = "hand made";
    environment.truth = topology(environment);
    // Rings begin at their smallest vertex once they have been built.
    const Result<Environment> built = buildEnvironment(draftOf(environment));
    ASSERT_TRUE(built.ok()) << built.error().message;
    expectRoundTrip(*built, EnvironmentFormat::kEnv);
    Environment plain = *built;
    plain.truth.reset();
    expectRoundTrip(plain, EnvironmentFormat::kGeoJson);
  }
}

TEST(IoRoundTrip, RandomSoup) {
  Random random(6);
  size_t worlds = 0;
  for (int round = 0; round < 150; ++round) {
    const bool everything = random.chance(0.7);
    const Result<Environment> built = buildEnvironment(randomDraft(random, everything));
    if (!built.ok()) {
      ASSERT_EQ(built.error().code, ErrorCode::kEmpty) << built.error().message;
      continue;
    }
    ++worlds;
    Environment environment = *built;
    ASSERT_NO_FATAL_FAILURE(expectRoundTrip(environment, EnvironmentFormat::kEnv)) << round;
    environment.truth = topology(environment);
    ASSERT_NO_FATAL_FAILURE(expectRoundTrip(environment, EnvironmentFormat::kEnv)) << round;
    environment.truth.reset();
    for (Layer& layer : environment.layers) layer.heights = {layer.heights.base, {}, {}, {}};
    ASSERT_NO_FATAL_FAILURE(expectRoundTrip(environment, EnvironmentFormat::kGeoJson)) << round;
    if (!everything) {
      ASSERT_NO_FATAL_FAILURE(expectRoundTrip(environment, EnvironmentFormat::kWkt)) << round;
    }
  }
  EXPECT_GT(worlds, 100U);
}

TEST(IoRoundTrip, MadeWorlds) {
  for (const EnvironmentKind& kind : environmentKinds()) {
    SCOPED_TRACE(kind.name);
    const Result<Environment> world = makeEnvironment({kind.name, {}, 1, {}});
    ASSERT_TRUE(world.ok()) << world.error().message;
    expectRoundTrip(*world, EnvironmentFormat::kEnv);
  }
}

TEST(IoRoundTrip, CornersOfTheLattice) {
  const int32_t far = kMaxCoordinate;
  Environment environment = environmentOf({layerOf(0, {{box(-far, -far, far, far), {}}})});
  environment.name = "text";
  for (const double unit : {1e-6, 1e-4, 0.3, 1.0}) {
    environment.lattice.unit = unit;
    expectRoundTrip(environment, EnvironmentFormat::kEnv);
    expectRoundTrip(environment, EnvironmentFormat::kWkt);
    expectRoundTrip(environment, EnvironmentFormat::kGeoJson);
  }
}

// A ring is simple if no vertex repeats; WKT and GeoJSON must have none but simple ones.
TEST(IoRoundTrip, PinchedWorldIsWrittenAsSimpleRings) {
  const Result<Environment> built =
      parse("type octile\nheight 6\nwidth 6\nmap\n......\n.@..@.\n..@@..\n..@...\n.@.@..\n......\n");
  ASSERT_TRUE(built.ok()) << built.error().message;
  const std::string wkt = *formatEnvironment(*built, EnvironmentFormat::kWkt);
  expectRoundTrip(*built, EnvironmentFormat::kWkt);
  expectRoundTrip(*built, EnvironmentFormat::kEnv);
  size_t pinched = 0;
  for (const Polygon& polygon : built->layers[0].free) {
    for (Ring ring : polygon.holes) {
      std::sort(ring.begin(), ring.end());
      if (std::adjacent_find(ring.begin(), ring.end()) != ring.end()) ++pinched;
    }
  }
  EXPECT_GT(pinched, 0U);
  for (size_t start = wkt.find('(', wkt.find("((") + 1); start != std::string::npos; start = wkt.find('(', start + 1)) {
    const std::string ring = wkt.substr(start + 1, wkt.find(')', start) - start - 1);
    if (ring.empty() || ring[0] == '(') continue;
    std::vector<std::string> corners;
    for (size_t i = 0; i <= ring.size();) {
      const size_t end = std::min(ring.find(", ", i), ring.size());
      corners.push_back(ring.substr(i, end - i));
      i = end + 2;
    }
    ASSERT_EQ(corners.front(), corners.back());
    corners.pop_back();
    std::sort(corners.begin(), corners.end());
    EXPECT_EQ(std::adjacent_find(corners.begin(), corners.end()), corners.end()) << ring;
  }
}

TEST(IoRoundTrip, Files) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "wend_io_round_trip";
  std::filesystem::create_directories(folder);
  const Environment environment = *buildEnvironment(draftOf(twoRooms()));
  for (const char* const name : {"a.env", "a.XML", "a.geojson", "a.json"}) {
    const std::string path = (folder / name).string();
    const Status status = writeEnvironment(environment, path);
    ASSERT_TRUE(status.ok()) << status.error().message;
    const Result<Environment> again = readEnvironment(path);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(hash(*again), hash(environment));
  }
  EXPECT_EQ(writeEnvironment(environment, (folder / "a.png").string()).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(writeEnvironment(environment, (folder / "a.wkt").string()).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.wkt"));
  EXPECT_EQ(writeEnvironment(environment, (folder / "no" / "a.env").string()).error().code, ErrorCode::kFileNotWritten);
  EXPECT_EQ(readEnvironment((folder / "none.env").string()).error().code, ErrorCode::kFileNotFound);
  ReadSettings settings;
  settings.maxBytes = 10;
  EXPECT_EQ(readEnvironment((folder / "a.env").string(), settings).error().code, ErrorCode::kLimit);
  std::filesystem::remove_all(folder);
}

TEST(IoSettings, OutOfRange) {
  const std::string text = "POLYGON ((0 0, 1 0, 1 1))";
  EXPECT_TRUE(parse(text).ok());
  const auto with = [](auto change) {
    ReadSettings settings;
    change(settings);
    return settings;
  };
  for (const ReadSettings& settings :
       {with([](ReadSettings& s) { s.unit = 0; }), with([](ReadSettings& s) { s.unit = 2; }),
        with([](ReadSettings& s) { s.unit = NAN; }), with([](ReadSettings& s) { s.scale = 0; }),
        with([](ReadSettings& s) { s.scale = INFINITY; }), with([](ReadSettings& s) { s.cell = -1; }),
        with([](ReadSettings& s) { s.threshold = 0; }), with([](ReadSettings& s) { s.threshold = 1.5; })}) {
    EXPECT_EQ(parse(text, settings).error().code, ErrorCode::kInvalidSettings);
  }
}

TEST(IoRecognition, ByContent) {
  const auto format = [](std::string_view text) { return recogniseEnvironment(asBytes(text)); };
  EXPECT_EQ(*format("\xef\xbb\xbf  <?xml"), EnvironmentFormat::kEnv);
  EXPECT_EQ(*format("\n\t<environment"), EnvironmentFormat::kEnv);
  EXPECT_EQ(*format(" {}"), EnvironmentFormat::kGeoJson);
  EXPECT_EQ(*format("type octile"), EnvironmentFormat::kMovingAi);
  EXPECT_EQ(*format("mesh\n2"), EnvironmentFormat::kPolyanya);
  EXPECT_EQ(*format("\x89PNG\r\n\x1a\n"), EnvironmentFormat::kPngMask);
  for (const char* const text :
       {"polygon((", "MultiPolygon", "GEOMETRYCOLLECTION Z(", "POLYGONZM(", "SRID=1;", "POINT(1 2)"}) {
    EXPECT_EQ(*format(text), EnvironmentFormat::kWkt) << text;
  }
  for (const char* const text : {"", "  ", "hello", "meshes", "v 1 2 3", "polygonal",
                                 "\x7f"
                                 "ELF",
                                 "\xff\xfe<"}) {
    EXPECT_FALSE(format(text).ok()) << text;
  }
  EXPECT_TRUE(parse("\xef\xbb\xbfPOLYGON ((0 0, 1 0, 1 1))").ok());
}

struct Known {
  const char* file;
  double area;  // m2; 0 = unknown
};

TEST(IoData, RealFilesLoadAndRoundTrip) {
  for (const Known& known : std::vector<Known>{{"maps/arena.map", 2054},
                                               {"maps/den401d.map", 11456},
                                               {"maps/lak202d.map", 6240},
                                               {"maps/brc202d.map", 43151},
                                               {"maps/Berlin_0_512.map", 196667},
                                               {"meshes/arena.mesh", 2054},
                                               {"meshes/arena-merged.mesh", 2054},
                                               {"floorplans/aknz_evac.wkt", 0},
                                               {"floorplans/double_bottleneck.wkt", 0},
                                               {"floorplans/room_with_alcoven.wkt", 0},
                                               {"floorplans/SiB2023_entrance_jupedsim.wkt", 0},
                                               {"floorplans/t_shaped_room.wkt", 104}}) {
    const std::string file = dataFile(known.file);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    SCOPED_TRACE(known.file);
    const auto start = std::chrono::steady_clock::now();
    const Result<Environment> environment = readEnvironment(file);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(environment.ok()) << environment.error().message;
    RecordProperty(known.file, std::to_string(seconds.count()));
    EXPECT_LT(seconds.count(), 5.0);
    EXPECT_TRUE(validate(*environment).empty());
    const Int128 doubled = toInt128(topology(*environment).doubledArea);
    EXPECT_TRUE(known.area == 0 || doubled == static_cast<Int128>(2 * known.area) * 100'000'000);
    expectRoundTrip(*environment, EnvironmentFormat::kEnv);
    Environment named = *environment;
    named.name = "text";
    expectRoundTrip(named, EnvironmentFormat::kWkt);
  }
}

}  // namespace
}  // namespace wend
