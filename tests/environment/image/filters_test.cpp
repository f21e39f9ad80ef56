#include "environment/image/filters.h"

#include <queue>

#include <gtest/gtest.h>

#include "base/random.h"
#include "environment/image/label.h"

namespace wend::image {
namespace {

constexpr int32_t kNone32 = RangeImage::kNoReturn;

Heights randomHeights(Random& random, uint32_t width, uint32_t height, double missing) {
  Heights h(width, height);
  for (int32_t& z : h.values) z = random.chance(missing) ? kNone32 : static_cast<int32_t>(random.below(10000));
  return h;
}

Mask randomMask(Random& random, uint32_t width, uint32_t height, double share) {
  Mask m(width, height);
  for (uint8_t& v : m.values) v = random.chance(share) ? 1 : 0;
  return m;
}

// The pixels of the square around a pixel, the border repeated.
template <typename T, typename F>
void around(const Raster<T>& in, int64_t x, int64_t y, int64_t r, F&& f) {
  for (int64_t v = y - r; v <= y + r; ++v) {
    for (int64_t u = x - r; u <= x + r; ++u) {
      f(in.at(static_cast<uint32_t>(std::clamp<int64_t>(u, 0, in.width - 1)),
              static_cast<uint32_t>(std::clamp<int64_t>(v, 0, in.height - 1))));
    }
  }
}

// Each filter against the obvious one, on shapes around the height of a band.
TEST(ImageFilters, EqualTheObviousOnes) {
  Random random(1);
  for (const auto& [width, height] : {std::pair(1U, 1U), {5U, 1U}, {1U, 7U}, {33U, 65U}, {70U, 130U}}) {
    const Heights in = randomHeights(random, width, height, 0.2);
    const Mask mask = randomMask(random, width, height, 0.5);
    for (const uint32_t side : {3U, 5U}) {
      const auto r = static_cast<int64_t>(side / 2);
      const Heights medians = median(in, side, {});
      const Heights lows = lowest(in, side, {});
      const Mask grown = dilate(mask, side, {});
      const Mask shrunk = erode(mask, side, {});
      const Mask high = aboveLowest(in, side, 1500, {});
      const Mask mean = aboveMean(in, side, 200, {});
      for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          std::vector<int32_t> values;
          around(in, x, y, r, [&](int32_t z) {
            if (z != kNone32) values.push_back(z);
          });
          std::sort(values.begin(), values.end());
          const int32_t wantedMedian = values.empty() ? kNone32 : values[(values.size() - 1) / 2];
          ASSERT_EQ(medians.at(x, y), wantedMedian);
          ASSERT_EQ(lows.at(x, y), values.empty() ? kNone32 : values.front());
          bool any = false;
          bool all = true;
          around(mask, x, y, r, [&](uint8_t v) {
            any = any || v != 0;
            all = all && v != 0;
          });
          ASSERT_EQ(grown.at(x, y), any ? 1 : 0);
          ASSERT_EQ(shrunk.at(x, y), all ? 1 : 0);
          const int32_t here = in.at(x, y);
          ASSERT_EQ(high.at(x, y), here != kNone32 && here - values.front() > 1500 ? 1 : 0);
          int64_t sum = 0;
          int64_t count = 0;
          for (int64_t v = std::max<int64_t>(0, y - r); v <= std::min<int64_t>(height - 1, y + r); ++v) {
            for (int64_t u = std::max<int64_t>(0, x - r); u <= std::min<int64_t>(width - 1, x + r); ++u) {
              const int32_t z = in.at(static_cast<uint32_t>(u), static_cast<uint32_t>(v));
              sum += z == kNone32 ? 0 : z;
              count += z == kNone32 ? 0 : 1;
            }
          }
          ASSERT_EQ(mean.at(x, y), here != kNone32 && (here - 200) * count > sum ? 1 : 0);
        }
      }
    }
  }
}

TEST(ImageFilters, ConstantStaysConstant) {
  Heights flat(40, 30);
  for (int32_t& z : flat.values) z = 1234;
  EXPECT_EQ(gaussian(flat, 3, {}).values, flat.values);
  EXPECT_EQ(gaussian(flat, 5, {}).values, flat.values);
  EXPECT_EQ(median(flat, 5, {}).values, flat.values);
  EXPECT_EQ(closeHeights(flat, 5, {}).values, flat.values);
  for (int direction = 0; direction < 4; ++direction) {
    const Mask edges = sobelEdges(flat, direction, 0, {});
    EXPECT_EQ(std::count(edges.values.begin(), edges.values.end(), 1), 0) << "the frame is not an edge";
  }
}

