#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>
#include <wend/result.h>

// Boolean operations on any polygon soup, exact on the lattice.
//
// snapRound() makes the boundaries disjoint, a constrained triangulation cuts the plane along them, a flood over its
// triangles counts which shapes cover each, and the kept part is walked into polygons. There is no sweep to go wrong:
// the only rounding is that of crossings. (Clipper rounds its output without repairing the topology, so its result may
// cross itself; it serves as an independent check in the tests.)
namespace wend {

// One polygon of the soup: loops under the even-odd rule. Loops may cross, repeat, have spikes or no area.
struct Shape {
  uint32_t group = 0;  // 0 to 31
  std::vector<Ring> loops;
};

// The part of the plane where keep(groups) holds; bit g of groups is set where at least one shape of group g covers
// the place. keep(0) must be false. The result is valid (see Polygon), with disjoint interiors, in canonical order:
// each ring starts at its smallest vertex, polygons are sorted by their outer ring's first vertex, holes likewise.
// Vertices of the input that lie on the result's boundary are kept; other vertices on its straight stretches, traces of
// edges that are not in the result, are dropped. So overlaying a result again changes nothing. Errors: a coordinate
// beyond the lattice, or more pieces than snapRound() allows. Expected O((n + k) log n) for n edges and k crossings.
Result<std::vector<Polygon>> overlay(std::span<const Shape> shapes, const std::function<bool(uint32_t)>& keep,
                                     const Context& context = {});

// What the first loop winds around and no further loop does: by the nonzero rule, whatever the directions of the loops.
// Loops may cross, repeat, have spikes or no area. The result is like that of overlay().
Result<std::vector<Polygon>> fillNonzero(std::span<const Ring> loops, const Context& context = {});

Result<std::vector<Polygon>> unite(std::span<const Ring> loops, const Context& context = {});  // each loop a shape
Result<std::vector<Polygon>> unite(std::span<const Polygon> a, std::span<const Polygon> b);
Result<std::vector<Polygon>> intersect(std::span<const Polygon> a, std::span<const Polygon> b);
Result<std::vector<Polygon>> subtract(std::span<const Polygon> a, std::span<const Polygon> b);

}  // namespace wend
