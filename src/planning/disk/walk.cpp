#include "planning/disk/walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "geometry/extent.h"
#include "planning/disk/arc_lines.h"

namespace wend {

bool walkDisk(ShrunkPortals& table, CellId& cell, Vec2 a, Vec2 b, double tolerance) {
  const NavMesh& mesh = table.mesh();
  const double r = table.radius() - tolerance;
  SideId entry = kNone;
  double from = 0;
  CellId seen = kNone;
  double seenAt = 0;
  // A straight segment meets a convex cell once; walking around corners may add a few.
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    // Where rounding leads around a corner again and again, it does not get on.
    if (cell == seen && from == seenAt) return false;
    if (std::has_single_bit(steps)) {
      seen = cell;
      seenAt = from;
    }
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

class CorridorWalk {
 public:
  CorridorWalk(ShrunkPortals& table, const DiskPieces& pieces, const DiskPath& path, const DiskEnds& ends,
               double tolerance, std::vector<Vec2>& corners)
      : table_(table),
        mesh_(table.mesh()),
        pieces_(pieces),
        path_(path),
        ends_(ends),
        tolerance_(tolerance),
        r_(table.radius() - tolerance),
        slack_(0.1 * tolerance),
        corners_(corners) {
    step_ = path.steps.size();
    enter(0);
  }

  CellId cell() const { return path_.steps[step_].cell; }
  size_t step() const { return step_; }

  // Goes on from a place in the cell of another step, or of the same after a way that was not measured here.
  void resume(size_t step, Vec2 place) {
    if (step != step_) enter(step);
    isInHull_ = hasCrossing_;
    holds(place);
  }

  // Straight from a to b, through any number of portals.
  bool go(Vec2 a, Vec2 b) {
    const DiskMove way(a, b, r_);
    const double off = slack_ * way.size;
    const size_t first = step_;
    while (!isBeforePortal(b)) {
      const Portal& portal = portals_[exit_];
      if (cross(way.along, portal.posts[0].place - a) < -off || cross(way.along, portal.posts[1].place - a) > off)
        return false;
      if (!isClear(way, step_ == first, false)) return false;
      enter(step_ + 1);
    }
    return holds(b) && isClear(way, step_ == first, true);
  }

  // True if a place in the cell is where the path ends. It may lie on the last portals, up to rounding. Where floors
  // lie above each other it may be below or above the end.
  bool isAtEnd(Vec2 p) {
    while (hasPortal_) {
      const Vec2 left = portals_[exit_].posts[0].place;
      const Vec2 right = portals_[exit_].posts[1].place;
      if (!isLeftOf(p, left, right)) return false;
      enter(step_ + 1);
    }
    return true;
  }

  // Along the lines that stand for an arc.
  bool goAround(const DiskBend& bend) {
    const bool wasInHull = isInHull_;
    const size_t first = step_;
    if (goQuietly(bend)) return true;
    if (step_ != first) enter(first);
    isInHull_ = wasInHull;
    return goMeasured(bend);
  }

 private:
  // Of a circle that bounds a portal; the radius is 0 at a free end.
  struct Post {
    Vec2 place;
    Vec2 centre;
    double radius = 0;
  };
  struct Portal {
    std::array<Post, 2> posts;  // left and right
    DirectedPortalId id = kNone;
  };
  using FewWalls = std::array<Wall, 24>;

  // Of the walls that may be near a way that has not left the place's surroundings. `begins` and `ends`: here.
  bool isClear(const DiskMove& way, bool begins, bool ends) {
    if (!hasCrossing_) return isClearInCell(way);
    const ShrunkPortals::WallGroup& walls = isInHull_ ? crossing_.hull : crossing_.cell;
    const Portal& entry = portals_[exit_ ^ 1];
    const Portal& exit = portals_[exit_];
    const bool left =
        walls.left == 0 || (isOffEntry(way, entry.posts[0], 1, begins) && isOffExit(way, exit.posts[0], 1, ends));
    const bool right =
        walls.right == 0 || (isOffEntry(way, entry.posts[1], -1, begins) && isOffExit(way, exit.posts[1], -1, ends));
    if (left && right) return walls.open == 0 || isClearOf(table_.openWalls(walls), way);
    return isClearOf(table_.allWalls(walls), way);
  }
  // In the first cell and the last one, among others. The ends of the route have to keep the radius without tolerance;
  // most often all of the way does, but for the rounding of a way that touches a corner.
  bool isClearInCell(const DiskMove& way) {
    constexpr double kRounding = 1e-12;
    const std::span<const Wall> shapes = table_.cell(cell()).shapes;
    if (isClearOf(shapes, {way, (1 - kRounding) * table_.radius()})) return true;
    return isClearOf(shapes, way) && (way.a != ends_.start || table_.isFree(cell(), ends_.start)) &&
           (way.b != ends_.goal || table_.isFree(cell(), ends_.goal));
  }
  // What lies behind a way's begin or beyond its end is as near to that as to the way.
  static bool isOffEntry(const DiskMove& way, const Post& post, double side, bool begins) {
    return isOff(way, post, side) || (begins && dot(way.along, post.centre - way.a) <= 0);
  }
  static bool isOffExit(const DiskMove& way, const Post& post, double side, bool ends) {
    return isOff(way, post, side) || (ends && dot(way.along, post.centre - way.b) >= 0);
  }
  static bool isOff(const DiskMove& way, const Post& post, double side) {
    return side * cross(way.along, post.centre - way.a) >= way.size * post.radius;
  }

  // Around a corner with no other wall near, through portals that end at it: nothing has to be measured.
  bool goQuietly(const DiskBend& bend) {
    if (std::abs(bend.sweep) > std::numbers::pi || !isQuietCorner(bend)) return false;
    while (!isBeforePortal(bend.out)) {
      if (!isAroundEnd(bend)) return false;
      enter(step_ + 1);
      if (!isQuietCorner(bend)) return false;
    }
    return holds(bend.out);
  }
  bool isQuietCorner(const DiskBend& bend) {
    const ShrunkPortals::CornerView corner = cornerOf(bend);
    return corner.sealed &&
           std::all_of(corner.walls.begin(), corner.walls.end(), [&](const Wall& w) { return isBehind(bend, w); });
  }
  // The surroundings of the bend's corner in the cell, if one of the step's portals ends there.
  ShrunkPortals::CornerView cornerOf(const DiskBend& bend) {
    const bool left = bend.contact.side > 0;
    const Portal& exit = portals_[exit_];
    const bool isExit = hasPortal_ && isPost(exit, bend);
    const Portal& portal = isExit ? exit : portals_[exit_ ^ 1];
    if (portal.id == kNone || (portal.id & kOnCut) != 0 || path_.steps[step_].piece != kNone) return {};
    if (!isExit && !isPost(portal, bend)) return {};
    return table_.around(portal.id ^ (isExit ? 1U : 0U), left != isExit);
  }
  static size_t sideOf(const DiskBend& bend) { return bend.contact.side > 0 ? 0 : 1; }
  static bool isPost(const Portal& portal, const DiskBend& bend) {
    return portal.posts[sideOf(bend)].centre == bend.contact.centre;
  }
  // Whether the portal begins where the arc passes it.
  bool isAroundEnd(const DiskBend& bend) const {
    const Portal& portal = portals_[exit_];
    if (!isPost(portal, bend)) return false;
    const Vec2 near = portal.posts[sideOf(bend)].place - bend.contact.centre;
    const Vec2 far = portal.posts[sideOf(bend) ^ 1].place - bend.contact.centre;
    const double square = bend.contact.radius * bend.contact.radius;
    return dot(near, near) <= (1 + kSlip) * square &&
           dot(far, far) >= ShrunkPortals::kBulged * ShrunkPortals::kBulged * square;
  }

  [[gnu::noinline]] bool goMeasured(const DiskBend& bend) {
    std::vector<Vec2>& points = corners_;
    points.assign(1, bend.in);
    ArcLines(tolerance_).append(bend, points);
    points.push_back(bend.out);
    Extent lines;
    for (const Vec2 p : points) lines.add(p, r_);
    FewWalls few;
    listen(bend, lines, few);
    for (size_t i = 1; i < points.size(); ++i) {
      const Vec2 a = points[i - 1];
      const Vec2 b = points[i];
      while (!isBeforePortal(b)) {
        if (!isQuiet(a, b) || !passesPortal(a, b - a)) return false;
        enter(step_ + 1);
        listen(bend, lines, few);
      }
      if (!holds(b) || !isQuiet(a, b)) return false;
    }
    return true;
  }

  void enter(size_t step) {
    exit_ ^= 1;
    if (step == 0) {
      portals_[exit_ ^ 1].id = kNone;
    } else if (step != step_ + 1) {
      setPortal(path_.portals[step - 1], portals_[exit_ ^ 1]);
    }
    step_ = step;
    hasPortal_ = step < path_.portals.size();
    hasCrossing_ = isInHull_ = false;
    if (!hasPortal_) return;
    const DirectedPortalId id = path_.portals[step];
    setPortal(id, portals_[exit_]);
    if (step == 0 || path_.steps[step].piece != kNone) return;
    if (const ShrunkPortals::Crossing* crossing = table_.crossing(portals_[exit_ ^ 1].id, id)) {
      crossing_ = *crossing;
      hasCrossing_ = isInHull_ = true;
    }
  }
  void setPortal(DirectedPortalId id, Portal& portal) const {
    portal.id = id;
    if ((id & kOnCut) != 0) {
      const PortalEnds ends = portalEnds(table_, pieces_, id);
      portal.posts[0] = {ends.left, ends.leftCentre, ends.leftWall == kNone ? 0 : r_};
      portal.posts[1] = {ends.right, ends.rightCentre, ends.rightWall == kNone ? 0 : r_};
      return;
    }
    const ShrunkPortalUnits::End& left = table_.endOf(id, true);
    const ShrunkPortalUnits::End& right = table_.endOf(id, false);
    portal.posts[0] = {left.place, left.centre, left.wall == kNone ? 0 : r_};
    portal.posts[1] = {right.place, right.centre, right.wall == kNone ? 0 : r_};
  }
  // Whether the next place is in the cell.
  bool holds(Vec2 p) {
    const Portal& entry = portals_[exit_ ^ 1];
    if (hasCrossing_) {
      const Portal& exit = portals_[exit_];
      const bool isPastEntry = isLeftOf(p, entry.posts[0].place, entry.posts[1].place);
      isInHull_ = isInHull_ && isPastEntry && isLeftOf(p, exit.posts[0].place, entry.posts[0].place) &&
                  isLeftOf(p, entry.posts[1].place, exit.posts[1].place);
      if (isInHull_) return true;
      if (crossing_.alone) return isPastEntry;
    }
    return contains(p);
  }
  // Up to rounding: a place off by less than the slack is nearer to no wall by more than that.
  bool isLeftOf(Vec2 p, Vec2 a, Vec2 b) const {
    const double off = cross(b - a, p - a);
    return off >= 0 || off * off <= slack_ * slack_ * dot(b - a, b - a);
  }

  bool isBeforePortal(Vec2 p) const {
    const Portal& portal = portals_[exit_];
    return !hasPortal_ || cross(portal.posts[0].place - portal.posts[1].place, p - portal.posts[1].place) >= 0;
  }
  bool passesPortal(Vec2 a, Vec2 way) const {
    const Portal& portal = portals_[exit_];
    return cross(way, portal.posts[0].place - a) >= 0 && cross(way, portal.posts[1].place - a) <= 0;
  }

  // Whether a place that a clear way leads to is in the cell. Such a way leaves it through a shrunk portal, if at all:
  // the rest of its border is nearer than the radius to walls.
  [[gnu::noinline]] bool contains(Vec2 p) {
    const std::span<const DirectedPortalId> entries = table_.cell(cell()).entries;
    return std::all_of(entries.begin(), entries.end(), [&](DirectedPortalId entry) {
      const SideId side = sideOf(entry);
      return isLeftOf(p, sideStart(mesh_, side), sideEnd(mesh_, side));
    });
  }
  SideId sideOf(DirectedPortalId entry) const {
    const SideId side = table_.shrunkPortal(entry).side;
    return (entry & 1) == 0 ? side : mesh_.twin(side);
  }

  // Finds the walls that the lines of an arc may come near; `lines` is the box around what is nearer than the radius.
  void listen(const DiskBend& bend, const Extent& lines, FewWalls& few) {
    const double r = bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    // Less than half a circle is seen from one side.
    const bool isSeen = std::abs(bend.sweep) <= std::numbers::pi;
    std::span<const Wall> walls = isSeen ? cornerOf(bend).walls : std::span<const Wall>{};
    if (walls.empty()) walls = table_.cell(cell()).shapes;
    size_t count = 0;
    for (const Wall& w : walls) {
      if (areApart(lines, w)) continue;
      if (isSeen && (areBoxesApart(c, c, w.a, w.b, ShrunkPortals::kQuiet * r) || isBehind(bend, w))) continue;
      if (count == few.size()) {
        noise_ = table_.cell(cell()).shapes;
        return;
      }
      few[count++] = w;
    }
    noise_ = std::span(few).first(count);
  }
  bool isBehind(const DiskBend& bend, const Wall& w) const {
    const double r = bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    if (w.a == c || w.b == c) {
      return isBehindCorner(w, c, r, bend.in) && isBehindCorner(w, c, r, bend.out);
    }
    const Vec2 off = closestOnSegment(c, w.a, w.b) - c;
    return dot(off, off) >= ShrunkPortals::kQuiet * ShrunkPortals::kQuiet * r * r;
  }
  static bool areApart(const Extent& box, const Wall& w) {
    return std::max(w.a.x, w.b.x) < box.minX || std::min(w.a.x, w.b.x) > box.maxX ||
           std::max(w.a.y, w.b.y) < box.minY || std::min(w.a.y, w.b.y) > box.maxY;
  }
  bool isQuiet(Vec2 a, Vec2 b) const { return noise_.empty() || isClearOf(noise_, {a, b, r_}); }

  ShrunkPortals& table_;
  const NavMesh& mesh_;
  const DiskPieces& pieces_;
  const DiskPath& path_;
  const DiskEnds& ends_;
  double tolerance_;
  double r_;
  double slack_;
  std::vector<Vec2>& corners_;
  size_t step_ = 0;
  bool hasPortal_ = false;
  std::array<Portal, 2> portals_;  // of the step: the exit, and the entry
  size_t exit_ = 0;
  bool hasCrossing_ = false;
  bool isInHull_ = false;  // since it entered the cell
  ShrunkPortals::Crossing crossing_;
  std::span<const Wall> noise_;  // what may be near an arc
};

// The layers of a bend's points, which lie in the cells of some steps.
void addLayers(const ShrunkPortals& table, const DiskPath& path, const DiskBend& bend, size_t first, size_t last,
               double tolerance, WalkScratch& scratch) {
  scratch.corners.assign(1, bend.in);
  if (bend.sweep != 0) {
    scratch.corners.clear();
    ArcLines(tolerance).append(bend, scratch.corners);
  }
  size_t step = first;
  for (const Vec2 corner : scratch.corners) {
    for (; step < last; ++step) {
      if ((path.portals[step] & kOnCut) != 0) continue;
      const DirectedPortal& portal = table.directed(path.portals[step]);
      if (cross(portal.left - portal.right, corner - portal.right) >= 0) break;
    }
    scratch.layers.push_back(table.mesh().layerOf(path.steps[step].cell));
  }
}

}  // namespace

bool walkArc(ShrunkPortals& table, CellId& cell, const DiskBend& bend, double tolerance, double& slack) {
  const NavMesh& mesh = table.mesh();
  SideId entry = kNone;
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    for (const Wall& w : table.cell(cell).shapes) {
      if (w.sight != nullptr && !w.sight->contains(bend.in) && !w.sight->contains(bend.out)) continue;
      const double spare = arcClearance(bend, w) - table.radius();
      if (spare < -tolerance) return false;
      if (distanceToSegment(bend.contact.centre, w.a, w.b) > tolerance) slack = std::min(slack, spare);
    }
    const CellExit exit = findExit(mesh, cell, entry, bend.in, bend.out);
    if (exit.side == kNone) return true;
    if (mesh.isWall(exit.side)) return false;
    entry = mesh.twin(exit.side);
    cell = mesh.neighbour(exit.side);
  }
  return false;
}

