#pragma once

#include <utility>
#include <vector>

#include <wend/environment.h>

// Small environments written down point by point, in lattice units.
namespace wend {

inline Ring box(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}
inline Ring hole(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {{x0, y0}, {x0, y1}, {x1, y1}, {x1, y0}};
}

inline Layer layerOf(int32_t id, std::vector<Polygon> free) {
  Layer layer;
  layer.id = id;
  layer.free = std::move(free);
  return layer;
}

inline Environment environmentOf(std::vector<Layer> layers, std::vector<Connection> connections = {}) {
  Environment environment;
  environment.layers = std::move(layers);
  environment.connections = std::move(connections);
  return environment;
}

// The second layer is entered across the line, which the first one's boundary walks with its interior on the left.
inline Environment twoLayers(Ring first, Ring second, std::vector<Point> line) {
  return environmentOf({layerOf(0, {{std::move(first), {}}}), layerOf(1, {{std::move(second), {}}})},
                       {{0, 1, std::move(line)}});
}

// Two rooms of 10 x 10 with a door of 2 between them.
inline Environment twoRooms() {
  return environmentOf({layerOf(0, {{{{0, 0}, {10, 0}, {10, 4}, {10, 6}, {10, 10}, {0, 10}}, {}}}),
                        layerOf(1, {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 6}, {10, 4}}, {}}})},
                       {{0, 1, {{10, 4}, {10, 6}}}});
}

// A square around the origin cut into its quadrants, joined along the axes. Joining all four leaves one square.
inline Environment quadrants(bool joinLast) {
  Environment environment = environmentOf(
      {layerOf(0, {{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {}}}), layerOf(1, {{{{-9, 0}, {0, 0}, {0, 9}, {-9, 9}}, {}}}),
       layerOf(2, {{{{-9, -9}, {0, -9}, {0, 0}, {-9, 0}}, {}}}),
       layerOf(3, {{{{0, -9}, {9, -9}, {9, 0}, {0, 0}}, {}}})},
      {{0, 1, {{0, 9}, {0, 0}}}, {1, 2, {{-9, 0}, {0, 0}}}, {2, 3, {{0, -9}, {0, 0}}}});
  if (joinLast) environment.connections.push_back({0, 3, {{0, 0}, {9, 0}}});
  return environment;
}

// Quadrants winding up around the origin, each joined to the next.
inline Environment spiral(uint32_t turns) {
  const std::vector<Polygon> shapes{{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {}},
                                    {{{-9, 0}, {0, 0}, {0, 9}, {-9, 9}}, {}},
                                    {{{-9, -9}, {0, -9}, {0, 0}, {-9, 0}}, {}},
                                    {{{0, -9}, {9, -9}, {9, 0}, {0, 0}}, {}}};
  const std::vector<Point> tips{{0, 9}, {-9, 0}, {0, -9}, {9, 0}};
  Environment environment;
  for (uint32_t i = 0; i < 4 * turns; ++i) {
    environment.layers.push_back(layerOf(static_cast<int32_t>(i), {shapes[i % 4]}));
    if (i > 0) environment.connections.push_back({i - 1, i, {tips[(i - 1) % 4], {0, 0}}});
  }
  return environment;
}

// A hall with a door in each wall, a bridge from its west door around the north to its east door, and a tunnel from the
// south door around the east to the north door, which crosses under the bridge: a torus with one hole.
inline Environment bridgeAndTunnel() {
  const Ring hall{{0, 0},   {4, 0},  {6, 0},  {10, 0}, {10, 4}, {10, 6},
                  {10, 10}, {6, 10}, {4, 10}, {0, 10}, {0, 6},  {0, 4}};
  const Ring bridge{{0, 6},  {-2, 6}, {-2, 16}, {14, 16}, {14, 6}, {10, 6},
                    {10, 4}, {16, 4}, {16, 18}, {-4, 18}, {-4, 4}, {0, 4}};
  const Ring tunnel{{6, 0},  {6, -2}, {20, -2}, {20, 12}, {6, 12}, {6, 10},
                    {4, 10}, {4, 14}, {22, 14}, {22, -4}, {4, -4}, {4, 0}};
  const auto reversed = [](Ring ring) { return Ring(ring.rbegin(), ring.rend()); };
  return environmentOf(
      {layerOf(0, {{hall, {}}}), layerOf(1, {{bridge, {}}}), layerOf(2, {{reversed(tunnel), {}}})},
      {{0, 1, {{0, 6}, {0, 4}}}, {0, 1, {{10, 4}, {10, 6}}}, {0, 2, {{4, 0}, {6, 0}}}, {0, 2, {{6, 10}, {4, 10}}}});
}

// A floor whose hole is filled by another layer, joined all around.
inline Environment platform() {
  return environmentOf(
      {layerOf(0, {{box(0, 0, 30, 30), {hole(10, 10, 20, 20)}}}), layerOf(1, {{box(10, 10, 20, 20), {}}})},
      {{0, 1, {{10, 10}, {10, 20}, {20, 20}, {20, 10}, {10, 10}}}});
}

}  // namespace wend
