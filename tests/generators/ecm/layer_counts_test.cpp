#include <wend/environment.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "tests/generators/ecm/open_laws.h"

// The derived counts of the multi-layered specification.
namespace wend::ecm {
namespace {

struct LayeredWorld {
  const char* name;
  std::vector<std::pair<std::string, double>> parameters;
};

TEST(EcmLayerCounts, FollowFromLayersHolesAndConnections) {
  const std::vector<LayeredWorld> kinds{{"ramps", {}},
                                        {"ramps", {{"obstacles", 56}}},
                                        {"library", {}},
                                        {"station", {}},
                                        {"spiral", {{"turns", 3}}},
                                        {"sliced-ramp", {{"slices", 10}, {"obstacles", 20}}},
                                        {"two-floor-ramp", {}},
                                        {"overlap-side", {}}};
  for (const LayeredWorld& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const Result<Environment> world = makeEnvironment({kind.name, kind.parameters, 1, {}});
    ASSERT_TRUE(world.ok()) << world.error().message;
    Opened opened;
    ASSERT_EQ(openInto(opened, *world), "");
    // V - E = sum over layers of components - holes, minus the connections.
    int64_t expected = -static_cast<int64_t>(world->connections.size());
    for (const Layer& layer : world->layers) {
      for (const Polygon& polygon : layer.free) expected += 1 - static_cast<int64_t>(polygon.holes.size());
    }
    const MapCounts counts = countsOf(opened.map);
    EXPECT_EQ(static_cast<int64_t>(counts.vertices) - static_cast<int64_t>(counts.edges), expected);
    // Every connection is crossed: both of its sides are in one component.
    EXPECT_EQ(componentsOf(opened.map), static_cast<int64_t>(topology(*world).components));
    // Linear size.
    EXPECT_LE(counts.vertices, vertexCount(*world));
    EXPECT_LE(counts.bendingPoints, 3 * vertexCount(*world));
  }
}

}  // namespace
}  // namespace wend::ecm
