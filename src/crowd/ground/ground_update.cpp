#include "crowd/ground/ground_update.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"
#include "mesh/live_arrays.h"
#include "planning/clearance/distances.h"

namespace wend {
namespace {

// Lattice units: pieces of one straight wall lie this near to its line; the feet of medial axis cells are rounded.
constexpr double kStraightWall = 0.05;

bool isStraightOn(Vec2 a, Vec2 b, Vec2 c) {
  return dot(b - a, c - b) > 0 && std::abs(accurateCross(a, b, c)) <= kStraightWall * length(c - a);
}

Vec2f unitDirection(Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double l = length(d);
  if (!(l > 0)) return {};
  return {static_cast<float>(d.x / l), static_cast<float>(d.y / l)};
}

bool isSame(const GroundSide& a, const GroundSide& b) {
  return a.from == b.from && a.to == b.to && a.neighbour == b.neighbour && a.twin == b.twin;
}

template <typename Element>
void copyWithRoom(std::vector<Element>& to, const std::vector<Element>& from) {
  if (to.capacity() < from.size()) to.reserve(from.size() + from.size() / 8 + 256);
  to.assign(from.begin(), from.end());
}

}  // namespace

void GroundArrays::copyAll(const GroundArrays& other) {
  copyWithRoom(sides, other.sides);
  copyWithRoom(walls, other.walls);
  copyWithRoom(freeWalls, other.freeWalls);
  copyWithRoom(flags, other.flags);
}

bool GroundArrays::follow(const GroundArrays& other, const BlockLog& log, bool) {
  log.copy(0, other.sides, sides);
  log.copy(1, other.walls, walls);
  log.copy(2, other.flags, flags);
  freeWalls = other.freeWalls;
  return true;
}

GroundUpdate::GroundUpdate(const NavMesh& mesh)
    : mesh_(mesh), versions_(Versions<GroundArrays>::make()), draft_(std::make_unique<GroundArrays>()) {
  draft_->state = Versions<GroundArrays>::nextState();
}

GroundUpdate::GroundUpdate(const Ground& before, const NavMesh& mesh) : before_(&before), mesh_(mesh) {}

bool GroundUpdate::run() {
  std::vector<SideId> dirty;
  if (before_ == nullptr) {
    draft_->sides.resize(mesh_.sideCount());
    draft_->flags.resize(mesh_.cellCount());
    dirty.reserve(mesh_.sideCount());
    for (SideId s = 0; s < mesh_.sideCount(); ++s) draft_->sides[s] = sideOf(s);
    // Numbers are given in the order of the sides that chains begin with, then to chains without a beginning.
    for (const bool begins : {true, false}) {
      for (SideId s = 0; s < mesh_.sideCount(); ++s) {
        if (mesh_.isWall(s) && continues(previousWall(s), s) != begins) dirty.push_back(s);
      }
    }
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) markShape(cell);
  } else {
    const std::optional<MeshDifference> difference = differenceBetween(before_->mesh(), mesh_);
    const auto known = Versions<GroundArrays>::find(before_->arrays_);
    if (!difference || known.value == nullptr) return false;
    versions_ = known.versions;
    draft_ = versions_->draft(*known.value);
    setSides(difference->sides, dirty);
  }
  markConnections();
  isJoined_.resize(mesh_.sideCount(), 0);
  joinChains(dirty);
  std::sort(gone_.begin(), gone_.end());
  gone_.erase(std::unique(gone_.begin(), gone_.end()), gone_.end());
  std::sort(made_.begin(), made_.end());
  return true;
}

std::shared_ptr<const GroundArrays> GroundUpdate::publish() {
  return versions_->publish(std::move(draft_), std::exchange(log_, {}));
}

GroundSide GroundUpdate::sideOf(SideId s) const {
  return {startPoint(mesh_, s), endPoint(mesh_, s), mesh_.neighbour(s), mesh_.twin(s), kNone};
}

