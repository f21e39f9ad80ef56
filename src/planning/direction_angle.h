#pragma once

#include <wend/lattice.h>

namespace wend {

// The angle of a vector of length 1, as atan2() gives it, within 1e-15: in a third of the time.
double angleOfDirection(Vec2 direction);

}  // namespace wend
