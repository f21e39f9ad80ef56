#include "crowd/neighbour_lanes.h"

#include <cmath>

namespace wend {
namespace {

#define WEND_INLINE [[gnu::always_inline]] inline

constexpr uint32_t kLanes = 8;

constexpr uint32_t whole(uint32_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

// Of the padding, too: it may not overflow.
WEND_INLINE int32_t difference(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

WEND_INLINE void lookInLanes(const Lookout& from, const int32_t* x, const int32_t* y, const float* radius,
                             uint32_t first, uint32_t n, Candidates& view, Candidates& contacts) {
  constexpr uint32_t kChunk = Candidates::kChunk;
  alignas(64) float squares[kChunk];
  alignas(64) int32_t inView[kChunk];
  alignas(64) int32_t inContact[kChunk];
  int32_t anyView = 0;
  int32_t anyContact = 0;
  for (uint32_t k = 0; k < whole(n); ++k) {
    const float wx = static_cast<float>(difference(x[k], from.x)) * from.unit;
    const float wy = static_cast<float>(difference(y[k], from.y)) * from.unit;
    const float square = wx * wx + wy * wy;
    const float ahead = wx * from.facing.x + wy * from.facing.y;
    const float sum = from.radius + radius[k];
    const float reach = sum + from.contactReach;
    squares[k] = square;
    const int32_t sees = static_cast<int32_t>(ahead > from.behind) | static_cast<int32_t>(square < sum * sum);
    inView[k] = sees & static_cast<int32_t>(square <= from.limit);
    inContact[k] = static_cast<int32_t>(square < reach * reach);
    anyView |= inView[k];
    anyContact |= inContact[k];
  }
  if (from.self - first < n) inView[from.self - first] = inContact[from.self - first] = 0;
  // Without branches: half of them would be guessed wrong.
  const auto keep = [&](const int32_t* kept, Candidates& to) {
    uint32_t count = to.count;
    for (uint32_t k = 0; k < n; ++k) {
      to.squares[count] = squares[k];
      to.slots[count] = first + k;
      count += static_cast<uint32_t>(kept[k]);
    }
    to.count = count;
  };
  if (anyView != 0) keep(inView, view);
  if (anyContact != 0) keep(inContact, contacts);
}

// The place of each is the number of those that are nearer: no branch depends on the distances.
WEND_INLINE bool rankInLanes(Candidates& candidates, std::array<uint8_t, Candidates::kRoom>& order) {
  const uint32_t n = candidates.count;
  const uint32_t all = whole(n);
  for (uint32_t k = n; k < all; ++k) candidates.squares[k] = HUGE_VALF;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const float square = candidates.squares[i];
    int32_t nearer = 0;
    for (uint32_t k = 0; k < all; ++k) nearer += static_cast<int32_t>(candidates.squares[k] < square);
    order[static_cast<uint32_t>(nearer)] = static_cast<uint8_t>(i);
    sum += static_cast<uint32_t>(nearer);
  }
  return sum == n * (n - 1) / 2;
}

void lookBaseline(const Lookout& from, const int32_t* x, const int32_t* y, const float* radius, uint32_t first,
                  uint32_t n, Candidates& view, Candidates& contacts) {
  lookInLanes(from, x, y, radius, first, n, view, contacts);
}
bool rankBaseline(Candidates& candidates, std::array<uint8_t, Candidates::kRoom>& order) {
  return rankInLanes(candidates, order);
}
constexpr NeighbourLanes kBaseline{lookBaseline, rankBaseline};

#if defined(__x86_64__)
[[gnu::target("avx2")]] void lookAvx2(const Lookout& from, const int32_t* x, const int32_t* y, const float* radius,
                                      uint32_t first, uint32_t n, Candidates& view, Candidates& contacts) {
  lookInLanes(from, x, y, radius, first, n, view, contacts);
}
[[gnu::target("avx2")]] bool rankAvx2(Candidates& candidates, std::array<uint8_t, Candidates::kRoom>& order) {
  return rankInLanes(candidates, order);
}
constexpr NeighbourLanes kAvx2{lookAvx2, rankAvx2};
#endif

}  // namespace

const NeighbourLanes& neighbourLanes(VectorWidth width) {
#if defined(__x86_64__)
  if (width != VectorWidth::kBaseline) return kAvx2;
#endif
  (void)width;
  return kBaseline;
}

const NeighbourLanes& neighbourLanes() {
  static const NeighbourLanes& widest =
      neighbourLanes(available(VectorWidth::kAvx2) ? VectorWidth::kAvx2 : VectorWidth::kBaseline);
  return widest;
}

}  // namespace wend
