#include "planning/clearance/portal_shrinking.h"

#include <algorithm>

#include "planning/point/mesh_analysis.h"

namespace wend {
namespace {

// Shrunk portals that the first allocation has memory for.
constexpr size_t kFirstPortals = 64;

}  // namespace

ShrunkPortals::ShrunkPortals(NavMesh mesh, double r, const ClearanceTable* clearance, const MeshAnalysis* analysis)
    : mesh_(std::move(mesh)), r_(r * (1 - kRadiusSlack)), clearance_(clearance), analysis_(analysis) {}

void ShrunkPortals::begin() {
  portals_.resize(mesh_.sideCount());
  near_.resize(mesh_.cellCount());
  recordOf_.resize(mesh_.cellCount(), kNone);
  shrunkPortals_.reserve(std::min<size_t>(mesh_.sideCount() / 2, kFirstPortals));
  directed_.reserve(2 * shrunkPortals_.capacity());
}

ShrunkPortals::Range ShrunkPortals::nearWalls(CellId cell) {
  Range& range = near_[cell];
  if (range.first == kNone) {
    const auto first = static_cast<uint32_t>(nearWalls_.size());
    findWalls(mesh_, cell, r_, wallSearch_, nearWalls_);
    if (mesh_.layerCount() > 1 && isAnyAbove(mesh_, wallSearch_.cells)) findWallsInLayers(cell, first);
    for (size_t i = nearShapes_.size(); i < nearWalls_.size(); ++i) nearShapes_.push_back(wall(nearWalls_[i]));
    range = {first, static_cast<uint32_t>(nearWalls_.size()) - first};
  }
  return range;
}

void ShrunkPortals::findWallsInLayers(CellId cell, uint32_t first) {
  sightTable_.find(mesh_, cell, r_, std::span(nearWalls_).subspan(first), sightWalls_);
  nearWalls_.resize(first);
  for (const SightWall& w : sightWalls_) {
    nearWalls_.push_back(w.wall);
    nearShapes_.push_back({w.a, w.b, w.everywhere ? nullptr : &sights_.emplace_front(w.sight)});
  }
}

// The walls of the interval are indices into the near walls from `firstWall` on.
void ShrunkPortals::addPortal(const FreeInterval& interval, SideId side, uint32_t firstWall) {
  const Vec2 a = sideStart(mesh_, side);
  const Vec2 b = sideEnd(mesh_, side);
  const Vec2 along = b - a;
  const double size = length(along);
  const auto end = [&](double at, uint32_t index, Vec2 corner) {
    const Vec2 place = a + (at / size) * along;
    if (index == kNoWall) return ShrunkPortalUnits::End{place, place, kNone};
    return ShrunkPortalUnits::End{place, centreAt(place, corner, nearShapes_[firstWall + index]),
                                  nearWalls_[firstWall + index]};
  };
  shrunkPortals_.push_back({interval.low,
                            interval.high,
                            side,
                            {{end(interval.low, interval.lowWall, a), end(interval.high, interval.highWall, b)}}});
  addDirected(shrunkPortals_.back());
}

void ShrunkPortals::addPortal(const ClearanceTable::Shrunk& shrunk, SideId side) {
  const ClearanceTable::PortalLimits& limits = clearance_->limits(side);
  const auto end = [&](Vec2 corner, double along, SideId w) {
    const Vec2 place = corner + along * limits.along;
    return ShrunkPortalUnits::End{place, w == kNone ? place : centreAt(place, corner, wall(w)), w};
  };
  shrunkPortals_.push_back({shrunk.low,
                            shrunk.high,
                            side,
                            {{end(sideStart(mesh_, side), shrunk.low, shrunk.lowWall),
                              end(sideEnd(mesh_, side), shrunk.high - limits.size, shrunk.highWall)}}});
  addDirected(shrunkPortals_.back());
}

void ShrunkPortals::addDirected(const ShrunkPortalUnits& shrunk) {
  // Seen by an agent that enters by an edge, the start of the edge is on the left.
  directed_.push_back({shrunk.ends[0].place, shrunk.ends[1].place, mesh_.cellOf(shrunk.side)});
  directed_.push_back({shrunk.ends[1].place, shrunk.ends[0].place, mesh_.neighbour(shrunk.side)});
  sides_.push_back(shrunk.side);
  sides_.push_back(mesh_.twin(shrunk.side));
}

std::span<const ShrunkPortalUnits> ShrunkPortals::shrunkPortals(SideId side, uint32_t& first) {
  if (portals_.empty()) begin();
  side = std::min(side, mesh_.twin(side));
  Range& range = portals_[side];
  if (range.first == kNone) {
    range = shrink(side);
    if (analysis_ != nullptr && range.count == 1) {
      for (const DirectedPortalId c : {2 * range.first, 2 * range.first + 1}) {
        directed_[c].deadEnd = analysis_->deadEndParent[directed_[c].cell] == directed_[c ^ 1].cell ? 1 : 0;
      }
    }
  }
  first = range.first;
  return std::span(shrunkPortals_).subspan(range.first, range.count);
}

ShrunkPortals::Range ShrunkPortals::shrink(SideId side) {
  const auto first = static_cast<uint32_t>(shrunkPortals_.size());
  if (clearance_ != nullptr) {
    const ClearanceTable::Shrunk shrunk = clearance_->shrink(side, r_);
    if (shrunk.kind == ClearanceTable::Shrunk::kClosed) return {first, 0};
    if (shrunk.kind == ClearanceTable::Shrunk::kOpen) {
      addPortal(shrunk, side);
      return {first, 1};
    }
  }
  const Range near = nearWalls(mesh_.cellOf(side));
  cellIntervals_.clear();
  findFreeIntervals(sideStart(mesh_, side), sideEnd(mesh_, side),
                    std::span(nearShapes_).subspan(near.first, near.count), r_, intervalScratch_, cellIntervals_);
  for (const FreeInterval& d : cellIntervals_) addPortal(d, side, near.first);
  return {first, static_cast<uint32_t>(cellIntervals_.size())};
}

Sight ShrunkPortals::stripAlong(SideId side) const {
  const Vec2 a = sideStart(mesh_, side);
  const Vec2 b = sideEnd(mesh_, side);
  const Vec2 along = (1 / length(b - a)) * (b - a);
  return {{{{a, along}, {b, -1 * along}}}, kRadiusSlack * r_};
}

void ShrunkPortals::evaluate(CellId cell) {
  ++evaluated_;
  Record record{static_cast<uint32_t>(entries_.size()), 0, static_cast<uint32_t>(walls_.size()), 0};
  const Range near = nearWalls(cell);
  // All shrunk portals first: finding them may use the memory below.
  uint32_t first = 0;
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (!mesh_.isWall(s)) shrunkPortals(s, first);
  }
  wallIds_.assign(nearWalls_.begin() + near.first, nearWalls_.begin() + near.first + near.count);
  wallShapes_.assign(nearShapes_.begin() + near.first, nearShapes_.begin() + near.first + near.count);
  const bool limited =
      std::any_of(wallShapes_.begin(), wallShapes_.end(), [](const Wall& w) { return w.sight != nullptr; });
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (mesh_.isWall(s)) continue;
    for (const ShrunkPortalUnits& d : shrunkPortals(s, first)) {
      for (const SideId w : {d.ends[0].wall, d.ends[1].wall}) {
        if (w == kNone || std::binary_search(wallIds_.begin(), wallIds_.end(), w)) continue;
        const auto at = std::lower_bound(wallIds_.begin(), wallIds_.end(), w) - wallIds_.begin();
        wallIds_.insert(wallIds_.begin() + at, w);
        // Rounding may let only the cell on the other side of the portal see the wall. Then it counts on the portal
        // alone.
        Wall shape = wall(w);
        if (limited) shape.sight = &sights_.emplace_front(stripAlong(s));
        wallShapes_.insert(wallShapes_.begin() + at, shape);
      }
    }
  }
  const auto indexOf = [&](SideId id) {
    return id == kNone
               ? kNoWall
               : static_cast<uint32_t>(std::lower_bound(wallIds_.begin(), wallIds_.end(), id) - wallIds_.begin());
  };
  cellEdges_.clear();
  cellIntervals_.clear();
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    CellEdge edge{sideStart(mesh_, s), sideEnd(mesh_, s), mesh_.isWall(s), static_cast<uint32_t>(cellIntervals_.size()),
                  0};
    if (!edge.wall) {
      const std::span<const ShrunkPortalUnits> found = shrunkPortals(s, first);
      edge.intervalCount = static_cast<uint32_t>(found.size());
      const bool along = s < mesh_.twin(s);
      const double size = length(edge.b - edge.a);
      for (uint32_t i = 0; i < found.size(); ++i) {
        const uint32_t k = along ? i : static_cast<uint32_t>(found.size()) - 1 - i;
        const ShrunkPortalUnits& d = found[k];
        const uint32_t lowWall = indexOf(d.ends[0].wall);
        const uint32_t highWall = indexOf(d.ends[1].wall);
        cellIntervals_.push_back(along ? FreeInterval{d.low, d.high, lowWall, highWall}
                                       : FreeInterval{size - d.high, size - d.low, highWall, lowWall});
        entries_.push_back(2 * (first + k) + (along ? 0 : 1));
        DirectedPortal& entry = directed_[entries_.back()];
        entry.index = (static_cast<uint32_t>(entries_.size()) - 1 - record.firstEntry) & 0x7fffffffU;
        entry.record = static_cast<uint32_t>(records_.size());
      }
    }
    cellEdges_.push_back(edge);
  }
  findFaces(cellEdges_, cellIntervals_, wallShapes_, r_, faceScratch_, cellFaces_);
  record.entryCount = static_cast<uint32_t>(cellIntervals_.size());
  record.wallCount = static_cast<uint32_t>(wallIds_.size());
  faces_.insert(faces_.end(), cellFaces_.face.begin(), cellFaces_.face.end());
  walls_.insert(walls_.end(), wallIds_.begin(), wallIds_.end());
  shapes_.insert(shapes_.end(), wallShapes_.begin(), wallShapes_.end());
  gaps_.insert(gaps_.end(), cellFaces_.gap.begin(), cellFaces_.gap.end());
  recordOf_[cell] = static_cast<uint32_t>(records_.size());
  records_.push_back(record);
}

