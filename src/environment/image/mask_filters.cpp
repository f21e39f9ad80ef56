#include <array>
#include <cstdlib>

#include "environment/image/bands.h"
#include "environment/image/filters.h"

namespace wend::image {
namespace {

// A pixel of the result is 1 if at least `least` of the pixels in the square are 1; with the border repeated. Sums over
// columns are kept from row to row, so a pixel costs the same for any square.
Mask count(const Mask& in, uint32_t side, bool all, const Context& context) {
  if (side < 2) return in;
  Mask out(in.width, in.height);
  const auto r = static_cast<int64_t>(side / 2);
  const auto window = static_cast<uint32_t>(2 * r + 1);
  const uint32_t least = all ? window * window : 1;
  eachBand(in.height, context, [&](uint32_t first, uint32_t last) {
    std::vector<uint32_t> columns(in.width, 0);
    const auto add = [&](int64_t y, uint32_t sign) {
      const uint8_t* row = in.row(clampIndex(y, in.height));
      for (uint32_t x = 0; x < in.width; ++x) columns[x] += sign * row[x];
    };
    for (int64_t y = first - r; y <= first + r; ++y) add(y, 1);
    for (uint32_t y = first; y < last; ++y) {
      uint32_t sum = 0;
      for (int64_t x = -r; x <= r; ++x) sum += columns[clampIndex(x, in.width)];
      uint8_t* row = out.row(y);
      for (uint32_t x = 0; x < in.width; ++x) {
        row[x] = sum >= least ? 1 : 0;
        sum += columns[clampIndex(int64_t{x} + r + 1, in.width)];
        sum -= columns[clampIndex(int64_t{x} - r, in.width)];
      }
      if (y + 1 == last) break;
      add(y + r + 1, 1);
      add(y - r, ~uint32_t{0});
    }
  });
  return out;
}

// Weights of the four directions, row by row from above.
constexpr std::array<std::array<int, 9>, 4> kSobel{{{-1, 0, 1, -2, 0, 2, -1, 0, 1},
                                                    {-2, -1, 0, -1, 0, 1, 0, 1, 2},
                                                    {-1, -2, -1, 0, 0, 0, 1, 2, 1},
                                                    {0, -1, -2, 1, 0, -1, 2, 1, 0}}};

}  // namespace

Mask dilate(const Mask& in, uint32_t side, const Context& context) {
  return count(in, side, false, context);
}
Mask erode(const Mask& in, uint32_t side, const Context& context) {
  return count(in, side, true, context);
}
Mask close(const Mask& in, uint32_t side, const Context& context) {
  return erode(dilate(in, side, context), side, context);
}
Mask open(const Mask& in, uint32_t side, const Context& context) {
  return dilate(erode(in, side, context), side, context);
}

Mask sobelEdges(const Heights& in, int direction, int64_t threshold, const Context& context) {
  const std::array<int, 9>& weights = kSobel[static_cast<size_t>(direction)];
  Mask out(in.width, in.height);
  eachBand(in.height, context, [&](uint32_t first, uint32_t last) {
    for (uint32_t y = first; y < last; ++y) {
      const std::array<const int32_t*, 3> lines{in.row(y == 0 ? 0 : y - 1), in.row(y),
                                                in.row(std::min(y + 1, in.height - 1))};
      uint8_t* row = out.row(y);
      for (uint32_t x = 0; x < in.width; ++x) {
        const std::array<uint32_t, 3> columns{x == 0 ? 0 : x - 1, x, std::min(x + 1, in.width - 1)};
        int64_t sum = 0;
        bool known = true;
        for (size_t i = 0; i < 9; ++i) {
          const int32_t value = lines[i / 3][columns[i % 3]];
          known = known && value != RangeImage::kNoReturn;
          sum += int64_t{weights[i]} * value;
        }
        row[x] = !known || std::abs(sum) > threshold ? 1 : 0;
      }
    }
  });
  return out;
}

Mask aboveMean(const Heights& in, uint32_t window, int64_t offset, const Context& context) {
  Mask out(in.width, in.height);
  const auto r = static_cast<int64_t>(window / 2);
  eachBand(in.height, context, [&](uint32_t first, uint32_t last) {
    // Per column the sum and number of heights in the window's rows; along the row their integral.
    std::vector<int64_t> sums(in.width, 0);
    std::vector<int64_t> counts(in.width, 0);
    std::vector<int64_t> sumTo(in.width + 1, 0);
    std::vector<int64_t> countTo(in.width + 1, 0);
    const auto add = [&](int64_t y, int64_t sign) {
      if (y < 0 || y >= in.height) return;
      const int32_t* row = in.row(static_cast<uint32_t>(y));
      for (uint32_t x = 0; x < in.width; ++x) {
        if (row[x] == RangeImage::kNoReturn) continue;
        sums[x] += sign * row[x];
        counts[x] += sign;
      }
    };
    for (int64_t y = first - r; y <= first + r; ++y) add(y, 1);
    for (uint32_t y = first; y < last; ++y) {
      for (uint32_t x = 0; x < in.width; ++x) {
        sumTo[x + 1] = sumTo[x] + sums[x];
        countTo[x + 1] = countTo[x] + counts[x];
      }
      for (uint32_t x = 0; x < in.width; ++x) {
        const auto low = static_cast<size_t>(std::max<int64_t>(0, x - r));
        const auto high = static_cast<size_t>(std::min<int64_t>(in.width, x + r + 1));
        const int64_t pixels = countTo[high] - countTo[low];
        const int32_t value = in.at(x, y);
        // value - sum / pixels > offset, without a division.
        out.row(y)[x] = value != RangeImage::kNoReturn && (value - offset) * pixels > sumTo[high] - sumTo[low] ? 1 : 0;
      }
      add(y + r + 1, 1);
      add(y - r, -1);
    }
  });
  return out;
}

Mask aboveLowest(const Heights& in, uint32_t window, int64_t offset, const Context& context) {
  const Heights ground = lowest(in, window | 1U, context);
  Mask out(in.width, in.height);
  for (size_t i = 0; i < out.values.size(); ++i) {
    const int32_t value = in.values[i];
    out.values[i] = value != RangeImage::kNoReturn && int64_t{value} - ground.values[i] > offset ? 1 : 0;
  }
  return out;
}

}  // namespace wend::image
