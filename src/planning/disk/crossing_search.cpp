#include "planning/disk/crossing_search.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {

PortalEnds portalEnds(const ShrunkPortals& table, const DiskPieces& pieces, DirectedPortalId portal) {
  // Seen by an agent that enters by an edge, the start of the edge is on the left. Direction 0 enters the cell of the
  // portal's smaller side.
  PortalEnds ends;
  if ((portal & kOnCut) != 0) {
    const DiskPieces::ShrunkCut& d = pieces.shrunkCut(portal);
    ends = {d.lowEnd, d.highEnd, d.lowWall, d.highWall, d.lowCentre, d.highCentre};
  } else {
    const auto& [low, high] = table.shrunkPortal(portal).ends;
    ends = {low.place, high.place, low.wall, high.wall, low.centre, high.centre};
  }
  if ((portal & 1) != 0) {
    std::swap(ends.left, ends.right);
    std::swap(ends.leftWall, ends.rightWall);
    std::swap(ends.leftCentre, ends.rightCentre);
  }
  return ends;
}

namespace {

constexpr uint32_t kGoalNode = kNone - 1;

// The shortest path from p over segment ab to the goal.
struct WayOver {
  Vec2 point;   // of ab, with the least |p point| + |point goal|
  double to;    // |p point|
  double rest;  // |point goal|
};
// `straight` is |p goal|: where that line crosses ab, both lengths are shares of it.
inline WayOver wayOver(Vec2 p, Vec2 goal, double straight, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double pAcross = cross(d, p - a);
  const double goalAcross = cross(d, goal - a);
  const double sum = std::abs(pAcross) + std::abs(goalAcross);
  const double square = dot(d, d);
  // Parts of the segment's square, so that one division is enough.
  const double whole = sum * square;
  const double part = std::abs(goalAcross) * dot(p - a, d) + std::abs(pAcross) * dot(goal - a, d);
  if (part > 0 && part < whole) {
    const Vec2 point = a + (part / whole) * d;
    if (pAcross * goalAcross <= 0) {
      const double to = straight * (std::abs(pAcross) / sum);
      return {point, to, straight - to};
    }
    return {point, distance(p, point), distance(point, goal)};
  }
  const bool collinear = !(whole > 0) && square > 0;
  const Vec2 end = collinear ? closestOnSegment(p, a, b) : part <= 0 ? a : b;
  return {end, distance(p, end), distance(end, goal)};
}

class DiskSearch {
 public:
  DiskSearch(ShrunkPortals& table, const MeshAnalysis& analysis, const DiskEnds& ends, EndTest test,
             DiskSearchScratch& scratch, const DiskDensity* density)
      : table_(table),
        mesh_(table.mesh()),
        analysis_(analysis),
        ends_(ends),
        test_(test),
        s_(scratch),
        density_(density) {}

  DiskAnswer run(DiskPath& path, uint64_t& expanded) {
    const DiskAnswer answer = find(path, expanded);
    if (answer == DiskAnswer::kFound || test_ != EndTest::kTrust) return answer;
    // The trusted ends may be the reason.
    if (!table_.isFree(ends_.startCells.front(), ends_.start)) return DiskAnswer::kStartBlocked;
    return table_.isFree(ends_.goalCells.front(), ends_.goal) ? answer : DiskAnswer::kGoalBlocked;
  }

 private:
  using Node = DiskSearchScratch::Node;
  using Piece = DiskPieces::Piece;

