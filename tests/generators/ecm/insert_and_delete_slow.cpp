#include <chrono>
#include <cstdlib>

#include <wend/corridor_map.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "tests/generators/ecm/update_check.h"

// Long runs of edits, each held against a new construction.
namespace wend::ecm {
namespace {

TEST(UpdateAxisLong, RandomEdits) {
  UpdateTally tally;
  for (uint64_t seed = 1000; seed < 3000; ++seed) {
    ASSERT_EQ(randomEdits(seed, 10, tally), "") << "seed " << seed;
  }
  std::printf("%llu edits, %llu in place\n", static_cast<unsigned long long>(tally.steps),
              static_cast<unsigned long long>(tally.inPlace));
  EXPECT_LT(tally.rebuilt, tally.steps / 50) << tally.reason;
}

TEST(UpdateAxisLong, LayeredEdits) {
  UpdateTally tally;
  for (uint64_t seed = 1000; seed < 2000; ++seed) {
    ASSERT_EQ(layeredEdits(seed, 8, tally), "") << "seed " << seed;
  }
  std::printf("%llu edits, %llu in place\n", static_cast<unsigned long long>(tally.steps),
              static_cast<unsigned long long>(tally.inPlace));
}

// WEND_SOAK_SECONDS=1200 WEND_SOAK_SEED=5000000 test_generators_slow --gtest_filter=UpdateAxisSoak*
TEST(UpdateAxisSoak, RandomEdits) {
  const char* wanted = std::getenv("WEND_SOAK_SECONDS");
  if (wanted == nullptr) GTEST_SKIP() << "skipped: WEND_SOAK_SECONDS is not set";
  const std::chrono::duration<double> limit(std::atof(wanted));
  const auto begin = std::chrono::steady_clock::now();
  const char* first = std::getenv("WEND_SOAK_SEED");
  uint64_t seed = first == nullptr ? 5'000'000 : std::strtoull(first, nullptr, 10);
  UpdateTally flat;
  UpdateTally layered;
  uint64_t failures = 0;
  for (; std::chrono::steady_clock::now() - begin < limit; ++seed) {
    const std::string fault = seed % 2 == 0 ? randomEdits(seed, 10, flat) : layeredEdits(seed, 8, layered);
    EXPECT_EQ(fault, "") << "seed " << seed;
    failures += fault.empty() ? 0 : 1;
  }
  for (const UpdateTally* tally : {&flat, &layered}) {
    std::printf("%s: %llu edits, %llu in place, %llu made anew (%s)\n", tally == &flat ? "one layer" : "layers",
                static_cast<unsigned long long>(tally->steps), static_cast<unsigned long long>(tally->inPlace),
                static_cast<unsigned long long>(tally->rebuilt), tally->reason.c_str());
  }
  std::printf("%llu failures\n", static_cast<unsigned long long>(failures));
}

}  // namespace
}  // namespace wend::ecm
