#include <cmath>

#include <wend/make.h>

#include <gtest/gtest.h>

#include "generators/pasfv/pasfv.h"
#include "generators/wavefront/wavefront.h"
#include "tests/generators/growth_laws.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

// 20,000 random worlds: turned bodies, sets of squares with ties and touching corners on several layers, and simple
// polygons whose walls nearly touch.
namespace wend {
namespace {

Environment randomWorld(uint64_t seed) {
  Random random(seed);
  switch (seed % 3) {
    case 0: {
      const auto bodies = static_cast<double>(random.between(1, 14));
      auto world = makeEnvironment({"bodies",
                                    {{"bodies", bodies},
                                     {"triangles", static_cast<double>(random.between(0, 4))},
                                     {"aligned", static_cast<double>(random.between(0, 6))},
                                     {"turn", static_cast<double>(random.between(0, 360))}},
                                    seed,
                                    {}});
      return world.ok() ? *world : Environment();
    }
    case 1:
      return anyWorld(seed);
    default: {
      const auto extent = static_cast<int32_t>(random.chance(0.5) ? random.between(12, 200) : 10000000);
      return oneLayer({{simplePolygon(random, static_cast<size_t>(random.between(3, 24)), extent), {}}});
    }
  }
}

TEST(GrowthSlow, TwentyThousandWorldsObeyAllLaws) {
  uint64_t seen = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    const Environment environment = randomWorld(seed);
    if (vertexCount(environment) == 0) continue;
    ++seen;
    pasfv::Settings settings;
    settings.seed = seed;
    settings.order = seed % 2 == 0 ? pasfv::Order::kShortest : pasfv::Order::kShuffled;
    wavefront::Settings events;
    events.seed = seed;
    const auto mesh = seed % 4 == 3 ? wavefront::generate(environment, events) : pasfv::generate(environment, settings);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message << " seed " << seed;
    expectPortalLaw(*mesh, environment);
    expectTruth(*mesh, environment);
    expectGrown(*mesh);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(seen, 19000U);
}

}  // namespace
}  // namespace wend
