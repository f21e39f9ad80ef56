#include <cmath>

#include <wend/make.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/generators/laws.h"

// Every exact generator on every family of made worlds, against the truth that each world was built from.
namespace wend {
namespace {

void bakeAndCompare(const MakeSettings& settings) {
  std::string title = settings.kind;
  for (const auto& [name, value] : settings.parameters) title += fmt::format(" {}={:g}", name, value);
  SCOPED_TRACE(title + fmt::format(" seed={}", settings.seed));
  const auto world = makeEnvironment(settings);
  ASSERT_TRUE(world.ok()) << world.error().message;
  ASSERT_TRUE(world->truth.has_value());
  for (const GeneratorInfo& generator : exactGenerators()) {
    SCOPED_TRACE(generator.name);
    const NavMesh mesh = bake(*world, generator.name);
    expectSame(mesh, *world->truth);
    expectConvex(mesh);
    expectPortalLaw(mesh, *world);
    expectTruth(mesh, *world);
  }
}

class MadeWorlds : public testing::TestWithParam<EnvironmentKind> {};

TEST_P(MadeWorlds, BakeIntoTheirTruth) {
  for (uint64_t seed = 1; seed <= 3; ++seed) bakeAndCompare({GetParam().name, {}, seed, {}});
}

TEST_P(MadeWorlds, BakeIntoTheirTruthAtOtherSizes) {
  for (const MakeParameter& parameter : GetParam().parameters) {
    // Twice the default is as far as this test goes; the largest worlds have tests of their own below.
    for (const double value : {parameter.min, std::clamp(2 * parameter.defaultValue, parameter.min, parameter.max)}) {
      if (value == parameter.defaultValue) continue;
      const MakeSettings settings{GetParam().name, {{parameter.name, value}}, 1, {}};
      // Not every value goes with the defaults of the others.
      const auto world = makeEnvironment(settings);
      if (!world.ok() && world.error().code == ErrorCode::kInvalidSettings) continue;
      bakeAndCompare(settings);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, MadeWorlds, testing::ValuesIn(environmentKinds()), [](const auto& world) {
  std::string name = world.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(LargeWorlds, BakeIntoTheirTruth) {
  for (const double size : {8, 16, 32, 64, 128}) bakeAndCompare({"maze", {{"size", size}}, 1, {}});
  for (const double tiles : {2, 4, 8}) bakeAndCompare({"zelda", {{"tiles", tiles}}, 1, {}});
  bakeAndCompare({"random", {{"vertices", 100000}}, 1, {}});
}

}  // namespace
}  // namespace wend
