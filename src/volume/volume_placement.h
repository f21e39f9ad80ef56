#pragma once

#include <cstdint>

#include <wend/volume/volume_mesh.h>

namespace wend {

// How many cubes of a side, in metres, lie wholly in a volume, on a grid from the lowest corner of its bounds. An
// underestimate of what fits. Above a million places to try, what fits by volume.
uint64_t cubesIn(const VolumeMesh& mesh, VolumeId cell, double side);

}  // namespace wend
