#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <wend/polygon.h>

namespace wend {

// A box in top view as four numbers that the processor compares at once. Thousands of boxes are compared in a row and
// the results are not predictable, so a branch per comparison costs more than the comparisons.
class PackedBox {
 public:
  PackedBox() = default;
  explicit PackedBox(const Box& box) : lanes_{box.min.x, box.min.y, ~box.max.x, ~box.max.y} {}
  // The lattice square around a place.
  PackedBox(double x, double y) : lanes_{floorOf(x), floorOf(y), ~ceilOf(x), ~ceilOf(y)} {}

  // Whether the closed boxes have a point in common.
  bool meets(const PackedBox& other) const {
    const Lanes o = other.lanes_;
    return !anyAbove(lanes_, ~Lanes{o[2], o[3], o[0], o[1]});
  }
  bool holds(const PackedBox& other) const { return !anyAbove(lanes_, other.lanes_); }

 private:
  using Lanes = int32_t __attribute__((vector_size(16)));

  static int32_t floorOf(double x) {
    const auto whole = static_cast<int32_t>(x);
    return whole - (whole > x ? 1 : 0);
  }
  static int32_t ceilOf(double x) {
    const auto whole = static_cast<int32_t>(x);
    return whole + (whole < x ? 1 : 0);
  }
  static bool anyAbove(Lanes p, Lanes q) {
#if defined(__SSE2__)
    return _mm_movemask_epi8(std::bit_cast<__m128i>(p > q)) != 0;
#else
    const Lanes above = p > q;
    return (above[0] | above[1] | above[2] | above[3]) != 0;
#endif
  }

  Lanes lanes_{};  // the smaller ends, and the larger ends with all bits turned: that turns their order
};

}  // namespace wend
