#include "planning/disk_string.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planning/direction_angle.h"

namespace wend {
namespace {

bool isOnArc(const DiskBend& bend, Vec2 direction) {
  const Vec2 begin = bend.in - bend.contact.centre;
  const Vec2 end = bend.out - bend.contact.centre;
  const double sense = bend.sweep < 0 ? -1 : 1;
  // Straight back from an arc of almost no length lies on both lines that bound it.
  if (std::abs(bend.sweep) < std::numbers::pi / 2 && dot(begin, direction) < 0) return false;
  const bool afterBegin = sense * cross(begin, direction) >= 0;
  const bool beforeEnd = sense * cross(direction, end) >= 0;
  return std::abs(bend.sweep) <= std::numbers::pi ? afterBegin && beforeEnd : afterBegin || beforeEnd;
}

}  // namespace

// The distance to a segment along an arc is least at its ends, or where it points straight at an end of the segment or
// across it.
double arcClearance(const DiskBend& bend, const Wall& wall, Vec2* nearest) {
  const Vec2 c = bend.contact.centre;
  double best = HUGE_VAL;
  const auto consider = [&](Vec2 p) {
    const Vec2 q = closestOnSegment(p, wall.a, wall.b);
    const double distance = length(p - q);
    if (distance >= best) return;
    best = distance;
    if (nearest != nullptr) *nearest = q;
  };
  const auto considerDirection = [&](Vec2 d) {
    const double size = length(d);
    if (size > 0 && isOnArc(bend, d)) consider(c + (bend.contact.radius / size) * d);
  };
  consider(bend.in);
  consider(bend.out);
  const Vec2 along = wall.b - wall.a;
  considerDirection({-along.y, along.x});
  considerDirection({along.y, -along.x});
  considerDirection(wall.a - c);
  considerDirection(wall.b - c);
  return best;
}

namespace {

// The direction in which the path runs from contact x to contact y; its length means nothing.
[[gnu::always_inline]] inline Vec2 heading(const DiskContact& x, const DiskContact& y) {
  const Vec2 way = y.centre - x.centre;
  const double apart = x.side * x.radius - y.side * y.radius;
  if (apart == 0) return way.x == 0 && way.y == 0 ? Vec2{1, 0} : way;
  const double square = dot(way, way);
  const double along = std::sqrt(std::max(0.0, square - apart * apart));
  // Circles that overlap have no tangent between them: straight across is the limit.
  const double across = along > 0 ? apart : apart < 0 ? -1 : 1;
  if (!(square > 0)) return {1, 0};
  return {way.x * along - way.y * across, way.x * across + way.y * along};
}

// The straight part of the path between two contacts.
struct Tangent {
  Vec2 direction;  // of length 1
  double length;
};
Tangent tangentBetween(const DiskContact& x, const DiskContact& y) {
  const Vec2 way = y.centre - x.centre;
  const double apart = x.side * x.radius - y.side * y.radius;
  const double square = dot(way, way);
  const double along = std::sqrt(std::max(0.0, square - apart * apart));
  if (!(square > 0)) return {{1, 0}, 0};
  const double share = 1 / square;
  if (along > 0) {
    return {{share * (way.x * along - way.y * apart), share * (way.x * apart + way.y * along)}, along};
  }
  // Circles that overlap: straight across, back and forth.
  const double across = (apart < 0 ? -1 : 1) * std::sqrt(share);
  return {{-way.y * across, way.x * across}, 0};
}

// Where a path with direction t touches the contact.
Vec2 touch(const DiskContact& x, Vec2 t) {
  return {x.centre.x + x.side * x.radius * t.y, x.centre.y - x.side * x.radius * t.x};
}

bool isSame(const DiskContact& x, const DiskContact& y) {
  // Without branches that nobody can foresee.
  return ((x.centre.x == y.centre.x) & (x.centre.y == y.centre.y) & (x.radius == y.radius) &
          ((x.side == y.side) | (x.radius == 0))) != 0;
}

// The left chain, the apex and the right chain lie in one array, the apex in the middle. Each link of a chain keeps the
// direction in which the path comes to it from the link before.
class CircleFunnel {
 public:
  CircleFunnel(const DiskContact& start, size_t contacts, std::vector<DiskStringScratch::Link>& chain,
               std::vector<DiskContact>& taut)
      : chain_(chain), taut_(taut) {
    if (chain_.size() < 2 * contacts + 3) chain_.resize(2 * contacts + 3);
    left_ = right_ = apex_ = contacts + 1;
    chain_[apex_].contact = start;
    taut_.clear();
    taut_.push_back(start);
  }

