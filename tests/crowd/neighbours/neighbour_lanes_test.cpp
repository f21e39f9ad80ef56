#include "crowd/neighbours/neighbour_lanes.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Agents around the origin, some on one place, one of them who looks.
struct Around {
  std::vector<int32_t> x;
  std::vector<int32_t> y;
  std::vector<float> radius;
  Lookout from;

  Around(Random& random, uint32_t n) : x(n + kScanPadding), y(n + kScanPadding), radius(n + kScanPadding) {
    for (uint32_t k = 0; k < n; ++k) {
      x[k] = static_cast<int32_t>(random.between(-50'000, 50'000));
      y[k] = static_cast<int32_t>(random.between(-50'000, 50'000));
      if (k > 0 && random.chance(0.1)) x[k] = x[k - 1], y[k] = y[k - 1];
      radius[k] = static_cast<float>(random.real(0.1, 0.5));
    }
    from.self = static_cast<uint32_t>(random.below(n));
    from.x = x[from.self];
    from.y = y[from.self];
    from.unit = 1e-4F;
    from.facing = random.chance(0.2) ? Vec2f{} : Vec2f{0.6F, -0.8F};
    from.behind = -0.25F;
    from.radius = radius[from.self];
    from.contactReach = 0.5F;
    from.limit = static_cast<float>(random.real(0, 40));
  }
};

// One after the other, by the definition.
TEST(NeighbourLanes, KeepThoseWhoCount) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<uint32_t>(1 + random.below(Candidates::kCapacity));
    const Around a(random, n);
    std::vector<uint32_t> inView;
    std::vector<uint32_t> inContact;
    for (uint32_t k = 0; k < n; ++k) {
      if (k == a.from.self) continue;
      const Vec2f w{static_cast<float>(a.x[k] - a.from.x) * 1e-4F, static_cast<float>(a.y[k] - a.from.y) * 1e-4F};
      const float sum = a.from.radius + a.radius[k];
      const bool sees = dot(w, a.from.facing) > a.from.behind || dot(w, w) < sum * sum;
      if (sees && dot(w, w) <= a.from.limit) inView.push_back(k);
      if (dot(w, w) < (sum + 0.5F) * (sum + 0.5F)) inContact.push_back(k);
    }
    for (const VectorWidth width : {VectorWidth::kBaseline, VectorWidth::kAvx2}) {
      if (!available(width)) continue;
      Candidates view;
      Candidates contacts;
      const auto middle = static_cast<uint32_t>(random.below(n));
      const std::array<SlotRange, 2> ranges{{{0, middle}, {middle, n}}};
      neighbourLanes(width).look(a.from, {a.x.data(), a.y.data(), a.radius.data()}, ranges, view, contacts);
      ASSERT_EQ(std::vector<uint32_t>(view.slots.begin(), view.slots.begin() + view.count), inView);
      ASSERT_EQ(std::vector<uint32_t>(contacts.slots.begin(), contacts.slots.begin() + contacts.count), inContact);
    }
  }
}

TEST(NeighbourLanes, RankByDistanceOrTellThatTwoAreEqual) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    Candidates candidates;
    candidates.count = static_cast<uint32_t>(random.below(Candidates::kCapacity + 1));
    const bool coarse = random.chance(0.3);
    for (uint32_t k = 0; k < candidates.count; ++k) {
      const double square = random.real(0, 100);
      candidates.squares[k] = static_cast<float>(coarse ? std::floor(square) : square);
    }
    std::vector<float> sorted(candidates.squares.begin(), candidates.squares.begin() + candidates.count);
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    for (const VectorWidth width : {VectorWidth::kBaseline, VectorWidth::kAvx2}) {
      if (!available(width)) continue;
      std::array<uint8_t, Candidates::kCapacity> order{};
      ASSERT_EQ(neighbourLanes(width).rank(candidates, order), distinct);
      for (uint32_t k = 0; distinct && k < candidates.count; ++k) {
        ASSERT_EQ(candidates.squares[order[k]], sorted[k]);
      }
    }
  }
}

}  // namespace
}  // namespace wend
