#include "planning/disk_search.h"

#include <algorithm>
#include <cmath>

#include "planning/turn.h"

namespace wend {

CrossingRoom roomOf(const RadiusTable& table, const DiskPieces& pieces, CrossingId crossing) {
  // Who enters by an edge has its start on the left; direction 0 enters the cell whose edge the door's direction is.
  CrossingRoom room;
  if ((crossing & kLocalCrossing) != 0) {
    const DiskPieces::CutDoor& d = pieces.door(crossing);
    room = {d.lowEnd, d.highEnd, d.lowWall, d.highWall, pieces.cutStart(d.cut), pieces.cutEnd(d.cut)};
  } else {
    const PortalDoor& d = table.door(crossing);
    room = {d.lowEnd, d.highEnd, d.lowWall, d.highWall, sideStart(table.mesh(), d.side), sideEnd(table.mesh(), d.side)};
  }
  if ((crossing & 1) != 0) {
    std::swap(room.left, room.right);
    std::swap(room.leftWall, room.rightWall);
    std::swap(room.leftCorner, room.rightCorner);
  }
  return room;
}

namespace {

constexpr uint32_t kGoalNode = kNone - 1;

// The point x of segment ab with the least |px| + |x goal|.
Vec2 bestPoint(Vec2 p, Vec2 goal, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double square = dot(d, d);
  if (!(square > 0)) return a;
  const double pAcross = std::abs(cross(d, p - a));
  const double goalAcross = std::abs(cross(d, goal - a));
  const double pAlong = dot(p - a, d) / square;
  const double goalAlong = dot(goal - a, d) / square;
  const double sum = pAcross + goalAcross;
  const double t = sum > 0 ? (pAlong * goalAcross + goalAlong * pAcross) / sum : pAlong;
  return a + std::clamp(t, 0.0, 1.0) * d;
}

class DiskSearch {
 public:
  DiskSearch(RadiusTable& table, const MeshAnalysis& analysis, const DiskEnds& ends, bool cutAlways,
             DiskSearchScratch& scratch)
      : table_(table), mesh_(table.mesh()), analysis_(analysis), ends_(ends), cutAlways_(cutAlways), s_(scratch) {}

  DiskAnswer run(DiskPath& path, uint64_t& expanded) {
    path.clear();
    if (!table_.isFree(ends_.startCells.front(), ends_.start)) return DiskAnswer::kStartBlocked;
    if (!table_.isFree(ends_.goalCells.front(), ends_.goal)) return DiskAnswer::kGoalBlocked;
    if (analysis_.component[ends_.startCells.front()] != analysis_.component[ends_.goalCells.front()]) {
      return DiskAnswer::kUnreachable;
    }
    prepare();
    // Both ends on one free stretch: the straight way is free.
    if (isStraight_) {
      path.startOnDoor = path.goalOnDoor = true;
      return DiskAnswer::kFound;
    }
    if (goalDoor_ != kNone && ((startDoor_ | 1) == (goalDoor_ | 1) || touchesStart(goalDoor_))) {
      path.startOnDoor = path.goalOnDoor = true;
      return DiskAnswer::kFound;
    }
    begin();
    while (!s_.open.empty()) {
      const uint32_t id = s_.open.pop().node;
      if (id == kGoalNode) {
        trace(path);
        return DiskAnswer::kFound;
      }
      Node& node = at(id);
      if (node.closed) continue;
      node.closed = true;
      ++expanded;
      expand(id);
    }
    return DiskAnswer::kUnreachable;
  }

 private:
  using Node = DiskSearchScratch::Node;
  using Piece = DiskPieces::Piece;

  Node& at(CrossingId id) {
    Node* node = nullptr;
    if ((id & kLocalCrossing) != 0) {
      node = &s_.localNodes[id & ~kLocalCrossing];
    } else {
      if (id >= s_.nodes.size()) s_.nodes.resize(std::max<size_t>(id + 1, table_.crossingCount()));
      node = &s_.nodes[id];
    }
    if (node->stamp != s_.stamp) *node = {HUGE_VAL, {}, kNone, s_.stamp, false};
    return *node;
  }

