#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

// The one random generator: xoshiro256** seeded by splitmix64. The same numbers on every machine, which the standard
// library's distributions do not promise.
namespace wend {

class Random {
 public:
  explicit Random(uint64_t seed);
  // An independent stream: Random(seed, i) and Random(seed, j) do not overlap in practice.
  Random(uint64_t seed, uint64_t stream);

  uint64_t next();
  // Uniform in [0, n), without modulo bias; n >= 1.
  uint64_t below(uint64_t n);
  // Uniform in [low, high], both included.
  int64_t between(int64_t low, int64_t high);
  // Uniform in [0, 1).
  double real();
  double real(double low, double high) { return low + (high - low) * real(); }
  bool chance(double probability) { return real() < probability; }
  // Fisher-Yates.
  template <typename Range>
  void shuffle(Range& range) {
    for (size_t i = range.size(); i > 1; --i) std::swap(range[i - 1], range[below(i)]);
  }

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace wend
