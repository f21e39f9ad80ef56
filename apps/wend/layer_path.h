#pragma once

#include <functional>
#include <string>

#include <wend/environment.h>

namespace wend::app {

// The outlines of a layer as the data of an SVG path. `place` turns metres into coordinates of the picture.
std::string layerPath(const Layer& layer, const Lattice& lattice, int decimals, const std::function<Vec2(Vec2)>& place);

}  // namespace wend::app
