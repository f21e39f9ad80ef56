#pragma once

#include <atomic>
#include <cstdint>

// How much an extraction may do, so that a hopeless scene ends with a sentence and not with the memory. Counts, never
// clocks: whether a sum passes its limit does not depend on the order in which threads add to it.
namespace wend::extraction {

// A floor that needs more is given up alone. A test is a look at two things that may meet, about 5 ns. The two real
// scenes and all made ones need up to 7,000 pairs of sides and 70,000 tests for their worst floor; scenes whose
// vertices are moved by decimetres 42,000 and 6.4 million.
constexpr uint64_t kMostPairsOfFloor = uint64_t{1} << 20;  // up to 200 MB while it is cut
constexpr uint64_t kMostTestsOfFloor = 100'000'000;

// For all floors together. Scenes that make sense need some 10 tests and up to 3 corners per triangle.
constexpr uint64_t kMostTests = 1'000'000'000;
constexpr uint64_t kMostTestsPerTriangle = 2'000;
constexpr uint64_t kMostCorners = 1'000'000;  // the later stages take about 250 bytes for each
constexpr uint64_t kMostCornersPerTriangle = 64;

// Pairs of triangles of free floors above each other: looked at, and found to be of patches that overlap.
constexpr uint64_t kMostLooks = 500'000'000;
constexpr uint64_t kMostLooksPerTriangle = 2'000;
constexpr uint64_t kMostOverlaps = 16'000'000;  // the layers take about 32 bytes for each
constexpr uint64_t kMostOverlapsPerTriangle = 200;

class Effort {
 public:
  explicit Effort(uint64_t most) : most_(most) {}
  void add(uint64_t count) { sum_.fetch_add(count, std::memory_order_relaxed); }
  // Work that goes on after that is lost.
  bool tooMuch() const { return sum_.load(std::memory_order_relaxed) > most_; }

 private:
  uint64_t most_;
  std::atomic<uint64_t> sum_{0};
};

}  // namespace wend::extraction
