#pragma once

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

// The parts of the layer's plane, metres, each convex, where the body meets what is between `step` and `headRoom` above
// the surface. One part per triangle of the height field beside it; one at most for a flat layer.
std::vector<std::vector<Vec2>> blockedParts(const Body& body, const HeightField& heights, const Lattice& lattice,
                                            const Stature& stature);

}  // namespace wend
