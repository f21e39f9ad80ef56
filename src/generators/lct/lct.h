#pragma once

#include <wend/generator.h>

// The local clearance triangulation: the constrained Delaunay triangulation with walls split until the clearance of
// each crossing of a triangle, a single number, decides whether a disk can pass (<wend/local_clearance.h>).
//
// A vertex can be nearer to a wall than the triangles between them tell. Each such disturbance is removed by a point on
// the wall, the narrowest first, one triangle more each: n + 2h - 2C + splits triangles for n boundary vertices, h
// holes and C components. Walls shorter than a lattice unit are not split; what stays disturbed is counted in a note.
// All vertices lie on the boundary. Split points are rounded doubles that are treated as lying exactly on their wall.
// O(n log n) expected, O(n^2) at worst.
//
// Layers joined by connections are triangulated apart and refined together: walls of one layer are seen from the next.
// The edges on a connection cannot be flipped, so beside one the number may still be too large; nothing is published
// about that. Routes for disks do not use it (planning/clearance*), so they are exact there too.
namespace wend::lct {

struct Settings {
  bool refine = true;  // false: the plain triangulation, whose clearances may be too large
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::lct
