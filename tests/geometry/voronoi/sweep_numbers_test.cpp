#include "geometry/voronoi/sweep_numbers.h"

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/voronoi/voronoi_sweep.h"
#include "tests/geometry/random_worlds.h"

// The numbers of the sweep against those that Boost brings along, and the sweep with them against Boost's own.
namespace wend {
namespace {

namespace bp = boost::polygon;
using BoostInt = bp::detail::extended_int<64>;
using BoostScaled = bp::detail::extended_exponent_fpt<double>;

int64_t randomInt(Random& random) {
  return static_cast<int64_t>(random.next()) >> (1 + random.below(63));
}

TEST(WideInt, SmallNumbers) {
  EXPECT_TRUE(is_zero(WideInt(0)));
  EXPECT_TRUE(is_neg(WideInt(-1)));
  EXPECT_TRUE(is_pos(WideInt(int64_t{1} << 40)));
  EXPECT_EQ((WideInt(-7) * WideInt(6)).scaled().first, -42);
  EXPECT_EQ((WideInt(-7) + WideInt(7)).scaled().first, 0);
  EXPECT_EQ((WideInt(5) - WideInt(7)).scaled().first, -2);
  EXPECT_EQ(WideInt(INT64_MIN).scaled().first, -0x1p63);
}

// Random sums and products of up to some 1,500 bits.
TEST(WideInt, LikeBoostsOwn) {
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    const int64_t first = randomInt(random);
    WideInt wide(first);
    BoostInt boost(first);
    WideInt other(1);
    BoostInt otherBoost(1);
    for (uint64_t step = random.below(24); step > 0; --step) {
      const int64_t value = randomInt(random);
      switch (random.below(5)) {
        case 0:
          wide = wide + WideInt(value);
          boost = boost + BoostInt(value);
          break;
        case 1:
          wide = wide - other;
          boost = boost - otherBoost;
          break;
        case 2:
          other = other * WideInt(value);
          otherBoost = otherBoost * BoostInt(value);
          break;
        default:
          wide = wide * WideInt(value);
          boost = boost * BoostInt(value);
      }
      ASSERT_EQ(wide.scaled(), boost.p()) << round;
      ASSERT_EQ(other.scaled(), otherBoost.p()) << round;
      ASSERT_EQ(is_neg(wide), is_neg(boost));
      ASSERT_EQ(is_zero(-wide), is_zero(boost));
    }
  }
}

// Boost keeps the zeros before a small difference of large numbers and takes the number for 0.
TEST(WideInt, DifferenceWithVanishingChunks) {
  const WideInt chunk(int64_t{1} << 32);
  WideInt power(1);
  for (int i = 0; i < 6; ++i) power = power * chunk;
  const WideInt below = power - WideInt(1);
  EXPECT_EQ((power - below).scaled(), (std::pair<double, int>{1, 0}));
  EXPECT_EQ((below - power).scaled(), (std::pair<double, int>{-1, 0}));
}

TEST(ScaledDouble, LikeBoostsOwn) {
  Random random(2);
  for (int round = 0; round < 20'000; ++round) {
    double value = random.real(-4, 4);
    ScaledDouble a(value, 3);
    BoostScaled b(value, 3);
    for (uint64_t step = 1 + random.below(30); step > 0; --step) {
      value = std::ldexp(random.real(-1, 1), static_cast<int>(random.between(-80, 80)));
      const auto exponent = static_cast<int>(random.between(-300, 300));
      const ScaledDouble c(value, exponent);
      const BoostScaled d(value, exponent);
      switch (random.below(5)) {
        case 0:
          a = a + c;
          b = b + d;
          break;
        case 1:
          a = a - c;
          b = b - d;
          break;
        case 2:
          a = a * c;
          b = b * d;
          break;
        case 3:
          a = a / c;
          b = b / d;
          break;
        default:
          if (is_neg(a)) continue;
          a = get_sqrt(a);
          b = bp::detail::get_sqrt(b);
      }
      ASSERT_EQ(a.value(), b.d()) << round;
      ASSERT_EQ(is_pos(a), b.is_pos());
    }
  }
  EXPECT_TRUE(is_zero(ScaledDouble(0.0, 17)));
}

// The sweep with Boost's numbers.
std::vector<std::pair<double, double>> verticesByBoost(const std::vector<VoronoiSite>& sites) {
  bp::default_voronoi_builder builder;
  std::vector<uint8_t> isEnd(sites.size(), 0);
  for (const VoronoiSite& site : sites) {
    if (site.kind != VoronoiSite::Kind::kSegment) continue;
    builder.insert_segment(site.a.x, site.a.y, site.b.x, site.b.y);
    isEnd[site.siteA] = 1;
    isEnd[site.siteB] = 1;
  }
  for (size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].kind == VoronoiSite::Kind::kPoint && isEnd[i] == 0) builder.insert_point(sites[i].a.x, sites[i].a.y);
  }
  bp::voronoi_diagram<double> diagram;
  builder.construct(&diagram);
  std::vector<std::pair<double, double>> vertices;
  for (const auto& vertex : diagram.vertices()) vertices.emplace_back(vertex.x(), vertex.y());
  return vertices;
}

// Both lists hold the same vertices, up to the error that Boost states for its own.
bool sameVertices(const std::vector<Vec2>& ours, const std::vector<std::pair<double, double>>& boosts) {
  if (ours.size() != boosts.size()) return false;
  return std::all_of(ours.begin(), ours.end(), [&](Vec2 v) {
    const double error = 2 * kVoronoiError * std::max({1.0, std::abs(v.x), std::abs(v.y)});
    return std::any_of(boosts.begin(), boosts.end(), [&](const auto& other) {
      return std::abs(other.first - v.x) <= error && std::abs(other.second - v.y) <= error;
    });
  });
}

TEST(SweepVoronoi, SameVerticesAsWithBoostsNumbers) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, 22);
    const int64_t extent = int64_t{1} << random.between(2, 30);
    const SiteWorld world = randomSites(random, extent, random.below(30) + 1);
    const VoronoiSweep compared = [&](const std::vector<VoronoiSite>& sites) {
      VoronoiDiagram diagram = sweepVoronoi(sites);
      EXPECT_TRUE(sameVertices(diagram.vertices, verticesByBoost(sites))) << "seed " << seed;
      return diagram;
    };
    ASSERT_TRUE(voronoiBy(compared, world.segments, world.points, {}).ok()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wend
