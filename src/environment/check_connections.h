#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>

#include "environment/boundary.h"

// The part of validation that concerns connections. buildEnvironment() makes the same checks on a drawing.
namespace wend {

// Appends what is wrong with the connections and with the heights of their layers along them, until `found` holds
// `limit` violations.
void checkConnections(const Environment& environment, const Boundary& boundary, size_t limit,
                      std::vector<Violation>& found);

// For each connection the one that continues it, or kNone: between the same layers, it begins where this one ends, and
// the walks of both layers pass the point without touching anything else.
std::vector<uint32_t> continuations(const Boundary& boundary, std::span<const Connection> connections);

// "connection 3 between layers 0 and 1": the index, and the ids the file gives the layers.
std::string nameOf(const Environment& environment, size_t connection);
// "(3.1000, -4.0000) m".
std::string nameOf(Vec2 metres);

}  // namespace wend