  DiskAnswer find(DiskPath& path, uint64_t& expanded) {
    path.clear();
    const CellId startCell = ends_.startCells.front();
    const CellId goalCell = ends_.goalCells.front();
    if (test_ != EndTest::kCut && startCell == goalCell) {
      isStraight_ = isFreeWay(table_.cell(startCell).shapes, ends_.start, ends_.goal);
    } else if (test_ != EndTest::kCut) {
      startFace_ = faceOf(startCell, ends_.start);
      goalFace_ = faceOf(goalCell, ends_.goal);
    }
    // A place where a free segment begins is free.
    if (!isStraight_ && startFace_ == kNone && !table_.isFree(startCell, ends_.start)) return DiskAnswer::kStartBlocked;
    if (!isStraight_ && goalFace_ == kNone && !table_.isFree(goalCell, ends_.goal)) return DiskAnswer::kGoalBlocked;
    if (analysis_.component[ends_.startCells.front()] != analysis_.component[ends_.goalCells.front()]) {
      return DiskAnswer::kUnreachable;
    }
    prepare();
    // Both ends on one free interval: the segment between them is free.
    if (isStraight_) {
      path.startOnPortal = path.goalOnPortal = true;
      return DiskAnswer::kFound;
    }
    if (goalPortal_ != kNone && ((startPortal_ | 1) == (goalPortal_ | 1) || touchesStart(goalPortal_))) {
      path.startOnPortal = path.goalOnPortal = true;
      return DiskAnswer::kFound;
    }
    begin();
    while (hasNext_ || !s_.open.empty()) {
      const uint32_t id = takeNext();
      if (id == kGoalNode) {
        trace(path);
        return DiskAnswer::kFound;
      }
      Node& node = at(id);
      if (node.stamp == closed()) continue;
      node.stamp = closed();
      ++expanded;
      if (isBeforeGoal(id)) {
        relaxGoal(id);
        // The estimate of the rest was its length.
        if (density_ == nullptr) {
          trace(path);
          return DiskAnswer::kFound;
        }
      }
      expand(id);
    }
    return DiskAnswer::kUnreachable;
  }

  // Of this query or an older one.
  Node& at(DirectedPortalId id) {
    if ((id & kOnCut) != 0) return s_.localNodes[id & ~kOnCut];
    if (id >= nodeCount_) [[unlikely]]
      grow(id);
    return s_.nodes[id];
  }
  void grow(DirectedPortalId id) {
    if (id >= s_.nodes.size()) s_.nodes.resize(std::max<size_t>(id + 1, table_.directedCount()));
    nodeCount_ = s_.nodes.size();
  }
  uint32_t closed() const { return s_.stamp + 1; }
  double& lengthTo(DirectedPortalId id) {
    const bool local = (id & kOnCut) != 0;
    std::vector<double>& lengths = local ? s_.localLengths : s_.lengths;
    const size_t index = id & ~kOnCut;
    if (index >= lengths.size()) lengths.resize(index + 1);
    return lengths[index];
  }

  // The best entry since the last one was taken stays out of the heap: on a straight way it is the next one.
  void offer(const OpenEntry& entry) {
    if (!hasNext_) {
      next_ = entry;
      hasNext_ = true;
    } else if (entry.before(next_)) {
      s_.open.push(next_);
      next_ = entry;
    } else {
      s_.open.push(entry);
    }
  }
  uint32_t takeNext() {
    if (hasNext_ && (s_.open.empty() || next_.before(s_.open.top()))) {
      hasNext_ = false;
      return next_.node;
    }
    if (hasNext_) s_.open.push(next_);
    hasNext_ = false;
    return s_.open.pop().node;
  }

  // Cuts the cells of both ends, unless an end lies on a portal or cut: then it is on a shrunk portal.
  void prepare() {
    s_.stamp += 2;
    if (s_.stamp == 0) {
      std::fill(s_.nodes.begin(), s_.nodes.end(), Node{});
      std::fill(s_.localNodes.begin(), s_.localNodes.end(), Node{});
      s_.stamp = 2;
    }
    s_.open.clear();
    s_.pieces.clear();
    const CellId startCell = ends_.startCells.front();
    const CellId goalCell = ends_.goalCells.front();
    if (isStraight_) return;
    // A place on a portal is in the cells on both sides of it.
    if (ends_.startCells.size() > 1) startPortal_ = portalAt(ends_.start, ends_.startCells);
    if (ends_.goalCells.size() > 1) goalPortal_ = portalAt(ends_.goal, ends_.goalCells);
    if (startPortal_ != kNone) startFace_ = kNone;
    if (goalPortal_ != kNone) goalFace_ = kNone;
    const bool cutStart = startPortal_ == kNone && startFace_ == kNone;
    const bool cutGoal = goalPortal_ == kNone && goalFace_ == kNone;
    if (cutStart) s_.pieces.cut(mesh_, startCell, ends_.start);
    if (cutGoal) s_.pieces.cut(mesh_, goalCell, ends_.goal);
    s_.pieces.evaluate(table_, cutStart ? &ends_.start : nullptr, cutGoal ? &ends_.goal : nullptr);
    if (cutGoal && hasNoCorner(&Piece::goalInterval)) {
      goalPortal_ = s_.pieces.cutAt(mesh_, ends_.goalCells.front(), ends_.goal);
    }
    if (s_.localNodes.size() < s_.pieces.directedCount()) s_.localNodes.resize(s_.pieces.directedCount());
    goal_ = {HUGE_VAL, HUGE_VAL, {}, kNone, s_.stamp};
    markDeadEnds();
  }
  bool hasNoCorner(uint32_t Piece::*corner) const {
    return std::none_of(s_.pieces.pieces().begin(), s_.pieces.pieces().end(),
                        [&](const Piece& p) { return p.*corner != kNone; });
  }

