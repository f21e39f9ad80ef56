#pragma once

#include <cmath>
#include <numbers>

#include <wend/environment.h>

// Worlds turned about the origin, for tests: no result may depend on how a world is turned.
namespace wend {

// Every point is rounded to the lattice again; labelled regions and the truth are left out.
inline Environment turned(Environment world, double degrees) {
  const double c = std::cos(degrees * std::numbers::pi / 180);
  const double s = std::sin(degrees * std::numbers::pi / 180);
  const auto turn = [&](Point p) {
    return Point{static_cast<int32_t>(std::lround(c * p.x - s * p.y)),
                 static_cast<int32_t>(std::lround(s * p.x + c * p.y))};
  };
  for (Layer& layer : world.layers) {
    for (Polygon& polygon : layer.free) {
      for (Point& p : polygon.outer) p = turn(p);
      for (Ring& hole : polygon.holes) {
        for (Point& p : hole) p = turn(p);
      }
    }
    for (Point& p : layer.heights.points) p = turn(p);
    layer.regions.clear();
  }
  for (Connection& connection : world.connections) {
    for (Point& p : connection.line) p = turn(p);
  }
  world.truth.reset();
  return world;
}

}  // namespace wend