  void add(const DiskContact& contact) {
    if (contact.side < 0) {
      addRight(contact);
    } else {
      addLeft(contact);
    }
  }

  // Both ends of a gate. Circles stand off the gate's line, so one end may move the apex to a contact that the other
  // end makes obsolete: the end that moves nothing goes first. But where the path has to turn at the near end to come
  // to the far one, the near end goes first, while the contacts before it are still there.
  void addGate(const DiskContact& left, const DiskContact& right) {
    if (isSame(chain_[left_].contact, left)) {
      extend(left_, left);
      addRight(right);
      return;
    }
    Vec2 way = heading(chain_[left_].contact, left);
    size_t link = left_;
    while (link < apex_ && !bends(chain_[link].in, way, 1)) way = heading(chain_[++link].contact, left);
    bool rightFirst = false;
    if (link == apex_ && right_ > apex_ &&
        crossingOf(chain_[apex_], chain_[apex_ + 1], way, left, -1) == Crossing::kAround) {
      const Vec2 other = heading(chain_[apex_].contact, right);
      rightFirst = crossingOf(chain_[apex_], {right, other}, way, left, -1) != Crossing::kBefore;
    } else if (link == apex_ && left_ < apex_) {
      const Vec2 other = heading(chain_[apex_].contact, right);
      rightFirst = crossingOf(chain_[apex_], {left, way}, other, right, 1) == Crossing::kBefore;
    }
    if (rightFirst) {
      addRight(right);
      addLeft(left);
    } else {
      left_ = link;
      addLeft(left, way);
      addRight(right);
    }
  }

  void finish(DiskContact goal) {
    addRight(goal);
    for (size_t i = apex_ + 1; i <= right_; ++i) taut_.push_back(chain_[i].contact);
    if (taut_.back().radius != 0 || taut_.back().centre != goal.centre) taut_.push_back(goal);
    taut_.back().side = 0;
  }

 private:
  using Link = DiskStringScratch::Link;

