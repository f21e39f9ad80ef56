#include "environment/extract/soup/first_equal.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::extraction {
namespace {

// With so many each thread has parts of its own; sizes on both sides of a block's.
TEST(FirstEqual, IsTheFirstWithAnyNumberOfThreads) {
  Random random(3);
  for (const size_t n : {0U, 1U, 5000U, 20000U, 20480U, 20481U, 60000U}) {
    std::vector<uint32_t> values(n);
    for (uint32_t& value : values) value = static_cast<uint32_t>(random.between(0, 9000));
    std::vector<uint32_t> expected(n);
    std::map<uint32_t, uint32_t> first;
    for (uint32_t i = 0; i < n; ++i) expected[i] = first.emplace(values[i], i).first->second;
    for (const int threads : {1, 2, 7}) {
      Context context;
      context.threads = threads;
      const auto found = firstEquals(
          n, context, [&](uint32_t i) { return uint64_t{values[i]}; },
          [&](uint32_t i, uint32_t j) { return values[i] == values[j]; });
      EXPECT_EQ(found, expected) << n << " with " << threads;
    }
  }
}

}  // namespace
}  // namespace wend::extraction