  bool isFreeWay(std::span<const Wall> walls, Vec2 from, Vec2 to) const {
    return isClearOf(walls, {from, to, table_.radius()});
  }
  // The face that an end in the cell belongs to, or kNone if it is not known.
  uint32_t faceOf(CellId cell, Vec2 point) {
    const ShrunkPortals::CellView view = table_.cell(cell);
    const bool isOne = !view.faces.empty() && std::all_of(view.faces.begin(), view.faces.end(),
                                                          [&](uint32_t face) { return face == view.faces.front(); });
    return test_ == EndTest::kTrust && isOne ? view.faces.front() : faceInSight(view, point);
  }
  // The face of a shrunk portal that a free straight segment leads to.
  uint32_t faceInSight(const ShrunkPortals::CellView& view, Vec2 point) {
    for (size_t i = 0; i < view.entries.size(); ++i) {
      const DirectedPortal& portal = table_.directed(view.entries[i]);
      if (isFreeWay(view.shapes, point, closestOnSegment(point, portal.left, portal.right))) return view.faces[i];
    }
    for (size_t i = 0; i < view.entries.size(); ++i) {
      const DirectedPortal& portal = table_.directed(view.entries[i]);
      for (const Vec2 place : {0.5 * (portal.left + portal.right), portal.left, portal.right}) {
        if (isFreeWay(view.shapes, point, place)) return view.faces[i];
      }
    }
    return kNone;
  }

  DirectedPortalId portalAt(Vec2 point, std::span<const CellId> cells) {
    for (const CellId cell : cells) {
      for (SideId side = mesh_.firstSide(cell); side != mesh_.endSide(cell); ++side) {
        const Vec2 a = sideStart(mesh_, side);
        const Vec2 b = sideEnd(mesh_, side);
        if (mesh_.isWall(side) || !isBetween(a, point, b) || orient(a, b, point) != 0) continue;
        uint32_t first = 0;
        const std::span<const ShrunkPortalUnits> shrunk = table_.shrunkPortals(side, first);
        const double along = length(point - sideStart(mesh_, std::min(side, mesh_.twin(side))));
        DirectedPortalId best = kNone;
        double miss = HUGE_VAL;
        for (uint32_t k = 0; k < shrunk.size(); ++k) {
          const double off = std::max({0.0, shrunk[k].low - along, along - shrunk[k].high});
          if (off < miss) {
            miss = off;
            best = 2 * (first + k);
          }
        }
        if (best != kNone) return best;
      }
    }
    return kNone;
  }

  void markDeadEnds() {
    if (s_.query.advance()) s_.goalBranch.wipe();
    s_.goalBranch.grow(mesh_.cellCount());
    for (CellId cell = ends_.goalCells.front(); cell != kNone; cell = analysis_.deadEndParent[cell]) {
      s_.goalBranch.insert(cell, s_.query);
    }
  }
  // True if a portal leads into a dead end without the goal, from which only the same shrunk portal leads back.
  bool isHopeless(DirectedPortalId out) const {
    if ((out & kOnCut) != 0) return false;
    const DirectedPortal& portal = table_.directed(out);
    return portal.deadEnd != 0 && !s_.goalBranch.has(portal.cell, s_.query) &&
           (goalPortal_ == kNone || (goalPortal_ | 1) != (out | 1));
  }

