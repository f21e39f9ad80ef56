#include <wend/environment_file.h>

#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/generators/ecm/update_check.h"

namespace wend::ecm {
namespace {

// Real floor plans and maps, as they are and turned.
TEST(UpdateAxisData, EditsOfRealWorlds) {
  UpdateTally tally;
  for (const char* file : {"floorplans/aknz_evac.wkt", "floorplans/SiB2023_entrance_jupedsim.wkt",
                           "floorplans/t_shaped_room.wkt", "floorplans/double_bottleneck.wkt", "maps/arena.map"}) {
    const std::string path = dataFile(file);
    if (path.empty()) GTEST_SKIP() << "skipped: " << file << " is not there";
    const auto plan = readEnvironment(path);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    for (const double turn : {0.0, 17.0}) {
      EditWorld world{turn == 0 ? *plan : turned(*plan, turn), {}};
      Random random(11, 103);
      ASSERT_EQ(editsOf(world, random, 6000, 8, tally), "") << file << " turned by " << turn;
    }
  }
  EXPECT_GT(tally.inPlace, 20 * tally.rebuilt) << tally.reason;
}

}  // namespace
}  // namespace wend::ecm
