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

// Of the radius: an arc that ends this little beside its corner, along a wall of it, is nearer to the wall than the
// radius by half the square of this.
constexpr double kSlip = 1e-6;

class CorridorWalk {
 public:
  CorridorWalk(RadiusTable& table, const DiskPieces& pieces, const DiskPath& path, Vec2 start, Vec2 goal,
               double tolerance)
      : table_(table),
        mesh_(table.mesh()),
        pieces_(pieces),
        path_(path),
        start_(start),
        goal_(goal),
        r_(table.radius() - tolerance),
        slack_(0.1 * tolerance) {
    step_ = path.steps.size();
    enter(0);
  }

  CellId cell() const { return path_.steps[step_].cell; }

  // From a to b, straight, through as many doors as it takes.
  bool go(Vec2 a, Vec2 b) {
    const DiskWay way(a, b, r_);
    const double off = slack_ * way.size;
    const size_t first = step_;
    while (!isBeforeGate(b)) {
      const Gate& gate = gates_[exit_];
      if (cross(way.along, gate.posts[0].place - a) < -off || cross(way.along, gate.posts[1].place - a) > off)
        return false;
      if (!isClear(way, step_ == first, false)) return false;
      enter(step_ + 1);
    }
    return holds(b) && isClear(way, step_ == first, true);
  }

  // Along the lines that stand for an arc.
  bool goAround(const DiskBend& bend, std::span<const Vec2> points) {
    const bool wasInHull = isInHull_;
    const size_t first = step_;
    if (goQuietly(bend)) return true;
    if (step_ != first) enter(first);
    isInHull_ = wasInHull;
    return goMeasured(bend, points);
  }

 private:
  // Of a circle that bounds a gate; the radius is 0 at a free end.
  struct Post {
    Vec2 place;
    Vec2 centre;
    double radius = 0;
  };
  struct Gate {
    std::array<Post, 2> posts;  // left and right
    CrossingId crossing = kNone;
  };
  using FewWalls = std::array<Wall, 8>;

  // Of the walls that may be near a way that has not left the place's surroundings. `begins` and `ends`: here.
  bool isClear(const DiskWay& way, bool begins, bool ends) {
    if (!hasPass_) return isClearInCell(way);
    const RadiusTable::WallGroup& walls = isInHull_ ? pass_.hull : pass_.cell;
    const Gate& entry = gates_[exit_ ^ 1];
    const Gate& exit = gates_[exit_];
    const bool left =
        walls.left == 0 || (isOffEntry(way, entry.posts[0], 1, begins) && isOffExit(way, exit.posts[0], 1, ends));
    const bool right =
        walls.right == 0 || (isOffEntry(way, entry.posts[1], -1, begins) && isOffExit(way, exit.posts[1], -1, ends));
    if (left && right) return walls.open == 0 || isClearOf(table_.openWalls(walls), way);
    return isClearOf(table_.allWalls(walls), way);
  }
  // In the first cell and the last one, among others. The ends of the route have to keep the radius without tolerance;
  // most often all of the way does, but for the rounding of a way that touches a corner.
  bool isClearInCell(const DiskWay& way) {
    constexpr double kRounding = 1e-12;
    const std::span<const Wall> shapes = table_.cell(cell()).shapes;
    if (isClearOf(shapes, {way, (1 - kRounding) * table_.radius()})) return true;
    return isClearOf(shapes, way) && (way.a != start_ || table_.isFree(cell(), start_)) &&
           (way.b != goal_ || table_.isFree(cell(), goal_));
  }
  // What lies behind a way's begin or beyond its end is as near to that as to the way.
  static bool isOffEntry(const DiskWay& way, const Post& post, double side, bool begins) {
    return isOff(way, post, side) || (begins && dot(way.along, post.centre - way.a) <= 0);
  }
  static bool isOffExit(const DiskWay& way, const Post& post, double side, bool ends) {
    return isOff(way, post, side) || (ends && dot(way.along, post.centre - way.b) >= 0);
  }
  static bool isOff(const DiskWay& way, const Post& post, double side) {
    return side * cross(way.along, post.centre - way.a) >= way.size * post.radius;
  }

