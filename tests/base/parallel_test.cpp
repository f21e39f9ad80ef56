#include "base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(Parallel, EveryIndexOnceForAnyThreadCount) {
  for (const int threads : {0, 1, 2, 4}) {
    Context context;
    context.threads = threads;
    std::vector<int> seen(1000, 0);
    parallelFor(seen.size(), context, [&](size_t i) { ++seen[i]; });
    for (const int count : seen) ASSERT_EQ(count, 1) << threads;
    std::vector<int> blocks(1000, 0);
    parallelBlocks(blocks.size(), 64, context, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++blocks[i];
    });
    for (const int count : blocks) ASSERT_EQ(count, 1) << threads;
  }
}

TEST(Parallel, NothingToDo) {
  parallelFor(0, {}, [](size_t) { FAIL(); });
}

TEST(Parallel, CancelStopsTheLoop) {
  Context context;
  context.threads = 2;
  std::atomic<int> calls{0};
  parallelFor(1'000'000, context, [&](size_t) {
    if (++calls == 100) context.cancel();
  });
  EXPECT_LT(calls, 1'000'000);
  parallelFor(10, context, [](size_t) { FAIL() << "a cancelled context starts nothing"; });
}

TEST(Parallel, ExceptionsReachTheCaller) {
  Context context;
  context.threads = 2;
  EXPECT_THROW(parallelFor(100, context,
                           [](size_t i) {
                             if (i == 50) throw std::runtime_error("x");
                           }),
               std::runtime_error);
}

}  // namespace
}  // namespace wend
