#include "environment/extract/seed_error.h"

#include <fmt/format.h>

namespace wend {

Error seedError(const Vec3& seed, const ExtractSettings& settings) {
  return {ErrorCode::kNotOnMesh,
          fmt::format("the seed point ({:g}, {:g}, {:g}) m has no walkable place within {:g} m below and {:g} m above "
                      "it; move it onto a floor",
                      seed.x, seed.y, seed.z, settings.height, settings.step)};
}

}  // namespace wend
