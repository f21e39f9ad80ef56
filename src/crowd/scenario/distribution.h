#pragma once

#include <optional>
#include <span>

#include <wend/scenario.h>

#include "base/random.h"

namespace wend {

// One value; nothing after 1,000 that fell outside min and max.
std::optional<double> draw(const Distribution& distribution, Random& random);

// An index, by weight; weights are not negative and one is above 0.
size_t drawIndex(std::span<const double> weights, Random& random);

// The chance of a value up to x, without regard to min and max: for tests of what is drawn.
double cumulative(const Distribution& distribution, double x);

}  // namespace wend
