#pragma once

#include <vector>

#include "environment/extract/voxel/contours.h"

// From pixels to an environment: polygons, connections, heights, regions.
namespace wend::voxel {

Result<Environment> assemble(const Drawing& drawing, const Scene& scene, const extraction::Facets& facets,
                             const ExtractSettings& settings, std::vector<ExtractSpot>& spots, const Context& context);

}  // namespace wend::voxel
