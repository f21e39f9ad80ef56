#pragma once

#include <wend/generator.h>

// Every layer's constrained Delaunay triangulation, as it is: the reference all other meshes are compared with.
//
// n boundary vertices, h holes, C components in one layer give n + 2h - 2C triangles. Among all triangulations on these
// vertices it has the largest smallest angle. Ties between cocircular vertices are broken by place, so the mesh does
// not depend on the order of the input. Expected O(n log n).
namespace wend::delaunay {

struct Settings {
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::delaunay
