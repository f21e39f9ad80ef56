#include "planning/disk_walk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace wend {

bool walkDisk(RadiusTable& table, CellId& cell, Vec2 a, Vec2 b, double tolerance) {
  const NavMesh& mesh = table.mesh();
  const double r = table.radius() - tolerance;
  SideId entry = kNone;
  double from = 0;
  // A straight segment meets a convex cell once; walking around corners may add a few.
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    const CellExit exit = findExit(mesh, cell, entry, a, b);
    const double to = exit.side == kNone ? 1 : std::max(from, exit.at);
    if (!isClearOf(table.cell(cell).shapes, {a + from * (b - a), a + to * (b - a), r})) return false;
    if (exit.side == kNone) return true;
    if (mesh.isWall(exit.side)) return false;
    entry = mesh.twin(exit.side);
    cell = mesh.neighbour(exit.side);
    from = to;
  }
  return false;
}

namespace {

// In radii: the lines that stand for an arc bulge by a hundredth of the radius, and keep one radius.
constexpr double kQuiet = 2.02;
// Of the radius: an arc that ends this little beside its corner, along a wall of it, is nearer to the wall than the
// radius by half the square of this.
constexpr double kSlip = 1e-6;

class CorridorWalk {
 public:
  CorridorWalk(RadiusTable& table, const DiskPieces& pieces, const DiskPath& path, double tolerance)
      : table_(table),
        mesh_(table.mesh()),
        pieces_(pieces),
        path_(path),
        r_(table.radius() - tolerance),
        slack_(0.1 * tolerance) {
    enter(0);
  }

  CellId cell() const { return path_.steps[step_].cell; }

  // From a to b, straight, through as many doors as it takes.
  bool go(Vec2 a, Vec2 b) {
    const DiskWay way(a, b, r_);
    const double off = slack_ * (way.limit / r_);
    while (!isBeforeGate(b)) {
      if (!isClearOf(walls(), way) || !passesGate(a, way.along, off)) return false;
      enter(step_ + 1);
    }
    return holds(b) && isClearOf(walls(), way);
  }

  // Along the lines that stand for an arc.
  bool goAround(const DiskBend& bend, std::span<const Vec2> points) {
    listen(bend);
    for (size_t i = 1; i < points.size(); ++i) {
      const Vec2 a = points[i - 1];
      const Vec2 b = points[i];
      while (!isBeforeGate(b)) {
        if (!isQuiet(a, b) || !passesGate(a, b - a, 0)) return false;
        enter(step_ + 1);
        listen(bend);
      }
      const Where before = where_;
      if (!holds(b)) return false;
      if (where_ == Where::kCell && before != where_) listen(bend);
      if (!isQuiet(a, b)) return false;
    }
    return true;
  }

 private:
  struct Gate {
    Vec2 left, right;
  };

  void enter(size_t step) {
    step_ = step;
    entry_ = gate_;
    hasGate_ = step < path_.crossings.size();
    if (hasGate_) gate_ = gateOf(path_.crossings[step]);
    const DiskStep& at = path_.steps[step];
    where_ = Where::kCell;
    if (step == 0 || !hasGate_ || at.piece != kNone) return;
    if (table_.between(at.cell, at.entry, at.exit, pass_)) where_ = Where::kHull;
  }
  Gate gateOf(CrossingId crossing) const {
    if ((crossing & kLocalCrossing) == 0) return {table_.hop(crossing).left, table_.hop(crossing).right};
    const CrossingRoom room = roomOf(table_, pieces_, crossing);
    return {room.left, room.right};
  }
  // What may be near a straight way that has not left the place's surroundings.
  std::span<const Wall> walls() {
    if (where_ == Where::kHull) return pass_.walls.first(pass_.straight);
    return where_ == Where::kBeside ? pass_.walls : table_.cell(cell()).shapes;
  }
  // Whether the next place is in the cell.
  bool holds(Vec2 p) {
    if (where_ == Where::kHull && !isBeside(p, slack_)) where_ = pass_.alone ? Where::kBeside : Where::kCell;
    if (where_ == Where::kBeside && !isBeside(p, RadiusTable::kBeside * r_)) where_ = Where::kCell;
    return where_ != Where::kCell || contains(p);
  }
  // Whether a place behind the entry and before the gate is in the hull of both doors, or that near to it. (Along a
  // wall the path runs on the border of the hull: rounding must not push it out.)
  bool isBeside(Vec2 p, double reach) const {
    return isLeftOf(p, entry_.left, entry_.right) && isBeside(p, gate_.left, entry_.left, reach) &&
           isBeside(p, entry_.right, gate_.right, reach);
  }
  static bool isBeside(Vec2 p, Vec2 a, Vec2 b, double reach) {
    const Vec2 way = b - a;
    const double off = cross(way, p - a);
    if (off >= 0) return true;
    const double square = dot(way, way);
    const double along = dot(way, p - a);
    const double past = along < 0 ? along : std::max(0.0, along - square);
    return off * off <= reach * reach * square && past * past <= reach * reach * square;
  }
  // Up to rounding: a place off by less than the slack is nearer to no wall by more than that.
  bool isLeftOf(Vec2 p, Vec2 a, Vec2 b) const {
    const double off = cross(b - a, p - a);
    return off >= 0 || off * off <= slack_ * slack_ * dot(b - a, b - a);
  }

