#pragma once

#include <span>
#include <vector>

#include <wend/draw.h>

#include "draw/page.h"

namespace wend {

// An Error that names the field and its range.
Status checkDrawSettings(const DrawSettings& settings);

// Layer indices from the lowest to the highest, so that upper storeys cover lower ones.
std::vector<size_t> drawingOrder(std::span<const PageLayer> layers);

}  // namespace wend