// Beside the sides that differ, those that follow or precede one that differs along a boundary, then or now.
void GroundUpdate::setSides(const std::vector<uint32_t>& blocks, std::vector<SideId>& dirty) {
  const NavMesh& old = before_->mesh();
  const std::vector<GroundSide>& was = before_->arrays_->sides;
  std::vector<SideId> changed;
  LoggedArray<GroundSide> array = sideArray();
  array.resize(mesh_.sideCount(), {});
  flagArray().resize(mesh_.cellCount(), 0);
  for (const uint32_t block : blocks) {
    const SideId begin = block * BlockLog::kBlock;
    const auto end = static_cast<SideId>(std::max<size_t>(was.size(), mesh_.sideCount()));
    for (SideId s = begin; s < std::min(begin + BlockLog::kBlock, end); ++s) {
      const bool isThere = s < mesh_.sideCount();
      const GroundSide now = isThere ? sideOf(s) : GroundSide{};
      if (isThere && s < was.size() && isSame(was[s], now)) continue;
      changed.push_back(s);
      if (isThere) array.set(s, now);
    }
  }
  std::vector<CellId> cells;
  const auto oldRing = [&](SideId s, bool forward) {
    SideId n = forward ? old.nextSide(s) : old.previousSide(s);
    while (!old.isWall(n)) n = forward ? old.nextSide(old.twin(n)) : old.previousSide(old.twin(n));
    return n;
  };
  const auto isWallNow = [&](SideId s) { return s < mesh_.sideCount() && mesh_.isWall(s); };
  for (const SideId s : changed) {
    if (s < was.size() && was[s].twin == kNone) {
      // What is left of its wall.
      const uint32_t wall = was[s].wall;
      if (draft_->walls[wall].first != kNone) {
        freeWall(wall);
        for (const bool forward : {false, true}) {
          for (SideId n = oldRing(s, forward);; n = oldRing(n, forward)) {
            if (isWallNow(n)) {
              dirty.push_back(n);
              if (array[n].wall == wall) array.edit(n).wall = kNone;
            }
            if (was[n].wall != wall || n == s) break;
          }
        }
      }
    }
    if (s >= mesh_.sideCount()) continue;
    cells.push_back(mesh_.cellOf(s));
    if (!mesh_.isWall(s)) continue;
    for (const SideId n : {s, nextWall(s), previousWall(s)}) dirty.push_back(n);
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  for (const CellId cell : cells) markShape(cell);
}

// A cell of a medial axis is reflex only at its points of the axis, whose empty disks cover what a straight walk cuts
// off there.
void GroundUpdate::markShape(CellId cell) {
  bool convex = true;
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    convex = convex && orient(sides()[s].from, sides()[s].to, sides()[mesh_.nextSide(s)].to) >= 0;
  }
  const uint8_t shape = static_cast<uint8_t>((convex ? Ground::kConvex : 0) |
                                             (convex || mesh_.corridorMap() != nullptr ? Ground::kOpen : 0));
  const uint8_t kept = draft_->flags[cell] & Ground::kNearConnection;
  if (draft_->flags[cell] != (kept | shape)) flagArray().set(cell, kept | shape);
}

// O(1) in a world of one layer, else O(sides).
void GroundUpdate::markConnections() {
  if (mesh_.layerCount() < 2) return;
  struct Visit {
    double length;
    SideId entry;
  };
  const auto later = [](const Visit& a, const Visit& b) { return a.length > b.length; };
  std::vector<Visit> open;
  for (SideId s = 0; s < mesh_.sideCount(); ++s) {
    if (sides()[s].twin == kNone) continue;
    const CellId here = mesh_.cellOf(s);
    if (mesh_.layerOf(here) != mesh_.layerOf(sides()[s].neighbour)) open.push_back({0, s});
  }
  std::vector<uint8_t> near(mesh_.cellCount(), 0);
  const double reach = Ground::kConnectionReach / mesh_.lattice().unit;
  // The sum of the least distances between portals is a lower bound of any walk: it may mark too many cells, never too
  // few.
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), later);
    const Visit visit = open.back();
    open.pop_back();
    const CellId cell = mesh_.cellOf(visit.entry);
    if (near[cell] != 0) continue;
    near[cell] = Ground::kNearConnection;
    const GroundSide& entry = sides()[visit.entry];
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      const GroundSide& side = sides()[s];
      if (side.twin == kNone || near[side.neighbour] != 0) continue;
      const double l = visit.length + closestBetween(entry.from, entry.to, side.from, side.to).distance;
      if (l > reach) continue;
      open.push_back({l, side.twin});
      std::push_heap(open.begin(), open.end(), later);
    }
  }
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
    const uint8_t kept = draft_->flags[cell] & static_cast<uint8_t>(~Ground::kNearConnection);
    if (draft_->flags[cell] != (kept | near[cell])) flagArray().set(cell, kept | near[cell]);
  }
}