  // Around a corner with no other wall near, through gates that end at it: nothing has to be measured.
  bool goQuietly(const DiskBend& bend) {
    if (std::abs(bend.sweep) > std::numbers::pi || !isQuietCorner(bend)) return false;
    while (!isBeforeGate(bend.out)) {
      if (!isAroundEnd(bend)) return false;
      enter(step_ + 1);
      if (!isQuietCorner(bend)) return false;
    }
    return holds(bend.out);
  }
  bool isQuietCorner(const DiskBend& bend) {
    const bool left = bend.contact.side > 0;
    const Gate& exit = gates_[exit_];
    const bool isExit = hasGate_ && isPost(exit, bend);
    const Gate& gate = isExit ? exit : gates_[exit_ ^ 1];
    if (gate.crossing == kNone || (gate.crossing & kLocalCrossing) != 0 || path_.steps[step_].piece != kNone)
      return false;
    if (!isExit && !isPost(gate, bend)) return false;
    const RadiusTable::CornerView corner = table_.around(gate.crossing ^ (isExit ? 1U : 0U), left != isExit);
    return corner.sealed &&
           std::all_of(corner.walls.begin(), corner.walls.end(), [&](const Wall& w) { return isBehind(bend, w); });
  }
  static size_t sideOf(const DiskBend& bend) { return bend.contact.side > 0 ? 0 : 1; }
  static bool isPost(const Gate& gate, const DiskBend& bend) {
    return gate.posts[sideOf(bend)].centre == bend.contact.centre;
  }
  // Whether the gate begins where the arc passes it.
  bool isAroundEnd(const DiskBend& bend) const {
    const Gate& gate = gates_[exit_];
    if (!isPost(gate, bend)) return false;
    const Vec2 near = gate.posts[sideOf(bend)].place - bend.contact.centre;
    const Vec2 far = gate.posts[sideOf(bend) ^ 1].place - bend.contact.centre;
    const double square = bend.contact.radius * bend.contact.radius;
    return dot(near, near) <= (1 + kSlip) * square &&
           dot(far, far) >= RadiusTable::kBulged * RadiusTable::kBulged * square;
  }

  [[gnu::noinline]] bool goMeasured(const DiskBend& bend, std::span<const Vec2> points) {
    FewWalls few;
    listen(bend, few);
    for (size_t i = 1; i < points.size(); ++i) {
      const Vec2 a = points[i - 1];
      const Vec2 b = points[i];
      while (!isBeforeGate(b)) {
        if (!isQuiet(a, b) || !passesGate(a, b - a)) return false;
        enter(step_ + 1);
        listen(bend, few);
      }
      if (!holds(b) || !isQuiet(a, b)) return false;
    }
    return true;
  }

