#pragma once

#include <string>
#include <vector>

#include <wend/environment.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/area.h"
#include "geometry/overlay.h"
#include "tests/generators/ecm/open_laws.h"
#include "tests/generators/ecm/open_oracle.h"
#include "tests/generators/random_worlds.h"

// Flat worlds cut into layers. Each function returns the first difference between the map of the cut world with its
// connections opened and that of the world itself, or empty.
namespace wend::ecm {

inline constexpr double kCutTolerance = 1e-3;  // lattice units: 1e-7 m

inline OpeningSettings randomOpening(Random& random) {
  constexpr OpeningMethod methods[]{OpeningMethod::kSafe, OpeningMethod::kSweep};
  constexpr OpeningOrder orders[]{OpeningOrder::kEasiestFirst, OpeningOrder::kGiven, OpeningOrder::kReversed};
  return {.method = methods[random.below(2)], .order = orders[random.below(3)]};
}

inline std::string cutDifference(const Environment& cut, const Environment& flat, const OpeningSettings& opening) {
  Opened expected;
  Opened found;
  if (const std::string fault = openInto(expected, flat); !fault.empty()) return "flat: " + fault;
  if (const std::string fault = openInto(found, cut, opening); !fault.empty()) return fault;
  return findDifference(found.map, expected.map, kCutTolerance);
}

inline std::string stripsDifference(uint64_t seed) {
  Random random(seed, 7);
  SquaresSettings cut;
  cut.columns = static_cast<int32_t>(random.between(2, 8));
  cut.rows = static_cast<int32_t>(random.between(1, 8));
  cut.density = random.real(0.3, 1.0);
  cut.pitch = 10000;
  cut.jitter = random.chance(0.5) ? 2400 : 0;
  cut.layers = static_cast<uint32_t>(random.between(2, std::min(4, cut.columns)));
  SquaresSettings flat = cut;
  flat.layers = 1;
  return cutDifference(squaresWorld(seed, cut), squaresWorld(seed, flat), randomOpening(random));
}

// Squares that belong to random layers, connections open with the given chance. With closed connections there is no
// flat world to compare with, so the clearance of bending points is compared with what one sees from there.
inline std::string gridFault(uint64_t seed, double connections) {
  Random random(seed, 11);
  const auto width = static_cast<int>(random.between(1, 6));
  const auto height = static_cast<int>(random.between(1, 6));
  const auto layers = static_cast<int>(random.between(2, 4));
  const double blocked = random.real(0, 0.4);
  std::vector<int> layer;
  for (int i = 0; i < width * height; ++i) {
    layer.push_back(random.chance(blocked) ? -1 : static_cast<int>(random.below(static_cast<uint64_t>(layers))));
  }
  const auto at = [&](int x, int y) {
    return x >= width || y >= height ? -1 : layer[static_cast<size_t>(y * width + x)];
  };
  EnvironmentDraft cut;
  EnvironmentDraft flat;
  for (int i = 0; i < layers; ++i) cut.layers.emplace_back().id = i;
  flat.layers.emplace_back();
  const auto connection = [&](int a, int b, Vec2 p, Vec2 q) {
    if (a >= 0 && b >= 0 && a != b && random.chance(connections)) cut.connections.push_back({a, b, {p, q}});
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (at(x, y) < 0) continue;
      const double x0 = x;
      const double y0 = y;
      const Loops square{{{x0, y0}, {x0 + 1, y0}, {x0 + 1, y0 + 1}, {x0, y0 + 1}}};
      cut.layers[static_cast<size_t>(at(x, y))].walkable.push_back(square);
      flat.layers.front().walkable.push_back(square);
      connection(at(x, y), at(x + 1, y), {x0 + 1, y0}, {x0 + 1, y0 + 1});
      connection(at(x, y), at(x, y + 1), {x0, y0 + 1}, {x0 + 1, y0 + 1});
    }
  }
  if (flat.layers.front().walkable.empty()) return "";
  random.shuffle(cut.connections);
  Context serial;
  serial.threads = 1;
  const Result<Environment> world = buildEnvironment(cut, serial);
  if (!world.ok()) return world.error().message;
  if (connections == 1.0) {
    const Result<Environment> whole = buildEnvironment(flat, serial);
    return whole.ok() ? cutDifference(*world, *whole, randomOpening(random)) : whole.error().message;
  }
  Opened opened;
  if (std::string fault = openInto(opened, *world, randomOpening(random)); !fault.empty()) return fault;
  const auto v = static_cast<int64_t>(opened.map.vertices.size());
  const auto e = static_cast<int64_t>(opened.map.edges.size());
  if (v - e != topology(*world).euler()) return fmt::format("V - E is {}", v - e);
  const SurfaceOracle oracle(*world);
  for (const auto& point : opened.map.bendingPoints) {
    if (oracle.isOnConnection(point.layer, point.p)) continue;
    const double distance = oracle.distance(point.layer, point.p);
    if (std::abs(distance - point.clearance) > 1e-3) {
      return fmt::format("the clearance at ({}, {}) of layer {} is {} instead of {}", point.p.x, point.p.y, point.layer,
                         point.clearance, distance);
    }
  }
  return "";
}