  void begin() {
    const double straight = distance(ends_.start, ends_.goal);
    if (startPortal_ != kNone) {
      for (const DirectedPortalId id : {startPortal_, startPortal_ ^ 1}) relax(id, kNone, ends_.start, 0, straight);
      return;
    }
    if (startFace_ != kNone) {
      const ShrunkPortals::CellView view = table_.cell(ends_.startCells.front());
      for (size_t j = 0; j < view.entries.size(); ++j) {
        if (view.faces[j] == startFace_) leave(view.entries[j] ^ 1, kNone, ends_.start, 0, straight);
      }
      return;
    }
    for (const Piece& piece : s_.pieces.pieces()) {
      if (piece.startInterval == kNone) continue;
      if (piece.goalInterval != kNone &&
          piece.faces.face[piece.goalInterval] == piece.faces.face[piece.startInterval]) {
        relaxGoal(kNone);
      }
      for (uint32_t j = 0; j < piece.entries.size(); ++j) {
        if (piece.faces.face[j] != piece.faces.face[piece.startInterval] || touchesStart(piece.entries[j])) continue;
        leave(piece.entries[j] ^ 1, kNone, ends_.start, 0, straight);
      }
    }
  }
  // The first free intervals of cuts from the start contain the start itself, and the pieces behind them begin there.
  bool touchesStart(DirectedPortalId id) const {
    if ((id & kOnCut) == 0) return false;
    const DiskPieces::ShrunkCut& cut = s_.pieces.shrunkCut(id);
    return cut.low == 0 && s_.pieces.cutStart(cut.cut) == ends_.start;
  }

  static size_t indexIn(const Piece& piece, DirectedPortalId id) {
    return static_cast<size_t>(std::find(piece.entries.begin(), piece.entries.end(), id) - piece.entries.begin());
  }
  // True if the portal enters the face that contains the goal.
  bool isBeforeGoal(DirectedPortalId id) {
    if (const Piece* piece = s_.pieces.behind(table_, id)) {
      return piece->goalInterval != kNone &&
             piece->faces.face[piece->goalInterval] == piece->faces.face[indexIn(*piece, id)];
    }
    return goalFace_ != kNone && table_.cellBehind(id) == ends_.goalCells.front() &&
           table_.entries(id).faces[table_.directed(id).index] == goalFace_;
  }
  void expand(DirectedPortalId id) {
    if (const Piece* piece = s_.pieces.behind(table_, id)) {
      leaveAll(piece->entries, piece->faces.face, indexIn(*piece, id), id);
    } else if (table_.mayLeadOn(id)) {
      const ShrunkPortals::EntryView view = table_.entries(id);
      leaveAll(view.entries, view.faces, table_.directed(id).index, id);
    }
  }
  void leaveAll(std::span<const DirectedPortalId> entries, std::span<const uint32_t> faces, size_t i,
                DirectedPortalId id) {
    const Node& node = at(id);
    const Vec2 point = node.point;
    const double g = node.g;
    const double rest = node.f - node.g;
    for (size_t j = 0; j < entries.size(); ++j) {
      if (j != i && faces[j] == faces[i]) leave(entries[j] ^ 1, id, point, g, rest);
    }
  }
  // `rest` is the distance from `from` to the goal.
  void leave(DirectedPortalId out, uint32_t parent, Vec2 from, double g, double rest) {
    if (!isHopeless(out)) relax(out, parent, from, g, rest);
  }

  // The crossing to a portal lies in the cell before it.
  CellId cellBefore(DirectedPortalId id) const {
    return (id & kOnCut) != 0 ? s_.pieces.behind(table_, id ^ 1)->cell : table_.cellBehind(id ^ 1);
  }

  void relax(DirectedPortalId id, uint32_t parent, Vec2 from, double g, double rest) {
    Node& node = at(id);
    if (node.stamp == closed()) return;
    WayOver way;
    if ((id & kOnCut) != 0) {
      const DiskPieces::ShrunkCut& d = s_.pieces.shrunkCut(id);
      way = wayOver(from, ends_.goal, rest, d.lowEnd, d.highEnd);
    } else {
      const DirectedPortal& portal = table_.directed(id);
      way = wayOver(from, ends_.goal, rest, portal.left, portal.right);
    }
    const double total = g + (density_ == nullptr ? way.to : (*density_)(cellBefore(id), way.to, lengthBefore(parent)));
    const double f = total + way.rest;
    const bool isGoal = goalPortal_ != kNone && (goalPortal_ | 1) == (id | 1);
    if (!isGoal && node.stamp == s_.stamp && node.f <= f) return;
    node = {total, f, way.point, parent, isGoal ? closed() : s_.stamp};
    if (density_ != nullptr) lengthTo(id) = lengthBefore(parent) + way.to;
    if (isGoal) {
      relaxGoal(id);
    } else {
      // Of equal ways the one over the smaller side, whatever was asked before.
      offer({f, total, (id & kOnCut) != 0 ? id : table_.sideBehind(id), 0, id});
    }
  }
  double lengthBefore(uint32_t parent) { return parent == kNone ? 0 : lengthTo(parent); }
  void relaxGoal(uint32_t parent) {
    const Vec2 from = parent == kNone ? ends_.start : at(parent).point;
    const double g = parent == kNone ? 0 : at(parent).g;
    const double last = distance(from, ends_.goal);
    const double total =
        g + (density_ == nullptr ? last : (*density_)(ends_.goalCells.front(), last, lengthBefore(parent)));
    if (total >= goal_.g) return;
    goal_.g = total;
    goal_.parent = parent;
    offer({total, total, kGoalNode, 0, kGoalNode});
  }