  void enter(size_t step) {
    exit_ ^= 1;
    if (step == 0) {
      gates_[exit_ ^ 1].crossing = kNone;
    } else if (step != step_ + 1) {
      setGate(path_.crossings[step - 1], gates_[exit_ ^ 1]);
    }
    step_ = step;
    hasGate_ = step < path_.crossings.size();
    hasPass_ = isInHull_ = false;
    if (!hasGate_) return;
    const CrossingId crossing = path_.crossings[step];
    setGate(crossing, gates_[exit_]);
    if (step == 0 || path_.steps[step].piece != kNone) return;
    if (const RadiusTable::Pass* pass = table_.between(gates_[exit_ ^ 1].crossing, crossing)) {
      pass_ = *pass;
      hasPass_ = isInHull_ = true;
    }
  }
  void setGate(CrossingId crossing, Gate& gate) const {
    gate.crossing = crossing;
    if ((crossing & kLocalCrossing) != 0) {
      const CrossingRoom room = roomOf(table_, pieces_, crossing);
      gate.posts[0] = {room.left, room.leftCentre, room.leftWall == kNone ? 0 : r_};
      gate.posts[1] = {room.right, room.rightCentre, room.rightWall == kNone ? 0 : r_};
      return;
    }
    const PortalDoor::End& left = table_.endOf(crossing, true);
    const PortalDoor::End& right = table_.endOf(crossing, false);
    gate.posts[0] = {left.place, left.centre, left.wall == kNone ? 0 : r_};
    gate.posts[1] = {right.place, right.centre, right.wall == kNone ? 0 : r_};
  }
  // Whether the next place is in the cell.
  bool holds(Vec2 p) {
    const Gate& entry = gates_[exit_ ^ 1];
    if (hasPass_) {
      const Gate& exit = gates_[exit_];
      const bool isPastEntry = isLeftOf(p, entry.posts[0].place, entry.posts[1].place);
      isInHull_ = isInHull_ && isPastEntry && isLeftOf(p, exit.posts[0].place, entry.posts[0].place) &&
                  isLeftOf(p, entry.posts[1].place, exit.posts[1].place);
      if (isInHull_) return true;
      if (pass_.alone) return isPastEntry;
    }
    return contains(p);
  }
  // Up to rounding: a place off by less than the slack is nearer to no wall by more than that.
  bool isLeftOf(Vec2 p, Vec2 a, Vec2 b) const {
    const double off = cross(b - a, p - a);
    return off >= 0 || off * off <= slack_ * slack_ * dot(b - a, b - a);
  }

  bool isBeforeGate(Vec2 p) const {
    const Gate& gate = gates_[exit_];
    return !hasGate_ || cross(gate.posts[0].place - gate.posts[1].place, p - gate.posts[1].place) >= 0;
  }
  bool passesGate(Vec2 a, Vec2 way) const {
    const Gate& gate = gates_[exit_];
    return cross(way, gate.posts[0].place - a) >= 0 && cross(way, gate.posts[1].place - a) <= 0;
  }

  // Whether a place that a clear way leads to is in the cell. Such a way leaves it through a door, if at all: the rest
  // of its border is nearer than the radius to walls.
  [[gnu::noinline]] bool contains(Vec2 p) {
    const std::span<const CrossingId> doors = table_.cell(cell()).entries;
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
  void listen(const DiskBend& bend, FewWalls& few) {
    const double r = bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    noise_ = table_.cell(cell()).shapes;
    // Less than half a circle is seen from one side.
    if (std::abs(bend.sweep) > std::numbers::pi) return;
    size_t count = 0;
    for (const Wall& w : noise_) {
      if (areBoxesApart(c, c, w.a, w.b, RadiusTable::kQuiet * r) || isBehind(bend, w)) continue;
      if (count == few.size()) return;
      few[count++] = w;
    }
    noise_ = std::span(few).first(count);
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
    return dot(off, off) >= RadiusTable::kQuiet * RadiusTable::kQuiet * r * r;
  }
  bool isQuiet(Vec2 a, Vec2 b) const { return noise_.empty() || isClearOf(noise_, {a, b, r_}); }

  RadiusTable& table_;
  const NavMesh& mesh_;
  const DiskPieces& pieces_;
  const DiskPath& path_;
  Vec2 start_;
  Vec2 goal_;
  double r_;
  double slack_;
  size_t step_ = 0;
  bool hasGate_ = false;
  std::array<Gate, 2> gates_;  // of the step: the exit, and the entry
  size_t exit_ = 0;
  bool hasPass_ = false;
  bool isInHull_ = false;  // since it entered the cell
  RadiusTable::Pass pass_;
  std::span<const Wall> noise_;  // what may be near an arc
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
                  std::vector<LayerId>& layers, size_t& reached) {
  reached = 0;
  if (path.startOnDoor || path.goalOnDoor || path.steps.size() != path.crossings.size() + 1) return false;
  CorridorWalk walk(table, pieces, path, points.front(), points.back(), tolerance);
  const bool isFlat = table.mesh().layerCount() == 1;
  layers.assign(1, table.mesh().layerOf(walk.cell()));
  size_t at = 0;
  size_t arc = 0;
  for (; reached < string.bends.size(); ++reached) {
    const DiskBend& bend = string.bends[reached];
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
