#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <wend/environment.h>

#include "base/random.h"
#include "geometry/area.h"
#include "geometry/predicates.h"

// Random valid environments made without the library's own polygon operations: the boundaries of random sets of
// squares. Full of ties, collinear vertices and places where free space touches itself in a point.
namespace wend {

struct SquaresSettings {
  int32_t columns = 8;
  int32_t rows = 8;
  double density = 0.6;  // chance of a square to be free
  int32_t pitch = 100;   // lattice units per square
  int32_t jitter = 0;    // each corner moves by at most this; below pitch / 4
  uint32_t layers = 1;   // vertical strips, joined wherever free squares meet
};

class SquaresWorld {
 public:
  SquaresWorld(Random& random, const SquaresSettings& settings) : settings_(settings) {
    for (int32_t i = 0; i < settings.columns * settings.rows; ++i) free_.push_back(random.chance(settings.density));
    const auto shift = [&] { return static_cast<int32_t>(random.between(-settings.jitter, settings.jitter)); };
    for (int32_t y = 0; y <= settings.rows; ++y) {
      for (int32_t x = 0; x <= settings.columns; ++x) {
        const int32_t dx = shift();
        const int32_t dy = shift();
        corners_.push_back({x * settings.pitch + dx, y * settings.pitch + dy});
      }
    }
  }

  Environment environment() const {
    Environment environment;
    for (uint32_t l = 0; l < settings_.layers; ++l) {
      Layer layer;
      layer.id = static_cast<int32_t>(l);
      layer.free = polygons(l);
      environment.layers.push_back(std::move(layer));
    }
    for (uint32_t l = 0; l + 1 < settings_.layers; ++l) connect(environment, l);
    return environment;
  }

 private:
  struct Step {
    int32_t x, y;       // corner where it starts
    int direction = 0;  // 0 right, 1 up, 2 left, 3 down
    auto operator<=>(const Step&) const = default;
  };

  int32_t firstColumn(uint32_t layer) const {
    return static_cast<int32_t>(layer * static_cast<uint32_t>(settings_.columns) / settings_.layers);
  }
  bool isFree(int32_t x, int32_t y, uint32_t layer) const {
    return y >= 0 && y < settings_.rows && x >= firstColumn(layer) && x < firstColumn(layer + 1) &&
           free_[static_cast<size_t>(y * settings_.columns + x)];
  }
  Point corner(int32_t x, int32_t y) const { return corners_[static_cast<size_t>(y * (settings_.columns + 1) + x)]; }

  // Squares joined by sides get one number per component.
  std::vector<int> components(uint32_t layer) const {
    std::vector<int> number(free_.size(), -1);
    int count = 0;
    for (int32_t start = 0; start < settings_.columns * settings_.rows; ++start) {
      std::vector<int32_t> stack{start};
      bool used = false;
      while (!stack.empty()) {
        const int32_t i = stack.back();
        stack.pop_back();
        const int32_t x = i % settings_.columns;
        const int32_t y = i / settings_.columns;
        if (!isFree(x, y, layer) || number[static_cast<size_t>(i)] >= 0) continue;
        number[static_cast<size_t>(i)] = count;
        used = true;
        if (x > 0) stack.push_back(i - 1);
        if (x + 1 < settings_.columns) stack.push_back(i + 1);
        if (y > 0) stack.push_back(i - settings_.columns);
        if (y + 1 < settings_.rows) stack.push_back(i + settings_.columns);
      }
      if (used) ++count;
    }
    return number;
  }

  std::vector<Polygon> polygons(uint32_t layer) const {
    const std::vector<int> component = components(layer);
    // Directed boundary edges with the free square on their left, and that square.
    std::map<Step, int> edges;
    for (int32_t y = 0; y < settings_.rows; ++y) {
      for (int32_t x = firstColumn(layer); x < firstColumn(layer + 1); ++x) {
        if (!isFree(x, y, layer)) continue;
        const int owner = component[static_cast<size_t>(y * settings_.columns + x)];
        if (!isFree(x, y - 1, layer)) edges[{x, y, 0}] = owner;
        if (!isFree(x + 1, y, layer)) edges[{x + 1, y, 1}] = owner;
        if (!isFree(x, y + 1, layer)) edges[{x + 1, y + 1, 2}] = owner;
        if (!isFree(x - 1, y, layer)) edges[{x, y + 1, 3}] = owner;
      }
    }
    const int count = 1 + *std::max_element(component.begin(), component.end());
    std::vector<Polygon> out(static_cast<size_t>(std::max(0, count)));
    while (!edges.empty()) {
      const int owner = edges.begin()->second;
      Ring ring;
      for (Step step = edges.begin()->first; edges.erase(step) > 0;) {
        ring.push_back(corner(step.x, step.y));
        step = next(edges, step);
      }
      Polygon& polygon = out[static_cast<size_t>(owner)];
      if (doubledArea(ring) > 0) {
        polygon.outer = ring;
      } else {
        polygon.holes.push_back(ring);
      }
    }
    return out;
  }

