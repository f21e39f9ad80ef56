#pragma once

#include <cmath>
#include <optional>

#include <wend/lattice.h>

// A place as a caller gives it.
namespace wend {

// A place in top view, with a height if there is one. Layers may lie above each other: a height that is given chooses
// the layer, and the place is off the mesh if no layer is within the tolerance of it. Without a height the lowest layer
// under the place counts. Metres.
struct Place {
  static constexpr double kHeightTolerance = 1.0;

  double x = 0;
  double y = 0;
  std::optional<double> z;
  double tolerance = kHeightTolerance;  // largest difference between z and the surface, >= 0; only with z

  Place() = default;
  Place(double x_, double y_) : x(x_), y(y_) {}
  Place(double x_, double y_, double z_, double tolerance_ = kHeightTolerance)
      : x(x_), y(y_), z(z_), tolerance(tolerance_) {}
  Place(Vec2 p) : x(p.x), y(p.y) {}
  Place(Vec3 p, double tolerance_ = kHeightTolerance) : x(p.x), y(p.y), z(p.z), tolerance(tolerance_) {}
  bool operator==(const Place&) const = default;

  Vec2 top() const { return {x, y}; }
  bool finite() const { return std::isfinite(x) && std::isfinite(y) && (!z || std::isfinite(*z)); }
};

}  // namespace wend
