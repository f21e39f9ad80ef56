#pragma once

#include <vector>

#include <wend/polygon.h>

#include "base/random.h"
#include "environment/make/construction.h"

// Outlines with exactly the given number of vertices. All are counter-clockwise, star-shaped or rectilinear, hence
// simple by construction, and stay so when rounded as long as neighbouring vertices are many lattice units apart.
namespace wend::make {

// A shape around the origin in metres, still to be scaled and placed.
using Shape = std::vector<Vec2>;

Shape turned(const Shape& shape, double radians);
double areaOf(const Shape& shape);
Ring placed(const Shape& shape, Vec2 centreMetres, double scale = 1.0);

// A regular polygon; `phase` in radians.
Shape regular(int vertices, double radius, double phase = 0);
// An irregular blob in the box [-halfWidth, halfWidth] x [-halfDepth, halfDepth]; roughness in [0, 0.9].
Shape rock(int vertices, double halfWidth, double halfDepth, double roughness, Random& random);
// A wheel with teeth: radii alternate between `radius` and radius - tooth.
Shape gear(int vertices, double radius, double tooth);
// A building: a rectangle whose four sides step in and out; an even number of at least four vertices, of which
// (vertices - 4) / 2 are concave.
Shape building(int vertices, double width, double depth, Random& random);
// `corners` convex vertices on an ellipse and `dents` vertices between them that curve inwards, each of them concave.
Shape dented(int corners, int dents, double halfWidth, double halfDepth);
// A box with rounded corners; `vertices` >= 4, all convex.
Shape roundedBox(int vertices, double width, double depth, double radius);
// A figure with arms: `convex` vertices on the rounded tips, `concave` ones in the valleys between them.
// A disk of radius `body` around the origin and one of radius tipRadius(...) around each tip's centre lie inside.
struct Figure {
  Shape shape;
  std::vector<Vec2> tips;
  double tipRadius = 0;
};
Figure figure(int arms, int convex, int concave, double body, double reach, Random& random);

// Parts of a whole: `count` numbers of at least `least` that add up to `total`, spread at random around the mean and
// never more than `most`; if `step` is 2 they all have the parity of `least`.
std::vector<int> distribute(int64_t total, size_t count, int least, int most, Random& random, int step = 1);

}  // namespace wend::make