  // Where squares meet only in a corner, the walk turns left: it stays with its own square.
  static Step next(const std::map<Step, int>& edges, Step step) {
    const int dx[]{1, 0, -1, 0};
    const int dy[]{0, 1, 0, -1};
    step.x += dx[step.direction];
    step.y += dy[step.direction];
    for (const int turn : {1, 0, 3}) {
      const Step candidate{step.x, step.y, (step.direction + turn) % 4};
      if (edges.contains(candidate)) return candidate;
    }
    return {-1, -1, 0};
  }

  void connect(Environment& environment, uint32_t layer) const {
    const int32_t x = firstColumn(layer + 1);
    std::vector<Point> line;
    for (int32_t y = 0; y <= settings_.rows; ++y) {
      if (isFree(x - 1, y, layer) && isFree(x, y, layer + 1)) {
        if (line.empty()) line.push_back(corner(x, y));
        line.push_back(corner(x, y + 1));
      } else if (!line.empty()) {
        environment.connections.push_back({layer, layer + 1, std::exchange(line, {})});
      }
    }
  }

  SquaresSettings settings_;
  std::vector<bool> free_;
  std::vector<Point> corners_;
};

inline Environment squaresWorld(uint64_t seed, const SquaresSettings& settings) {
  Random random(seed);
  return SquaresWorld(random, settings).environment();
}

// A mixed bag: seed decides size, density, jitter and the number of layers.
inline Environment anyWorld(uint64_t seed) {
  Random random(seed);
  SquaresSettings settings;
  settings.columns = static_cast<int32_t>(random.between(1, 14));
  settings.rows = static_cast<int32_t>(random.between(1, 14));
  settings.density = random.real(0.3, 1.0);
  settings.layers = static_cast<uint32_t>(random.between(1, std::min(3, settings.columns)));
  settings.jitter = random.chance(0.5) ? 24 : 0;
  return SquaresWorld(random, settings).environment();
}

inline Environment oneLayer(std::vector<Polygon> free) {
  Environment environment;
  environment.layers.resize(1);
  environment.layers[0].free = std::move(free);
  return environment;
}

// A simple polygon through random points: crossings are undone by reversing the chain between them.
inline Ring simplePolygon(Random& random, size_t vertices, int32_t extent) {
  Ring ring;
  while (ring.size() < vertices) {
    const Point p{static_cast<int32_t>(random.between(0, extent)), static_cast<int32_t>(random.between(0, extent))};
    if (std::find(ring.begin(), ring.end(), p) == ring.end()) ring.push_back(p);
  }
  for (int rounds = 0; rounds < 10000; ++rounds) {
    bool crossed = false;
    for (size_t i = 0; i < vertices && !crossed; ++i) {
      for (size_t j = i + 2; j < vertices && !crossed; ++j) {
        if (i == 0 && j + 1 == vertices) continue;
        if (meet(ring[i], ring[i + 1], ring[j], ring[(j + 1) % vertices]) == Meeting::kNone) continue;
        std::reverse(ring.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     ring.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        crossed = true;
      }
    }
    for (size_t i = 0; i < vertices && !crossed; ++i) {
      // A spike: three collinear points in a row that fold back.
      const Point a = ring[i];
      const Point b = ring[(i + 1) % vertices];
      const Point c = ring[(i + 2) % vertices];
      if (orient(a, b, c) == 0 && !onSegment(a, c, b)) return simplePolygon(random, vertices, extent);
    }
    if (!crossed) {
      if (doubledArea(ring) < 0) std::reverse(ring.begin(), ring.end());
      return ring;
    }
  }
  return simplePolygon(random, vertices, extent);
}

}  // namespace wend
