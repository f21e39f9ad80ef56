#include "base/disjoint_sets.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Against labels that are all written anew at every join.
TEST(DisjointSets, GoByTheirLeastMember) {
  Random random(1);
  for (int world = 0; world < 50; ++world) {
    const auto n = static_cast<uint32_t>(random.between(1, 60));
    DisjointSets sets(n);
    std::vector<uint32_t> label(n);
    for (uint32_t i = 0; i < n; ++i) label[i] = i;
    for (int k = 0; k < 60; ++k) {
      const auto a = static_cast<uint32_t>(random.below(n));
      const auto b = static_cast<uint32_t>(random.below(n));
      sets.join(a, b);
      const uint32_t least = std::min(label[a], label[b]);
      const uint32_t most = std::max(label[a], label[b]);
      for (uint32_t& l : label) l = l == most ? least : l;
      for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(sets.find(i), label[i]);
    }
  }
  EXPECT_EQ(DisjointSets().size(), 0U);
}

}  // namespace
}  // namespace wend
