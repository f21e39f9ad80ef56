#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <wend/extract.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wend::testing {

// Areas of the components, largest first, from the polygons and connections alone.
inline std::vector<double> areasOf(const Environment& environment) {
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
  for (uint32_t i = 0; i < nodes.size(); ++i)
    sum[find(i)] += polygonArea(std::span(nodes[i].polygon, 1), environment.lattice);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (find(i) == i) areas.push_back(sum[i]);
  }
  std::sort(areas.rbegin(), areas.rend());
  return areas;
}

// A valid environment with these areas and nothing in the report; `tolerance` in square metres.
inline void checkAreas(const Extraction& extraction, const std::vector<double>& expected, double tolerance,
                       const std::string& where) {
  for (const Violation& v : validate(extraction.environment)) ADD_FAILURE() << where << ": " << v.message;
  for (const ExtractSpot& spot : extraction.report.spots) ADD_FAILURE() << where << ": " << spot.reason;
  const std::vector<double> areas = areasOf(extraction.environment);
  std::string text;
  for (const double area : areas) text += fmt::format("{:.4f} ", area);
  EXPECT_EQ(extraction.report.components, areas.size()) << where;
  ASSERT_EQ(areas.size(), expected.size()) << where << ": " << text;
  for (size_t i = 0; i < areas.size(); ++i) EXPECT_NEAR(areas[i], expected[i], tolerance) << where << ": " << text;
}

}  // namespace wend::testing