  // Cuts the cells of both ends, unless an end lies on a portal or cut: then it is on a door.
  void prepare() {
    if (++s_.stamp == 0) {
      std::fill(s_.nodes.begin(), s_.nodes.end(), Node{});
      std::fill(s_.localNodes.begin(), s_.localNodes.end(), Node{});
      s_.stamp = 1;
    }
    s_.open.clear();
    s_.pieces.clear();
    startDoor_ = doorAt(ends_.start, ends_.startCells);
    goalDoor_ = doorAt(ends_.goal, ends_.goalCells);
    const CellId startCell = ends_.startCells.front();
    const CellId goalCell = ends_.goalCells.front();
    if (!cutAlways_) {
      if (startCell == goalCell) {
        isStraight_ = isFreeWay(table_.cell(startCell), ends_.start, ends_.goal);
      } else {
        if (startDoor_ == kNone) startFace_ = faceInSight(startCell, ends_.start);
        if (goalDoor_ == kNone) goalFace_ = faceInSight(goalCell, ends_.goal);
      }
    }
    if (isStraight_) return;
    const bool cutStart = startDoor_ == kNone && startFace_ == kNone;
    const bool cutGoal = goalDoor_ == kNone && goalFace_ == kNone;
    if (cutStart) s_.pieces.cut(mesh_, startCell, ends_.start);
    if (cutGoal) s_.pieces.cut(mesh_, goalCell, ends_.goal);
    s_.pieces.evaluate(table_, cutStart ? &ends_.start : nullptr, cutGoal ? &ends_.goal : nullptr);
    if (cutGoal && hasNoCorner(&Piece::goalDoor)) {
      goalDoor_ = s_.pieces.crossingAt(mesh_, ends_.goalCells.front(), ends_.goal);
    }
    if (s_.localNodes.size() < s_.pieces.crossingCount()) s_.localNodes.resize(s_.pieces.crossingCount());
    goal_ = {HUGE_VAL, {}, kNone, s_.stamp, false};
    markDeadEnds();
  }
  bool hasNoCorner(uint32_t Piece::*corner) const {
    return std::none_of(s_.pieces.pieces().begin(), s_.pieces.pieces().end(),
                        [&](const Piece& p) { return p.*corner != kNone; });
  }

  bool isFreeWay(const RadiusTable::CellView& view, Vec2 from, Vec2 to) const {
    return std::none_of(view.shapes.begin(), view.shapes.end(), [&](const Wall& w) {
      return !areBoxesApart(from, to, w.a, w.b, table_.radius()) &&
             closestBetween(from, to, w.a, w.b).distance < table_.radius();
    });
  }
  // The face of a door that a straight free way leads to, or kNone if there is none.
  uint32_t faceInSight(CellId cell, Vec2 point) {
    const RadiusTable::CellView view = table_.cell(cell);
    for (size_t i = 0; i < view.entries.size(); ++i) {
      const PortalDoor& door = table_.door(view.entries[i]);
      if (isFreeWay(view, point, closestOnSegment(point, door.lowEnd, door.highEnd))) return view.faces[i];
    }
    return kNone;
  }

