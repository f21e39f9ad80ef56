#pragma once

#include <wend/corridor_map.h>

#include "generators/ecm/diagram.h"

// Bending points: the ends of arcs, each with its nearest obstacle point on both sides (its annotations).
namespace wend::ecm {

// The bending point where a half-edge of the diagram starts or ends; its left and right are those of the half-edge.
CorridorMap::BendingPoint bendingPointAtStart(const Diagram& diagram, uint32_t edge);
CorridorMap::BendingPoint bendingPointAtEnd(const Diagram& diagram, uint32_t edge);

}  // namespace wend::ecm