  void addRight(const DiskContact& p) {
    if (isSame(chain_[right_].contact, p)) {
      extend(right_, p);
      return;
    }
    Vec2 way = heading(chain_[right_].contact, p);
    while (right_ > apex_ && !bends(chain_[right_].in, way, -1)) way = heading(chain_[--right_].contact, p);
    while (right_ == apex_ && left_ < apex_) {
      const Crossing crossing = crossingOf(chain_[apex_], chain_[apex_ - 1], way, p, 1);
      if (crossing == Crossing::kNone) break;
      if (crossing == Crossing::kBefore) {
        turnFirst(p, chain_[apex_ - 1]);
        return;
      }
      --apex_;
      taut_.push_back(chain_[apex_].contact);
      right_ = apex_;
      way = heading(chain_[apex_].contact, p);
    }
    if (!isSame(chain_[right_].contact, p)) {
      chain_[++right_] = {p, way};
    } else {
      extend(right_, p);
    }
  }
  void addLeft(const DiskContact& p) {
    if (isSame(chain_[left_].contact, p)) {
      extend(left_, p);
      return;
    }
    Vec2 way = heading(chain_[left_].contact, p);
    while (left_ < apex_ && !bends(chain_[left_].in, way, 1)) way = heading(chain_[++left_].contact, p);
    addLeft(p, way);
  }
  // With `way` leading from the last left link, which stays, to p.
  void addLeft(const DiskContact& p, Vec2 way) {
    while (left_ == apex_ && right_ > apex_) {
      const Crossing crossing = crossingOf(chain_[apex_], chain_[apex_ + 1], way, p, -1);
      if (crossing == Crossing::kNone) break;
      if (crossing == Crossing::kBefore) {
        turnFirst(p, chain_[apex_ + 1]);
        return;
      }
      ++apex_;
      taut_.push_back(chain_[apex_].contact);
      left_ = apex_;
      way = heading(chain_[apex_].contact, p);
    }
    if (!isSame(chain_[left_].contact, p)) {
      chain_[--left_] = {p, way};
    } else {
      extend(left_, p);
    }
  }
  // The path turns at p before it comes to the other chain, which begins with `first`.
  void turnFirst(const DiskContact& p, Link& first) {
    chain_[apex_].contact = p;
    first.in = heading(p, first.contact);
    taut_.push_back(p);
  }
  void extend(size_t i, const DiskContact& p) {
    chain_[i].contact.lastStage = std::max(chain_[i].contact.lastStage, p.lastStage);
    if (i == apex_) taut_.back().lastStage = chain_[i].contact.lastStage;
  }

  // Whether a path bends around a contact on that side, between two directions, or passes it. A way straight back is no
  // bend: both contacts lie along one wall, and the second should have come first.
  static bool bends(Vec2 first, Vec2 second, double side) {
    constexpr double kBack = 1e-6;
    const double turn = side * cross(first, second);
    if (dot(first, second) >= 0) return turn >= 0;
    return turn > 0 && turn * turn >= kBack * kBack * dot(first, first) * dot(second, second);
  }
  // How the path from the apex to p, `way`, lies to `first`, the first contact of the other chain. Where p lies beyond
  // the tangent to that and behind it, the path must go around it. (In front of the circle p is in reach without a
  // turn; only a turn of more than 180 degrees would lead around.) Where p lies beyond the tangent, too, but in front
  // of `first` and nearer, the path must turn at p to pass `first` on the right side.
  enum class Crossing : uint8_t { kNone, kAround, kBefore };
  static Crossing crossingOf(const Link& apex, const Link& first, Vec2 way, const DiskContact& p, double side) {
    const double beyond = side * cross(first.in, way);
    if (beyond < 0) return Crossing::kNone;
    if (side * cross(first.in, heading(first.contact, p)) > 0) return Crossing::kAround;
    const bool isBefore = beyond > 0 && p.side != 0 && dot(first.in, p.centre - apex.contact.centre) > 0 &&
                          dot(first.in, first.contact.centre - p.centre) > 0;
    return isBefore ? Crossing::kBefore : Crossing::kNone;
  }

  std::vector<Link>& chain_;
  std::vector<DiskContact>& taut_;
  size_t left_, right_, apex_;
};

// Radians: bends by less are rounding.
constexpr double kStraight = 1e-12;

// Walls farther than this from an arc's centre, in radii, leave it a slack of at least a tenth of the radius.
constexpr double kArcReach = 2.1;

class StringPuller {
 public:
  StringPuller(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
               double tolerance, DiskStringScratch& scratch, DiskString& string)
      : table_(table), pieces_(pieces), ends_(ends), path_(path), tolerance_(tolerance), s_(scratch), out_(string) {
    r_ = table.radius();
    const size_t first = path.startOnDoor ? 1 : 0;
    const size_t last = path.crossings.size() - (path.goalOnDoor && !path.crossings.empty() ? 1 : 0);
    if (first < last) gates_ = std::span(path.crossings).subspan(first, last - first);
  }

  void runOnce() {
    s_.inserted.clear();
    out_.rounds = 1;
    out_.clear = true;
    pull();
    measure();
  }

