#include "planning/disk/tangent_graph.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planning/disk/corners.h"
#include "planning/disk/walk.h"

namespace wend {
namespace {

// Radians: arcs are measured in pieces of at most this.
constexpr double kPiece = std::numbers::pi / 60;
// Radians: a turn short of a full circle by less than this is none.
constexpr double kNoTurn = 1e-6;

class TangentSearch {
 public:
  TangentSearch(ShrunkPortals& table, const DiskEnds& ends, const DiskPath& path, double tolerance)
      : table_(table),
        mesh_(table.mesh()),
        ends_(ends),
        tolerance_(tolerance),
        r_(table.radius()),
        corners_(table, path.steps, tolerance),
        statesAt_(2 * corners_.count()) {}

  bool run(DiskString& string) {
    State start;
    start.contact = {ends_.start, 0, 0, 0, 0};
    for (const CellId cell : ends_.startCells) {
      start.in = ends_.start;
      start.cell = cell;
      states_.push_back(start);
      corners_.seenFrom(cell, ends_.start, inSight_);
      offerAll(static_cast<uint32_t>(states_.size()) - 1, inSight_);
    }
    while (!open_.empty()) {
      const uint32_t id = open_.pop().node;
      const uint32_t reached = follow(id);
      if (reached == kNone) continue;
      if (links_[id].corner == kNone) {
        write(reached, string);
        return true;
      }
      expand(reached);
    }
    return false;
  }

 private:
  // An arrival at a circle, or the start.
  struct State {
    DiskContact contact;
    CornerId corner = kNone;
    Vec2 in;
    CellId cell = kNone;
    double g = 0;
    uint32_t parent = kNone;
    // How the parent's circle was left.
    Vec2 out;
    double sweep = 0;
    double slack = HUGE_VAL;
    uint32_t arc = kNone;  // into arcs_, once it was followed
  };
  // A tangent that has not been measured yet.
  struct Link {
    uint32_t from = kNone;
    CornerId corner = kNone;  // kNone for the goal
    int side = 0;
    Vec2 out;
    Vec2 in;
    double sweep = 0;
    double g = 0;  // at its end
  };
  // How far an arc could be followed, piece by piece.
  struct Piece {
    Vec2 place;
    CellId cell;
    double slack;
  };
  struct Arc {
    std::vector<Piece> pieces;
    bool blocked = false;
  };

  void expand(uint32_t state) { offerAll(state, corners_.seenFrom(states_[state].corner)); }
  void offerAll(uint32_t state, const std::vector<CornerId>& corners) {
    offer(state, kNone, 0);
    for (const CornerId corner : corners) {
      if (corner == states_[state].corner) continue;
      for (const int side : {1, -1}) offer(state, corner, side);
    }
  }
  void offer(uint32_t state, CornerId corner, int side) {
    const State& at = states_[state];
    const Vec2 centre = corner == kNone ? ends_.goal : corners_.place(corner);
    const double radius = corner == kNone ? 0 : r_;
    const double size = length(centre - at.contact.centre);
    const double apart = at.contact.side * at.contact.radius - side * radius;
    if (std::abs(apart) > size) return;
    Link link{state, corner, side, at.in, centre, 0, 0};
    if (size > 0) {
      const Vec2 u = (1 / size) * (centre - at.contact.centre);
      const double sine = apart / size;
      const double cosine = std::sqrt((1 - sine) * (1 + sine));
      const Vec2 t{u.x * cosine - u.y * sine, u.x * sine + u.y * cosine};
      const auto touch = [&](Vec2 c, double by) { return Vec2{c.x + by * t.y, c.y - by * t.x}; };
      link.out = touch(at.contact.centre, at.contact.side * at.contact.radius);
      link.in = touch(centre, side * radius);
    }
    if (corner != kNone && !corners_.mayTouch(corner, link.in - centre)) return;
    if (at.corner != kNone && !corners_.mayTouch(at.corner, link.out - at.contact.centre)) return;
    if (at.corner != kNone) link.sweep = sweepTo(at, link.out);
    link.g = at.g + r_ * link.sweep + length(link.in - link.out);
    links_.push_back(link);
    const auto id = static_cast<uint32_t>(links_.size()) - 1;
    open_.push({link.g + length(ends_.goal - link.in), link.g, id, 0, id});
  }
  // In the direction of travel around the circle.
  static double sweepTo(const State& at, Vec2 place) {
    const Vec2 from = at.in - at.contact.centre;
    const Vec2 to = place - at.contact.centre;
    double sweep = at.contact.side * std::atan2(cross(from, to), dot(from, to));
    if (sweep < 0) sweep += 2 * std::numbers::pi;
    return sweep > 2 * std::numbers::pi - kNoTurn ? 0 : sweep;
  }

