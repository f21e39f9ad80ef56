#include "generators/ecm/edit/live_axis.h"

#include <algorithm>
#include <utility>

namespace wend::ecm {
namespace {

// Room for more, so that edits rarely move an array.
template <typename Element>
void copyWithRoom(std::vector<Element>& to, const std::vector<Element>& from) {
  if (to.capacity() < from.size()) to.reserve(from.size() + from.size() / 8 + 256);
  to.assign(from.begin(), from.end());
}

void copyCounts(const CorridorMap& from, CorridorMap& to) {
  to.lattice = from.lattice;
  to.voronoiAttempts = from.voronoiAttempts;
  to.simpleOpenings = from.simpleOpenings;
  to.sweptOpenings = from.sweptOpenings;
}

void copyMap(const CorridorMap& from, CorridorMap& to) {
  copyCounts(from, to);
  copyWithRoom(to.sites, from.sites);
  copyWithRoom(to.vertices, from.vertices);
  copyWithRoom(to.edges, from.edges);
  copyWithRoom(to.bendingPoints, from.bendingPoints);
  copyWithRoom(to.arcs, from.arcs);
  copyWithRoom(to.out, from.out);
  copyWithRoom(to.cellArc, from.cellArc);
}

}  // namespace

LiveAxis::LiveAxis(const CorridorMap& axis) {
  copyMap(axis, map);
  siteUses.assign(map.sites.size(), 0);
  for (const CorridorMap::Arc& arc : map.arcs) {
    if (arc.left == kNone) continue;
    ++siteUses[arc.left];
    ++siteUses[arc.right];
  }
  for (uint32_t s = 0; s < siteUses.size(); ++s) {
    if (siteUses[s] == 0) freeSites.push_back(s);
  }
  arcCell.assign(map.arcs.size(), kNone);
  cellNext.assign(map.cellArc.size(), kNone);
  for (CellId cell = 0; cell < map.cellArc.size(); ++cell) {
    cellNext[cell] = std::exchange(arcCell[map.cellArc[cell]], cell);
  }
  arcExtents.resize((map.arcs.size() + kBlock - 1) / kBlock);
  for (size_t i = 0; i < arcExtents.size(); ++i) arcExtents[i] = extentOfArcs(i);
  siteExtents.resize((map.sites.size() + kBlock - 1) / kBlock);
  for (size_t i = 0; i < siteExtents.size(); ++i) siteExtents[i] = extentOfSites(i);
}

Extent LiveAxis::extentOfArcs(size_t block) const {
  Extent extent;
  for (size_t arc = block * kBlock; arc < std::min<size_t>((block + 1) * kBlock, map.arcs.size()); ++arc) {
    if (map.arcs[arc].left == kNone) continue;
    const Extent one = extentOf(map, static_cast<uint32_t>(arc));
    extent.add({one.minX, one.minY});
    extent.add({one.maxX, one.maxY});
  }
  return extent;
}

Extent LiveAxis::extentOfSites(size_t block) const {
  Extent extent;
  for (size_t site = block * kBlock; site < std::min<size_t>((block + 1) * kBlock, map.sites.size()); ++site) {
    extent.add(toVec2(map.sites[site].a));
  }
  return extent;
}

void LiveAxis::copyAll(const LiveAxis& other) {
  copyMap(other.map, map);
  copyWithRoom(siteUses, other.siteUses);
  copyWithRoom(freeSites, other.freeSites);
  copyWithRoom(arcCell, other.arcCell);
  copyWithRoom(cellNext, other.cellNext);
  copyWithRoom(arcExtents, other.arcExtents);
  copyWithRoom(siteExtents, other.siteExtents);
}

bool LiveAxis::follow(const LiveAxis& other, const BlockLog& log, bool) {
  copyCounts(other.map, map);
  log.copy(0, other.map.sites, map.sites);
  log.copy(1, other.map.vertices, map.vertices);
  log.copy(2, other.map.edges, map.edges);
  log.copy(3, other.map.bendingPoints, map.bendingPoints);
  log.copy(4, other.map.arcs, map.arcs);
  log.copy(5, other.map.out, map.out);
  log.copy(6, other.map.cellArc, map.cellArc);
  log.copy(7, other.siteUses, siteUses);
  log.copy(8, other.arcCell, arcCell);
  log.copy(9, other.cellNext, cellNext);
  log.copy(10, other.arcExtents, arcExtents);
  log.copy(11, other.siteExtents, siteExtents);
  copyWithRoom(freeSites, other.freeSites);
  return true;
}

AxisVersions::Known liveAxisOf(const NavMesh& mesh, std::shared_ptr<const LiveAxis>& keep) {
  AxisVersions::Known known = AxisVersions::find(mesh.corridorMap());
  if (known.value != nullptr) return known;
  auto axis = std::make_unique<LiveAxis>(*mesh.corridorMap());
  axis->state = AxisVersions::nextState();
  keep = AxisVersions::make()->publish(std::move(axis), {});
  return AxisVersions::find(keep);
}

std::optional<AxisDifference> differenceBetween(const std::shared_ptr<const CorridorMap>& one,
                                                const std::shared_ptr<const CorridorMap>& other) {
  const AxisVersions::Known a = AxisVersions::find(one);
  const AxisVersions::Known b = AxisVersions::find(other);
  std::vector<std::shared_ptr<const BlockLog>> logs;
  if (a.value == nullptr || b.value == nullptr || a.versions != b.versions ||
      !a.versions->logsBetween(*a.value, *b.value, logs)) {
    return std::nullopt;
  }
  return AxisDifference{BlockLog::unionOf(logs, {1}), BlockLog::unionOf(logs, {2}), BlockLog::unionOf(logs, {3, 4}),
                        BlockLog::unionOf(logs, {5})};
}

void AxisDraft::measureExtents() {
  static_assert(LiveAxis::kBlock == BlockLog::kBlock);
  const auto measure = [&](LoggedArray<Extent> extents, size_t elements, size_t array, auto&& extentOf) {
    extents.resize((elements + LiveAxis::kBlock - 1) / LiveAxis::kBlock, {});
    std::vector<uint32_t> blocks = log_.blocks(array);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (const uint32_t block : blocks) {
      if (block < extents.size()) extents.set(block, extentOf(block));
    }
  };
  measure({axis_->arcExtents, log_, 10}, axis_->map.arcs.size(), 4, [&](size_t b) { return axis_->extentOfArcs(b); });
  measure({axis_->siteExtents, log_, 11}, axis_->map.sites.size(), 0,
          [&](size_t b) { return axis_->extentOfSites(b); });
}

std::shared_ptr<const CorridorMap> AxisDraft::publish() {
  const std::shared_ptr<const LiveAxis> axis = versions_->publish(std::move(axis_), std::exchange(log_, {}));
  return {axis, &axis->map};
}

}  // namespace wend::ecm
