#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "crowd/crowd_impl.h"

// Social groups in a frame: members that walk see each other as they were at its begin.
namespace wend {
namespace {

constexpr size_t kGroupBlock = 16;
constexpr float kSight = 20;     // metres; farther members do not see each other
constexpr float kLookAgain = 3;  // s between two plans of a member that comes back to its group

}  // namespace

void Crowd::Impl::walkInGroups(const Context& context) {
  inGroups.clear();
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    if (agents.group[slot] != kNone && recordAt(slot).state == RouteState::kWalking) inGroups.push_back(slot);
  }
  if (inGroups.empty()) return;
  std::sort(inGroups.begin(), inGroups.end(), [&](uint32_t a, uint32_t b) {
    return agents.group[a] != agents.group[b] ? agents.group[a] < agents.group[b] : agents.id[a] < agents.id[b];
  });
  groupStarts.clear();
  for (uint32_t k = 0; k < inGroups.size(); ++k) {
    if (k == 0 || agents.group[inGroups[k]] != agents.group[inGroups[k - 1]]) groupStarts.push_back(k);
  }
  groupStarts.push_back(static_cast<uint32_t>(inGroups.size()));
  const Neighbours near = neighbours();
  parallelBlocks(groupStarts.size() - 1, kGroupBlock, context, [this, &near](size_t begin, size_t end) {
    for (size_t g = begin; g < end; ++g) {
      walkInGroup(std::span(inGroups).subspan(groupStarts[g], groupStarts[g + 1] - groupStarts[g]), near);
    }
  });
}

void Crowd::Impl::walkInGroup(std::span<const uint32_t> slots, const Neighbours& near) {
  const auto n = static_cast<uint32_t>(slots.size());
  if (n > kMaxMembers) return;
  std::array<GroupMember, kMaxMembers> members;
  std::array<GroupAnswer, kMaxMembers> answers;
  GroupState state;
  for (uint32_t k = 0; k < n; ++k) {
    const uint32_t slot = slots[k];
    const Motion& motion = agents.motion[slot];
    GroupMember& member = members[k];
    member.id = agents.id[slot];
    member.position = near.between(slots[0], slot);
    member.velocity = {agents.vx[slot], agents.vy[slot]};
    member.preferred = motion.preferred;
    member.radius = agents.radius[slot];
    member.speed = motion.speed;
    member.clearance = agents.glance[slot].free;
    // A member that comes back walks to the goal behind the member that it comes to.
    member.toGoal = motion.toGoal;
    const uint32_t to = recordAt(slot).rejoin == kNone ? kNone : slotOf(recordAt(slot).rejoin);
    if (to != kNone) member.toGoal += agents.motion[to].toGoal;
    MemberState known = recordAt(slot).member;
    known.id = member.id;
    state.add(known);
    for (uint32_t other = 0; other < k; ++other) {
      const Vec2f w = members[other].position - member.position;
      const float square = dot(w, w);
      if (square > kSight * kSight || !near.see(slot, slots[other], square)) continue;
      member.sees |= 1U << other;
      members[other].sees |= 1U << k;
    }
  }
  walkAsGroup({std::span(members).first(n), static_cast<float>(settings.step)}, state, std::span(answers).first(n));
  for (uint32_t k = 0; k < n; ++k) {
    const uint32_t slot = slots[k];
    const GroupAnswer& answer = answers[k];
    AgentRecord& record = recordAt(slot);
    agents.motion[slot].preferred = answer.preferred;
    record.member = state[k];
    if (answer.lost) happened[slot] |= uint8_t{1} << static_cast<int>(CrowdEventKind::kLostGroup);
    if (answer.leaves) agents.group[slot] = kNone;
    const AgentId rejoin = answer.duty == GroupDuty::kRejoin ? members[answer.rejoin].id : kNone;
    const float apartBefore = state[k].apart - static_cast<float>(settings.step);
    const bool again =
        rejoin != kNone && std::floor(state[k].apart / kLookAgain) != std::floor(apartBefore / kLookAgain);
    if (rejoin != record.rejoin || again) {
      record.state = RouteState::kWanted;
      agents.motion[slot].streams = false;
    }
    record.rejoin = rejoin;
  }
}

}  // namespace wend
