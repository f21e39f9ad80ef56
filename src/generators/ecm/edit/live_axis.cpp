#include "generators/ecm/edit/live_axis.h"

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
}

void LiveAxis::copyAll(const LiveAxis& other) {
  copyMap(other.map, map);
  copyWithRoom(siteUses, other.siteUses);
  copyWithRoom(freeSites, other.freeSites);
  copyWithRoom(arcCell, other.arcCell);
  copyWithRoom(cellNext, other.cellNext);
}

void LiveAxis::copyBlocks(const LiveAxis& other, const BlockLog& log) {
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
  copyWithRoom(freeSites, other.freeSites);
}

AxisVersions::Known liveAxisOf(const NavMesh& mesh, std::shared_ptr<const LiveAxis>& keep) {
  AxisVersions::Known known = AxisVersions::find(mesh.corridorMap());
  if (known.value != nullptr) return known;
  auto axis = std::make_unique<LiveAxis>(*mesh.corridorMap());
  axis->state = AxisVersions::nextState();
  keep = AxisVersions::make()->publish(std::move(axis), {});
  return AxisVersions::find(keep);
}

std::shared_ptr<const CorridorMap> AxisDraft::publish() {
  const std::shared_ptr<const LiveAxis> axis = versions_->publish(std::move(axis_), std::exchange(log_, {}));
  return {axis, &axis->map};
}

}  // namespace wend::ecm
