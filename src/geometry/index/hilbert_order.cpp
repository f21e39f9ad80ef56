#include "geometry/index/hilbert_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace wend {
namespace {

// The curve as an automaton: orientation and quadrant (x bit, y bit) give the digit and the next orientation.
struct Step {
  uint8_t digit;
  uint8_t next;
};
constexpr Step kSteps[4][4] = {
    {{0, 1}, {1, 0}, {3, 3}, {2, 0}},
    {{0, 0}, {3, 2}, {1, 1}, {2, 1}},
    {{2, 2}, {3, 1}, {1, 2}, {0, 3}},
    {{2, 3}, {1, 3}, {3, 0}, {0, 2}},
};

// Four levels at once: four bits of x, four bits of y.
constexpr int kLevels = 4;
constexpr auto kManySteps = [] {
  std::array<std::array<Step, 1 << (2 * kLevels)>, 4> steps{};
  for (uint8_t orientation = 0; orientation < 4; ++orientation) {
    for (unsigned bits = 0; bits < steps[orientation].size(); ++bits) {
      Step& many = steps[orientation][bits];
      many.next = orientation;
      for (int level = kLevels - 1; level >= 0; --level) {
        const Step step = kSteps[many.next][(bits >> (level + kLevels) & 1) << 1 | (bits >> level & 1)];
        many = {static_cast<uint8_t>(many.digit << 2 | step.digit), step.next};
      }
    }
  }
  return steps;
}();

uint64_t scramble(Point p) {
  uint64_t h = (static_cast<uint64_t>(static_cast<uint32_t>(p.x)) << 32) | static_cast<uint32_t>(p.y);
  h = (h ^ (h >> 31)) * 0x7fb5d329728ea185ULL;
  h = (h ^ (h >> 27)) * 0x81dadef4bc2dd44dULL;
  return h ^ (h >> 33);
}

}  // namespace

uint64_t hilbertKey(Point p, Point origin, int levels) {
  const uint64_t x = static_cast<uint64_t>(static_cast<int64_t>(p.x) - origin.x);
  const uint64_t y = static_cast<uint64_t>(static_cast<int64_t>(p.y) - origin.y);
  // Levels above, where both are 0, turn the curve over and back again, and count for nothing.
  int level = (levels + kLevels - 1) / kLevels * kLevels;
  unsigned orientation = static_cast<unsigned>(level - levels) % 2;
  uint64_t key = 0;
  while (level > 0) {
    level -= kLevels;
    const Step step = kManySteps[orientation][(x >> level & 15) << kLevels | (y >> level & 15)];
    key = key << (2 * kLevels) | step.digit;
    orientation = step.next;
  }
  return key;
}

DistinctPoints distinctInHilbertOrder(std::span<const Point> input) {
  DistinctPoints result;
  if (input.empty()) return result;
  Box box;
  for (const Point p : input) box.add(p);
  const uint64_t side = static_cast<uint64_t>(
      std::max(static_cast<int64_t>(box.max.x) - box.min.x, static_cast<int64_t>(box.max.y) - box.min.y));
  const int levels = static_cast<int>(std::bit_width(side));

  struct Keyed {
    uint64_t key;
    uint32_t index;
  };
  std::vector<Keyed> keyed(input.size());
  for (uint32_t i = 0; i < input.size(); ++i) keyed[i] = {hilbertKey(input[i], box.min, levels), i};
  std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });

  result.points.reserve(input.size());
  result.idOf.resize(input.size());
  for (size_t i = 0; i < keyed.size(); ++i) {
    if (i == 0 || keyed[i].key != keyed[i - 1].key) result.points.push_back(input[keyed[i].index]);
    result.idOf[keyed[i].index] = static_cast<uint32_t>(result.points.size() - 1);
  }
  return result;
}

std::vector<uint32_t> insertionOrder(std::span<const Point> points) {
  // A few are near each other anyway.
  constexpr size_t kFew = 64;
  if (points.size() <= kFew) {
    std::vector<uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }
  constexpr int kRounds = 24;
  const auto roundOf = [](Point p) { return kRounds - 1 - std::min(std::countr_zero(scramble(p)), kRounds - 1); };
  std::array<std::vector<uint32_t>, kRounds> rounds;
  for (uint32_t i = 0; i < points.size(); ++i) rounds[static_cast<size_t>(roundOf(points[i]))].push_back(i);
  std::vector<uint32_t> order;
  order.reserve(points.size());
  // The curve ends far from where it begins: every other round runs backwards, starting where the last one ended.
  bool forward = true;
  for (std::vector<uint32_t>& round : rounds) {
    if (round.empty()) continue;
    if (!forward) std::reverse(round.begin(), round.end());
    order.insert(order.end(), round.begin(), round.end());
    forward = !forward;
  }
  return order;
}

}  // namespace wend
