#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/navmesh.h>

#include "base/versions.h"
#include "geometry/extent.h"

// A medial axis that edits change, with what they must find in it, and its versions.
namespace wend::ecm {

// The disks in both ends of an arc, and one unit around them: they contain the disks of all its points.
inline Extent extentOf(const CorridorMap& map, uint32_t arc) {
  Extent extent;
  for (const uint32_t i : {arc, arc + 1}) extent.add(map.bendingPoints[i].p, map.bendingPoints[i].clearance + 1);
  return extent;
}

struct LiveAxis {
  static constexpr uint32_t kBlock = 64;
  uint64_t state = 0;
  CorridorMap map;
  std::vector<uint32_t> siteUses;   // per site: how often an arc has it beside it
  std::vector<uint32_t> freeSites;  // sites without arcs; each repeats some other site
  std::vector<CellId> arcCell;      // per arc: one of its cells, or kNone
  std::vector<CellId> cellNext;     // per cell: the next cell of its arc, or kNone
  std::vector<Extent> arcExtents;   // of each kBlock arcs
  std::vector<Extent> siteExtents;  // of the first points of each kBlock sites

  LiveAxis() = default;
  // Of the map of a mesh, with cellArc.
  explicit LiveAxis(const CorridorMap& axis);
  void copyAll(const LiveAxis& other);
  bool follow(const LiveAxis& other, const BlockLog& log, bool forward);

  Extent extentOfArcs(size_t block) const;
  Extent extentOfSites(size_t block) const;
  // Calls visit(arc) for each arc whose extent may meet this one.
  template <typename Visit>
  void forEachArc(const Extent& extent, Visit&& visit) const {
    for (size_t block = 0; block < arcExtents.size(); ++block) {
      if (!arcExtents[block].meets(extent)) continue;
      const size_t end = std::min<size_t>((block + 1) * kBlock, map.arcs.size());
      for (size_t arc = block * kBlock; arc < end; ++arc) {
        if (map.arcs[arc].left != kNone) visit(static_cast<uint32_t>(arc));
      }
    }
  }
  template <typename Visit>
  void forEachSite(const Extent& extent, Visit&& visit) const {
    for (size_t block = 0; block < siteExtents.size(); ++block) {
      if (!siteExtents[block].meets(extent)) continue;
      const size_t end = std::min<size_t>((block + 1) * kBlock, map.sites.size());
      for (size_t site = block * kBlock; site < end; ++site) visit(static_cast<uint32_t>(site));
    }
  }
  // Calls visit(cell) for each cell of an arc.
  template <typename Visit>
  void forEachCell(uint32_t arc, Visit&& visit) const {
    for (CellId cell = arcCell[arc]; cell != kNone; cell = cellNext[cell]) visit(cell);
  }
};

using AxisVersions = Versions<LiveAxis>;

// The axis of a mesh with its indexes: at once if an edit made it, else in O(axis).
AxisVersions::Known liveAxisOf(const NavMesh& mesh, std::shared_ptr<const LiveAxis>& keep);

// Where two versions of an axis may differ, in blocks of BlockLog::kBlock, ascending.
struct AxisDifference {
  std::vector<uint32_t> vertices;
  std::vector<uint32_t> edges;
  std::vector<uint32_t> points;  // bending points and arcs
  std::vector<uint32_t> out;
};
// Nothing if they are not known to be versions of one axis. O(what differs).
std::optional<AxisDifference> differenceBetween(const std::shared_ptr<const CorridorMap>& one,
                                                const std::shared_ptr<const CorridorMap>& other);

// Calls visit(element) for each element of some blocks, ascending, up to the size of the array.
template <typename Visit>
void forEachIn(const std::vector<uint32_t>& blocks, size_t size, Visit&& visit) {
  for (const uint32_t block : blocks) {
    const size_t end = std::min<size_t>((size_t{block} + 1) * BlockLog::kBlock, size);
    for (size_t i = size_t{block} * BlockLog::kBlock; i < end; ++i) visit(static_cast<uint32_t>(i));
  }
}

// A version to be changed.
class AxisDraft {
 public:
  explicit AxisDraft(const AxisVersions::Known& known)
      : versions_(known.versions), axis_(known.versions->draft(*known.value)) {}

  const LiveAxis& axis() const { return *axis_; }
  const CorridorMap& map() const { return axis_->map; }
  LoggedArray<CorridorMap::Site> sites() { return {axis_->map.sites, log_, 0}; }
  LoggedArray<CorridorMap::Vertex> vertices() { return {axis_->map.vertices, log_, 1}; }
  LoggedArray<CorridorMap::Edge> edges() { return {axis_->map.edges, log_, 2}; }
  LoggedArray<CorridorMap::BendingPoint> bendingPoints() { return {axis_->map.bendingPoints, log_, 3}; }
  LoggedArray<CorridorMap::Arc> arcs() { return {axis_->map.arcs, log_, 4}; }
  LoggedArray<uint32_t> out() { return {axis_->map.out, log_, 5}; }
  LoggedArray<uint32_t> cellArc() { return {axis_->map.cellArc, log_, 6}; }
  LoggedArray<uint32_t> siteUses() { return {axis_->siteUses, log_, 7}; }
  LoggedArray<CellId> arcCell() { return {axis_->arcCell, log_, 8}; }
  LoggedArray<CellId> cellNext() { return {axis_->cellNext, log_, 9}; }
  std::vector<uint32_t>& freeSites() { return axis_->freeSites; }
  // After the arcs and sites: their extents, where something was written.
  void measureExtents();

  // The changed map. The draft is empty afterwards.
  std::shared_ptr<const CorridorMap> publish();

 private:
  std::shared_ptr<AxisVersions> versions_;
  std::unique_ptr<LiveAxis> axis_;
  BlockLog log_;
};

}  // namespace wend::ecm