TEST(ImageFilters, StepHasFourTimesItsHeight) {
  Heights step(20, 20);
  for (uint32_t y = 0; y < 20; ++y) {
    for (uint32_t x = 10; x < 20; ++x) step.row(y)[x] = 500;
  }
  EXPECT_EQ(sobelEdges(step, 0, 2000, {}).at(10, 10), 0);
  EXPECT_EQ(sobelEdges(step, 0, 1999, {}).at(10, 10), 1);
  EXPECT_EQ(sobelEdges(step, 0, 1999, {}).at(9, 10), 1);
  EXPECT_EQ(sobelEdges(step, 0, 1999, {}).at(8, 10), 0);
  EXPECT_EQ(sobelEdges(step, 2, 0, {}).at(10, 10), 0);
}

TEST(ImageFilters, ClosingSealsGapsAndOpeningDropsSpecks) {
  Mask line(30, 30);
  for (uint32_t x = 0; x < 30; ++x) line.row(15)[x] = x == 14 ? 0 : 1;
  EXPECT_EQ(close(line, 3, {}).at(14, 15), 1);
  Mask speck(30, 30);
  speck.row(5)[5] = 1;
  for (uint32_t y = 10; y < 20; ++y) {
    for (uint32_t x = 10; x < 20; ++x) speck.row(y)[x] = 1;
  }
  const Mask opened = open(speck, 3, {});
  EXPECT_EQ(opened.at(5, 5), 0);
  EXPECT_EQ(opened.at(10, 10), 1);
  EXPECT_EQ(std::count(opened.values.begin(), opened.values.end(), 1), 100);
}

TEST(ImageFilters, MissingPixelsAreFilled) {
  Random random(2);
  Heights in(50, 50);
  for (int32_t& z : in.values) z = random.chance(0.1) ? kNone32 : 700;
  const Heights filled = closeHeights(median(in, 5, {}), 5, {});
  EXPECT_EQ(std::count(filled.values.begin(), filled.values.end(), 700), 2500);
}

TEST(ImageFilters, SameForAnyThreads) {
  Random random(3);
  const Heights in = randomHeights(random, 300, 300, 0.1);
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  EXPECT_EQ(median(in, 5, one).values, median(in, 5, four).values);
  EXPECT_EQ(gaussian(in, 5, one).values, gaussian(in, 5, four).values);
  EXPECT_EQ(closeHeights(in, 7, one).values, closeHeights(in, 7, four).values);
  EXPECT_EQ(aboveMean(in, 31, 100, one).values, aboveMean(in, 31, 100, four).values);
}

TEST(ImageLabels, EqualTheObviousFlood) {
  Random random(4);
  for (int i = 0; i < 60; ++i) {
    const Mask mask = randomMask(random, static_cast<uint32_t>(1 + random.below(30)),
                                 static_cast<uint32_t>(1 + random.below(30)), random.real(0.2, 0.9));
    const Labels labels = label(mask);
    std::vector<uint32_t> wanted(mask.values.size(), 0);
    uint32_t count = 0;
    for (size_t start = 0; start < mask.values.size(); ++start) {
      if (mask.values[start] == 0 || wanted[start] != 0) continue;
      wanted[start] = ++count;
      std::queue<size_t> open;
      open.push(start);
      for (; !open.empty(); open.pop()) {
        const size_t at = open.front();
        const size_t x = at % mask.width;
        const auto visit = [&](size_t j) {
          if (mask.values[j] == 0 || wanted[j] != 0) return;
          wanted[j] = count;
          open.push(j);
        };
        if (x > 0) visit(at - 1);
        if (x + 1 < mask.width) visit(at + 1);
        if (at >= mask.width) visit(at - mask.width);
        if (at + mask.width < mask.values.size()) visit(at + mask.width);
      }
    }
    ASSERT_EQ(labels.count, count);
    ASSERT_EQ(labels.label.values, wanted);
  }
}

}  // namespace
}  // namespace wend::image
