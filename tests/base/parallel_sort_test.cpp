#include "base/parallel_sort.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

TEST(ParallelSort, IsTheSameForAnyThreads) {
  using Item = std::pair<uint32_t, uint32_t>;
  Random random(5);
  for (const size_t n : {0U, 1U, 2U, 7U, 100U, 4095U, 4096U, 4097U, 50000U}) {
    std::vector<Item> items(n);
    for (uint32_t i = 0; i < n; ++i) items[i] = {static_cast<uint32_t>(random.below(n / 3 + 1)), i};
    std::vector<Item> expected = items;
    std::sort(expected.begin(), expected.end());
    for (const int threads : {0, 1, 2, 5}) {
      Context context;
      context.threads = threads;
      std::vector<Item> sorted = items;
      parallelSort(sorted, context, std::less<Item>());
      EXPECT_EQ(sorted, expected) << n << " items, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace wend
