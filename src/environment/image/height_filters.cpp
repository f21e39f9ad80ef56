#include <array>

#include "environment/image/bands.h"
#include "environment/image/filters.h"

namespace wend::image {
namespace {

int64_t divideRounded(int64_t sum, int64_t by) {
  return sum >= 0 ? (sum + by / 2) / by : -((-sum + by / 2) / by);
}

// The largest (or lowest) value in a row of 2 r + 1 pixels around each one, by van Herk and Gil-Werman: three
// comparisons per pixel for any r. `values` is read with the given stride.
template <typename Better>
void slide(const int32_t* in, int32_t* out, size_t count, size_t stride, uint32_t r, std::vector<int32_t>& memory,
           Better better) {
  const size_t window = 2 * static_cast<size_t>(r) + 1;
  const size_t padded = (count + 2 * r + window - 1) / window * window;
  memory.resize(3 * padded);
  int32_t* line = memory.data();
  int32_t* forward = line + padded;
  int32_t* back = forward + padded;
  for (size_t i = 0; i < padded; ++i) {
    const auto at = static_cast<int64_t>(i) - r;
    line[i] = in[static_cast<size_t>(std::clamp<int64_t>(at, 0, static_cast<int64_t>(count) - 1)) * stride];
  }
  for (size_t i = 0; i < padded; ++i) forward[i] = i % window == 0 ? line[i] : better(forward[i - 1], line[i]);
  for (size_t i = padded; i-- > 0;) back[i] = (i + 1) % window == 0 ? line[i] : better(back[i + 1], line[i]);
  for (size_t i = 0; i < count; ++i) out[i * stride] = better(back[i], forward[i + window - 1]);
}

// Pixels without return never win.
struct Highest {
  int32_t operator()(int32_t a, int32_t b) const { return std::max(a, b); }  // kNoReturn is the least number
};
struct Lowest {
  int32_t operator()(int32_t a, int32_t b) const {
    if (a == RangeImage::kNoReturn) return b;
    return b == RangeImage::kNoReturn ? a : std::min(a, b);
  }
};

// Rows first, then columns, in place; strips of columns keep the reads near each other.
template <typename Better>
Heights slideSquare(const Heights& in, uint32_t side, const Context& context, Better better) {
  Heights out(in.width, in.height);
  const uint32_t r = side / 2;
  eachBand(in.height, context, [&](uint32_t first, uint32_t last) {
    std::vector<int32_t> memory;
    for (uint32_t y = first; y < last; ++y) slide(in.row(y), out.row(y), in.width, 1, r, memory, better);
  });
  eachBand(in.width, context, [&](uint32_t first, uint32_t last) {
    std::vector<int32_t> memory;
    for (uint32_t x = first; x < last; ++x) {
      slide(out.values.data() + x, out.values.data() + x, in.height, in.width, r, memory, better);
    }
  });
  return out;
}

}  // namespace

Heights gaussian(const Heights& in, uint32_t side, const Context& context) {
  if (side < 3) return in;
  static constexpr std::array<int64_t, 3> kThree{1, 2, 1};
  static constexpr std::array<int64_t, 5> kFive{1, 4, 6, 4, 1};
  const std::span<const int64_t> weights =
      side == 3 ? std::span<const int64_t>(kThree) : std::span<const int64_t>(kFive);
  const int r = static_cast<int>(weights.size() / 2);
  Heights out(in.width, in.height);
  eachBand(in.height, context, [&](uint32_t first, uint32_t last) {
    for (uint32_t y = first; y < last; ++y) {
      for (uint32_t x = 0; x < in.width; ++x) {
        if (in.at(x, y) == RangeImage::kNoReturn) {
          out.row(y)[x] = RangeImage::kNoReturn;
          continue;
        }
        int64_t sum = 0;
        int64_t total = 0;
        for (int dy = -r; dy <= r; ++dy) {
          const int32_t* line = in.row(clampIndex(int64_t{y} + dy, in.height));
          for (int dx = -r; dx <= r; ++dx) {
            const int32_t value = line[clampIndex(int64_t{x} + dx, in.width)];
            if (value == RangeImage::kNoReturn) continue;
            const int64_t weight = weights[static_cast<size_t>(dx + r)] * weights[static_cast<size_t>(dy + r)];
            sum += weight * value;
            total += weight;
          }
        }
        out.row(y)[x] = static_cast<int32_t>(divideRounded(sum, total));
      }
    }
  });
  return out;
}

Heights median(const Heights& in, uint32_t side, const Context& context) {
  if (side < 3) return in;
  const int r = static_cast<int>(side / 2);
  Heights out(in.width, in.height);
  eachBand(in.height, context, [&](uint32_t first, uint32_t last) {
    std::array<int32_t, 49> found;
    for (uint32_t y = first; y < last; ++y) {
      for (uint32_t x = 0; x < in.width; ++x) {
        size_t count = 0;
        for (int dy = -r; dy <= r; ++dy) {
          const int32_t* line = in.row(clampIndex(int64_t{y} + dy, in.height));
          for (int dx = -r; dx <= r; ++dx) {
            const int32_t value = line[clampIndex(int64_t{x} + dx, in.width)];
            if (value != RangeImage::kNoReturn) found[count++] = value;
          }
        }
        if (count == 0) {
          out.row(y)[x] = RangeImage::kNoReturn;
          continue;
        }
        // The lower of the two in the middle.
        const auto middle = found.begin() + static_cast<ptrdiff_t>((count - 1) / 2);
        std::nth_element(found.begin(), middle, found.begin() + static_cast<ptrdiff_t>(count));
        out.row(y)[x] = *middle;
      }
    }
  });
  return out;
}

Heights closeHeights(const Heights& in, uint32_t side, const Context& context) {
  if (side < 3) return in;
  return slideSquare(slideSquare(in, side, context, Highest{}), side, context, Lowest{});
}

Heights lowest(const Heights& in, uint32_t side, const Context& context) {
  return slideSquare(in, side, context, Lowest{});
}

}  // namespace wend::image
