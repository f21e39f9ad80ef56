#include "planning/replan/world_change.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <wend/navigator.h>

#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

bool isBefore(const WallPiece& a, const WallPiece& b) {
  const auto key = [](const WallPiece& w) { return std::tuple(w.layer, w.a.x, w.a.y, w.b.x, w.b.y); };
  return key(a) < key(b);
}

std::vector<WallPiece> wallsOf(const NavMesh& mesh, bool went) {
  std::vector<WallPiece> walls;
  for (SideId side = 0; side < mesh.sideCount(); ++side) {
    if (!mesh.isWall(side)) continue;
    walls.push_back({mesh.layerOf(mesh.cellOf(side)), startPoint(mesh, side), endPoint(mesh, side), went});
  }
  std::sort(walls.begin(), walls.end(), isBefore);
  return walls;
}

std::vector<WallPiece> changedWalls(const NavMesh& before, const NavMesh& after) {
  const std::vector<WallPiece> was = wallsOf(before, true);
  const std::vector<WallPiece> now = wallsOf(after, false);
  std::vector<WallPiece> changed;
  std::set_difference(was.begin(), was.end(), now.begin(), now.end(), std::back_inserter(changed), isBefore);
  std::set_difference(now.begin(), now.end(), was.begin(), was.end(), std::back_inserter(changed), isBefore);
  return wallDifference(changed);
}

}  // namespace

WorldChange::WorldChange() : impl_(std::make_shared<const Impl>()) {}

WorldChange WorldChange::all() {
  auto impl = std::make_shared<Impl>();
  impl->everything = true;
  WorldChange change;
  change.impl_ = std::move(impl);
  return change;
}

WorldChange WorldChange::between(const Navigator& before, const Navigator& after, ChangeKind kind) {
  const NavMesh& was = before.mesh();
  const NavMesh& now = after.mesh();
  auto impl = std::make_shared<Impl>();
  impl->kind = kind;
  impl->everything = was.lattice() != now.lattice() || was.layerCount() != now.layerCount() ||
                     before.hasMedialAxis() != after.hasMedialAxis();
  std::vector<WallPiece> walls;
  if (!impl->everything && after.hasMedialAxis()) {
    impl->axis = std::make_shared<const AxisChange>(before.world().medialAxis(), after.world().medialAxis());
    walls = impl->axis->walls();
  } else if (!impl->everything) {
    walls = changedWalls(was, now);
  }
  std::map<std::pair<LayerId, bool>, ChangedPart> groups;  // per layer, came or went
  for (const WallPiece& wall : walls) {
    groups[{wall.layer, wall.went}].add(ChangedBox{{std::min(wall.a.x, wall.b.x), std::min(wall.a.y, wall.b.y)},
                                                   {std::max(wall.a.x, wall.b.x), std::max(wall.a.y, wall.b.y)}});
  }
  const double unit = now.lattice().unit;
  const size_t most = std::max<size_t>(1, kMaxChangedPlaces / std::max<size_t>(1, groups.size()));
  for (auto& [key, part] : groups) {
    part.merge(0, most);
    for (const ChangedBox& box : part.boxes()) {
      const ChangedBox metres{unit * box.low, unit * box.high};
      impl->places.push_back({key.first, key.second, metres.low, metres.high});
      if (key.second) impl->opened.add(metres);
    }
  }
  impl->opened.merge(0);
  WorldChange change;
  change.impl_ = std::move(impl);
  return change;
}

bool WorldChange::empty() const {
  return !impl_->everything && impl_->places.empty() && (impl_->axis == nullptr || impl_->axis->empty());
}

bool WorldChange::everything() const {
  return impl_->everything;
}

ChangeKind WorldChange::kind() const {
  return impl_->kind;
}

std::span<const ChangedPlace> WorldChange::places() const {
  return impl_->places;
}

}  // namespace wend
