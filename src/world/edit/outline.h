#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <wend/edit.h>
#include <wend/polygon.h>

// Shapes of obstacles in top view, on the lattice.
namespace wend {

// kInvalidGeometry for what is not finite, has no extent, crosses or touches itself, or has too many corners. `what`
// stands in the message: "obstacle 'crate'". Exact: decided on the numbers as given, before they are turned or rounded.
Status checkShape(const ObstacleShape& shape, std::string_view what);
Status checkPlacement(const Placement& place, std::string_view what);
Status checkSimple(std::span<const Vec2> corners, std::string_view what);

// The point of the shape in the world, metres.
Vec2 placed(const Placement& place, Vec2 p);

// The polygon as one loop. What rounding leaves without area becomes a fence or a post.
Result<Ring> outlineOf(std::span<const Vec2> metres, const Lattice& lattice, std::string_view what);

}  // namespace wend
