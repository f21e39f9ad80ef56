#include <gtest/gtest.h>

#include "tests/generators/ecm/laws.h"
#include "tests/generators/random_worlds.h"

// The laws of the medial axis on 20,000 random worlds.
namespace wend::ecm {
namespace {

TEST(EcmSlow, LawsOnRandomSquares) {
  for (uint64_t seed = 10000; seed < 20000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(1, 9));
    settings.rows = static_cast<int32_t>(random.between(1, 9));
    settings.density = random.real(0.3, 1.0);
    settings.pitch = random.chance(0.5) ? 100 : 100000;
    settings.jitter = random.chance(0.5) ? settings.pitch / 5 : 0;
    expectLaws(SquaresWorld(random, settings).environment(), seed);
  }
}

TEST(EcmSlow, LawsOnRandomPolygons) {
  for (uint64_t seed = 10000; seed < 20000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const auto n = static_cast<size_t>(random.between(3, 24));
    const int32_t extents[]{8, 12, 1000, 100000, 10000000};
    expectLaws(oneLayer({{simplePolygon(random, n, extents[seed % 5]), {}}}), seed);
  }
}

}  // namespace
}  // namespace wend::ecm
