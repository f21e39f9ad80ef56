#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/navmesh.h>

// Knowledge by cell (Hale 2011, section 8): an event is stored in the cell where it happens. A character notices events
// in its own cell and in cells near it. Distance is counted in portals, so walls and detours count.
namespace wend {

using NoticeId = uint32_t;

// Something that is or happens in a cell.
struct Notice {
  NoticeId id = 0;  // given by the caller
  CellId cell = kNone;
  uint32_t reach = 1;  // portals across which it is noticed: 0 own cell only, 1 neighbours; kEverywhere
  static constexpr uint32_t kEverywhere = 0xffffffffU;
};

class Knowledge {
 public:
  explicit Knowledge(NavMesh mesh);

  // An id that is known already moves. False if the mesh has no such cell.
  bool put(const Notice& notice);
  bool remove(NoticeId id);
  size_t size() const { return count_; }

  // The ids that a character in a cell notices, sorted: those at most reach + sensor portals away. `sensor` is the
  // character's own bonus. O(cells within the largest reach).
  std::vector<NoticeId> noticed(CellId cell, uint32_t sensor = 0) const;
  // What lies in one cell, sorted.
  std::span<const Notice> in(CellId cell) const { return cells_[cell]; }

  // Portals on the shortest way between two cells; kNone if there is none. O(cells).
  uint32_t portalsBetween(CellId a, CellId b) const;

 private:
  NavMesh mesh_;
  std::vector<std::vector<Notice>> cells_;
  std::vector<std::pair<NoticeId, CellId>> places_;  // sorted by id
  std::vector<uint64_t> reaches_;                    // how many notices have each reach, up to the largest
  size_t everywhere_ = 0;
  size_t count_ = 0;
};

}  // namespace wend
