#pragma once

#include <optional>
#include <span>

#include <wend/scenario.h>

#include "base/random.h"

namespace wend {

// One value; nothing after 1,000 draws outside min and max.
std::optional<double> draw(const Distribution& distribution, Random& random);

// An index, by weight; weights are not negative and one is above 0.
size_t drawIndex(std::span<const double> weights, Random& random);

// The probability of a value up to x, without min and max; for tests.
double cumulative(const Distribution& distribution, double x);

}  // namespace wend