  bool isBeforeGate(Vec2 p) const { return !hasGate_ || cross(gate_.left - gate_.right, p - gate_.right) >= 0; }
  bool passesGate(Vec2 a, Vec2 way, double off) const {
    return cross(way, gate_.left - a) >= -off && cross(way, gate_.right - a) <= off;
  }

  // Whether a place that a clear way leads to is in the cell. Such a way leaves it through a door, if at all: the rest
  // of its border is nearer than the radius to walls.
  bool contains(Vec2 p) {
    const std::span<const CrossingId> doors = table_.entries(cell()).entries;
    return std::all_of(doors.begin(), doors.end(), [&](CrossingId door) {
      const SideId side = sideOf(door);
      return isLeftOf(p, sideStart(mesh_, side), sideEnd(mesh_, side));
    });
  }
  SideId sideOf(CrossingId entry) const {
    const SideId side = table_.door(entry).side;
    return (entry & 1) == 0 ? side : mesh_.twin(side);
  }

  // Finds the walls that the lines of an arc may come near.
  void listen(const DiskBend& bend) {
    const double r = bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    noise_ = where_ == Where::kCell || !pass_.alone ? table_.cell(cell()).shapes : pass_.walls;
    // Less than half a circle is seen from one side.
    if (std::abs(bend.sweep) > std::numbers::pi) return;
    size_t count = 0;
    for (const Wall& w : noise_) {
      if (areBoxesApart(c, c, w.a, w.b, kQuiet * r) || isBehind(bend, w)) continue;
      if (count == few_.size()) return;
      few_[count++] = w;
    }
    noise_ = std::span(few_).first(count);
  }
  bool isBehind(const DiskBend& bend, const Wall& w) const {
    const double r = bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    if (w.a == c || w.b == c) {
      // Both ends of the arc lie behind the corner, seen along the wall: then so does all of it.
      const Vec2 along = w.a == c ? w.b - c : w.a - c;
      const double limit = kSlip * r * (std::abs(along.x) + std::abs(along.y));
      return dot(along, bend.in - c) <= limit && dot(along, bend.out - c) <= limit;
    }
    const Vec2 off = closestOnSegment(c, w.a, w.b) - c;
    return dot(off, off) >= kQuiet * kQuiet * r * r;
  }
  bool isQuiet(Vec2 a, Vec2 b) const { return noise_.empty() || isClearOf(noise_, {a, b, r_}); }

  // Where the walk has been since it entered the cell: in the hull of both doors, beside it, or anywhere.
  enum class Where : uint8_t { kHull, kBeside, kCell };

  RadiusTable& table_;
  const NavMesh& mesh_;
  const DiskPieces& pieces_;
  const DiskPath& path_;
  double r_;
  double slack_;
  size_t step_ = 0;
  bool hasGate_ = false;
  Gate gate_;
  Gate entry_;
  Where where_ = Where::kCell;
  RadiusTable::PassView pass_;
  std::span<const Wall> noise_;  // what may be near an arc
  std::array<Wall, 8> few_;
};

}  // namespace

bool walkArc(RadiusTable& table, CellId& cell, const DiskBend& bend, double tolerance, double& slack) {
  const NavMesh& mesh = table.mesh();
  SideId entry = kNone;
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    for (const Wall& w : table.cell(cell).shapes) {
      if (w.sight != nullptr && !w.sight->contains(bend.in) && !w.sight->contains(bend.out)) continue;
      const double room = arcClearance(bend, w) - table.radius();
      if (room < -tolerance) return false;
      if (distanceToSegment(bend.contact.centre, w.a, w.b) > tolerance) slack = std::min(slack, room);
    }
    const CellExit exit = findExit(mesh, cell, entry, bend.in, bend.out);
    if (exit.side == kNone) return true;
    if (mesh.isWall(exit.side)) return false;
    entry = mesh.twin(exit.side);
    cell = mesh.neighbour(exit.side);
  }
  return false;
}

bool walkCorridor(RadiusTable& table, const DiskPieces& pieces, const DiskPath& path, std::span<const Vec2> points,
                  const DiskString& string, std::span<const RouteArc> arcs, double tolerance,
                  std::vector<LayerId>& layers) {
  if (path.startOnDoor || path.goalOnDoor || path.steps.size() != path.crossings.size() + 1) return false;
  CorridorWalk walk(table, pieces, path, tolerance);
  const bool isFlat = table.mesh().layerCount() == 1;
  layers.assign(1, table.mesh().layerOf(walk.cell()));
  size_t at = 0;
  size_t arc = 0;
  for (const DiskBend& bend : string.bends) {
    if (!walk.go(points[at], points[at + 1])) return false;
    ++at;
    size_t last = at;
    if (bend.sweep != 0) {
      last = arcs[arc++].last;
      if (!walk.goAround(bend, points.subspan(at, last - at + 1))) return false;
    }
    // Heights along an arc that leads from one layer to another are those of the layer it leads to.
    if (!isFlat) layers.insert(layers.end(), last + 1 - at, table.mesh().layerOf(walk.cell()));
    at = last;
  }
  return true;
}

}  // namespace wend