ShrunkPortals::CellView ShrunkPortals::cell(CellId cell) {
  if (recordOf_.empty()) begin();
  if (recordOf_[cell] == kNone) evaluate(cell);
  const Record& r = records_[recordOf_[cell]];
  return {std::span(entries_).subspan(r.firstEntry, r.entryCount),
          std::span(faces_).subspan(r.firstEntry, r.entryCount), std::span(walls_).subspan(r.firstWall, r.wallCount),
          std::span(shapes_).subspan(r.firstWall, r.wallCount), std::span(gaps_).subspan(r.firstWall, r.wallCount)};
}

bool ShrunkPortals::isAnyCrossingWide(DirectedPortalId portal) const {
  const SideId side = shrunkPortal(portal).side;
  if (clearance_ == nullptr || portals_[side].count > 1) return true;
  const SideId entry = (portal & 1) == 0 ? side : mesh_.twin(side);
  const CellId cell = mesh_.cellOf(entry);
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (s != entry && !mesh_.isWall(s) && clearance_->width(mesh_, entry, s) >= 2 * r_) return true;
  }
  return false;
}

bool ShrunkPortals::isFree(CellId cell, Vec2 place) {
  const std::span<const Wall> walls = this->cell(cell).shapes;
  return std::none_of(walls.begin(), walls.end(), [&](const Wall& w) {
    if (areBoxesApart(place, place, w.a, w.b, r_)) return false;
    const Vec2 off = place - closestOnSegment(place, w.a, w.b);
    return dot(off, off) < r_ * r_ && (w.sight == nullptr || w.sight->contains(place));
  });
}

}  // namespace wend