  bool mend(size_t bend) {
    ++out_.rounds;
    added_ = false;
    check(bend);
    if (added_) pullAgain();
    return added_;
  }

  void run() {
    s_.inserted.clear();
    out_.rounds = 0;
    pullAgain();
    while (true) {
      ++out_.rounds;
      added_ = false;
      out_.clear = true;
      for (size_t i = 0; i < out_.bends.size(); ++i) check(i);
      if (!added_ || out_.rounds > 200) break;
      pullAgain();
    }
  }

 private:
  using Inserted = DiskStringScratch::Inserted;

  void pullAgain() {
    std::stable_sort(s_.inserted.begin(), s_.inserted.end(), [](const auto& a, const auto& b) {
      if (a.step != b.step) return a.step < b.step;
      return a.contact.side != b.contact.side ? a.contact.side < b.contact.side : a.order < b.order;
    });
    pull();
    measure();
  }
  void pull() {
    CircleFunnel funnel({ends_.start, 0, 0, 0, 0}, 2 * gates_.size() + s_.inserted.size() + 1, s_.chain, s_.taut);
    size_t next = 0;
    for (uint32_t gate = 0; gate <= gates_.size(); ++gate) {
      addInserted(gate, next, funnel);
      if (gate == gates_.size()) break;
      addGate(gates_[gate], 2 * (gate + 1), funnel);
    }
    const auto last = static_cast<uint32_t>(2 * (gates_.size() + 1));
    funnel.finish({ends_.goal, 0, 0, last, last});
  }
  void addGate(CrossingId crossing, uint32_t stage, CircleFunnel& funnel) const {
    if ((crossing & kLocalCrossing) != 0) {
      const CrossingRoom room = roomOf(table_, pieces_, crossing);
      funnel.addGate(endOf(room.leftCentre, room.leftWall, 1, stage),
                     endOf(room.rightCentre, room.rightWall, -1, stage));
      return;
    }
    const PortalDoor::End& left = table_.endOf(crossing, true);
    const PortalDoor::End& right = table_.endOf(crossing, false);
    funnel.addGate(endOf(left.centre, left.wall, 1, stage), endOf(right.centre, right.wall, -1, stage));
  }
  // A gate's end far ahead may have made the funnel turn at a contact that a path to a goal before that end passes.
  void dropWrongTurns() {
    std::vector<DiskContact>& taut = s_.taut;
    for (size_t i = 1; i + 1 < taut.size();) {
      const Vec2 in = heading(taut[i - 1], taut[i]);
      const Vec2 out = heading(taut[i], taut[i + 1]);
      if (taut[i].side * cross(in, out) >= 0 || dot(in, out) < 0) {
        ++i;
        continue;
      }
      taut.erase(taut.begin() + static_cast<ptrdiff_t>(i));
      if (i > 1) --i;
    }
  }
  // First the right side's contacts, then the left side's, each in order; merged by how far along they are.
  void addInserted(uint32_t step, size_t& next, CircleFunnel& funnel) const {
    const auto isOf = [&](size_t i, double side) {
      return i < s_.inserted.size() && s_.inserted[i].step == step && s_.inserted[i].contact.side == side;
    };
    size_t right = next;
    while (isOf(next, -1)) ++next;
    size_t left = next;
    while (isOf(next, 1)) ++next;
    while (isOf(right, -1) || left < next) {
      const bool takeRight = isOf(right, -1) && (left == next || s_.inserted[right].along <= s_.inserted[left].along);
      funnel.add(s_.inserted[takeRight ? right++ : left++].contact);
    }
  }
  // The end of a door as a contact: a free end has no radius.
  DiskContact endOf(Vec2 centre, SideId wall, double side, uint32_t stage) const {
    return {centre, wall == kNone ? 0 : r_, side, stage, stage};
  }

