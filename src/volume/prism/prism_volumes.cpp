#include <algorithm>
#include <array>
#include <cmath>

#include <wend/volume/prism_grid.h>

namespace wend {

// A unit of at most a metre, of which a voxel has a whole number.
Result<VolumeMesh> prismVolumes(const PrismGrid& grid, const Context& context) {
  const double parts = std::max(1.0, std::ceil(grid.voxel));
  const auto scale = static_cast<int32_t>(parts);
  VolumeDraft draft;
  draft.lattice.unit = grid.voxel / parts;
  draft.lattice.origin = grid.origin;
  const auto corner = [&](const std::array<uint32_t, 3>& v, uint32_t add) {
    return Point3{static_cast<int32_t>(v[0] + add) * scale, static_cast<int32_t>(v[1] + add) * scale,
                  static_cast<int32_t>(v[2] + add) * scale};
  };
  draft.low = {0, 0, 0};
  draft.high = corner(grid.size, 0);
  draft.generator = "prisms";
  draft.traits.exact = false;
  for (const GridPrism& prism : grid.prisms) {
    draft.cells.push_back({boxPlanes(corner(prism.low, 0), corner(prism.high, 1)), 0});
  }
  return buildVolumes(std::move(draft), context);
}

}  // namespace wend
