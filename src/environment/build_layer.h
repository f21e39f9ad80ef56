#pragma once

#include <string>
#include <vector>

#include <wend/environment.h>

// One layer from its drawing: snapped, cleaned, with its heights and regions.
namespace wend {

// The layer's free space is (walkable without obstacles) plus openings, possibly nothing. Notes go to context.note().
Result<Layer> buildLayer(const LayerDraft& draft, const Lattice& lattice, const Context& context);

}  // namespace wend