  void measure() {
    if (measureTurns()) return;
    dropWrongTurns();
    measureTurns();
  }
  // From contacts to tangents and arcs; false if the path passes a contact on its wrong side.
  bool measureTurns() {
    const std::vector<DiskContact>& taut = s_.taut;
    // A start that is the goal is a string of one contact.
    out_.bends.resize(taut.size() - 1);
    out_.length = 0;
    if (taut.size() == 1) return true;
    bool right = true;
    size_t count = 0;
    Tangent next = tangentBetween(taut[0], taut[1]);
    for (size_t i = 1; i + 1 < taut.size(); ++i) {
      const Tangent way = next;
      out_.length += way.length;
      next = tangentBetween(taut[i], taut[i + 1]);
      const Vec2 turn{dot(way.direction, next.direction), taut[i].side * cross(way.direction, next.direction)};
      right &= (turn.y >= -kStraight) | (turn.x < 0);
      // What it touches on a straight way is no bend.
      if ((std::abs(turn.y) <= kStraight) & (turn.x > 0)) continue;
      DiskBend& bend = out_.bends[count++];
      bend.contact = taut[i];
      bend.in = touch(taut[i], way.direction);
      bend.out = touch(taut[i], next.direction);
      bend.sweep = 0;
      bend.slack = HUGE_VAL;
      if (taut[i].radius == 0) continue;
      double sweep = angleOfDirection(turn);
      // Against the wrapping sense by rounding only; a real turn beyond 180 degrees comes out negative, too.
      if (sweep < 0) sweep = sweep > -1e-6 ? 0 : sweep + 2 * std::numbers::pi;
      bend.sweep = sweep * taut[i].side;
      out_.length += sweep * taut[i].radius;
    }
    out_.length += next.length;
    out_.bends.resize(count + 1);
    const Vec2 goal = touch(taut.back(), next.direction);
    out_.bends.back() = {taut.back(), goal, goal, 0, HUGE_VAL};
    return right;
  }

  // The way to a bend, and its arc.
  void check(size_t i) {
    DiskBend& bend = out_.bends[i];
    const Vec2 from = i == 0 ? ends_.start : out_.bends[i - 1].out;
    const uint32_t stage = i == 0 ? 0 : out_.bends[i - 1].contact.firstStage;
    bend.slack = HUGE_VAL;
    for (uint32_t step = stepAfter(stage); step <= stepBefore(bend.contact.lastStage); ++step) {
      checkSegment(step, from, bend.in);
    }
    if (bend.sweep == 0) return;
    for (uint32_t step = stepAfter(bend.contact.firstStage); step <= stepBefore(bend.contact.lastStage); ++step) {
      checkArc(step, bend);
    }
  }
  // Tangent points may lie a step before or after the door whose end they touch.
  uint32_t stepAfter(uint32_t stage) const { return stage < 2 ? 0 : stage / 2 - 1; }
  uint32_t stepBefore(uint32_t stage) const {
    return static_cast<uint32_t>(std::min<size_t>(stage / 2, path_.steps.empty() ? 0 : path_.steps.size() - 1));
  }

  struct StepView {
    std::span<const SideId> walls;
    std::span<const Wall> shapes;
    std::span<const uint32_t> gaps;
    size_t doors = 0;
  };
  StepView viewOf(uint32_t step) {
    const DiskStep& at = path_.steps[step];
    const RadiusTable::CellView view = table_.cell(at.cell);
    s_.polygon.clear();
    if (at.piece != kNone) {
      const DiskPieces::Piece& piece = pieces_.pieces()[at.piece];
      s_.polygon.assign(piece.polygon.begin(), piece.polygon.end());
      return {view.walls, view.shapes, piece.faces.gap, piece.entries.size()};
    }
    const NavMesh& mesh = table_.mesh();
    for (SideId s = mesh.firstSide(at.cell); s != mesh.endSide(at.cell); ++s) s_.polygon.push_back(sideStart(mesh, s));
    return {view.walls, view.shapes, view.gaps, view.entries.size()};
  }

