#pragma once

#include <wend/extract.h>

namespace wend {

// What every method says of a seed point that is over nothing walkable.
Error seedError(const Vec3& seed, const ExtractSettings& settings);

}  // namespace wend