SideId GroundUpdate::nextWall(SideId s) const {
  SideId n = mesh_.nextSide(s);
  while (sides()[n].twin != kNone) n = mesh_.nextSide(sides()[n].twin);
  return n;
}

SideId GroundUpdate::previousWall(SideId s) const {
  SideId n = mesh_.previousSide(s);
  while (sides()[n].twin != kNone) n = mesh_.previousSide(sides()[n].twin);
  return n;
}

// A straight piece of the same layer.
bool GroundUpdate::continues(SideId s, SideId n) const {
  return mesh_.layerOf(mesh_.cellOf(s)) == mesh_.layerOf(mesh_.cellOf(n)) &&
         isStraightOn(sides()[s].from, sides()[s].to, sides()[n].to);
}

void GroundUpdate::joinChains(const std::vector<SideId>& dirty) {
  for (const SideId d : dirty) {
    if (isJoined_[d] != 0) continue;
    // The beginning of its chain; of a chain around everything, the side with the least number.
    SideId start = d;
    SideId least = d;
    for (SideId p = previousWall(d); continues(p, start); p = previousWall(p)) {
      start = p;
      least = std::min(least, p);
      if (p == d) break;
    }
    const bool isClosed = start == d && continues(previousWall(d), d);
    joinChain(isClosed ? least : start);
  }
  // What comes before and after each new wall.
  for (const uint32_t wall : made_) {
    SideId last = draft_->walls[wall].first;
    linkTo(sides()[previousWall(last)].wall, last);
    SideId n = nextWall(last);
    while (sides()[n].wall == wall && n != draft_->walls[wall].first) {
      last = n;
      n = nextWall(last);
    }
    linkTo(wall, n);
  }
}

// A wall ends where the line bends too far away from it; the next one goes on from there.
void GroundUpdate::joinChain(SideId start) {
  // First all numbers are given back, so that few are needed.
  SideId s = start;
  bool goesOn = true;
  joined_.clear();
  while (goesOn) {
    joined_.push_back(s);
    isJoined_[s] = 1;
    if (sides()[s].wall != kNone) freeWall(sides()[s].wall);
    const SideId n = nextWall(s);
    goesOn = n != start && continues(s, n);
    s = n;
  }
  LoggedArray<GroundSide> array = sideArray();
  for (size_t i = 0; i < joined_.size();) {
    const SideId first = joined_[i];
    GroundWall w{sides()[first].from, sides()[first].to};
    w.first = first;
    w.layer = mesh_.layerOf(mesh_.cellOf(first));
    const uint32_t wall = takeNumber();
    array.edit(first).wall = wall;
    for (++i; i < joined_.size() && isStraightOn(w.a, w.b, sides()[joined_[i]].to); ++i) {
      w.b = sides()[joined_[i]].to;
      array.edit(joined_[i]).wall = wall;
    }
    w.along = unitDirection(w.a, w.b);
    wallArray().set(wall, w);
    made_.push_back(wall);
  }
}

uint32_t GroundUpdate::takeNumber() {
  if (draft_->freeWalls.empty()) {
    wallArray().push_back({});
    return static_cast<uint32_t>(draft_->walls.size() - 1);
  }
  const uint32_t wall = draft_->freeWalls.back();
  draft_->freeWalls.pop_back();
  return wall;
}

void GroundUpdate::freeWall(uint32_t wall) {
  gone_.push_back(wall);
  if (draft_->walls[wall].first == kNone) return;
  wallArray().set(wall, {});
  draft_->freeWalls.push_back(wall);
}

// A wall that rounding has bent off the line before it still counts as straight on.
void GroundUpdate::linkTo(uint32_t wall, SideId follower) {
  const uint32_t afterwards = sides()[follower].wall;
  LoggedArray<GroundWall> walls = wallArray();
  const GroundWall& next = walls[afterwards];
  const bool convex =
      orient(walls[wall].a, walls[wall].b, next.b) > 0 && !isStraightOn(walls[wall].a, walls[wall].b, next.b);
  walls.edit(wall).after = next.along;
  walls.edit(wall).cornerB = !convex;
  walls.edit(afterwards).before = walls[wall].along;
  walls.edit(afterwards).cornerA = !convex;
}

}  // namespace wend