  // Measures the arc to a tangent and the tangent; the state at its end, or kNone if it is blocked or not better.
  uint32_t follow(uint32_t id) {
    const Link link = links_[id];
    State next;
    next.cell = states_[link.from].cell;
    if (link.sweep > 0 && !followArc(link.from, link.sweep, link.out, next.cell, next.slack)) return kNone;
    if (!walkDisk(table_, next.cell, link.out, link.in, tolerance_)) return kNone;
    if (link.corner == kNone) {
      if (std::find(ends_.goalCells.begin(), ends_.goalCells.end(), next.cell) == ends_.goalCells.end()) return kNone;
      next.contact = {ends_.goal, 0, 0, 0, 0};
    } else {
      next.contact = {corners_.place(link.corner), r_, static_cast<double>(link.side), 0, 0};
    }
    next.corner = link.corner;
    next.in = link.in;
    next.g = link.g;
    next.parent = link.from;
    next.out = link.out;
    next.sweep = link.sweep;
    if (link.corner != kNone) {
      std::vector<uint32_t>& others = statesAt_[2 * link.corner + (link.side > 0 ? 1 : 0)];
      if (std::any_of(others.begin(), others.end(), [&](uint32_t other) { return leadsTo(other, next); })) return kNone;
      others.push_back(static_cast<uint32_t>(states_.size()));
    }
    states_.push_back(next);
    return static_cast<uint32_t>(states_.size()) - 1;
  }
  // Whether an earlier arrival at the same circle comes to the same place around it, and no later.
  bool leadsTo(uint32_t earlier, const State& next) {
    const double sweep = sweepTo(states_[earlier], next.in);
    if (states_[earlier].g + r_ * sweep > next.g + tolerance_) return false;
    CellId cell = states_[earlier].cell;
    double slack = HUGE_VAL;
    return followArc(earlier, sweep, next.in, cell, slack) && isSamePlace(cell, next.cell);
  }
  // Cells side by side do not overlap: a place in both is on the portal between them.
  bool isSamePlace(CellId a, CellId b) const {
    for (SideId s = mesh_.firstSide(a); s != mesh_.endSide(a); ++s) {
      if (!mesh_.isWall(s) && mesh_.neighbour(s) == b) return true;
    }
    return a == b;
  }

  // Along the circle in short pieces, which are kept for the next tangent that leaves it.
  bool followArc(uint32_t state, double sweep, Vec2 end, CellId& cell, double& slack) {
    if (states_[state].arc == kNone) {
      states_[state].arc = static_cast<uint32_t>(arcs_.size());
      arcs_.push_back({{{states_[state].in, states_[state].cell, HUGE_VAL}}, false});
    }
    const DiskContact& contact = states_[state].contact;
    Arc& arc = arcs_[states_[state].arc];
    const auto whole = static_cast<size_t>(sweep / kPiece);
    const Vec2 by{std::cos(kPiece), contact.side * std::sin(kPiece)};
    while (arc.pieces.size() <= whole && !arc.blocked) {
      Piece next = arc.pieces.back();
      const Vec2 off = next.place - contact.centre;
      const Vec2 from = next.place;
      next.place = contact.centre + Vec2{off.x * by.x - off.y * by.y, off.x * by.y + off.y * by.x};
      arc.blocked =
          !walkArc(table_, next.cell, {contact, from, next.place, contact.side * kPiece, 0}, tolerance_, next.slack);
      if (!arc.blocked) arc.pieces.push_back(next);
    }
    if (arc.pieces.size() <= whole) return false;
    const Piece& last = arc.pieces[whole];
    cell = last.cell;
    slack = last.slack;
    const double rest = sweep - kPiece * static_cast<double>(whole);
    return walkArc(table_, cell, {contact, last.place, end, contact.side * rest, 0}, tolerance_, slack);
  }

  void write(uint32_t goal, DiskString& string) const {
    string.bends.clear();
    string.length = states_[goal].g;
    string.clear = true;
    // A state knows how its parent's circle was left.
    DiskBend bend{states_[goal].contact, ends_.goal, ends_.goal, 0, HUGE_VAL};
    for (uint32_t at = goal; states_[at].parent != kNone; at = states_[at].parent) {
      string.bends.push_back(bend);
      const State& state = states_[at];
      const State& before = states_[state.parent];
      bend = {before.contact, before.in, state.out, before.contact.side * state.sweep, std::max(0.0, state.slack)};
    }
    std::reverse(string.bends.begin(), string.bends.end());
  }

  ShrunkPortals& table_;
  const NavMesh& mesh_;
  const DiskEnds& ends_;
  double tolerance_;
  double r_;
  CornersInSight corners_;
  std::vector<CornerId> inSight_;
  std::vector<State> states_;
  std::vector<Link> links_;
  std::vector<Arc> arcs_;
  std::vector<std::vector<uint32_t>> statesAt_;  // per corner and side
  OpenList open_;
};

}  // namespace

bool findDiskTangents(ShrunkPortals& table, const DiskEnds& ends, const DiskPath& path, double tolerance,
                      DiskString& string) {
  return TangentSearch(table, ends, path, tolerance).run(string);
}

}  // namespace wend
