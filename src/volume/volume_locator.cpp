#include <algorithm>

#include <wend/volume/volume_mesh.h>

#include "geometry/solid/box_grid.h"
#include "volume/volume_data.h"

namespace wend {

struct VolumeLocator::Impl {
  BoxGrid grid;
};

VolumeLocator::VolumeLocator(VolumeMesh mesh) : mesh_(std::move(mesh)) {
  auto impl = std::make_shared<Impl>();
  const VolumeMesh::Data& data = mesh_.data();
  if (!mesh_.empty()) {
    impl->grid = BoxGrid({data.info.low, data.info.high}, size_t{4} * mesh_.cellCount());
    for (VolumeId c = 0; c < mesh_.cellCount(); ++c) impl->grid.add(c, data.boxes[c]);
  }
  impl_ = std::move(impl);
}

std::vector<VolumeId> VolumeLocator::locateAll(Vec3 metres) const {
  std::vector<VolumeId> found;
  if (mesh_.empty()) return found;
  const Vec3 units = mesh_.lattice().toUnits(metres);
  constexpr double kReach = static_cast<double>(kMaxVolumeCoordinate) + 1;
  for (const double value : {units.x, units.y, units.z}) {
    if (!(std::abs(value) <= kReach)) return found;  // NaN, too
  }
  constexpr double kScale = static_cast<double>(int64_t{1} << kFineBits);
  const FinePoint p{std::llround(units.x * kScale), std::llround(units.y * kScale), std::llround(units.z * kScale)};
  const auto floored = [](int64_t fine) { return static_cast<int32_t>(fine >> kFineBits); };
  const VolumeMesh::Data& data = mesh_.data();
  // A cell that holds the point is listed wherever its bounds are, rounded outward.
  for (const VolumeId c : impl_->grid.at({floored(p.x), floored(p.y), floored(p.z)})) {
    if (contains(data.solids[c], p)) found.push_back(c);
  }
  std::sort(found.begin(), found.end());
  return found;
}

VolumeId VolumeLocator::locate(Vec3 metres) const {
  const std::vector<VolumeId> found = locateAll(metres);
  return found.empty() ? kNone : found.front();
}

}  // namespace wend
