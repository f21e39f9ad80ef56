#pragma once

#include <array>
#include <memory>
#include <vector>

#include "planning/clearance/shrunk_portals.h"
#include "planning/disk/contact.h"

// The tangents between the posts of the doors by which a cell is entered and left, where a post is the circle around
// the end of a door. There are four, and they are the same for every path: each is measured once per radius.
namespace wend {

struct PostTangent {
  Vec2 direction{};  // of length 1
  double length = 0;
  double heading = 0;  // radians
  // What follows is known once it was measured.
  bool measured = false;
  bool clear = false;         // it keeps the radius, on a way through the doors
  bool beginsBefore = false;  // in the cell before the first door, not in the cell between
  bool endsBehind = false;    // in the cell behind the second door
  // An arc of less than half a turn that leads to it, or on from it, has not to be measured in the cell between: no
  // wall but those of its corner is near, and it does not come beside these.
  bool quietBegin = false;
  bool quietEnd = false;

  PostTangent() = default;
  PostTangent(Vec2 towards, double size) : direction(towards), length(size) {}
};

struct DiskPass {
  // The index of a way from a post of the first door to one of the second.
  static constexpr size_t way(bool fromRight, bool toRight) { return (fromRight ? 2U : 0U) + (toRight ? 1U : 0U); }
  std::array<PostTangent, 4> ways;
};

class DiskPasses {
 public:
  // `tolerance`: how much nearer than the radius a path may come. The table must outlive this.
  DiskPasses(RadiusTable& table, double tolerance) : table_(table), tolerance_(tolerance) {}

  // The pass by which a cell is entered by one crossing and left by the next; kNone if it has too many doors.
  uint32_t find(CrossingId in, CrossingId out) {
    const uint32_t pair = table_.passBetween(in, out);
    if (pair < ids_.size() && ids_[pair] != kNone) return ids_[pair];
    return pair == kNone ? kNone : add(pair, in, out);
  }
  // These stay where they are.
  const DiskPass& operator[](uint32_t id) const { return blocks_[id / kBlock][id % kBlock]; }
  const PostTangent& measured(uint32_t id, size_t way, CrossingId in, CrossingId out) {
    PostTangent& tangent = blocks_[id / kBlock][id % kBlock].ways[way];
    if (!tangent.measured) measure(in, out, way, tangent);
    return tangent;
  }
  // At which posts of a door a shortest path may turn: 1 the left one, 2 the right one, 3 both. Not at those on the
  // length of a wall, nor where the wall bends away from them.
  uint32_t turningPosts(CrossingId crossing) {
    if (crossing >= flags_.size() || (flags_[crossing] & kTurningKnown) == 0) findTurning(crossing);
    return flags_[crossing] & 3;
  }
  // Whether an arc around a post of the door has not to be measured in the cell entered; with `passing`, nor where it
  // passes the door.
  bool isQuietAt(CrossingId crossing, bool left, bool passing) {
    if (crossing >= flags_.size() || (flags_[crossing] & kQuietKnown) == 0) findQuiet(crossing);
    const uint32_t flags = flags_[crossing] >> (left ? 0 : 1);
    return ((flags & kQuiet) != 0) & (!passing | ((flags & kOpen) != 0));
  }
  // The end of a door as a contact: a free end has no radius.
  DiskContact post(CrossingId crossing, bool left, uint32_t stage = 0) const {
    const PortalDoor::End& end = table_.endOf(crossing, left);
    return {end.centre, end.wall == kNone ? 0 : table_.radius(), left ? 1.0 : -1.0, stage, stage};
  }
  bool isPost(CrossingId crossing, bool left, const DiskContact& contact) const {
    const PortalDoor::End& end = table_.endOf(crossing, left);
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
  void findTurning(CrossingId crossing);
  void findQuiet(CrossingId crossing);
  void addFlags(CrossingId crossing, uint32_t left, uint32_t right, uint32_t known);
  bool mayTurnAt(CrossingId crossing, bool left);
  uint32_t add(uint32_t pair, CrossingId in, CrossingId out);
  void measure(CrossingId in, CrossingId out, size_t way, PostTangent& tangent);
  bool isClear(CrossingId in, CrossingId out, Vec2 from, Vec2 to, const PostTangent& tangent);
  bool isOpen(CrossingId crossing, bool left) const;
  bool isQuiet(CrossingId crossing, bool left);
  bool isBehind(CrossingId crossing, bool left, Vec2 place);

  RadiusTable& table_;
  double tolerance_;
  std::vector<uint8_t> flags_;  // per crossing
  static constexpr uint32_t kBlock = 64;
  std::vector<std::unique_ptr<DiskPass[]>> blocks_;
  uint32_t count_ = 0;
  std::vector<uint32_t> ids_;  // by the table's number of the pair: few are asked for
};

}  // namespace wend
