#pragma once

#include <vector>

#include <wend/environment.h>

#include "geometry/extent.h"

// Which layers and connections matter near an edit.
namespace wend::ecm {

Extent extentOf(const Connection& connection);

// Adds the layers that a walk over these connections reaches from those given.
void addJoinedLayers(const std::vector<const Connection*>& connections, std::vector<bool>& layers);

}  // namespace wend::ecm
