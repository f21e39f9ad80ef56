#include "tests/data.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <wend/environment_file.h>
#include <wend/generate.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/point/moving_ai.h"
#include "tests/planning/point/moving_ai_check.h"

// Public maps and meshes.
namespace wend {
namespace {

TEST(ArenaQueries, TrueLengths) {
  const std::string queries = dataFile("meshes/arena-queries.csv");
  if (queries.empty()) GTEST_SKIP() << "skipped: no data";
  PlanScratch scratch;
  Route route;
  for (const char* name : {"meshes/arena.mesh", "meshes/arena-merged.mesh"}) {
    const Result<Environment> environment = readEnvironment(dataFile(name));
    ASSERT_TRUE(environment.ok()) << environment.error().message;
    for (const char* generator : {"delaunay", "hertel-mehlhorn"}) {
      const Result<NavMesh> mesh = generate(*environment, {.generator = generator});
      ASSERT_TRUE(mesh.ok()) << mesh.error().message;
      const PointPlanner planner(*mesh);
      std::ifstream file(queries);
      std::string line;
      std::getline(file, line);
      int count = 0;
      while (std::getline(file, line)) {
        for (char& c : line) c = c == ',' ? ' ' : c;
        std::istringstream fields(line);
        PathQuery query;
        double truth = 0;
        ASSERT_TRUE(fields >> query.from.x >> query.from.y >> query.to.x >> query.to.y >> truth) << line;
        ASSERT_EQ(planner.plan(query, scratch, route), PathStatus::kFound) << line;
        EXPECT_NEAR(route.length, truth, 1e-4) << name << " " << generator << " " << line;
        ++count;
      }
      EXPECT_EQ(count, 160);
    }
  }
}

// A sample of every map's queries; all of them in data_slow.cpp.
TEST(MovingAi, SampledQueries) {
  for (const char* map : kMovingAiMaps) {
    const std::string file = dataFile(std::string("maps/") + map + ".map");
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    checkMovingAi(file, 200);
  }
}

}  // namespace
}  // namespace wend
