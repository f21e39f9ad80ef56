#include "tests/planning/real_worlds.h"

namespace wend {
namespace {

// Named so that `make test` leaves it to `make soak`.
TEST(ClearanceSlow, RealWorlds) {
  RealCount count;
  size_t worlds = 0;
  for (uint64_t seed = 1; count.asked < 100'000 && seed < 100; ++seed) {
    for (const std::string& file : realFiles()) {
      SCOPED_TRACE(file);
      const std::optional<Environment> environment = realEnvironment(file, static_cast<double>(seed - 1) * kOddAngle);
      if (!environment) continue;
      ++worlds;
      checkReal(*environment, seed, 12, 12, count);
    }
    if (worlds == 0) GTEST_SKIP() << "skipped: no data";
  }
  RecordProperty("asked", std::to_string(count.asked));
  EXPECT_GT(count.found, 20'000U);
}

}  // namespace
}  // namespace wend
