#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <wend/lattice.h>

// How a route is planned again after the world changed.
// W. van Toll: Navigation for characters and crowds in complex virtual environments (2017), chapter 8.
namespace wend {

enum class ReplanMethod : uint8_t {
  kOdpa,   // Optimal Dynamically Pruned A*: the best path, with as little search as the old path allows
  kDpa,    // Dynamically Pruned A*: assumes that a new obstacle never shortens a path and a removed one never lengthens
           // it. Less search, not always the best path
  kLocal,  // repairs only what the change broke; keeps everything else
  kAStar,  // plans anew, without the old path
};
const char* methodName(ReplanMethod method);

// When an agent notices that the world changed.
enum class ReplanTrigger : uint8_t {
  kInstant,   // at once, wherever it is
  kSight,     // when it sees the place that changed, or its next step is gone
  kNextEdge,  // when its next step is gone
};
const char* triggerName(ReplanTrigger trigger);

// What an event does to costs. Only ReplanMethod::kDpa uses it.
enum class ChangeKind : uint8_t {
  kInsertion,  // obstacles came or doors shut
  kDeletion,   // obstacles went or doors opened
  kMixed,      // both, or unknown
};

// How a re-planning went.
struct ReplanReport {
  uint64_t expanded = 0;  // vertices that the search took from its open list
  bool affected = false;  // the change broke the old path
  bool changed = false;   // the path is another one
  bool searched = false;  // there was a search; without one the old path was proved good, or kept
  bool optimal = false;   // no path on the graph costs less
  double cost = 0;        // of the path on the graph; Navigator::replan() gives metres
};

class Navigator;

// A place that changed: walls that came or went lie in the box. Metres.
struct ChangedPlace {
  uint32_t layer = 0;
  bool opened = false;  // walls went: there may be new ways; otherwise walls came
  Vec2 low;
  Vec2 high;
  Vec2 centre() const { return {0.5 * (low.x + high.x), 0.5 * (low.y + high.y)}; }
  bool operator==(const ChangedPlace&) const = default;
};

// The difference of two versions of a world for re-planning: which edges of the medial axis, or which cells, are the
// same in both, and where the versions differ. Any number of edits may lie between them: what was added and removed
// again does not count. A value: immutable, cheap to copy, shared by threads.
class WorldChange {
 public:
  // Nothing changed.
  WorldChange();
  // Nothing can be taken over.
  static WorldChange all();
  // Edges and cells are matched by their geometry, so ids need not survive. O(n) for n edges or cells, once for all
  // agents. Both navigators must be of one kind (both with a medial axis, or none) and one lattice; otherwise
  // everything counts as changed.
  static WorldChange between(const Navigator& before, const Navigator& after, ChangeKind kind = ChangeKind::kMixed);

  bool empty() const;       // both versions are equal
  bool everything() const;  // nothing can be taken over
  ChangeKind kind() const;
  // Where walls came or went, at most 64 boxes.
  std::span<const ChangedPlace> places() const;

 private:
  friend struct WorldChangeAccess;  // planning/replan/world_change.h
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