  void checkSegment(uint32_t step, Vec2 a, Vec2 b) {
    if (step >= path_.steps.size()) return;
    const StepView view = viewOf(step);
    const Stretch inside = clipToConvex(s_.polygon, a, b);
    if (inside.empty()) return;
    const Vec2 from = a + inside.low * (b - a);
    const Vec2 to = a + inside.high * (b - a);
    for (size_t i = 0; i < view.walls.size(); ++i) {
      const Wall& w = view.shapes[i];
      if (areBoxesApart(from, to, w.a, w.b, r_)) continue;
      const Closest way = closestToWall(from, to, w);
      if (way.distance < r_ - tolerance_) insert(step, view, i, w, way.second);
    }
  }

  void checkArc(uint32_t step, DiskBend& bend) {
    if (step >= path_.steps.size()) return;
    const StepView view = viewOf(step);
    for (size_t i = 0; i < view.walls.size(); ++i) {
      const Wall& w = view.shapes[i];
      // An arc cannot come nearer to a wall than its circle; more room than needed for flattening does not matter.
      const double fromCentre = distanceToSegment(bend.contact.centre, w.a, w.b);
      if (fromCentre > kArcReach * r_) continue;
      if (w.sight != nullptr && !w.sight->contains(bend.in) && !w.sight->contains(bend.out)) continue;
      Vec2 nearest;
      const double distance = arcClearance(bend, w, &nearest);
      // The corner's own walls are at distance r all along.
      if (fromCentre > tolerance_) {
        bend.slack = std::min(bend.slack, std::max(0.0, distance - r_));
      }
      if (distance < r_ - tolerance_) insert(step, view, i, w, nearest);
    }
  }
  // Lets the wall join the chain of its side.
  void insert(uint32_t step, const StepView& view, size_t wall, const Wall& w, Vec2 nearest) {
    out_.clear = false;
    if (view.gaps[wall] == kNoWall) return;
    const DiskStep& at = path_.steps[step];
    const auto doors = static_cast<uint32_t>(view.doors);
    const auto after = [&](uint32_t i) { return (i + doors - at.entry) % doors; };
    // Counter-clockwise from the entry to the exit lies the right-hand side. From an end inside the cell, the straight
    // way to or from its gate decides; where that is not the path's side, the path fails its last test.
    int side = 0;
    if (at.entry != kNone && at.exit != kNone) {
      side = after(view.gaps[wall]) < after(at.exit) ? -1 : 1;
    } else {
      const Vec2 from = middleOfGate(step);
      side = cross(middleOfGate(step + 1) - from, nearest - from) < 0 ? -1 : 1;
    }
    if (nearest == w.a || nearest == w.b) {
      insertPoint(step, side, nearest);
      return;
    }
    // Of a long wall only the part that the cell faces; and where a gate of the step ends at the same wall, its own
    // contact stands for the rest.
    const double size = length(w.b - w.a);
    const Vec2 u = (1 / size) * (w.b - w.a);
    Stretch part{size, 0};
    for (const Vec2 corner : s_.polygon) {
      const double along = std::clamp(dot(corner - w.a, u), 0.0, size);
      part = {std::min(part.low, along), std::max(part.high, along)};
    }
    // Free space is on the wall's left, so a wall on the left of the path is passed from its end to its start.
    const bool entersHere = wallOfGate(step, side) == view.walls[wall];
    const bool leavesHere = wallOfGate(step + 1, side) == view.walls[wall];
    if (!(side < 0 ? entersHere : leavesHere)) insertPoint(step, side, part.low <= 0 ? w.a : w.a + part.low * u);
    if (!(side < 0 ? leavesHere : entersHere)) insertPoint(step, side, part.high >= size ? w.b : w.a + part.high * u);
  }
  SideId wallOfGate(uint32_t gate, int side) const {
    if (gate == 0 || gate > gates_.size()) return kNone;
    const CrossingRoom room = roomOf(table_, pieces_, gates_[gate - 1]);
    return side < 0 ? room.rightWall : room.leftWall;
  }
  void insertPoint(uint32_t step, double side, Vec2 point) {
    const DiskContact contact{point, r_, side, 2 * step + 1, 2 * step + 1};
    for (const Inserted& i : s_.inserted) {
      if (i.step == step && isSame(i.contact, contact)) return;
    }
    const Vec2 entry = middleOfGate(step);
    const Vec2 exit = middleOfGate(step + 1);
    const double turns = 2 * static_cast<double>(s_.polygon.size());
    // The right side runs counter-clockwise from the entry to the exit, the left side clockwise.
    const double along = dot(point - entry, exit - entry);
    double order = along;
    if (path_.steps[step].entry != kNone && path_.steps[step].exit != kNone) {
      order = side * (borderPlace(entry) - borderPlace(point));
      if (order < 0) order += turns;
    }
    s_.inserted.push_back({step, order, along, contact});
    added_ = true;
  }
  // Where on the border of the step's polygon a point outside is seen: edge i is [2 i, 2 i + 1], the corner at its end
  // the unit after it.
  double borderPlace(Vec2 p) const {
    const size_t n = s_.polygon.size();
    double best = HUGE_VAL;
    double place = 0;
    for (size_t i = 0; i < n; ++i) {
      const Vec2 a = s_.polygon[i];
      const Vec2 b = s_.polygon[(i + 1) % n];
      const Vec2 q = closestOnSegment(p, a, b);
      const double distance = length(p - q);
      if (distance >= best) continue;
      best = distance;
      const double base = 2 * static_cast<double>(i);
      if (q == a) {
        place = cornerPlace(i, p);
      } else if (q == b) {
        place = cornerPlace((i + 1) % n, p);
      } else {
        place = base + length(q - a) / length(b - a);
      }
    }
    return place;
  }
  double cornerPlace(size_t corner, Vec2 p) const {
    const size_t n = s_.polygon.size();
    const Vec2 v = s_.polygon[corner];
    const Vec2 in = v - s_.polygon[(corner + n - 1) % n];
    const Vec2 out = s_.polygon[(corner + 1) % n] - v;
    const auto angle = [](Vec2 from, Vec2 to) { return std::atan2(cross(from, to), dot(from, to)); };
    const double whole = angle(in, out);
    const double part = angle({in.y, -in.x}, p - v);
    const double share = p == v || !(whole > 0) ? 0.5 : std::clamp(part / whole, 0.0, 1.0);
    return 2 * static_cast<double>((corner + n - 1) % n) + 1 + share;
  }
  // Gate 0 is the start, the last one the goal.
  Vec2 middleOfGate(uint32_t gate) const {
    if (gate == 0) return ends_.start;
    if (gate > gates_.size()) return ends_.goal;
    const CrossingRoom room = roomOf(table_, pieces_, gates_[gate - 1]);
    return 0.5 * (room.left + room.right);
  }

  RadiusTable& table_;
  const DiskPieces& pieces_;
  const DiskEnds& ends_;
  const DiskPath& path_;
  double tolerance_;
  DiskStringScratch& s_;
  DiskString& out_;
  double r_ = 0;
  std::span<const CrossingId> gates_;
  bool added_ = false;
};

}  // namespace

void pullDiskStringOnce(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                        DiskStringScratch& scratch, DiskString& string) {
  StringPuller(table, pieces, ends, path, 0, scratch, string).runOnce();
}

bool mendDiskString(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    size_t bend, double tolerance, DiskStringScratch& scratch, DiskString& string) {
  return StringPuller(table, pieces, ends, path, tolerance, scratch, string).mend(bend);
}

void pullDiskString(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    double tolerance, DiskStringScratch& scratch, DiskString& string) {
  StringPuller(table, pieces, ends, path, tolerance, scratch, string).run();
}

}  // namespace wend
