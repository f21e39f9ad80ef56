#include <wend/environment.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "generators/ecm_open_laws.h"
#include "generators/random_worlds.h"

// Cutting a flat world into layers and opening the connections must give back its medial axis.
namespace wend::ecm {
namespace {

constexpr double kTolerance = 1;  // lattice units: 1e-4 m

std::string cutDifference(uint64_t seed, const SquaresSettings& cut, const OpeningSettings& opening) {
  SquaresSettings flat = cut;
  flat.layers = 1;
  Opened expected;
  Opened found;
  if (const std::string fault = openInto(expected, squaresWorld(seed, flat), opening); !fault.empty()) return fault;
  if (const std::string fault = openInto(found, squaresWorld(seed, cut), opening); !fault.empty()) return fault;
  return findDifference(found.map, expected.map, kTolerance);
}

TEST(EcmOpenCutTest, SquaresInStrips) {
  int failures = 0;
  for (uint64_t seed = 0; seed < 600 && failures < 5; ++seed) {
    Random random(seed, 7);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(2, 8));
    settings.rows = static_cast<int32_t>(random.between(1, 8));
    settings.density = random.real(0.3, 1.0);
    settings.pitch = 10000;
    settings.jitter = random.chance(0.5) ? 2400 : 0;
    settings.layers = static_cast<uint32_t>(random.between(2, std::min(4, settings.columns)));
    const OpeningMethod method = seed % 2 == 0 ? OpeningMethod::kSweep : OpeningMethod::kSafe;
    const std::string difference = cutDifference(seed, settings, {.method = method});
    EXPECT_EQ(difference, "") << "seed " << seed << " columns " << settings.columns << " rows " << settings.rows
                              << " jitter " << settings.jitter << " layers " << settings.layers;
    failures += difference.empty() ? 0 : 1;
  }
}

}  // namespace
}  // namespace wend::ecm