// A simple polygon cut along random diagonals, which run from vertex to vertex.
inline std::string diagonalsDifference(uint64_t seed) {
  Random random(seed, 13);
  // On a coarse lattice many points are collinear and many distances equal.
  const Ring ring = simplePolygon(random, 4 + random.below(20), random.chance(0.5) ? 100'000 : 24);
  std::vector<Ring> parts{ring};
  std::vector<std::pair<Point, Point>> cuts;
  for (uint64_t tries = random.below(40); tries > 0; --tries) {
    const size_t which = random.below(parts.size());
    const Ring part = parts[which];
    const size_t n = part.size();
    const size_t i = random.below(n);
    const size_t j = random.below(n);
    if (n < 4 || i == j || (i + 1) % n == j || (j + 1) % n == i) continue;
    // Inside at i, and touching nothing.
    const Point p = part[i];
    const Point q = part[j];
    bool free = true;
    for (size_t k = 0; k < n; ++k) {
      const Point a = part[k];
      const Point b = part[(k + 1) % n];
      const Meeting meeting = meet(p, q, a, b);
      if (meeting == Meeting::kCross || meeting == Meeting::kOverlap) free = false;
      if (meeting == Meeting::kTouch && a != p && a != q && b != p && b != q) free = false;
      if (a != p && a != q && onSegment(p, q, a)) free = false;
    }
    const Point middle{(p.x + q.x) / 2, (p.y + q.y) / 2};
    Polygon polygon;
    polygon.outer = part;
    if (!free || locate(polygon, middle) != Side::kInside) continue;
    Ring one;
    Ring two;
    for (size_t k = i; k != j; k = (k + 1) % n) one.push_back(part[k]);
    one.push_back(q);
    for (size_t k = j; k != i; k = (k + 1) % n) two.push_back(part[k]);
    two.push_back(p);
    if (doubledArea(one) <= 0 || doubledArea(two) <= 0) continue;
    parts[which] = one;
    parts.push_back(two);
    cuts.emplace_back(p, q);
  }
  Environment cut;
  for (const Ring& part : parts) {
    Layer& layer = cut.layers.emplace_back();
    layer.id = static_cast<int32_t>(cut.layers.size());
    layer.free.push_back({part, {}});
  }
  // The two parts on both sides of each cut.
  for (const auto& [p, q] : cuts) {
    Connection connection;
    bool reversed = false;
    uint32_t sides = 0;
    for (uint32_t l = 0; l < parts.size(); ++l) {
      const Ring& part = parts[l];
      for (size_t k = 0; k < part.size(); ++k) {
        const Point a = part[k];
        const Point b = part[(k + 1) % part.size()];
        if (!((a == p && b == q) || (a == q && b == p))) continue;
        if (sides == 0) reversed = a == q;
        (sides++ == 0 ? connection.layerA : connection.layerB) = l;
      }
    }
    connection.line = reversed ? std::vector<Point>{q, p} : std::vector<Point>{p, q};
    cut.connections.push_back(connection);
  }
  return cutDifference(cut, oneLayer({{ring, {}}}), randomOpening(random));
}

}  // namespace wend::ecm
