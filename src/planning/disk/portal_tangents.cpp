#include "planning/disk/portal_tangents.h"

#include <algorithm>

#include "mesh/cell_geometry.h"
#include "planning/disk/direction_angle.h"
#include "planning/disk/walk.h"

namespace wend {
namespace {

// Whether a place is before the shrunk portal of a directed portal, seen in its direction.
bool isBefore(const DirectedPortal& portal, Vec2 p) {
  return cross(portal.left - portal.right, p - portal.right) >= 0;
}

bool passes(const DirectedPortal& portal, Vec2 from, Vec2 to) {
  return cross(to - from, portal.left - from) >= 0 && cross(to - from, portal.right - from) <= 0;
}

}  // namespace

void PortalTangents::addFlags(DirectedPortalId portal, uint32_t left, uint32_t right, uint32_t known) {
  if (flags_.size() < table_.directedCount()) flags_.resize(table_.directedCount());
  flags_[portal] = static_cast<uint8_t>(flags_[portal] | left | right << 1 | known);
}

void PortalTangents::findTurning(DirectedPortalId portal) {
  const auto find = [&](bool left) { return mayTurnAt(portal, left) ? kTurning : 0U; };
  addFlags(portal, find(true), find(false), kTurningKnown);
}

void PortalTangents::findQuiet(DirectedPortalId portal) {
  const auto find = [&](bool left) {
    return (isQuiet(portal, left) ? kQuiet : 0U) | (isOpen(portal, left) ? kOpen : 0U);
  };
  addFlags(portal, find(true), find(false), kQuietKnown);
}

bool PortalTangents::mayTurnAt(DirectedPortalId portal, bool left) {
  const ShrunkPortalUnits::End& end = table_.endOf(portal, left);
  if (end.wall == kNone) return true;
  const Vec2 corner = end.centre;
  Vec2 in;
  Vec2 out;
  uint32_t count = 0;
  for (const Wall& w : table_.cell(table_.cellBehind(portal)).shapes) {
    if (w.b == corner) in = corner - w.a;
    if (w.a == corner) out = w.b - corner;
    count += w.a == corner || w.b == corner ? 1 : 0;
  }
  // Free space is on the left of walls.
  return count > 2 || (count == 2 && cross(in, out) < 0) || count == 1;
}

uint32_t PortalTangents::add(uint32_t pair, DirectedPortalId in, DirectedPortalId out) {
  const uint32_t id = count_++;
  if (id % kBlock == 0) blocks_.push_back(std::make_unique<CrossingTangents[]>(kBlock));
  CrossingTangents& crossing = blocks_[id / kBlock][id % kBlock];
  for (const bool right : {false, true}) {
    const DiskContact from = post(in, !right);
    for (const bool toRight : {false, true}) {
      const Tangent tangent = tangentBetween(from, post(out, !toRight));
      PostTangent& way = crossing.tangents[CrossingTangents::index(right, toRight)];
      way.direction = tangent.direction;
      way.length = tangent.length;
      way.heading = angleOfDirection(tangent.direction);
    }
  }
  if (pair >= ids_.size()) ids_.resize(std::max<size_t>(pair + 1, 2 * ids_.size()), kNone);
  ids_[pair] = id;
  return id;
}

void PortalTangents::measure(DirectedPortalId in, DirectedPortalId out, size_t way, PostTangent& tangent) {
  const bool fromLeft = way < 2;
  const bool toLeft = (way & 1) == 0;
  const Vec2 from = touch(post(in, fromLeft), tangent.direction);
  const Vec2 to = touch(post(out, toLeft), tangent.direction);
  tangent.measured = true;
  tangent.beginsBefore = isBefore(table_.directed(in), from);
  tangent.endsBehind = !isBefore(table_.directed(out), to);
  tangent.clear = tangent.length > 0 && isClear(in, out, from, to, tangent);
  tangent.quietBegin = isBehind(in, fromLeft, from) && (tangent.beginsBefore || isQuietAt(in, fromLeft, true));
  tangent.quietEnd = isBehind(out, toLeft, to) && (tangent.endsBehind || isQuietAt(out ^ 1, !toLeft, true));
}

bool PortalTangents::isClear(DirectedPortalId in, DirectedPortalId out, Vec2 from, Vec2 to,
                             const PostTangent& tangent) {
  if (tangent.beginsBefore && !passes(table_.directed(in), from, to)) return false;
  if (tangent.endsBehind && !passes(table_.directed(out), from, to)) return false;
  CellId cell = table_.cellBehind(tangent.beginsBefore ? in ^ 1 : in);
  const CellId last = table_.cellBehind(tangent.endsBehind ? out : in);
  return contains(table_.mesh(), cell, from) && walkDisk(table_, cell, from, to, tolerance_) && cell == last;
}

// Whether the shrunk portal begins where an arc around its post passes it.
bool PortalTangents::isOpen(DirectedPortalId portal, bool left) const {
  const ShrunkPortalUnits::End& end = table_.endOf(portal, left);
  const Vec2 near = end.place - end.centre;
  const Vec2 far = table_.endOf(portal, !left).place - end.centre;
  const double square = table_.radius() * table_.radius();
  return end.wall != kNone && dot(near, near) <= (1 + kSlip) * square &&
         dot(far, far) >= ShrunkPortals::kBulged * ShrunkPortals::kBulged * square;
}

// Whether no wall that does not begin at the post is near it in the cell entered, nor a portal that does not.
bool PortalTangents::isQuiet(DirectedPortalId portal, bool left) {
  const Vec2 centre = table_.endOf(portal, left).centre;
  const ShrunkPortals::CornerView corner = table_.around(portal, left);
  return corner.sealed && std::all_of(corner.walls.begin(), corner.walls.end(), [&](const Wall& w) {
           return w.sight == nullptr && (w.a == centre || w.b == centre);
         });
}

// The walls of a corner are the same for all cells around it.
bool PortalTangents::isBehind(DirectedPortalId portal, bool left, Vec2 place) {
  const Vec2 centre = table_.endOf(portal, left).centre;
  for (const bool back : {false, true}) {
    for (const Wall& w : table_.around(portal ^ (back ? 1U : 0U), left != back).walls) {
      if ((w.a == centre || w.b == centre) && !isBehindCorner(w, centre, table_.radius(), place)) return false;
    }
  }
  return true;
}

}  // namespace wend
