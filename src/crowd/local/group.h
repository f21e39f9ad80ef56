#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "crowd/vec2f.h"

// Social groups. M. Moussaid et al.: The walking behaviour of pedestrian social groups (2010), for the forces that make
// members walk abreast; A. Kremyzas, N. Jaklin, R. Geraerts: Towards social behavior in virtual-agent navigation
// (2016), for groups that split and meet again.
//
// The step calls walkAsGroup() once for each group, after route following and before streams: with what was true at the
// end of the last step, so that groups can run in parallel. It fills a GroupView, then
// - takes `preferred` of each answer as the member's preferred velocity;
// - where `duty` changed to kRejoin: plans the member's route to where member `rejoin` is, and again every few seconds;
// - where `duty` changed from kRejoin: plans the route to the member's own goal;
// - where `lost` is set: tells that the member lost its group;
// - where `leaves` is set: takes the member out of the group for good.
// A group of one is left alone. Costs O(n^2) for n members.
namespace wend {

inline constexpr uint32_t kMaxMembers = 32;  // visibility is one word; more members count as individuals

struct GroupMember {
  uint32_t id = 0;
  Vec2f position;        // m, relative to any point that is near
  Vec2f velocity;        // m/s
  Vec2f preferred;       // m/s, from route following
  float radius = 0.24F;  // m
  float speed = 1.4F;    // m/s
  float toGoal = 0;      // m, along its route: the coordinate in which members are compared, also across layers
  float clearance = 10;  // m, to the nearest wall
  uint32_t sees = 0;     // bit k: the segment to member k is walkable; symmetric
  bool atGoal = false;
};

// By id, at most kMaxMembers; all with the same goal.
struct GroupView {
  std::span<const GroupMember> members;
  float step = 0.1F;  // s
};

// The state of a member that a group keeps; plain data, saved as it is.
struct MemberState {
  uint32_t id = 0;
  uint32_t part = 0;     // members that walk together; 0 while no member is lost
  float incoherent = 0;  // s, for which the part has not been coherent
  float together = 0;    // s, for which it has been next to a member of another part
  float apart = 0;       // s, for which the group has had more than one part
  uint32_t steps = 0;    // for the scores
  uint32_t coherent = 0;
  float social = 0;
};
// In the order of the members; made and kept by walkAsGroup(). Never allocates.
class GroupState {
 public:
  uint32_t size() const { return count_; }
  // At most kMaxMembers.
  void add(const MemberState& member) { members_[count_++] = member; }
  MemberState& operator[](size_t k) { return members_[k]; }
  const MemberState& operator[](size_t k) const { return members_[k]; }
  MemberState* begin() { return members_.data(); }
  MemberState* end() { return members_.data() + count_; }
  const MemberState* begin() const { return members_.data(); }
  const MemberState* end() const { return members_.data() + count_; }

 private:
  uint32_t count_ = 0;
  std::array<MemberState, kMaxMembers> members_;
};

enum class GroupDuty : uint8_t {
  kWalk,    // to the goal
  kWait,    // for those behind
  kRejoin,  // to member `rejoin`
};

struct GroupAnswer {
  Vec2f preferred;  // m/s
  GroupDuty duty = GroupDuty::kWalk;
  uint32_t rejoin = ~0U;  // index of a member
  bool lost = false;      // the group fell apart in this step and this member is not in its first part
  bool leaves = false;
};

// answers.size() == members.size().
void walkAsGroup(const GroupView& view, GroupState& state, std::span<GroupAnswer> answers);

// The greatest length of a group of n along its route, m.
inline float coherentLength(uint32_t n) {
  return 1 + 0.5F * static_cast<float>(n - 1);
}
// Share of pairs within 2 m that see each other, each within 100 degrees of the other's walking direction.
float sociality(std::span<const GroupMember> members);
// Share of steps in which the member's part was coherent, and the mean sociality, since the group was made.
float coherenceScore(const MemberState& member);
float socialityScore(const MemberState& member);

// The acceleration of Moussaid's forces on a member, from the members in `sees`.
Vec2f groupForce(std::span<const GroupMember> members, uint32_t member, uint32_t sees);

}  // namespace wend