bool walkCorridor(ShrunkPortals& table, const DiskPieces& pieces, const DiskPath& path, const DiskEnds& ends,
                  const DiskString& string, double tolerance, WalkScratch& scratch, size_t& reached) {
  reached = 0;
  if (path.startOnPortal || path.goalOnPortal || path.steps.size() != path.portals.size() + 1) return false;
  CorridorWalk walk(table, pieces, path, ends, tolerance, scratch.corners);
  const NavMesh& mesh = table.mesh();
  const bool isFlat = mesh.layerCount() == 1;
  std::vector<LayerId>& layers = scratch.layers;
  layers.clear();
  layers.push_back(mesh.layerOf(walk.cell()));
  Vec2 from = ends.start;
  size_t step = 0;
  bool isWalking = true;  // the walk is where the string is
  const auto follow = [&](Vec2 place) {
    if (!isWalking) walk.resume(step, place);
    isWalking = true;
  };
  for (; reached < string.bends.size(); ++reached) {
    const DiskBend& bend = string.bends[reached];
    // Walking on costs no more than beginning again after a straight part.
    if (bend.known && bend.fromStep == step && (bend.quiet || !isWalking)) {
      step = bend.toStep;
      isWalking = false;
    } else {
      follow(from);
      if (!walk.go(from, bend.in)) return false;
      step = walk.step();
    }
    const size_t arrived = step;
    if (bend.quiet && bend.toStep == step) {
      step = bend.outStep;
      isWalking = false;
    } else if (bend.sweep != 0) {
      follow(bend.in);
      if (!walk.goAround(bend)) return false;
      step = walk.step();
    }
    if (!isFlat) addLayers(table, path, bend, arrived, step, tolerance, scratch);
    from = bend.out;
  }
  follow(from);
  return walk.isAtEnd(from);
}

bool walkString(ShrunkPortals& table, const DiskEnds& ends, const DiskString& string, double tolerance,
                WalkScratch& scratch) {
  const NavMesh& mesh = table.mesh();
  CellId cell = ends.startCells.front();
  ArcLines lines(tolerance);
  std::vector<Vec2>& points = scratch.corners;
  Vec2 from = ends.start;
  std::vector<LayerId>& layers = scratch.layers;
  layers.assign(1, mesh.layerOf(cell));
  for (const DiskBend& bend : string.bends) {
    const bool isArc = bend.sweep != 0;
    points.assign(1, bend.in);
    if (isArc) {
      lines.append(bend, points);
      points.push_back(bend.out);
    }
    for (size_t i = 0; i < points.size(); ++i) {
      if (!walkDisk(table, cell, from, points[i], tolerance)) return false;
      from = points[i];
      if (!isArc || (i > 0 && i + 1 < points.size())) layers.push_back(mesh.layerOf(cell));
    }
  }
  return table.isFree(ends.startCells.front(), ends.start) && table.isFree(ends.goalCells.front(), ends.goal);
}

}  // namespace wend
