#include <algorithm>
#include <array>

#include "planning/clearance/portal_shrinking.h"

// The walls that a move through a crossing, or around a corner of a cell, is measured against.
namespace wend {
namespace {

// A cell with more shrunk portals has too many crossings to keep the walls of each.
constexpr uint32_t kMostEntries = 24;
constexpr uint32_t kMostWalls = 0xffff;
// Metres: how much nearer than the radius a move may come by rounding.
constexpr double kGrace = 1e-7;

}  // namespace

// Sorts the walls near one crossing by kind.
class CrossingWalls {
 public:
  CrossingWalls(ShrunkPortals& table, CellId cell, DirectedPortalId in, DirectedPortalId out)
      : table_(table), mesh_(table.mesh()), cell_(cell), in_(in), out_(out) {
    const double r = table.radius();
    touching_ = r - std::min(1e-4 * r, kGrace / mesh_.lattice().unit);
    const DirectedPortal& first = table.directed(in);
    const DirectedPortal& last = table.directed(out);
    hull_ = {first.left, first.right, last.right, last.left};
    isLeftChain_ = isChain(out ^ 1, in, true);
    isRightChain_ = isChain(in, out ^ 1, false);
  }

  using Kind = ShrunkPortals::WallKind;
  // For moves in the hull of both shrunk portals, or anywhere in the cell. The distance to a wall is convex along a
  // move. The move begins and ends at a radius from the wall and does not cross it. So it is too near only where an end
  // of the wall is.
  Kind kindOf(const Wall& w, SideId id, std::span<const Vec2> region) const {
    const bool isNearA = isNear(w.a, region);
    const bool isNearB = isNear(w.b, region);
    if (!isNearA && !isNearB) return Kind::kFar;
    const bool isSide = mesh_.cellOf(id) == cell_;
    for (const bool left : {true, false}) {
      if ((left ? isLeftChain_ : isRightChain_) && isSide && isOnLeft(id) == left)
        return left ? Kind::kLeft : Kind::kRight;
      if (isNearA && !isEnd(w.a, left)) continue;
      if (!isNearB || isEnd(w.b, left)) return left ? Kind::kLeft : Kind::kRight;
    }
    return Kind::kOpen;
  }
  std::span<const Vec2> hull() const { return hull_; }

 private:
  SideId sideOf(DirectedPortalId entry) const {
    const SideId side = table_.shrunkPortal(entry).side;
    return (entry & 1) == 0 ? side : mesh_.twin(side);
  }
  SideId after(SideId side) const { return side + 1 == mesh_.endSide(cell_) ? mesh_.firstSide(cell_) : side + 1; }

  // True if only walls lie counter-clockwise between two portals of the cell, and both shrunk portals end at them. A
  // move between places at a radius from all of them comes nearest to their chain at its ends: seen from inside, a
  // corner between two sides of a convex cell is never nearest.
  bool isChain(DirectedPortalId from, DirectedPortalId to, bool left) const {
    for (SideId s = after(sideOf(from)); s != sideOf(to); s = after(s)) {
      if (!mesh_.isWall(s)) return false;
    }
    const DirectedPortalId last = left ? to : to ^ 1;
    const DirectedPortalId first = left ? from ^ 1 : from;
    return isCorner(table_.endOf(first, left), sideEnd(mesh_, sideOf(from))) &&
           isCorner(table_.endOf(last, left), sideStart(mesh_, sideOf(to)));
  }
  static bool isCorner(const ShrunkPortalUnits::End& end, Vec2 corner) {
    return end.wall != kNone && end.centre == corner;
  }
  bool isOnLeft(SideId wall) const {
    SideId s = wall;
    while (mesh_.isWall(s)) s = after(s);
    return s == sideOf(in_);
  }

  bool isNear(Vec2 p, std::span<const Vec2> region) const {
    for (size_t i = 0; i < region.size(); ++i) {
      const Vec2 off = p - closestOnSegment(p, region[i], region[i + 1 == region.size() ? 0 : i + 1]);
      if (dot(off, off) < touching_ * touching_) return true;
    }
    return false;
  }
  // True if one of the shrunk portals ends at that corner of a wall.
  bool isEnd(Vec2 corner, bool left) const {
    return isCorner(table_.endOf(in_, left), corner) || isCorner(table_.endOf(out_, left), corner);
  }

