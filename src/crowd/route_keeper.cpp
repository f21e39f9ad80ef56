#include "crowd/route_keeper.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"

namespace wend {
namespace {

// Metres that a shorter way must save before a route is given up for it: what planners lose to rounding.
constexpr double kGain = 1e-3;

double gap(double low, double high, double min, double max) {
  return std::max({0.0, min - high, low - max});
}

}  // namespace

RouteKeeper::RouteKeeper(const NavMesh& before, const NavMesh& now, const UpdateReport* report)
    : before_(before), now_(now), report_(report) {
  if (report == nullptr) return;
  for (const ChangedArea::Box& box : report->changed.boxes) {
    boxes_.push_back({now.lattice().toMetres(box.box.min), now.lattice().toMetres(box.box.max)});
  }
  cellNow_.assign(before.cellCount(), kNone);
  for (CellId cell = 0; cell < report->cellSource.size(); ++cell) {
    if (report->cellSource[cell] < cellNow_.size()) cellNow_[report->cellSource[cell]] = cell;
  }
}

bool RouteKeeper::keep(Route& route, Vec2 at, double left, double berth) const {
  if (report_ == nullptr || route.points.empty()) return false;
  if (comesNear(route, 0, berth)) return false;
  if (report_->opens && mayBeShorter(route, at, left)) return false;
  // The edges of an axis have other numbers now; without them the next re-planning starts from nothing.
  route.path.clear();
  return rename(route);
}

bool RouteKeeper::isNear(Vec2 units, double metres) const {
  const Vec2 p = now_.lattice().toMetres(units);
  return std::any_of(boxes_.begin(), boxes_.end(), [&](const RouteIndex::Area& box) {
    return gap(p.x, p.x, box.min.x, box.max.x) <= metres && gap(p.y, p.y, box.min.y, box.max.y) <= metres;
  });
}

// Boxes of segments, not segments: a route that only passes by is planned anew for nothing, which does no harm.
bool RouteKeeper::comesNear(const Route& route, size_t segment, double berth) const {
  for (size_t i = segment; i < route.points.size(); ++i) {
    const Vec3 a = route.points[i];
    const Vec3 b = route.points[i + 1 < route.points.size() ? i + 1 : i];
    for (const RouteIndex::Area& box : boxes_) {
      const double dx = gap(std::min(a.x, b.x), std::max(a.x, b.x), box.min.x, box.max.x);
      const double dy = gap(std::min(a.y, b.y), std::max(a.y, b.y), box.min.y, box.max.y);
      if (dx <= berth && dy <= berth) return true;
    }
  }
  return false;
}

bool RouteKeeper::mayBeShorter(const Route& route, Vec2 at, double left) const {
  const Vec2 from = now_.lattice().toMetres(at);
  const Vec3 to = route.points.back();
  for (const RouteIndex::Area& box : boxes_) {
    const double there =
        std::hypot(gap(from.x, from.x, box.min.x, box.max.x), gap(from.y, from.y, box.min.y, box.max.y));
    const double onward = std::hypot(gap(to.x, to.x, box.min.x, box.max.x), gap(to.y, to.y, box.min.y, box.max.y));
    if (there + onward < left - kGain) return true;
  }
  return false;
}

bool RouteKeeper::rename(Route& route) const {
  std::vector<CellId> cells;
  std::vector<SideId> portals;
  for (const CellId old : route.cells) {
    if (old >= cellNow_.size() || cellNow_[old] == kNone) return false;
    cells.push_back(cellNow_[old]);
  }
  for (size_t i = 0; i < route.portals.size(); ++i) {
    const Vec2 start = before_.vertex(before_.startVertex(route.portals[i]));
    SideId side = now_.firstSide(cells[i]);
    while (side < now_.endSide(cells[i]) && now_.vertex(now_.startVertex(side)) != start) ++side;
    if (side == now_.endSide(cells[i]) || now_.isWall(side) || now_.neighbour(side) != cells[i + 1]) return false;
    portals.push_back(side);
  }
  route.cells = std::move(cells);
  route.portals = std::move(portals);
  return true;
}

}  // namespace wend
