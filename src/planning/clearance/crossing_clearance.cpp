#include <algorithm>
#include <array>

#include "planning/clearance/shrunk_portals.h"

// Which walls a way through a cell, or around a corner of it, has to be measured against.
namespace wend {
namespace {

// Above this the ways between the doors of a cell are too many to keep the walls of each.
constexpr uint32_t kMostDoors = 24;
constexpr uint32_t kMostWalls = 0xffff;
// Metres: so much nearer than the radius a way may come by rounding.
constexpr double kGrace = 1e-7;

}  // namespace

// Tells the walls apart for the ways through one cell from one door to another.
class PassFinder {
 public:
  PassFinder(RadiusTable& table, CellId cell, CrossingId in, CrossingId out)
      : table_(table), mesh_(table.mesh()), cell_(cell), in_(in), out_(out) {
    const double r = table.radius();
    touching_ = r - std::min(1e-4 * r, kGrace / mesh_.lattice().unit);
    const Hop& first = table.hop(in);
    const Hop& last = table.hop(out);
    hull_ = {first.left, first.right, last.right, last.left};
    isLeftChain_ = isChain(out ^ 1, in, true);
    isRightChain_ = isChain(in, out ^ 1, false);
  }

  using Kind = RadiusTable::WallKind;
  // For ways in the hull of both doors, or anywhere in the cell. The distance to a wall is convex along a way, which
  // begins and ends at a radius from it and does not cross it: so it is too near only where an end of the wall is.
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
  SideId sideOf(CrossingId entry) const {
    const SideId side = table_.door(entry).side;
    return (entry & 1) == 0 ? side : mesh_.twin(side);
  }
  SideId after(SideId side) const { return side + 1 == mesh_.endSide(cell_) ? mesh_.firstSide(cell_) : side + 1; }

  // Whether only walls lie counter-clockwise between two portals of the cell, and both doors end at them. A way between
  // places at a radius from all of them comes nearest to their chain at its ends: seen from inside, a corner between
  // two sides of a convex cell is never nearest.
  bool isChain(CrossingId from, CrossingId to, bool left) const {
    for (SideId s = after(sideOf(from)); s != sideOf(to); s = after(s)) {
      if (!mesh_.isWall(s)) return false;
    }
    const CrossingId last = left ? to : to ^ 1;
    const CrossingId first = left ? from ^ 1 : from;
    return isCorner(table_.endOf(first, left), sideEnd(mesh_, sideOf(from))) &&
           isCorner(table_.endOf(last, left), sideStart(mesh_, sideOf(to)));
  }
  static bool isCorner(const PortalDoor::End& end, Vec2 corner) { return end.wall != kNone && end.centre == corner; }
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
  // Whether one of the doors ends at that corner of a wall.
  bool isEnd(Vec2 corner, bool left) const {
    return isCorner(table_.endOf(in_, left), corner) || isCorner(table_.endOf(out_, left), corner);
  }

  RadiusTable& table_;
  const NavMesh& mesh_;
  CellId cell_;
  CrossingId in_;
  CrossingId out_;
  double touching_;
  std::array<Vec2, 4> hull_;
  bool isLeftChain_;
  bool isRightChain_;
};

const RadiusTable::Pass* RadiusTable::findPass(CrossingId in, CrossingId out) {
  const CellId cell = cellBehind(in);
  if (recordOf_[cell] == kNone) evaluate(cell);
  const Record& record = records_[recordOf_[cell]];
  if (record.entryCount > kMostDoors || record.wallCount > kMostWalls) return nullptr;
  uint32_t& row = hops_[in].firstPass;
  if (row == kNone) {
    row = static_cast<uint32_t>(passes_.size());
    passes_.resize(passes_.size() + record.entryCount);
  }
  const PassFinder finder(*this, cell, in, out);
  polygon_.clear();
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) polygon_.push_back(sideStart(mesh_, s));
  Pass& pass = passes_[row + hops_[out ^ 1].index];
  pass = {groupWalls(record, finder, finder.hull()), groupWalls(record, finder, polygon_), true,
          record.entryCount == 2};
  return &pass;
}

RadiusTable::WallGroup RadiusTable::groupWalls(const Record& record, const PassFinder& finder,
                                               std::span<const Vec2> region) {
  kinds_.clear();
  for (uint32_t i = record.firstWall; i < record.firstWall + record.wallCount; ++i) {
    kinds_.push_back(finder.kindOf(shapes_[i], walls_[i], region));
  }
  const auto add = [&](WallKind kind) {
    const size_t before = passShapes_.size();
    for (uint32_t i = 0; i < record.wallCount; ++i) {
      if (kinds_[i] == kind) passShapes_.push_back(shapes_[record.firstWall + i]);
    }
    return static_cast<uint16_t>(passShapes_.size() - before);
  };
  WallGroup group{static_cast<uint32_t>(passShapes_.size())};
  group.open = add(WallKind::kOpen);
  group.left = add(WallKind::kLeft);
  group.right = add(WallKind::kRight);
  return group;
}

RadiusTable::CornerView RadiusTable::around(CrossingId crossing, bool left) {
  const size_t index = 2 * static_cast<size_t>(crossing) + (left ? 1 : 0);
  if (index >= corners_.size() || corners_[index].first == kNone) {
    const Corner found = findCorner(crossing, left);
    if (corners_.size() < 4 * doors_.size()) corners_.resize(4 * doors_.size());
    corners_[index] = found;
  }
  const Corner& corner = corners_[index];
  return {std::span(cornerShapes_).subspan(corner.first, corner.count), corner.sealed};
}

RadiusTable::Corner RadiusTable::findCorner(CrossingId crossing, bool left) {
  const CellId cell = cellBehind(crossing);
  const std::span<const Wall> walls = this->cell(cell).shapes;
  const Vec2 c = endOf(crossing, left).centre;
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