  ShrunkPortals& table_;
  const NavMesh& mesh_;
  CellId cell_;
  DirectedPortalId in_;
  DirectedPortalId out_;
  double touching_;
  std::array<Vec2, 4> hull_;
  bool isLeftChain_;
  bool isRightChain_;
};

const ShrunkPortals::Crossing* ShrunkPortals::findCrossing(DirectedPortalId in, DirectedPortalId out) {
  const CellId cell = cellBehind(in);
  if (recordOf_[cell] == kNone) evaluate(cell);
  const Record& record = records_[recordOf_[cell]];
  if (record.entryCount > kMostEntries || record.wallCount > kMostWalls) return nullptr;
  uint32_t& row = directed_[in].firstCrossing;
  if (row == kNone) {
    row = static_cast<uint32_t>(crossings_.size());
    crossings_.resize(crossings_.size() + record.entryCount);
  }
  const CrossingWalls finder(*this, cell, in, out);
  polygon_.clear();
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) polygon_.push_back(sideStart(mesh_, s));
  Crossing& crossing = crossings_[row + directed_[out ^ 1].index];
  crossing = {groupWalls(record, finder, finder.hull()), groupWalls(record, finder, polygon_), true,
              record.entryCount == 2};
  return &crossing;
}

ShrunkPortals::WallGroup ShrunkPortals::groupWalls(const Record& record, const CrossingWalls& finder,
                                                   std::span<const Vec2> region) {
  kinds_.clear();
  for (uint32_t i = record.firstWall; i < record.firstWall + record.wallCount; ++i) {
    kinds_.push_back(finder.kindOf(shapes_[i], walls_[i], region));
  }
  const auto add = [&](WallKind kind) {
    const size_t before = crossingWalls_.size();
    for (uint32_t i = 0; i < record.wallCount; ++i) {
      if (kinds_[i] == kind) crossingWalls_.push_back(shapes_[record.firstWall + i]);
    }
    return static_cast<uint16_t>(crossingWalls_.size() - before);
  };
  WallGroup group{static_cast<uint32_t>(crossingWalls_.size())};
  group.open = add(WallKind::kOpen);
  group.left = add(WallKind::kLeft);
  group.right = add(WallKind::kRight);
  return group;
}

ShrunkPortals::CornerView ShrunkPortals::around(DirectedPortalId portal, bool left) {
  const size_t index = 2 * static_cast<size_t>(portal) + (left ? 1 : 0);
  if (index >= corners_.size() || corners_[index].first == kNone) {
    const Corner found = findCorner(portal, left);
    if (corners_.size() < 4 * shrunkPortals_.size()) corners_.resize(4 * shrunkPortals_.size());
    corners_[index] = found;
  }
  const Corner& corner = corners_[index];
  return {std::span(cornerShapes_).subspan(corner.first, corner.count), corner.sealed};
}

ShrunkPortals::Corner ShrunkPortals::findCorner(DirectedPortalId portal, bool left) {
  const CellId cell = cellBehind(portal);
  const std::span<const Wall> walls = this->cell(cell).shapes;
  const Vec2 c = endOf(portal, left).centre;
  Corner corner{static_cast<uint32_t>(cornerShapes_.size()), 0, walls.size() <= kMostWalls};
  if (!corner.sealed) return corner;
  for (const Wall& w : walls) {
    if (distanceToSegment(c, w.a, w.b) < kQuiet * r_) cornerShapes_.push_back(w);
  }
  corner.count = static_cast<uint16_t>(cornerShapes_.size() - corner.first);
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    const Wall side = wall(s);
    if (mesh_.isWall(s) || side.a == c || side.b == c) continue;
    corner.sealed = corner.sealed && distanceToSegment(c, side.a, side.b) >= kBulged * r_;
  }
  return corner;
}

}  // namespace wend
