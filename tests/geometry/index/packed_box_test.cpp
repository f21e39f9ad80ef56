#include "geometry/index/packed_box.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

TEST(PackedBox, AgreesWithComparisonsOneByOne) {
  Random random(1);
  const auto number = [&] { return static_cast<int32_t>(random.between(-4, 4)); };
  const auto box = [&] {
    const Point p{number(), number()};
    return Box{p, {p.x + std::abs(number()), p.y + std::abs(number())}};
  };
  for (int i = 0; i < 20000; ++i) {
    const Box p = box();
    const Box q = box();
    EXPECT_EQ(PackedBox(p).meets(PackedBox(q)),
              p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y);
    EXPECT_EQ(PackedBox(p).holds(PackedBox(q)),
              p.min.x <= q.min.x && q.max.x <= p.max.x && p.min.y <= q.min.y && q.max.y <= p.max.y);
    const double x = number() + 0.25 * number();
    const double y = number() + 0.25 * number();
    EXPECT_EQ(PackedBox(p).holds(PackedBox(x, y)), p.min.x <= x && x <= p.max.x && p.min.y <= y && y <= p.max.y);
  }
}

}  // namespace
}  // namespace wend
