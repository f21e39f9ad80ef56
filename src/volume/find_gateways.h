#pragma once

#include <span>
#include <vector>

#include "geometry/solid/polyhedron.h"

// Where faces of different cells overlap.
namespace wend {

struct FaceContact {
  uint32_t cellA;  // below cellB
  uint32_t cellB;
  uint32_t faceA;  // index in its cell
  uint32_t faceB;
  auto operator<=>(const FaceContact&) const = default;
};

// The part of a's face that lies on b's face, in the loop of a's face; empty if it has no area. Both faces must lie in
// one plane with opposite normals.
std::vector<ExactVertex> contactPolygon(const Polyhedron& a, uint32_t faceA, const Polyhedron& b, uint32_t faceB);

// Pairs of faces in one plane with opposite normals whose bounds touch, sorted. Faces are sorted by plane, so this is
// O(n log n) plus a sweep within each plane.
std::vector<FaceContact> facingPairs(std::span<const Polyhedron> cells, std::span<const Box3> boxes);

}  // namespace wend
