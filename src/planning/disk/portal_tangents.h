#pragma once

#include <array>
#include <memory>
#include <vector>

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/contact.h"

// The tangents of each crossing. A post is the circle around an end of a shrunk portal. Between the two posts of the
// entry and the two posts of the exit there are four tangents. They are the same for every path, so each is measured
// once per radius.
namespace wend {

struct PostTangent {
  Vec2 direction{};  // of length 1
  double length = 0;
  double heading = 0;  // radians
  // The rest is valid once it is measured.
  bool measured = false;
  bool clear = false;         // it keeps the radius, through both shrunk portals
  bool beginsBefore = false;  // in the cell before the first shrunk portal, not in the cell between
  bool endsBehind = false;    // in the cell behind the second shrunk portal
  // An arc of less than half a turn before or after the tangent needs no measurement in the cell between: only the
  // walls of its corner are near, and the arc does not come beside them.
  bool quietBegin = false;
  bool quietEnd = false;

  PostTangent() = default;
  PostTangent(Vec2 towards, double size) : direction(towards), length(size) {}
};

struct CrossingTangents {
  // The index of the tangent from a post of the entry to a post of the exit.
  static constexpr size_t index(bool fromRight, bool toRight) { return (fromRight ? 2U : 0U) + (toRight ? 1U : 0U); }
  std::array<PostTangent, 4> tangents;
};

class PortalTangents {
 public:
  // `tolerance`: how much nearer than the radius a path may come. The table must outlive this.
  PortalTangents(ShrunkPortals& table, double tolerance) : table_(table), tolerance_(tolerance) {}

  // The crossing that enters a cell by one directed portal and leaves it by the next; kNone if the cell has too many.
  uint32_t find(DirectedPortalId in, DirectedPortalId out) {
    const uint32_t pair = table_.crossingIndex(in, out);
    if (pair < ids_.size() && ids_[pair] != kNone) return ids_[pair];
    return pair == kNone ? kNone : add(pair, in, out);
  }
  // The reference stays valid.
  const CrossingTangents& operator[](uint32_t id) const { return blocks_[id / kBlock][id % kBlock]; }
  const PostTangent& measured(uint32_t id, size_t way, DirectedPortalId in, DirectedPortalId out) {
    PostTangent& tangent = blocks_[id / kBlock][id % kBlock].tangents[way];
    if (!tangent.measured) measure(in, out, way, tangent);
    return tangent;
  }
  // The posts of a shrunk portal around which a shortest path may turn: 1 the left one, 2 the right one, 3 both. A path
  // does not turn around posts on the length of a wall, nor where the wall bends away from them.
  uint32_t turningPosts(DirectedPortalId portal) {
    if (portal >= flags_.size() || (flags_[portal] & kTurningKnown) == 0) findTurning(portal);
    return flags_[portal] & 3;
  }
  // True if an arc around a post needs no measurement in the cell entered. With `passing`, also where it passes the
  // portal.
  bool isQuietAt(DirectedPortalId portal, bool left, bool passing) {
    if (portal >= flags_.size() || (flags_[portal] & kQuietKnown) == 0) findQuiet(portal);
    const uint32_t flags = flags_[portal] >> (left ? 0 : 1);
    return ((flags & kQuiet) != 0) & (!passing | ((flags & kOpen) != 0));
  }
  // The end of a shrunk portal as a contact: a free end has no radius.
  DiskContact post(DirectedPortalId portal, bool left, uint32_t stage = 0) const {
    const ShrunkPortalUnits::End& end = table_.endOf(portal, left);
    return {end.centre, end.wall == kNone ? 0 : table_.radius(), left ? 1.0 : -1.0, stage, stage};
  }
  bool isPost(DirectedPortalId portal, bool left, const DiskContact& contact) const {
    const ShrunkPortalUnits::End& end = table_.endOf(portal, left);
    return ((end.centre.x == contact.centre.x) & (end.centre.y == contact.centre.y) &
            ((end.wall == kNone) == (contact.radius == 0))) != 0;
  }

 private:
  // Of the left post; of the right one twice these.
  static constexpr uint8_t kTurning = 1;
  static constexpr uint8_t kQuiet = 4;
  static constexpr uint8_t kOpen = 16;
  static constexpr uint8_t kTurningKnown = 64;
  static constexpr uint8_t kQuietKnown = 128;
  void findTurning(DirectedPortalId portal);
  void findQuiet(DirectedPortalId portal);
  void addFlags(DirectedPortalId portal, uint32_t left, uint32_t right, uint32_t known);
  bool mayTurnAt(DirectedPortalId portal, bool left);
  uint32_t add(uint32_t pair, DirectedPortalId in, DirectedPortalId out);
  void measure(DirectedPortalId in, DirectedPortalId out, size_t way, PostTangent& tangent);
  bool isClear(DirectedPortalId in, DirectedPortalId out, Vec2 from, Vec2 to, const PostTangent& tangent);
  bool isOpen(DirectedPortalId portal, bool left) const;
  bool isQuiet(DirectedPortalId portal, bool left);
  bool isBehind(DirectedPortalId portal, bool left, Vec2 place);

  ShrunkPortals& table_;
  double tolerance_;
  std::vector<uint8_t> flags_;  // per directed portal
  static constexpr uint32_t kBlock = 64;
  std::vector<std::unique_ptr<CrossingTangents[]>> blocks_;
  uint32_t count_ = 0;
  std::vector<uint32_t> ids_;  // by crossingIndex(); kNone for most
};

}  // namespace wend
