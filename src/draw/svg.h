#pragma once

#include <string>
#include <string_view>

#include <wend/lattice.h>

// Elements that all pictures share. Lengths are pixels; `style` is a list of SVG attributes.
namespace wend {

std::string svgText(Vec2 at, double size, std::string_view anchor, std::string_view words, std::string_view style = {});

// A bar with its length beside it: the longest of 1, 2, 5 times a power of ten metres that is no longer than `most`.
std::string scaleBar(Vec2 at, double pixelsPerMetre, double most);

// The whole file, with a white ground under the elements of `body`.
std::string svgDocument(double width, double height, std::string_view body);

}  // namespace wend
