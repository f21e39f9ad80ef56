#pragma once

#include <cmath>

#include "environment/image/filters.h"

// What LIDAR heights need beyond the edges of other range images: gaps without return are filled, and buildings are
// told from ground that rises slowly by their height above the surroundings.
namespace wend::image {

// As in RangeImage::heights.
inline int64_t millimetres(double metres) {
  return std::llround(metres / RangeImage::kStep);
}

// The heights with pixels without return, and pits, filled from around.
Heights fillReturns(const Heights& heights, const NavigableSettings& settings, const Context& context);

// 1 where a pixel stands out of the window around it, by the rule of the settings.
Mask aboveSurroundings(const Heights& heights, const NavigableSettings& settings, const Context& context);
// The same without specks.
Mask buildingsOf(const Mask& above, const NavigableSettings& settings, const Context& context);

}  // namespace wend::image
