#include "tests/planning/real_worlds.h"

#include <ctime>
#include <filesystem>

#include "environment/turned.h"

namespace wend {
namespace {

class RealWorlds : public testing::TestWithParam<std::string> {};

TEST_P(RealWorlds, AnswersAreEqualOnAllMeshes) {
  RealCount count;
  for (const double angle : {0.0, kOddAngle}) {
    const std::optional<Environment> environment = realEnvironment(GetParam(), angle);
    if (!environment) GTEST_SKIP() << "skipped: no data";
    checkReal(*environment, 7, 6, 8, count);
  }
  EXPECT_GT(count.asked, 300U);
  EXPECT_GT(count.found, count.asked / 40);
}

INSTANTIATE_TEST_SUITE_P(Files, RealWorlds, testing::ValuesIn(realFiles()), [](const auto& file) {
  std::string name = std::filesystem::path(file.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

// Found from one end and not from the other; found with larger disks and not with smaller ones.
TEST(RealWorldDefects, TrapezoidFloorPlans) {
  const std::string evac = dataFile("floorplans/aknz_evac.wkt");
  const std::string entrance = dataFile("floorplans/SiB2023_entrance_jupedsim.wkt");
  if (evac.empty() || entrance.empty()) GTEST_SKIP() << "skipped: no data";
  PlanScratch scratch;
  Route route;
  const Navigator first = makeNavigator(bake(readEnvironment(evac).value(), {.generator = "trapezoid"}).value());
  PathQuery query{.from = {455.8462, 1717.284}, .to = {609.8109, 1776.9796}, .radius = 0.5196};
  EXPECT_EQ(first.plan(query, scratch, route), PathStatus::kFound);
  const double length = route.length;
  std::swap(query.from, query.to);
  EXPECT_EQ(first.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.length, length, 1e-6);

  // The other plan: found with 0.18 and 0.21 m, and not between. Each route must be there up to the widest way.
  const Environment environment = readEnvironment(entrance).value();
  const Navigator second = makeNavigator(bake(environment, {.generator = "trapezoid"}).value());
  const Navigator axis = makeNavigator(bake(environment, {.generator = "ecm"}).value());
  const Locator locator(axis.mesh());
  Random random(8);
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    query = {.from = randomPlace(axis.mesh(), locator, random), .to = randomPlace(axis.mesh(), locator, random)};
    const double widest = axis.largestRadius(query, scratch);
    for (const double radius : {0.18, 0.19, 0.195, 0.2, 0.2001, 0.21}) {
      if (std::abs(radius - widest) < 1e-3) continue;
      query.radius = radius;
      for (const bool back : {false, true}) {
        if (back) std::swap(query.from, query.to);
        const PathStatus status = second.plan(query, scratch, route);
        EXPECT_EQ(status == PathStatus::kFound, radius < widest) << i << ", radius " << radius << statusName(status);
        found += status == PathStatus::kFound ? 1 : 0;
      }
    }
  }
  EXPECT_GT(found, 300);
}

// Along the line where two layers meet, turned: corners on it are rounded, and a walk went around one of them for ever.
TEST(RealWorldDefects, TurnedTrapezoids) {
  const std::optional<Environment> environment = realEnvironment("scenes/dungeon.obj", 0);
  if (!environment) GTEST_SKIP() << "skipped: no data";
  const Navigator navigator = makeNavigator(bake(turned(*environment, 17), {.generator = "trapezoid"}).value());
  PlanScratch scratch;
  Route route;
  const std::pair<Place, Place> pairs[] = {{{39.391565, 12.095685, 9.9982}, {-24.074342, -1.654594, 5.0044}},
                                           {{42.955068, 4.819426, 9.9982}, {-21.081104, -0.723176, 4.7497}},
                                           {{34.574598, 12.824521, 9.9982}, {-12.151346, -0.224464, 0.0736}}};
  const double lengths[] = {75.7493, 76.8341, 72.9416};
  for (size_t i = 0; i < 3; ++i) {
    const PathQuery query{.from = pairs[i].first, .to = pairs[i].second, .radius = 0.3};
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    const std::clock_t begin = std::clock();
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 0.01);  // 0.2 s before
    EXPECT_NEAR(route.length, lengths[i], 1e-3);
    EXPECT_LT(route.points.size(), 100U);  // 1,000 and more before
  }
}

// The end of a portal that a wall leans over does not lie on the circle around the wall's corner.
TEST(RealWorldDefects, TrapezoidsOfAHall) {
  const std::string file = dataFile("floorplans/SiB2023_entrance_jupedsim.wkt");
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const Navigator navigator = makeNavigator(bake(readEnvironment(file).value(), {.generator = "trapezoid"}).value());
  PlanScratch scratch;
  Route route;
  const PathQuery query{.from = {-1855.300361, -253.393101}, .to = {-1732.576721, 16.936600}, .radius = 0.3};
  ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  const std::clock_t begin = std::clock();
  ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 0.01);  // 0.5 s before
  EXPECT_NEAR(route.length, 420.8257, 1e-3);
  EXPECT_LT(route.points.size(), 200U);  // 1,020 before
}

// A gear of hundreds of teeth beside the way. The work is that of some 400 cells, not that of all pairs of teeth.
TEST(RealWorldDefects, SlowQuery) {
  const std::string file = dataFile("defects/D8_slow_query.env");
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const Environment environment = readEnvironment(file).value();
  PlanScratch scratch;
  Route route;
  const PathQuery query{.from = {33.0222, 9.358, 0}, .to = {33.1882, 19.8726, 15.7}, .radius = 0.7104};
  const Navigator axis = makeNavigator(bake(environment, {.generator = "ecm"}).value());
  ASSERT_EQ(axis.plan(query, scratch, route), PathStatus::kFound);
  const double length = route.length;
  for (const char* generator : {"neogen", "delaunay", "trapezoid"}) {
    const Navigator navigator = makeNavigator(bake(environment, {.generator = generator}).value());
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    const std::clock_t begin = std::clock();
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 0.05) << generator;  // 10 s before
    EXPECT_NEAR(route.length, length, 0.05 * length) << generator;
  }
}

}  // namespace
}  // namespace wend
