#include <wend/environment.h>
#include <wend/make.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/generators/ecm/open_laws.h"
#include "tests/generators/ecm/open_oracle.h"

// Worlds of several layers, some above others.
namespace wend::ecm {
namespace {

struct OpenWorld {
  const char* name;
  std::vector<std::pair<std::string, double>> parameters;
};

Environment made(const OpenWorld& recipe) {
  const Result<Environment> world =
      makeEnvironment({.kind = recipe.name, .parameters = recipe.parameters, .seed = 1, .lattice = {}});
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return world.ok() ? *world : Environment{};
}

// The bending point whose clearance, seen from its own layer, is off most: in lattice units. At most about `samples`.
double clearanceError(const CorridorMap& map, const Environment& environment, size_t samples) {
  const SurfaceOracle oracle(environment);
  double worst = 0;
  for (size_t i = 0; i < map.bendingPoints.size(); i += 1 + map.bendingPoints.size() / samples) {
    const auto& point = map.bendingPoints[i];
    if (oracle.isOnConnection(point.layer, point.p)) continue;
    worst = std::max(worst, std::abs(oracle.distance(point.layer, point.p) - point.clearance));
  }
  return worst;
}

std::string findFault(const Opened& opened, const Environment& environment, size_t samples) {
  const auto v = static_cast<int64_t>(opened.map.vertices.size());
  const auto e = static_cast<int64_t>(opened.map.edges.size());
  if (v - e != topology(environment).euler()) return fmt::format("V - E is {}", v - e);
  const double error = clearanceError(opened.map, environment, samples);
  return error < 1e-3 ? "" : fmt::format("a clearance is off by {}", error);
}

constexpr OpeningMethod kMethods[]{OpeningMethod::kSafe, OpeningMethod::kSweep};
constexpr OpeningOrder kOrders[]{OpeningOrder::kEasiestFirst, OpeningOrder::kGiven, OpeningOrder::kReversed};

TEST(EcmOpenWorldsTest, MadeWorlds) {
  const std::vector<OpenWorld> worlds{
      {"overlap-side", {}},   {"spiral", {{"turns", 3}}},     {"sliced-ramp", {{"slices", 10}, {"obstacles", 20}}},
      {"two-floor-ramp", {}}, {"ramps", {{"obstacles", 56}}}, {"library", {}},
      {"station", {}}};
  for (const OpenWorld& world : worlds) {
    SCOPED_TRACE(world.name);
    const Environment environment = made(world);
    Opened first;
    ASSERT_EQ(openInto(first, environment), "");
    EXPECT_EQ(findFault(first, environment, 300), "");
    for (const OpeningMethod method : kMethods) {
      for (const OpeningOrder order : kOrders) {
        Opened opened;
        ASSERT_EQ(openInto(opened, environment, {.method = method, .order = order}), "");
        EXPECT_EQ(findDifference(opened.map, first.map, 1), "");
      }
    }
  }
}

// On one side of the platform's connection a ramp and a floor lie one above the other, and both have neighbours of it.
TEST(EcmOpenWorldsTest, NeighboursAboveEachOther) {
  EnvironmentDraft draft = draftOf(made({"overlap-side", {}}));
  draft.layers[2].openings.push_back({{{17, 12}, {22, 12}, {22, 15}, {17, 15}}});
  draft.layers[2].obstacles.push_back({{{19.9, 10.2}, {20.1, 10.2}, {20, 10.4}}});
  draft.truth.reset();
  const Result<Environment> built = buildEnvironment(draft);
  ASSERT_TRUE(built.ok());
  const Environment& environment = *built;
  // The platform's connection comes last.
  const OpeningSettings last{.method = OpeningMethod::kSafe, .order = OpeningOrder::kReversed};
  Opened opened;
  ASSERT_EQ(openInto(opened, environment, last), "");
  EXPECT_EQ(opened.stats.swept, 1U);
  EXPECT_EQ(opened.stats.simple, 2U);
  EXPECT_EQ(findFault(opened, environment, 1000), "");

  Context serial;
  serial.threads = 1;
  Result<Diagram> diagram = buildDiagram(environment, serial);
  ASSERT_TRUE(diagram.ok());
  const Result<OpeningStats> simple =
      openConnections(*diagram, environment, {.method = OpeningMethod::kSimple, .order = last.order}, serial);
  ASSERT_FALSE(simple.ok());
  EXPECT_EQ(simple.error().code, ErrorCode::kUnsupported);

  // What projecting would have done: the obstacle under the ramp is nearer in top view than what is on the ramp.
  const Vec2 under = environment.lattice.toUnits({20.1, 10.2});
  size_t nearer = 0;
  for (uint32_t i = 0; i < opened.map.arcs.size(); ++i) {
    if (opened.map.arcs[i].left == kNone || opened.map.bendingPoints[i].layer != 3) continue;
    for (const auto& [p, clearance] : samples(opened.map, i, 5))
      nearer += distance(p, under) < clearance - 1000 ? 1 : 0;
  }
  EXPECT_GT(nearer, 0U);
}

// Random obstacles on the surfaces that lie above each other.
std::string overlapFault(uint64_t seed) {
  Random random(seed, 3);
  EnvironmentDraft draft = draftOf(made({"overlap-side", {}}));
  const auto obstacle = [&](LayerDraft& layer, double x0, double y0, double x1, double y1) {
    const double x = random.real(x0, x1);
    const double y = random.real(y0, y1);
    const double size = random.real(0.2, 2.5);
    const auto corner = [&] { return Vec2{x + random.real(-size, size), y + random.real(-size, size)}; };
    layer.obstacles.push_back({{corner(), corner(), corner()}});
  };
  for (uint64_t i = random.below(6); i > 0; --i) obstacle(draft.layers[0], 2, -18, 38, -3);
  for (uint64_t i = random.below(8); i > 0; --i) obstacle(draft.layers[2], 2, 5, 38, 26);
  for (uint64_t i = random.below(8); i > 0; --i) obstacle(draft.layers[3], 10, 5, 38, 22);
  draft.truth.reset();
  const Result<Environment> environment = buildEnvironment(draft);
  if (!environment.ok()) return "";
  OpeningSettings settings;
  settings.method = kMethods[random.below(2)];
  settings.order = kOrders[random.below(3)];
  Opened opened;
  if (std::string fault = openInto(opened, *environment, settings); !fault.empty()) return fault;
  return findFault(opened, *environment, 200);
}

TEST(EcmOpenWorldsTest, RandomObstaclesAboveEachOther) {
  for (uint64_t seed = 0; seed < 300; ++seed) EXPECT_EQ(overlapFault(seed), "") << "seed " << seed;
}

// The witness of a bad order: from the bottom every slice has the whole row of obstacles as neighbours.
TEST(EcmOpenWorldsTest, EasiestFirstKeepsNeighboursFew) {
  const auto neighbours = [](double slices, double obstacles, OpeningOrder order) {
    Opened opened;
    EXPECT_EQ(openInto(opened, made({"sliced-ramp", {{"slices", slices}, {"obstacles", obstacles}}}), {.order = order}),
              "");
    return static_cast<double>(opened.stats.neighbours);
  };
  const double given = neighbours(8, 100, OpeningOrder::kGiven);
  EXPECT_GT(neighbours(16, 100, OpeningOrder::kGiven), 1.8 * given);
  EXPECT_GT(neighbours(8, 200, OpeningOrder::kGiven), 1.8 * given);
  const double easiest = neighbours(8, 100, OpeningOrder::kEasiestFirst);
  EXPECT_LT(easiest, given / 3);
  EXPECT_LT(neighbours(16, 100, OpeningOrder::kEasiestFirst), easiest + 8 * 20);
}

}  // namespace
}  // namespace wend::ecm
