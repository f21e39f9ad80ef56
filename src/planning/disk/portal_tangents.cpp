#include "planning/disk/portal_tangents.h"

#include <algorithm>

#include "mesh/cell_geometry.h"
#include "planning/disk/direction_angle.h"
#include "planning/disk/walk.h"

namespace wend {
namespace {

// Whether a place is before the door of a crossing, seen in its direction.
bool isBefore(const Hop& door, Vec2 p) {
  return cross(door.left - door.right, p - door.right) >= 0;
}

bool passes(const Hop& door, Vec2 from, Vec2 to) {
  return cross(to - from, door.left - from) >= 0 && cross(to - from, door.right - from) <= 0;
}

}  // namespace

void DiskPasses::addFlags(CrossingId crossing, uint32_t left, uint32_t right, uint32_t known) {
  if (flags_.size() < table_.crossingCount()) flags_.resize(table_.crossingCount());
  flags_[crossing] = static_cast<uint8_t>(flags_[crossing] | left | right << 1 | known);
}

void DiskPasses::findTurning(CrossingId crossing) {
  const auto find = [&](bool left) { return mayTurnAt(crossing, left) ? kTurning : 0U; };
  addFlags(crossing, find(true), find(false), kTurningKnown);
}

void DiskPasses::findQuiet(CrossingId crossing) {
  const auto find = [&](bool left) {
    return (isQuiet(crossing, left) ? kQuiet : 0U) | (isOpen(crossing, left) ? kOpen : 0U);
  };
  addFlags(crossing, find(true), find(false), kQuietKnown);
}

bool DiskPasses::mayTurnAt(CrossingId crossing, bool left) {
  const PortalDoor::End& end = table_.endOf(crossing, left);
  if (end.wall == kNone) return true;
  const Vec2 corner = end.centre;
  Vec2 in;
  Vec2 out;
  uint32_t count = 0;
  for (const Wall& w : table_.cell(table_.cellBehind(crossing)).shapes) {
    if (w.b == corner) in = corner - w.a;
    if (w.a == corner) out = w.b - corner;
    count += w.a == corner || w.b == corner ? 1 : 0;
  }
  // Free space is on the left of walls.
  return count > 2 || (count == 2 && cross(in, out) < 0) || count == 1;
}

uint32_t DiskPasses::add(uint32_t pair, CrossingId in, CrossingId out) {
  const uint32_t id = count_++;
  if (id % kBlock == 0) blocks_.push_back(std::make_unique<DiskPass[]>(kBlock));
  DiskPass& pass = blocks_[id / kBlock][id % kBlock];
  for (const bool right : {false, true}) {
    const DiskContact from = post(in, !right);
    for (const bool toRight : {false, true}) {
      const Tangent tangent = tangentBetween(from, post(out, !toRight));
      PostTangent& way = pass.ways[DiskPass::way(right, toRight)];
      way.direction = tangent.direction;
      way.length = tangent.length;
      way.heading = angleOfDirection(tangent.direction);
    }
  }
  if (pair >= ids_.size()) ids_.resize(std::max<size_t>(pair + 1, 2 * ids_.size()), kNone);
  ids_[pair] = id;
  return id;
}

void DiskPasses::measure(CrossingId in, CrossingId out, size_t way, PostTangent& tangent) {
  const bool fromLeft = way < 2;
  const bool toLeft = (way & 1) == 0;
  const Vec2 from = touch(post(in, fromLeft), tangent.direction);
  const Vec2 to = touch(post(out, toLeft), tangent.direction);
  tangent.measured = true;
  tangent.beginsBefore = isBefore(table_.hop(in), from);
  tangent.endsBehind = !isBefore(table_.hop(out), to);
  tangent.clear = tangent.length > 0 && isClear(in, out, from, to, tangent);
  tangent.quietBegin = isBehind(in, fromLeft, from) && (tangent.beginsBefore || isQuietAt(in, fromLeft, true));
  tangent.quietEnd = isBehind(out, toLeft, to) && (tangent.endsBehind || isQuietAt(out ^ 1, !toLeft, true));
}

bool DiskPasses::isClear(CrossingId in, CrossingId out, Vec2 from, Vec2 to, const PostTangent& tangent) {
  if (tangent.beginsBefore && !passes(table_.hop(in), from, to)) return false;
  if (tangent.endsBehind && !passes(table_.hop(out), from, to)) return false;
  CellId cell = table_.cellBehind(tangent.beginsBefore ? in ^ 1 : in);
  const CellId last = table_.cellBehind(tangent.endsBehind ? out : in);
  return contains(table_.mesh(), cell, from) && walkDisk(table_, cell, from, to, tolerance_) && cell == last;
}

// Whether the door begins where an arc around its post passes it.
bool DiskPasses::isOpen(CrossingId crossing, bool left) const {
  const PortalDoor::End& end = table_.endOf(crossing, left);
  const Vec2 near = end.place - end.centre;
  const Vec2 far = table_.endOf(crossing, !left).place - end.centre;
  const double square = table_.radius() * table_.radius();
  return end.wall != kNone && dot(near, near) <= (1 + kSlip) * square &&
         dot(far, far) >= RadiusTable::kBulged * RadiusTable::kBulged * square;
}

// Whether no wall that does not begin at the post is near it in the cell entered, nor a portal that does not.
bool DiskPasses::isQuiet(CrossingId crossing, bool left) {
  const Vec2 centre = table_.endOf(crossing, left).centre;
  const RadiusTable::CornerView corner = table_.around(crossing, left);
  return corner.sealed && std::all_of(corner.walls.begin(), corner.walls.end(), [&](const Wall& w) {
           return w.sight == nullptr && (w.a == centre || w.b == centre);
         });
}

// The walls of a corner are the same for all cells around it.
bool DiskPasses::isBehind(CrossingId crossing, bool left, Vec2 place) {
  const Vec2 centre = table_.endOf(crossing, left).centre;
  for (const bool back : {false, true}) {
    for (const Wall& w : table_.around(crossing ^ (back ? 1U : 0U), left != back).walls) {
      if ((w.a == centre || w.b == centre) && !isBehindCorner(w, centre, table_.radius(), place)) return false;
    }
  }
  return true;
}

}  // namespace wend
