#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "extract/hand_made.h"

namespace wend {
namespace {

using testing::Expected;

// Areas of the connected parts of the surface, largest first, from the polygons and connections alone.
std::vector<double> areasOf(const Environment& environment) {
  std::vector<double> areas;
  // Every polygon is a node; connections join the polygons whose boundary they lie on.
  struct Node {
    uint32_t layer;
    const Polygon* polygon;
    uint32_t root;
  };
  std::vector<Node> nodes;
  for (uint32_t l = 0; l < environment.layers.size(); ++l) {
    for (const Polygon& p : environment.layers[l].free) nodes.push_back({l, &p, static_cast<uint32_t>(nodes.size())});
  }
  const std::function<uint32_t(uint32_t)> find = [&](uint32_t i) {
    return nodes[i].root == i ? i : nodes[i].root = find(nodes[i].root);
  };
  for (const Connection& c : environment.connections) {
    uint32_t a = kNone;
    uint32_t b = kNone;
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      const auto has = [&](const Ring& ring, Point u, Point v) {
        for (size_t k = 0; k < ring.size(); ++k) {
          if (ring[k] == u && ring[(k + 1) % ring.size()] == v) return true;
        }
        return false;
      };
      const auto any = [&](Point u, Point v) {
        return has(nodes[i].polygon->outer, u, v) ||
               std::any_of(nodes[i].polygon->holes.begin(), nodes[i].polygon->holes.end(),
                           [&](const Ring& hole) { return has(hole, u, v); });
      };
      if (nodes[i].layer == c.layerA && any(c.line[0], c.line[1])) a = i;
      if (nodes[i].layer == c.layerB && any(c.line[1], c.line[0])) b = i;
    }
    if (a != kNone && b != kNone) nodes[find(a)].root = find(b);
  }
  std::vector<double> sum(nodes.size(), 0);
  for (uint32_t i = 0; i < nodes.size(); ++i) sum[find(i)] += environment.lattice.area(doubledArea(*nodes[i].polygon));
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (find(i) == i) areas.push_back(sum[i]);
  }
  std::sort(areas.rbegin(), areas.rend());
  return areas;
}

size_t holesOf(const Environment& environment) {
  size_t holes = 0;
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) holes += polygon.holes.size();
  }
  return holes;
}

ExtractSettings keepAll() {
  ExtractSettings settings;
  settings.minArea = 0.0001;
  return settings;
}

class SmallScenes : public ::testing::TestWithParam<size_t> {};

TEST_P(SmallScenes, AreHandComputed) {
  const Expected expected = testing::smallScenes()[GetParam()];
  for (const double angle : {0.0, 17.0, 33.3, 61.7, 90.0, 123.4}) {
    const std::string where = fmt::format("{} at {} degrees", expected.name, angle);
    const Result<Extraction> result = extract(testing::rotated(expected.scene, angle), keepAll());
    ASSERT_TRUE(result.ok()) << where << ": " << result.error().message;
    const Environment& environment = result->environment;
    for (const Violation& v : validate(environment)) ADD_FAILURE() << where << ": " << v.message;
    for (const ExtractSpot& spot : result->report.spots) ADD_FAILURE() << where << ": " << spot.reason;
    const std::vector<double> areas = areasOf(environment);
    std::string text;
    for (const double area : areas) text += fmt::format("{:.4f} ", area);
    EXPECT_EQ(areas.size(), expected.areas.size()) << where << ": " << text;
    for (size_t i = 0; i < std::min(areas.size(), expected.areas.size()); ++i) {
      EXPECT_NEAR(areas[i], expected.areas[i], expected.tolerance) << where << ": " << text;
    }
    EXPECT_EQ(result->report.components, expected.areas.size()) << where;
    EXPECT_GE(environment.layers.size(), expected.leastLayers) << where;
    EXPECT_LE(environment.layers.size(), expected.mostLayers) << where;
    EXPECT_EQ(environment.connections.size(), expected.connections) << where;
    EXPECT_EQ(holesOf(environment), expected.holes) << where;
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, SmallScenes, ::testing::Range<size_t>(0, 32), [](const auto& scene) {
  std::string name = testing::smallScenes()[scene.param].name;
  std::replace(name.begin(), name.end(), ' ', '_');
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace wend
