#pragma once

#include <string>

#include <wend/corridor_map.h>
#include <wend/environment.h>
#include <wend/navmesh.h>

// The cells of the Explicit Corridor Map as a navigation mesh.
namespace wend::ecm {

// One cell [p, r, r', p', l', l] per arc, at most six corners, possibly not convex; the arc runs through its interior,
// so nothing of it is approximated. Cells near a connection become several convex ones, each in one layer. Cells
// narrower than 4e-12 of the largest coordinate vanish. The map is attached, with cellArc filled.
Result<NavMesh> corridorMesh(const Environment& environment, CorridorMap map, const std::string& generator,
                             uint64_t settingsHash, const Context& context);

}  // namespace wend::ecm