  CrossingId doorAt(Vec2 point, std::span<const CellId> cells) {
    for (const CellId cell : cells) {
      for (SideId side = mesh_.firstSide(cell); side != mesh_.endSide(cell); ++side) {
        const Vec2 a = sideStart(mesh_, side);
        const Vec2 b = sideEnd(mesh_, side);
        if (mesh_.isWall(side) || !isBetween(a, point, b) || turn(a, b, point) != 0) continue;
        uint32_t first = 0;
        const std::span<const PortalDoor> doors = table_.doors(side, first);
        const double along = length(point - sideStart(mesh_, std::min(side, mesh_.twin(side))));
        CrossingId best = kNone;
        double miss = HUGE_VAL;
        for (uint32_t k = 0; k < doors.size(); ++k) {
          const double off = std::max({0.0, doors[k].low - along, along - doors[k].high});
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
    s_.goalBranch.clear();
    for (CellId cell = ends_.goalCells.front(); cell != kNone; cell = analysis_.deadEndParent[cell]) {
      s_.goalBranch.push_back(cell);
    }
  }
  // Whether a crossing leads into a dead end from which only the same door leads back.
  bool isHopeless(CrossingId out) {
    if ((out & kLocalCrossing) != 0) return false;
    const CellId to = table_.cellBehind(out);
    const CellId parent = analysis_.deadEndParent[to];
    if (parent == kNone || parent != table_.cellBehind(out ^ 1)) return false;
    if (std::find(s_.goalBranch.begin(), s_.goalBranch.end(), to) != s_.goalBranch.end()) return false;
    if (goalDoor_ != kNone && (goalDoor_ | 1) == (out | 1)) return false;
    uint32_t first = 0;
    return table_.doors(table_.door(out).side, first).size() == 1;
  }

  void begin() {
    if (startDoor_ != kNone) {
      for (const CrossingId id : {startDoor_, startDoor_ ^ 1}) relax(id, kNone, ends_.start, 0);
      return;
    }
    if (startFace_ != kNone) {
      const RadiusTable::CellView view = table_.cell(ends_.startCells.front());
      for (size_t j = 0; j < view.entries.size(); ++j) {
        if (view.faces[j] == startFace_) leave(view.entries[j] ^ 1, kNone, ends_.start, 0);
      }
      return;
    }
    for (const Piece& piece : s_.pieces.pieces()) {
      if (piece.startDoor == kNone) continue;
      if (piece.goalDoor != kNone && piece.faces.face[piece.goalDoor] == piece.faces.face[piece.startDoor]) {
        relaxGoal(kNone, ends_.start, 0);
      }
      for (uint32_t j = 0; j < piece.entries.size(); ++j) {
        if (piece.faces.face[j] != piece.faces.face[piece.startDoor] || touchesStart(piece.entries[j])) continue;
        leave(piece.entries[j] ^ 1, kNone, ends_.start, 0);
      }
    }
  }
  // Cuts from the start: their first doors hold the start itself, and the pieces behind them begin there anyway.
  bool touchesStart(CrossingId id) const {
    if ((id & kLocalCrossing) == 0) return false;
    const DiskPieces::CutDoor& door = s_.pieces.door(id);
    return door.low == 0 && s_.pieces.cutStart(door.cut) == ends_.start;
  }

  void expand(CrossingId id) {
    const Node node = at(id);
    if (const Piece* piece = s_.pieces.behind(table_, id)) {
      const auto i =
          static_cast<size_t>(std::find(piece->entries.begin(), piece->entries.end(), id) - piece->entries.begin());
      if (piece->goalDoor != kNone && piece->faces.face[piece->goalDoor] == piece->faces.face[i]) {
        relaxGoal(id, node.point, node.g);
      }
      leaveAll(piece->entries, piece->faces.face, i, id, node);
      return;
    }
    const CellId cell = table_.cellBehind(id);
    const bool isGoalCell = goalFace_ != kNone && cell == ends_.goalCells.front();
    if (!isGoalCell && !table_.mayLeadOn(id)) return;
    const RadiusTable::CellView view = table_.cell(cell);
    const auto i = static_cast<size_t>(std::find(view.entries.begin(), view.entries.end(), id) - view.entries.begin());
    if (isGoalCell && view.faces[i] == goalFace_) relaxGoal(id, node.point, node.g);
    leaveAll(view.entries, view.faces, i, id, node);
  }
  void leaveAll(std::span<const CrossingId> entries, std::span<const uint32_t> faces, size_t i, CrossingId id,
                const Node& node) {
    for (size_t j = 0; j < entries.size(); ++j) {
      if (j != i && faces[j] == faces[i]) leave(entries[j] ^ 1, id, node.point, node.g);
    }
  }
  void leave(CrossingId out, uint32_t parent, Vec2 from, double g) {
    if (!isHopeless(out)) relax(out, parent, from, g);
  }

  void relax(CrossingId id, uint32_t parent, Vec2 from, double g) {
    Node& node = at(id);
    if (node.closed) return;
    const CrossingRoom room = roomOf(table_, s_.pieces, id);
    const Vec2 point = bestPoint(from, ends_.goal, room.left, room.right);
    const double total = g + distance(from, point);
    const double rest = distance(point, ends_.goal);
    if (goalDoor_ != kNone && (goalDoor_ | 1) == (id | 1)) {
      node = {total, point, parent, s_.stamp, true};
      relaxGoal(id, point, total);
      return;
    }
    if (node.parent != kNone || node.g < HUGE_VAL) {
      if (node.g + distance(node.point, ends_.goal) <= total + rest) return;
    }
    node = {total, point, parent, s_.stamp, false};
    s_.open.push({total + rest, total, id, 0, id});
  }
  void relaxGoal(uint32_t parent, Vec2 from, double g) {
    const double total = g + distance(from, ends_.goal);
    if (total >= goal_.g) return;
    goal_.g = total;
    goal_.parent = parent;
    s_.open.push({total, total, kGoalNode, 0, kGoalNode});
  }

  void trace(DiskPath& path) {
    for (uint32_t id = goal_.parent; id != kNone; id = at(id).parent) path.crossings.push_back(id);
    std::reverse(path.crossings.begin(), path.crossings.end());
    path.startOnDoor = startDoor_ != kNone;
    path.goalOnDoor = goalDoor_ != kNone;
    const size_t first = path.startOnDoor ? 1 : 0;
    const size_t last = path.crossings.size() + (path.goalOnDoor ? 0 : 1);
    for (size_t i = first; i < last; ++i) path.steps.push_back(stepBefore(path, i));
  }

  // The way between crossings i - 1 and i.
  DiskStep stepBefore(const DiskPath& path, size_t i) {
    const CrossingId in = i == 0 ? kNone : path.crossings[i - 1];
    const CrossingId out = i == path.crossings.size() ? kNone : path.crossings[i] ^ 1;
    DiskStep step;
    const std::span<const Piece> pieces = s_.pieces.pieces();
    const Piece* piece = in != kNone    ? s_.pieces.behind(table_, in)
                         : out != kNone ? s_.pieces.behind(table_, out)
                                        : nullptr;
    if (in == kNone && out == kNone) {
      piece = &*std::find_if(pieces.begin(), pieces.end(), [](const Piece& p) {
        return p.startDoor != kNone && p.goalDoor != kNone && p.faces.face[p.startDoor] == p.faces.face[p.goalDoor];
      });
    }
    const auto indexIn = [](std::span<const CrossingId> entries, CrossingId id) {
      return static_cast<uint32_t>(std::find(entries.begin(), entries.end(), id) - entries.begin());
    };
    if (piece == nullptr) {
      step.cell = table_.cellBehind(in != kNone ? in : out);
      const RadiusTable::CellView view = table_.cell(step.cell);
      if (in != kNone) step.entry = indexIn(view.entries, in);
      if (out != kNone) step.exit = indexIn(view.entries, out);
      return step;
    }
    step.cell = piece->cell;
    step.piece = static_cast<uint32_t>(piece - pieces.data());
    step.entry = in != kNone ? indexIn(piece->entries, in) : piece->startDoor;
    step.exit = out != kNone ? indexIn(piece->entries, out) : piece->goalDoor;
    return step;
  }

  RadiusTable& table_;
  const NavMesh& mesh_;
  const MeshAnalysis& analysis_;
  const DiskEnds& ends_;
  bool cutAlways_;
  DiskSearchScratch& s_;
  CrossingId startDoor_ = kNone;
  CrossingId goalDoor_ = kNone;
  uint32_t startFace_ = kNone;
  uint32_t goalFace_ = kNone;
  bool isStraight_ = false;
  Node goal_;
};

}  // namespace

DiskAnswer searchDisk(RadiusTable& table, const MeshAnalysis& analysis, const DiskEnds& ends, bool cutAlways,
                      DiskSearchScratch& scratch, DiskPath& path, uint64_t& expanded) {
  return DiskSearch(table, analysis, ends, cutAlways, scratch).run(path, expanded);
}

}  // namespace wend
