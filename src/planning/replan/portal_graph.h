#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "geometry/vec2.h"
#include "planning/clearance/distances.h"
#include "planning/clearance/portal_shrinking.h"
#include "planning/replan/cell_change.h"
#include "planning/replan/odpa.h"

// The cells and portals of any mesh as a graph with fixed costs, for re-planning: a vertex is the middle of a shrunk
// portal, an edge is a crossing of a cell between two of them, its cost their straight distance in lattice units. This
// is the dual graph of the source, for a disk. (planning/disk/ chooses points on the portals anew for each query, so it
// has no fixed costs, and gives shorter routes.)
//
// An end of a path reaches the portals of its cell that are joined with one it sees. An end that sees none, in a niche
// of its cell, has no way.
namespace wend {

class PortalGraph {
 public:
  static constexpr uint32_t kStart = 0;
  static constexpr uint32_t kGoal = 1;
  static constexpr uint32_t kFirstPortal = 2;

  // An end of a path: a place in a cell. Lattice units.
  struct End {
    Vec2 place;
    CellId cell = kNone;
  };
  // Without a change no crossing counts as changed.
  PortalGraph(ShrunkPortals& table, const End& start, const End& goal, const CellChange* change = nullptr)
      : table_(table), start_(start), goal_(goal), change_(change) {
    startFace_ = faceOf(start_);
    goalFace_ = faceOf(goal_);
  }

  size_t vertexCount() const { return kFirstPortal + table_.directedCount() / 2; }
  Vec2 position(uint32_t v) const {
    if (v < kFirstPortal) return v == kStart ? start_.place : goal_.place;
    const DirectedPortal& portal = table_.directed(2 * (v - kFirstPortal));
    return 0.5 * (portal.left + portal.right);
  }
  double leastRate() const { return 1; }
  // Ids of shrunk portals depend on the order of queries; their sides do not.
  uint64_t tieBreak(uint32_t v) const {
    if (v < kFirstPortal) return v;
    const ShrunkPortalUnits& shrunk = table_.shrunkPortal(2 * (v - kFirstPortal));
    return (uint64_t{shrunk.side} << 32) | static_cast<uint32_t>(std::min(shrunk.low, 4e9));
  }
  const ShrunkPortalUnits& portal(uint32_t v) const { return table_.shrunkPortal(2 * (v - kFirstPortal)); }
  // The vertex of the shrunk portal of a side whose middle is nearest to a place and no farther than `off`, or kNone.
  uint32_t vertexNear(SideId side, Vec2 middle, double off);

  template <typename F>
  void forEachStep(uint32_t v, const F& f) {
    if (v == kGoal) return;
    if (v == kStart) return fromStart(f);
    for (const DirectedPortalId in : {2 * (v - kFirstPortal), 2 * (v - kFirstPortal) + 1}) {
      const CellId cell = table_.cellBehind(in);
      const ShrunkPortals::EntryView view = table_.entries(in);
      copy(view.entries, view.faces);
      const uint32_t at = table_.directed(in).index;
      if (cell == goal_.cell && goalFace_ != kNone && faces_[at] == goalFace_) f(step(in, cell, v, kGoal));
      for (size_t j = 0; j < entries_.size(); ++j) {
        if (j != at && faces_[j] == faces_[at]) f(step(entries_[j] ^ 1, cell, v, vertexOf(entries_[j])));
      }
    }
  }

 private:
  static uint32_t vertexOf(DirectedPortalId id) { return kFirstPortal + (id >> 1); }
  GraphStep step(uint32_t edge, CellId cell, uint32_t from, uint32_t to) const {
    return {edge, to, distance(position(from), position(to)), change_ != nullptr && change_->isChanged(cell)};
  }
  // The table may move its memory while steps are made.
  void copy(std::span<const DirectedPortalId> entries, std::span<const uint32_t> faces) {
    entries_.assign(entries.begin(), entries.end());
    faces_.assign(faces.begin(), faces.end());
  }
  // The face of a shrunk portal that a free straight segment leads to, kNone if there is none.
  uint32_t faceOf(const End& end);
  template <typename F>
  void fromStart(const F& f) {
    if (start_.cell == goal_.cell &&
        isClearOf(table_.cell(start_.cell).shapes, {start_.place, goal_.place, table_.radius()})) {
      f(step(kNone - 1, start_.cell, kStart, kGoal));
    }
    if (startFace_ == kNone) return;
    const ShrunkPortals::CellView view = table_.cell(start_.cell);
    copy(view.entries, view.faces);
    for (size_t j = 0; j < entries_.size(); ++j) {
      if (faces_[j] == startFace_) f(step(entries_[j] ^ 1, start_.cell, kStart, vertexOf(entries_[j])));
    }
  }

  ShrunkPortals& table_;
  End start_;
  End goal_;
  const CellChange* change_;
  uint32_t startFace_ = kNone;
  uint32_t goalFace_ = kNone;
  std::vector<DirectedPortalId> entries_;
  std::vector<uint32_t> faces_;
};

// A path over portals that outlives its mesh: what another version needs to find it again. Lattice units.
struct PortalPath {
  struct Portal {
    SideId side = kNone;  // of the mesh it was planned on
    Vec2 middle;          // of the shrunk portal
  };
  std::vector<Portal> portals;
  double cost = 0;
  bool optimal = false;
};
PortalPath portalPathOf(const PortalGraph& graph, const GraphPath& path);

// The old path on the graph of the new mesh, for an agent at the start of the graph. `walked` portals lie behind it.
// The cost is known only if the agent stands where the path began, or on a portal of it.
void oldPathOf(PortalGraph& graph, const CellChange& change, const PortalPath& path, size_t walked, bool isOnPath,
               OldGraphPath& old);

}  // namespace wend
