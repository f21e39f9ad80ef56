#include "planning/disk_walk.h"

#include <algorithm>
#include <numbers>

namespace wend {
namespace {

bool isClear(RadiusTable& table, CellId cell, Vec2 a, Vec2 b, double r) {
  const RadiusTable::CellView view = table.cell(cell);
  return std::none_of(view.shapes.begin(), view.shapes.end(), [&](const Wall& w) {
    return !areBoxesApart(a, b, w.a, w.b, r) && closestToWall(a, b, w).distance < r;
  });
}

}  // namespace

bool walkDisk(RadiusTable& table, CellId& cell, Vec2 a, Vec2 b, double tolerance) {
  const NavMesh& mesh = table.mesh();
  const double r = table.radius() - tolerance;
  SideId entry = kNone;
  double from = 0;
  // A straight segment meets a convex cell once; walking around corners may add a few.
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    const CellExit exit = findExit(mesh, cell, entry, a, b);
    const double to = exit.side == kNone ? 1 : std::max(from, exit.at);
    if (!isClear(table, cell, a + from * (b - a), a + to * (b - a), r)) return false;
    if (exit.side == kNone) return true;
    if (mesh.isWall(exit.side)) return false;
    entry = mesh.twin(exit.side);
    cell = mesh.neighbour(exit.side);
    from = to;
  }
  return false;
}

namespace {

constexpr double kQuiet = 2.02;

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
    const Vec2 way = b - a;
    const double size = length(way);
    while (!isBeforeGate(b)) {
      if (!isClear(a, b, way, r_ * size) || !passesGate(a, way, slack_ * size)) return false;
      enter(step_ + 1);
    }
    return holds(b) && isClear(a, b, way, r_ * size);
  }

  // Along the lines that stand for an arc. Walls that do not touch its centre and are farther than two radii from it
  // are out of reach of all of them.
  bool goAround(const DiskBend& bend, std::span<const Vec2> points) {
    bool quiet = isQuiet(bend);
    const auto isClearTo = [&](Vec2 a, Vec2 b, Vec2 way) { return quiet || isClear(a, b, way, r_ * length(way)); };
    for (size_t i = 1; i < points.size(); ++i) {
      const Vec2 a = points[i - 1];
      const Vec2 b = points[i];
      const Vec2 way = b - a;
      while (!isBeforeGate(b)) {
        if (!isClearTo(a, b, way) || !passesGate(a, way, 0)) return false;
        enter(step_ + 1);
        quiet = isQuiet(bend);
      }
      const bool before = between_;
      if (!holds(b)) return false;
      if (before != between_) quiet = isQuiet(bend);
      if (!isClearTo(a, b, way)) return false;
    }
    return true;
  }

 private:
  struct Gate {
    Vec2 left, right;
  };

  void enter(size_t step) {
    step_ = step;
    const DiskStep& at = path_.steps[step];
    entry_ = gate_;
    hasGate_ = step < path_.crossings.size();
    if (hasGate_) gate_ = gateOf(path_.crossings[step]);
    between_ = step > 0 && hasGate_ && at.piece == kNone;
    walls_ = between_ ? table_.wallsBetween(at.cell, at.entry, at.exit) : table_.cell(at.cell).shapes;
  }
  Gate gateOf(CrossingId crossing) const {
    if ((crossing & kLocalCrossing) == 0) return {table_.hop(crossing).left, table_.hop(crossing).right};
    const CrossingRoom room = roomOf(table_, pieces_, crossing);
    return {room.left, room.right};
  }
  // Whether the place is in the cell. Off the hull of both doors, all walls near the cell count from here on.
  bool holds(Vec2 p) {
    if (between_ && !isBetweenDoors(p)) {
      between_ = false;
      walls_ = table_.cell(cell()).shapes;
    }
    return between_ || contains(p);
  }
  bool isBetweenDoors(Vec2 p) const {
    return cross(entry_.left - entry_.right, p - entry_.right) <= 0 &&
           cross(gate_.left - entry_.left, p - entry_.left) <= 0 &&
           cross(gate_.right - entry_.right, p - entry_.right) >= 0;
  }

  bool isBeforeGate(Vec2 p) const { return !hasGate_ || cross(gate_.left - gate_.right, p - gate_.right) >= 0; }
  bool passesGate(Vec2 a, Vec2 way, double off) const {
    return cross(way, gate_.left - a) >= -off && cross(way, gate_.right - a) <= off;
  }

  bool isQuiet(const DiskBend& bend) const {
    // The lines bulge by a hundredth of the radius at most, and less than half a circle is seen from one side.
    const double reach = kQuiet * bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    if (std::abs(bend.sweep) > std::numbers::pi) return false;
    for (const Wall& w : walls_) {
      if (w.a == c || w.b == c) {
        // Both ends of the arc lie behind the corner, seen along the wall: then so does all of it.
        const Vec2 along = w.a == c ? w.b - c : w.a - c;
        if (dot(along, bend.in - c) > 0 || dot(along, bend.out - c) > 0) return false;
        continue;
      }
      const Vec2 off = closestOnSegment(c, w.a, w.b) - c;
      if (dot(off, off) < reach * reach) return false;
    }
    return true;
  }

  // Most walls lie wholly on one side of the line.
  bool isClear(Vec2 a, Vec2 b, Vec2 way, double limit) const {
    const double line = cross(way, a);
    for (const Wall& w : walls_) {
      const double first = cross(way, w.a) - line;
      const double second = cross(way, w.b) - line;
      if ((first >= limit && second >= limit) || (first <= -limit && second <= -limit)) continue;
      if (!areBoxesApart(a, b, w.a, w.b, r_) && closestToWall(a, b, w).distance < r_) return false;
    }
    return true;
  }
  // Up to rounding: a place off the cell by less than the slack is nearer to no wall than the cell by more than that.
  bool contains(Vec2 p) const {
    const CellId at = cell();
    for (SideId s = mesh_.firstSide(at); s != mesh_.endSide(at); ++s) {
      const Vec2 a = sideStart(mesh_, s);
      const Vec2 along = sideEnd(mesh_, s) - a;
      const double off = cross(along, p - a);
      if (off < 0 && off * off > slack_ * slack_ * dot(along, along)) return false;
    }
    return true;
  }

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
  bool between_ = false;  // walls_ are those near ways between both doors
  std::span<const Wall> walls_;
};

}  // namespace

bool walkCorridor(RadiusTable& table, const DiskPieces& pieces, const DiskPath& path, std::span<const Vec2> points,
                  const DiskString& string, std::span<const RouteArc> arcs, double tolerance,
                  std::vector<LayerId>& layers) {
  if (path.startOnDoor || path.goalOnDoor || path.steps.size() != path.crossings.size() + 1) return false;
  CorridorWalk walk(table, pieces, path, tolerance);
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
    for (; at <= last; ++at) layers.push_back(table.mesh().layerOf(walk.cell()));
    at = last;
  }
  return true;
}

}  // namespace wend
