#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

// exp, sine with cosine, and atan2 for values that decide where an agent goes: the C library's differ in the last bit
// from one version to the next, these need IEEE addition, multiplication and division alone. Errors: relative 1e-14
// (exp), absolute 1e-14 (sine, cosine) and 1e-12 (atan2).
namespace wend {

// 0 below -700; the value at 700 above.
inline double portableExp(double x) {
  if (!(x > -700)) return 0;
  x = std::min(x, 700.0);
  const double k = std::floor(x * std::numbers::log2e + 0.5);
  // ln 2 in two parts: k times the first is exact.
  const double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
  constexpr double kInverse[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                                 1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2,     1.0,        1.0};
  double sum = 1.0 / 479001600;
  for (const double factor : kInverse) sum = sum * r + factor;
  return sum * std::bit_cast<double>(static_cast<uint64_t>(static_cast<int64_t>(k) + 1023) << 52);
}

struct SineCosine {
  double sine;
  double cosine;
};

// For |x| up to a few thousand.
inline SineCosine portableSineCosine(double x) {
  const double quarter = std::floor(x * (2 * std::numbers::inv_pi) + 0.5);
  // pi / 2 in two parts, as above.
  const double r = (x - quarter * 0x1.921fb54400000p+0) - quarter * 0x1.0b4611a626331p-34;
  const double q = r * r;
  const double sine =
      r * (1 + q * (-1.0 / 6 +
                    q * (1.0 / 120 +
                         q * (-1.0 / 5040 +
                              q * (1.0 / 362880 +
                                   q * (-1.0 / 39916800 + q * (1.0 / 6227020800 + q * (-1.0 / 1307674368000.0))))))));
  const double cosine =
      1 +
      q * (-0.5 + q * (1.0 / 24 +
                       q * (-1.0 / 720 + q * (1.0 / 40320 + q * (-1.0 / 3628800 + q * (1.0 / 479001600 +
                                                                                       q * (-1.0 / 87178291200.0)))))));
  // Selects instead of branches: the quarter is unpredictable.
  const auto turns = static_cast<int32_t>(quarter);
  const double first = (turns & 1) != 0 ? cosine : sine;
  const double second = (turns & 1) != 0 ? sine : cosine;
  return {(turns & 2) != 0 ? -first : first, ((turns + 1) & 2) != 0 ? -second : second};
}

// In [-pi, pi]; 0 for the zero vector.
inline double portableAtan2(double y, double x) {
  const double ax = std::abs(x);
  const double ay = std::abs(y);
  if (!(ax + ay > 0)) return 0;
  const double large = std::max(ax, ay);
  const double small = std::min(ax, ay);
  // tan(pi/8) halves the range in which the series has to hold.
  const bool upper = small > 0.41421356237309503 * large;
  const double t = upper ? (small - large) / (small + large) : small / large;
  const double q = t * t;
  constexpr double kInverse[] = {1.0 / 27, 1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15,
                                 1.0 / 13, 1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  double sum = 1.0 / 29;
  for (const double factor : kInverse) sum = factor - q * sum;
  double angle = t * sum + (upper ? std::numbers::pi / 4 : 0);
  if (ay > ax) angle = std::numbers::pi / 2 - angle;
  if (x < 0) angle = std::numbers::pi - angle;
  return y < 0 ? -angle : angle;
}

}  // namespace wend
