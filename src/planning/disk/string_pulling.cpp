#include "planning/disk/string_pulling.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wend {
namespace {

// Walls farther than this from an arc's centre, in radii, leave it a slack of at least a tenth of the radius.
constexpr double kArcReach = 2.1;

class StringPuller {
 public:
  StringPuller(ShrunkPortals& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
               double tolerance, DiskStringScratch& scratch, DiskString& string)
      : table_(table), pieces_(pieces), ends_(ends), path_(path), tolerance_(tolerance), s_(scratch), out_(string) {
    r_ = table.radius();
    const size_t first = path.startOnPortal ? 1 : 0;
    const size_t last = path.portals.size() - (path.goalOnPortal && !path.portals.empty() ? 1 : 0);
    if (first < last) portals_ = std::span(path.portals).subspan(first, last - first);
  }

  void runOnce(PortalTangents& tangents) {
    begin(tangents);
    pull();
    measure();
  }
  bool runThin(PortalTangents& tangents) {
    begin(tangents);
    if (tangents_ == nullptr) return false;
    WayFinder finder(tangents_, portals_, 2 * portals_.size() + 2, s_.way.own);
    if (pullForced(finder)) return layString(s_.taut, s_.way.ways, finder, out_) == Laid::kTaut;
    pullThin();
    return lay() == Laid::kTaut;
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

  void begin(PortalTangents& tangents) {
    s_.inserted.clear();
    out_.rounds = 1;
    out_.clear = true;
    // Steps are counted from the start on, and shrunk portals of cuts serve one query only.
    if (!path_.startOnPortal && pieces_.directedCount() == 0) tangents_ = &tangents;
  }
  void pullAgain() {
    std::stable_sort(s_.inserted.begin(), s_.inserted.end(), [](const auto& a, const auto& b) {
      if (a.step != b.step) return a.step < b.step;
      return a.contact.side != b.contact.side ? a.contact.side < b.contact.side : a.order < b.order;
    });
    pull();
    measure();
  }
  void pull() {
    s_.taut.assign(1, {ends_.start, 0, 0, 0, 0});
    CircleFunnel funnel(2 * portals_.size() + s_.inserted.size() + 1, s_.chain, s_.taut);
    size_t next = 0;
    for (uint32_t portal = 0; portal <= portals_.size(); ++portal) {
      addInserted(portal, next, funnel);
      if (portal == portals_.size()) break;
      addPortal(portals_[portal], 2 * (portal + 1), funnel);
    }
    const auto last = static_cast<uint32_t>(2 * (portals_.size() + 1));
    funnel.finish({ends_.goal, 0, 0, last, last});
  }
  // A path through three portals in a row must turn around the left post of the middle one, if even the path along the
  // right posts of the other two would bend there; likewise on the right. False unless every portal but the first and
  // the last has such a post.
  bool pullForced(WayFinder& finder) {
    constexpr size_t kLeftToRight = CrossingTangents::index(false, true);
    constexpr size_t kRightToLeft = CrossingTangents::index(true, false);
    const auto count = static_cast<uint32_t>(portals_.size());
    // Where portals share a post, as in fans of triangles, three of them do not decide.
    if (count < 3 || isShared(portals_[0], portals_[1]) || isShared(portals_[1], portals_[2])) return false;
    s_.taut.assign(1, {ends_.start, 0, 0, 0, 0});
    s_.way.ways.assign(1, {});
    uint32_t in = tangents_->find(portals_[0], portals_[1]);
    bool isRight = false;
    for (uint32_t portal = 1; portal + 1 < count; ++portal) {
      const uint32_t out = tangents_->find(portals_[portal], portals_[portal + 1]);
      if (in == kNone || out == kNone) return false;
      const auto& before = (*tangents_)[in].tangents;
      const auto& behind = (*tangents_)[out].tangents;
      const bool isLeft = cross(before[kRightToLeft].direction, behind[kLeftToRight].direction) > 0;
      const bool wasRight = isRight;
      isRight = cross(before[kLeftToRight].direction, behind[kRightToLeft].direction) < 0;
      if (isLeft == isRight) return false;
      if (portal == 1) addFirst((*tangents_)[in], isRight, finder);
      addPost(portal, isLeft);
      s_.way.ways.push_back(portal == 1 ? finder.between(s_.taut[s_.taut.size() - 2], s_.taut.back())
                                        : finder.known(in, portal - 1, wasRight, isRight));
      in = out;
    }
    addLast((*tangents_)[in], isRight, finder);
    return true;
  }
  bool isShared(DirectedPortalId first, DirectedPortalId second) const {
    return table_.endOf(first, true).centre == table_.endOf(second, true).centre ||
           table_.endOf(first, false).centre == table_.endOf(second, false).centre;
  }
  void addPost(uint32_t portal, bool left) {
    s_.taut.push_back(tangents_->post(portals_[portal], left, 2 * portal + 2));
  }
  // The first portal's post around which a path from the start turns to come to a post of the next portal.
  void addFirst(const CrossingTangents& crossing, bool toRight, WayFinder& finder) {
    for (const bool left : {true, false}) {
      const DiskContact post = tangents_->post(portals_[0], left, 2);
      const Vec2 out = crossing.tangents[CrossingTangents::index(!left, toRight)].direction;
      if (!(post.side * cross(heading(s_.taut.front(), post), out) > 0)) continue;
      s_.taut.push_back(post);
      s_.way.ways.push_back(finder.between(s_.taut.front(), post));
      return;
    }
  }
  // The last portal's, on the way to the goal; and the goal.
  void addLast(const CrossingTangents& crossing, bool fromRight, WayFinder& finder) {
    const auto count = static_cast<uint32_t>(portals_.size());
    const DiskContact goal{ends_.goal, 0, 0, 2 * count + 2, 2 * count + 2};
    for (const bool left : {true, false}) {
      const DiskContact post = tangents_->post(portals_.back(), left, 2 * count);
      const Vec2 in = crossing.tangents[CrossingTangents::index(fromRight, !left)].direction;
      if (!(post.side * cross(in, heading(post, goal)) > 0)) continue;
      s_.way.ways.push_back(finder.between(s_.taut.back(), post));
      s_.taut.push_back(post);
      break;
    }
    s_.way.ways.push_back(finder.between(s_.taut.back(), goal));
    s_.taut.push_back(goal);
  }
  // Only posts at which a shortest path may turn, and each once.
  void pullThin() {
    s_.taut.assign(1, {ends_.start, 0, 0, 0, 0});
    CircleFunnel funnel(2 * portals_.size() + 1, s_.chain, s_.taut);
    std::array<Vec2, 2> last{ends_.start, ends_.start};  // by side
    uint32_t stage = 0;
    for (const DirectedPortalId portal : portals_) {
      stage += 2;
      uint32_t posts = tangents_->turningPosts(portal);
      if (posts == 0) continue;
      for (uint32_t side = 0; side < 2; ++side) {
        if ((posts >> side & 1) == 0) continue;
        const Vec2 centre = table_.endOf(portal, side == 0).centre;
        if (centre == last[side]) posts &= ~(1U << side);
        last[side] = centre;
      }
      if (posts == 0) continue;
      if (posts == 3) {
        funnel.addPortal(tangents_->post(portal, true, stage), tangents_->post(portal, false, stage));
      } else {
        funnel.add(tangents_->post(portal, posts == 1, stage));
      }
    }
    funnel.finish({ends_.goal, 0, 0, stage + 2, stage + 2});
  }
  void addPortal(DirectedPortalId portal, uint32_t stage, CircleFunnel& funnel) const {
    if ((portal & kOnCut) != 0) {
      const PortalEnds ends = portalEnds(table_, pieces_, portal);
      funnel.addPortal(endOf(ends.leftCentre, ends.leftWall, 1, stage),
                       endOf(ends.rightCentre, ends.rightWall, -1, stage));
      return;
    }
    const ShrunkPortalUnits::End& left = table_.endOf(portal, true);
    const ShrunkPortalUnits::End& right = table_.endOf(portal, false);
    funnel.addPortal(endOf(left.centre, left.wall, 1, stage), endOf(right.centre, right.wall, -1, stage));
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
  // The end of a shrunk portal as a contact: a free end has no radius.
  DiskContact endOf(Vec2 centre, SideId wall, double side, uint32_t stage) const {
    return {centre, wall == kNone ? 0 : r_, side, stage, stage};
  }

  void measure() {
    if (lay() != Laid::kWrong) return;
    // A portal's end far ahead may have made the funnel turn at a contact that a path to a goal before that end passes.
    dropWrongTurns(s_.taut);
    lay();
  }
  Laid lay() {
    WayFinder finder(tangents_, portals_, s_.taut.size(), s_.way.own);
    s_.way.ways.assign(1, {});
    for (size_t i = 1; i < s_.taut.size(); ++i) s_.way.ways.push_back(finder.between(s_.taut[i - 1], s_.taut[i]));
    return layString(s_.taut, s_.way.ways, finder, out_);
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
  // Tangent points may lie a step before or after the shrunk portal whose end they touch.
  uint32_t stepAfter(uint32_t stage) const { return stage < 2 ? 0 : stage / 2 - 1; }
  uint32_t stepBefore(uint32_t stage) const {
    return static_cast<uint32_t>(std::min<size_t>(stage / 2, path_.steps.empty() ? 0 : path_.steps.size() - 1));
  }

  struct StepView {
    std::span<const SideId> walls;
    std::span<const Wall> shapes;
    std::span<const uint32_t> gaps;
    size_t portals = 0;
  };
  StepView viewOf(uint32_t step) {
    const DiskStep& at = path_.steps[step];
    const ShrunkPortals::CellView view = table_.cell(at.cell);
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
    const Interval inside = clipToConvex(s_.polygon, a, b);
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
      // An arc cannot come nearer to a wall than its circle; more slack than flattening needs does not matter.
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
    const auto portals = static_cast<uint32_t>(view.portals);
    const auto after = [&](uint32_t i) { return (i + portals - at.entry) % portals; };
    // Counter-clockwise from the entry to the exit lies the right-hand side. From an end inside the cell, the straight
    // way to or from its portal decides; where that is not the path's side, the path fails its last test.
    int side = 0;
    if (at.entry != kNone && at.exit != kNone) {
      side = after(view.gaps[wall]) < after(at.exit) ? -1 : 1;
    } else {
      const Vec2 from = middleOfPortal(step);
      side = cross(middleOfPortal(step + 1) - from, nearest - from) < 0 ? -1 : 1;
    }
    if (nearest == w.a || nearest == w.b) {
      insertPoint(step, side, nearest);
      return;
    }
    // Of a long wall only the part that the cell faces; and where a portal of the step ends at the same wall, its own
    // contact stands for the rest.
    const double size = length(w.b - w.a);
    const Vec2 u = (1 / size) * (w.b - w.a);
    Interval part{size, 0};
    for (const Vec2 corner : s_.polygon) {
      const double along = std::clamp(dot(corner - w.a, u), 0.0, size);
      part = {std::min(part.low, along), std::max(part.high, along)};
    }
    // Free space is on the wall's left, so a wall on the left of the path is passed from its end to its start.
    const bool entersHere = wallOfPortal(step, side) == view.walls[wall];
    const bool leavesHere = wallOfPortal(step + 1, side) == view.walls[wall];
    if (!(side < 0 ? entersHere : leavesHere)) insertPoint(step, side, part.low <= 0 ? w.a : w.a + part.low * u);
    if (!(side < 0 ? leavesHere : entersHere)) insertPoint(step, side, part.high >= size ? w.b : w.a + part.high * u);
  }
  SideId wallOfPortal(uint32_t portal, int side) const {
    if (portal == 0 || portal > portals_.size()) return kNone;
    const PortalEnds ends = portalEnds(table_, pieces_, portals_[portal - 1]);
    return side < 0 ? ends.rightWall : ends.leftWall;
  }
  void insertPoint(uint32_t step, double side, Vec2 point) {
    const DiskContact contact{point, r_, side, 2 * step + 1, 2 * step + 1};
    for (const Inserted& i : s_.inserted) {
      if (i.step == step && isSame(i.contact, contact)) return;
    }
    const Vec2 entry = middleOfPortal(step);
    const Vec2 exit = middleOfPortal(step + 1);
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
  // Portal 0 is the start, the last one the goal.
  Vec2 middleOfPortal(uint32_t portal) const {
    if (portal == 0) return ends_.start;
    if (portal > portals_.size()) return ends_.goal;
    const PortalEnds ends = portalEnds(table_, pieces_, portals_[portal - 1]);
    return 0.5 * (ends.left + ends.right);
  }

  ShrunkPortals& table_;
  const DiskPieces& pieces_;
  const DiskEnds& ends_;
  const DiskPath& path_;
  double tolerance_;
  DiskStringScratch& s_;
  DiskString& out_;
  PortalTangents* tangents_ = nullptr;
  double r_ = 0;
  std::span<const DirectedPortalId> portals_;
  bool added_ = false;
};

}  // namespace

void pullDiskStringOnce(ShrunkPortals& table, PortalTangents& tangents, const DiskPieces& pieces, const DiskEnds& ends,
                        const DiskPath& path, DiskStringScratch& scratch, DiskString& string) {
  StringPuller(table, pieces, ends, path, 0, scratch, string).runOnce(tangents);
}

bool pullThinString(ShrunkPortals& table, PortalTangents& tangents, const DiskPieces& pieces, const DiskEnds& ends,
                    const DiskPath& path, DiskStringScratch& scratch, DiskString& string) {
  return StringPuller(table, pieces, ends, path, 0, scratch, string).runThin(tangents);
}

bool mendDiskString(ShrunkPortals& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    size_t bend, double tolerance, DiskStringScratch& scratch, DiskString& string) {
  return StringPuller(table, pieces, ends, path, tolerance, scratch, string).mend(bend);
}

void pullDiskString(ShrunkPortals& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    double tolerance, DiskStringScratch& scratch, DiskString& string) {
  StringPuller(table, pieces, ends, path, tolerance, scratch, string).run();
}

}  // namespace wend
