#include "base/parallel.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace wend {
namespace {

bool hasThreads() {
  Context context;
  context.threads = 2;
  return threadCount(context) == 2;
}

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

// As many bodies run at the same time as threads were asked for, also where there are fewer cores: each waits until all
// have begun.
TEST(Parallel, AsManyThreadsAsAskedFor) {
  if (!hasThreads()) GTEST_SKIP() << "skipped: wend was built without TBB";
  for (const int threads : {1, 2, 4, 7}) {
    Context context;
    context.threads = threads;
    std::atomic<int> begun{0};
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallelFor(static_cast<size_t>(threads), context, [&](size_t) {
      ++begun;
      while (begun < threads && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    });
    EXPECT_EQ(begun, threads);
    EXPECT_LT(std::chrono::steady_clock::now(), patience) << threads;
  }
}

// Two bodies side by side, each of which waits until the other has begun.
TEST(Parallel, DearOnesSideBySideAreShared) {
  if (!hasThreads()) GTEST_SKIP() << "skipped: wend was built without TBB";
  for (const size_t first : {0, 40, 98}) {
    Context context;
    context.threads = 2;
    std::atomic<int> begun{0};
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallelFor(100, context, [&](size_t i) {
      if (i < first || i > first + 1) return;
      ++begun;
      while (begun < 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    });
    EXPECT_LT(std::chrono::steady_clock::now(), patience) << first;
  }
}

// "Many" is no reason to run out of threads.
TEST(Parallel, MoreThreadsThanAnyMachineHas) {
  Context context;
  context.threads = 1'000'000;
  std::atomic<int> calls{0};
  parallelFor(1000, context, [&](size_t) { ++calls; });
  EXPECT_EQ(calls, 1000);
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
