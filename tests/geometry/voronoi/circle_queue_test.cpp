#include "geometry/voronoi/circle_queue.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Few different places, so that many have the same x and some the same y, too.
TEST(CircleQueue, SameOrderAsASortedList) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 32);
    CircleQueue queue;
    std::vector<double> y;
    const auto yOf = [&](uint32_t circle) { return y[circle]; };
    std::vector<std::tuple<double, double>> left;
    std::vector<double> x;
    for (int step = 0; step < 200; ++step) {
      if (!left.empty() && random.chance(0.45)) {
        const auto first = std::min_element(left.begin(), left.end());
        ASSERT_EQ(std::tuple(x[queue.front()], y[queue.front()]), *first) << "seed " << seed;
        queue.pop(yOf);
        left.erase(first);
      } else {
        x.push_back(static_cast<double>(random.below(20)));
        y.push_back(static_cast<double>(random.below(5)));
        queue.push({x.back(), static_cast<uint32_t>(y.size() - 1)}, yOf);
        left.emplace_back(x.back(), y.back());
      }
      ASSERT_EQ(queue.empty(), left.empty());
    }
  }
}

}  // namespace
}  // namespace wend
