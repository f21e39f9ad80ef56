#include "planning/disk/faces/contour_intervals.h"

#include <algorithm>

#include "planning/disk/crossing_search.h"

namespace wend {

bool findContourIntervals(const ShrunkPortals& table, const DiskPieces& pieces,
                          std::span<const DirectedPortalId> entries, std::span<const uint32_t> faces,
                          std::span<const SideId> walls, std::vector<ContourInterval>& intervals) {
  intervals.clear();
  for (size_t i = 0; i < entries.size(); ++i) {
    const PortalEnds ends = portalEnds(table, pieces, entries[i]);
    uint32_t wall = kNoWall;
    if (ends.rightWall != kNone) {
      const auto found = std::lower_bound(walls.begin(), walls.end(), ends.rightWall);
      if (found == walls.end() || *found != ends.rightWall) return false;
      wall = static_cast<uint32_t>(found - walls.begin());
    }
    intervals.push_back({ends.left, ends.right, wall, faces[i]});
  }
  return true;
}

}  // namespace wend
