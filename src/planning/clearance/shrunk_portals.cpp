#include "planning/clearance/shrunk_portals.h"

#include <algorithm>

#include "planning/point/mesh_analysis.h"

namespace wend {
namespace {

// Memory for so many doors is taken at once.
constexpr size_t kFirstDoors = 64;

}  // namespace

RadiusTable::RadiusTable(NavMesh mesh, double r, const ClearanceTable* clearance, const MeshAnalysis* analysis)
    : mesh_(std::move(mesh)), r_(r * (1 - kRadiusSlack)), clearance_(clearance), analysis_(analysis) {}

void RadiusTable::begin() {
  portals_.resize(mesh_.sideCount());
  near_.resize(mesh_.cellCount());
  recordOf_.resize(mesh_.cellCount(), kNone);
  doors_.reserve(std::min<size_t>(mesh_.sideCount() / 2, kFirstDoors));
  hops_.reserve(2 * doors_.capacity());
}

RadiusTable::Range RadiusTable::nearWalls(CellId cell) {
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

void RadiusTable::findWallsInLayers(CellId cell, uint32_t first) {
  sightTable_.find(mesh_, cell, r_, std::span(nearWalls_).subspan(first), sightWalls_);
  nearWalls_.resize(first);
  for (const SightWall& w : sightWalls_) {
    nearWalls_.push_back(w.wall);
    nearShapes_.push_back({w.a, w.b, w.everywhere ? nullptr : &sights_.emplace_front(w.sight)});
  }
}

// The door's walls are indices into the near walls from `firstWall` on.
void RadiusTable::addDoor(const Door& door, SideId side, uint32_t firstWall) {
  const Vec2 a = sideStart(mesh_, side);
  const Vec2 b = sideEnd(mesh_, side);
  const Vec2 along = b - a;
  const double size = length(along);
  const auto end = [&](double at, uint32_t index, Vec2 corner) {
    const Vec2 place = a + (at / size) * along;
    if (index == kNoWall) return PortalDoor::End{place, place, kNone};
    return PortalDoor::End{place, centreAt(place, corner, nearShapes_[firstWall + index]),
                           nearWalls_[firstWall + index]};
  };
  doors_.push_back({door.low, door.high, side, {{end(door.low, door.lowWall, a), end(door.high, door.highWall, b)}}});
  addHops(doors_.back());
}

void RadiusTable::addDoor(const ClearanceTable::Room& room, SideId side) {
  const ClearanceTable::PortalLimits& limits = clearance_->limits(side);
  const auto end = [&](Vec2 corner, double along, SideId w) {
    const Vec2 place = corner + along * limits.along;
    return PortalDoor::End{place, w == kNone ? place : centreAt(place, corner, wall(w)), w};
  };
  doors_.push_back({room.low,
                    room.high,
                    side,
                    {{end(sideStart(mesh_, side), room.low, room.lowWall),
                      end(sideEnd(mesh_, side), room.high - limits.size, room.highWall)}}});
  addHops(doors_.back());
}

void RadiusTable::addHops(const PortalDoor& door) {
  // Who enters by an edge has its start on the left.
  hops_.push_back({door.ends[0].place, door.ends[1].place, mesh_.cellOf(door.side)});
  hops_.push_back({door.ends[1].place, door.ends[0].place, mesh_.neighbour(door.side)});
}

std::span<const PortalDoor> RadiusTable::doors(SideId side, uint32_t& first) {
  if (portals_.empty()) begin();
  side = std::min(side, mesh_.twin(side));
  Range& range = portals_[side];
  if (range.first == kNone) {
    range = findPortalDoors(side);
    if (analysis_ != nullptr && range.count == 1) {
      for (const CrossingId c : {2 * range.first, 2 * range.first + 1}) {
        hops_[c].deadEnd = analysis_->deadEndParent[hops_[c].cell] == hops_[c ^ 1].cell ? 1 : 0;
      }
    }
  }
  first = range.first;
  return std::span(doors_).subspan(range.first, range.count);
}

RadiusTable::Range RadiusTable::findPortalDoors(SideId side) {
  const auto first = static_cast<uint32_t>(doors_.size());
  if (clearance_ != nullptr) {
    const ClearanceTable::Room room = clearance_->roomIn(side, r_);
    if (room.kind == ClearanceTable::Room::kClosed) return {first, 0};
    if (room.kind == ClearanceTable::Room::kOpen) {
      addDoor(room, side);
      return {first, 1};
    }
  }
  const Range near = nearWalls(mesh_.cellOf(side));
  cellDoors_.clear();
  findDoors(sideStart(mesh_, side), sideEnd(mesh_, side), std::span(nearShapes_).subspan(near.first, near.count), r_,
            doorScratch_, cellDoors_);
  for (const Door& d : cellDoors_) addDoor(d, side, near.first);
  return {first, static_cast<uint32_t>(cellDoors_.size())};
}

Sight RadiusTable::stripAlong(SideId side) const {
  const Vec2 a = sideStart(mesh_, side);
  const Vec2 b = sideEnd(mesh_, side);
  const Vec2 along = (1 / length(b - a)) * (b - a);
  return {{{{a, along}, {b, -1 * along}}}, kRadiusSlack * r_};
}

void RadiusTable::evaluate(CellId cell) {
  ++evaluated_;
  Record record{static_cast<uint32_t>(entries_.size()), 0, static_cast<uint32_t>(walls_.size()), 0};
  const Range near = nearWalls(cell);
  // All doors first: finding them may use the memory below.
  uint32_t first = 0;
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (!mesh_.isWall(s)) doors(s, first);
  }
  wallIds_.assign(nearWalls_.begin() + near.first, nearWalls_.begin() + near.first + near.count);
  wallShapes_.assign(nearShapes_.begin() + near.first, nearShapes_.begin() + near.first + near.count);
  const bool limited =
      std::any_of(wallShapes_.begin(), wallShapes_.end(), [](const Wall& w) { return w.sight != nullptr; });
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (mesh_.isWall(s)) continue;
    for (const PortalDoor& d : doors(s, first)) {
      for (const SideId w : {d.ends[0].wall, d.ends[1].wall}) {
        if (w == kNone || std::binary_search(wallIds_.begin(), wallIds_.end(), w)) continue;
        const auto at = std::lower_bound(wallIds_.begin(), wallIds_.end(), w) - wallIds_.begin();
        wallIds_.insert(wallIds_.begin() + at, w);
        // By rounding, only the cell on the portal's other side sees it: then it counts on the portal alone.
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
  cellDoors_.clear();
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    CellEdge edge{sideStart(mesh_, s), sideEnd(mesh_, s), mesh_.isWall(s), static_cast<uint32_t>(cellDoors_.size()), 0};
    if (!edge.wall) {
      const std::span<const PortalDoor> found = doors(s, first);
      edge.doorCount = static_cast<uint32_t>(found.size());
      const bool along = s < mesh_.twin(s);
      const double size = length(edge.b - edge.a);
      for (uint32_t i = 0; i < found.size(); ++i) {
        const uint32_t k = along ? i : static_cast<uint32_t>(found.size()) - 1 - i;
        const PortalDoor& d = found[k];
        const uint32_t lowWall = indexOf(d.ends[0].wall);
        const uint32_t highWall = indexOf(d.ends[1].wall);
        cellDoors_.push_back(along ? Door{d.low, d.high, lowWall, highWall}
                                   : Door{size - d.high, size - d.low, highWall, lowWall});
        entries_.push_back(2 * (first + k) + (along ? 0 : 1));
        Hop& hop = hops_[entries_.back()];
        hop.index = (static_cast<uint32_t>(entries_.size()) - 1 - record.firstEntry) & 0x7fffffffU;
        hop.record = static_cast<uint32_t>(records_.size());
      }
    }
    cellEdges_.push_back(edge);
  }
  findFaces(cellEdges_, cellDoors_, wallShapes_, r_, faceScratch_, cellFaces_);
  record.entryCount = static_cast<uint32_t>(cellDoors_.size());
  record.wallCount = static_cast<uint32_t>(wallIds_.size());
  faces_.insert(faces_.end(), cellFaces_.face.begin(), cellFaces_.face.end());
  walls_.insert(walls_.end(), wallIds_.begin(), wallIds_.end());
  shapes_.insert(shapes_.end(), wallShapes_.begin(), wallShapes_.end());
  gaps_.insert(gaps_.end(), cellFaces_.gap.begin(), cellFaces_.gap.end());
  recordOf_[cell] = static_cast<uint32_t>(records_.size());
  records_.push_back(record);
}

RadiusTable::CellView RadiusTable::cell(CellId cell) {
  if (recordOf_.empty()) begin();
  if (recordOf_[cell] == kNone) evaluate(cell);
  const Record& r = records_[recordOf_[cell]];
  return {std::span(entries_).subspan(r.firstEntry, r.entryCount),
          std::span(faces_).subspan(r.firstEntry, r.entryCount), std::span(walls_).subspan(r.firstWall, r.wallCount),
          std::span(shapes_).subspan(r.firstWall, r.wallCount), std::span(gaps_).subspan(r.firstWall, r.wallCount)};
}

bool RadiusTable::isAnyWayWide(CrossingId crossing) const {
  const SideId side = door(crossing).side;
  if (clearance_ == nullptr || portals_[side].count > 1) return true;
  const SideId entry = (crossing & 1) == 0 ? side : mesh_.twin(side);
  const CellId cell = mesh_.cellOf(entry);
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (s != entry && !mesh_.isWall(s) && clearance_->width(mesh_, entry, s) >= 2 * r_) return true;
  }
  return false;
}

bool RadiusTable::isFree(CellId cell, Vec2 place) {
  const std::span<const Wall> walls = this->cell(cell).shapes;
  return std::none_of(walls.begin(), walls.end(), [&](const Wall& w) {
    if (areBoxesApart(place, place, w.a, w.b, r_)) return false;
    const Vec2 off = place - closestOnSegment(place, w.a, w.b);
    return dot(off, off) < r_ * r_ && (w.sight == nullptr || w.sight->contains(place));
  });
}

}  // namespace wend