  void trace(DiskPath& path) {
    for (uint32_t id = goal_.parent; id != kNone; id = at(id).parent) path.portals.push_back(id);
    std::reverse(path.portals.begin(), path.portals.end());
    path.startOnPortal = startPortal_ != kNone;
    path.goalOnPortal = goalPortal_ != kNone;
    const size_t first = path.startOnPortal ? 1 : 0;
    const size_t last = path.portals.size() + (path.goalOnPortal ? 0 : 1);
    path.steps.reserve(last);
    if (path.startOnPortal || path.goalOnPortal || !s_.pieces.pieces().empty()) {
      for (size_t i = first; i < last; ++i) path.steps.push_back(stepBefore(path, i));
      return;
    }
    // Whole cells: the one before the first portal, and the one behind each portal.
    path.steps.push_back({table_.cellBehind(path.portals.front() ^ 1), kNone, kNone, kNone});
    for (const DirectedPortalId id : path.portals) {
      const DirectedPortal& portal = table_.directed(id);
      path.steps.back().exit = table_.directed(id ^ 1).index;
      path.steps.push_back({portal.cell, kNone, portal.index, kNone});
    }
  }

  // The crossing between portals i - 1 and i.
  DiskStep stepBefore(const DiskPath& path, size_t i) {
    const DirectedPortalId in = i == 0 ? kNone : path.portals[i - 1];
    const DirectedPortalId out = i == path.portals.size() ? kNone : path.portals[i] ^ 1;
    DiskStep step;
    const std::span<const Piece> pieces = s_.pieces.pieces();
    const Piece* piece = in != kNone    ? s_.pieces.behind(table_, in)
                         : out != kNone ? s_.pieces.behind(table_, out)
                                        : nullptr;
    if (in == kNone && out == kNone) {
      piece = &*std::find_if(pieces.begin(), pieces.end(), [](const Piece& p) {
        return p.startInterval != kNone && p.goalInterval != kNone &&
               p.faces.face[p.startInterval] == p.faces.face[p.goalInterval];
      });
    }
    const auto indexIn = [](std::span<const DirectedPortalId> entries, DirectedPortalId id) {
      return static_cast<uint32_t>(std::find(entries.begin(), entries.end(), id) - entries.begin());
    };
    if (piece == nullptr) {
      step.cell = table_.cellBehind(in != kNone ? in : out);
      if (in != kNone) step.entry = table_.directed(in).index;
      if (out != kNone) step.exit = table_.directed(out).index;
      return step;
    }
    step.cell = piece->cell;
    step.piece = static_cast<uint32_t>(piece - pieces.data());
    step.entry = in != kNone ? indexIn(piece->entries, in) : piece->startInterval;
    step.exit = out != kNone ? indexIn(piece->entries, out) : piece->goalInterval;
    return step;
  }

  ShrunkPortals& table_;
  const NavMesh& mesh_;
  const MeshAnalysis& analysis_;
  const DiskEnds& ends_;
  EndTest test_;
  DiskSearchScratch& s_;
  const DiskDensity* density_;
  DirectedPortalId startPortal_ = kNone;
  DirectedPortalId goalPortal_ = kNone;
  uint32_t startFace_ = kNone;
  uint32_t goalFace_ = kNone;
  bool isStraight_ = false;
  OpenEntry next_{};
  bool hasNext_ = false;
  Node goal_;
  size_t nodeCount_ = 0;
};

}  // namespace

DiskAnswer searchDisk(ShrunkPortals& table, const MeshAnalysis& analysis, const DiskEnds& ends, EndTest test,
                      DiskSearchScratch& scratch, DiskPath& path, uint64_t& expanded, const DiskDensity* density) {
  return DiskSearch(table, analysis, ends, test, scratch, density).run(path, expanded);
}

}  // namespace wend
