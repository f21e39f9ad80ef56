#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <wend/edit.h>
#include <wend/environment.h>

// Bodies in space, and the part of a layer that they block.
namespace wend {

// A convex body at its place: above its outline in top view it lies between planes. z = x * a.x + y * a.y + c, metres.
struct Body {
  struct Plane {
    Vec2 slope;
    double c = 0;
  };
  std::vector<Vec2> outline;  // convex, counter-clockwise, metres
  std::vector<Plane> above;   // it lies below all of these
  std::vector<Plane> below;   // and above all of these
};

// A box, cylinder or convex body. kInvalidGeometry if points of a hull lie in one plane.
Result<Body> bodyOf(const ObstacleShape& shape, const Placement& place, std::string_view what);

// Whether a convex part of a layer's plane, metres, holds free space.
using IsFree = std::function<bool(std::span<const Vec2>)>;

// The parts of the layer's plane, metres, each convex, where the body meets what is between `step` and `headRoom` above
// the surface. One part, the outline, if it does so everywhere; else one per triangle of the height field beside it and
// per piece of free space that no triangle covers. `triangles`: those that may lie below the outline.
std::vector<std::vector<Vec2>> blockedParts(const Body& body, const HeightField& heights,
                                            std::span<const uint32_t> triangles, const Lattice& lattice,
                                            const Stature& stature, const IsFree& isFree);

}  // namespace wend
