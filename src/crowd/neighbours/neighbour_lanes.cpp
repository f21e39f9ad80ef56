#include "crowd/neighbours/neighbour_lanes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/always_inline.h"

namespace wend {
namespace {

constexpr uint32_t kLanes = 8;

constexpr uint32_t whole(uint32_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

// Of the padding, too: it may not overflow.
WEND_INLINE int32_t difference(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

void lookBaseline(const Lookout& from, const Crowded& crowd, std::span<const SlotRange> ranges, Candidates& view,
                  Candidates& contacts) {
  for (const SlotRange range : ranges) {
    for (uint32_t first = range.begin; first < range.end; first += kLanes) {
      alignas(32) float squares[kLanes];
      alignas(32) int32_t inView[kLanes];
      alignas(32) int32_t inContact[kLanes];
      for (uint32_t k = 0; k < kLanes; ++k) {
        const float wx = static_cast<float>(difference(crowd.x[first + k], from.x)) * from.unit;
        const float wy = static_cast<float>(difference(crowd.y[first + k], from.y)) * from.unit;
        const float square = wx * wx + wy * wy;
        const float ahead = wx * from.facing.x + wy * from.facing.y;
        const float sum = from.radius + crowd.radius[first + k];
        const float reach = sum + from.contactReach;
        squares[k] = square;
        const int32_t sees = static_cast<int32_t>(ahead > from.behind) | static_cast<int32_t>(square < sum * sum);
        inView[k] = sees & static_cast<int32_t>(square <= from.limit);
        inContact[k] = static_cast<int32_t>(square < reach * reach);
      }
      // Without branches: half of them would be guessed wrong.
      const uint32_t n = std::min(kLanes, range.end - first);
      for (uint32_t k = 0; k < n; ++k) {
        const bool other = first + k != from.self;
        view.squares[view.count] = contacts.squares[contacts.count] = squares[k];
        view.slots[view.count] = contacts.slots[contacts.count] = first + k;
        view.count += static_cast<uint32_t>(other ? inView[k] : 0);
        contacts.count += static_cast<uint32_t>(other ? inContact[k] : 0);
      }
    }
  }
}

// The place of each is the number of those that are nearer: no branch depends on the distances.
WEND_INLINE bool rankInLanes(Candidates& candidates, std::array<uint8_t, Candidates::kCapacity>& order) {
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

bool rankBaseline(Candidates& candidates, std::array<uint8_t, Candidates::kCapacity>& order) {
  return rankInLanes(candidates, order);
}
constexpr NeighbourLanes kBaseline{lookBaseline, rankBaseline};

#if defined(__x86_64__)
// For each set of lanes that are kept: their numbers, one per byte, first ones first.
constexpr std::array<uint64_t, 256> kPacked = [] {
  std::array<uint64_t, 256> packed{};
  for (uint32_t mask = 0; mask < 256; ++mask) {
    uint32_t kept = 0;
    for (uint64_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1U) != 0) packed[mask] |= lane << (8 * kept++);
    }
  }
  return packed;
}();

[[gnu::target("avx2,popcnt"), gnu::always_inline]] inline __m256i lanesAt(const int32_t* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

[[gnu::target("avx2,popcnt"), gnu::always_inline]] inline void keep(__m256 squares, __m256i slots, uint32_t mask,
                                                                    Candidates& to) {
  const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<int64_t>(kPacked[mask])));
  _mm256_storeu_ps(to.squares.data() + to.count, _mm256_permutevar8x32_ps(squares, order));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.slots.data() + to.count),
                      _mm256_permutevar8x32_epi32(slots, order));
  to.count += static_cast<uint32_t>(std::popcount(mask));
}

[[gnu::target("avx2,popcnt")]] void lookAvx2(const Lookout& from, const Crowded& crowd,
                                             std::span<const SlotRange> ranges, Candidates& view,
                                             Candidates& contacts) {
  const __m256i x = _mm256_set1_epi32(from.x);
  const __m256i y = _mm256_set1_epi32(from.y);
  const __m256 unit = _mm256_set1_ps(from.unit);
  const __m256 facingX = _mm256_set1_ps(from.facing.x);
  const __m256 facingY = _mm256_set1_ps(from.facing.y);
  const __m256 behind = _mm256_set1_ps(from.behind);
  const __m256 radius = _mm256_set1_ps(from.radius);
  const __m256 contactReach = _mm256_set1_ps(from.contactReach);
  const __m256 limit = _mm256_set1_ps(from.limit);
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (const SlotRange range : ranges) {
    for (uint32_t first = range.begin; first < range.end; first += kLanes) {
      const __m256 wx = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(lanesAt(crowd.x + first), x)), unit);
      const __m256 wy = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(lanesAt(crowd.y + first), y)), unit);
      const __m256 square = _mm256_add_ps(_mm256_mul_ps(wx, wx), _mm256_mul_ps(wy, wy));
      const __m256 ahead = _mm256_add_ps(_mm256_mul_ps(wx, facingX), _mm256_mul_ps(wy, facingY));
      const __m256 sum = _mm256_add_ps(radius, _mm256_loadu_ps(crowd.radius + first));
      const __m256 reach = _mm256_add_ps(sum, contactReach);
      const __m256 sees = _mm256_or_ps(_mm256_cmp_ps(ahead, behind, _CMP_GT_OQ),
                                       _mm256_cmp_ps(square, _mm256_mul_ps(sum, sum), _CMP_LT_OQ));
      const __m256 inView = _mm256_and_ps(sees, _mm256_cmp_ps(square, limit, _CMP_LE_OQ));
      const __m256 inContact = _mm256_cmp_ps(square, _mm256_mul_ps(reach, reach), _CMP_LT_OQ);
      // Neither the padding nor oneself.
      const uint32_t n = range.end - first;
      uint32_t others = n < kLanes ? (1U << n) - 1 : 255U;
      if (from.self - first < kLanes) others &= ~(1U << (from.self - first));
      const __m256i slots = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int32_t>(first)), lanes);
      keep(square, slots, static_cast<uint32_t>(_mm256_movemask_ps(inView)) & others, view);
      const uint32_t touching = static_cast<uint32_t>(_mm256_movemask_ps(inContact)) & others;
      if (touching != 0) keep(square, slots, touching, contacts);
    }
  }
}
[[gnu::target("avx2")]] bool rankAvx2(Candidates& candidates, std::array<uint8_t, Candidates::kCapacity>& order) {
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
