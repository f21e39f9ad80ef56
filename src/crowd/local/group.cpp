#include "crowd/local/group.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "crowd/local/elementary.h"
#include "crowd/local/symmetry.h"

namespace wend {
namespace {

constexpr float kGaze = 4, kAttraction = 3, kRepulsion = 1;
constexpr float kPersonal = 0.8F;          // m
constexpr float kSmooth = 0.2F;            // m, half the width of a threshold
constexpr float kTau = 0.5F;               // s
constexpr float kMostSpeed = 1.3F;         // of the preferred one
constexpr float kBeside = 0.3F;            // m, gap between members abreast
constexpr float kSlowest = 0.2F;           // of the preferred speed, while waiting on the way
constexpr float kWaitingRange = 3;         // m
constexpr float kSplitAfter = 3;           // s
constexpr float kMergeAfter = 1;           // s
constexpr float kIndividualAfter = 60;     // s
constexpr float kWaitingClearance = 1.5F;  // m

// 0 below the threshold, 1 above, smooth between: members would chatter at a step.
float risen(float value, float threshold) {
  const float t = std::clamp((value - threshold + kSmooth) / (2 * kSmooth), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

struct Parts {
  std::array<uint32_t, kMaxMembers> mask{};  // members of the part that member k belongs to
};

Parts partsOf(const GroupState& state) {
  Parts parts;
  for (size_t i = 0; i < state.size(); ++i) {
    for (size_t k = 0; k < state.size(); ++k) {
      if (state[k].part == state[i].part) parts.mask[i] |= 1U << k;
    }
  }
  return parts;
}

// Keeps what is known of members that are still there, in their order.
void adopt(const GroupView& view, GroupState& state) {
  const bool same = state.size() == view.members.size() &&
                    std::equal(state.begin(), state.end(), view.members.begin(),
                               [](const MemberState& s, const GroupMember& m) { return s.id == m.id; });
  if (same) return;
  GroupState next;
  for (const GroupMember& member : view.members) {
    const auto old = std::find_if(state.begin(), state.end(), [&](const MemberState& s) { return s.id == member.id; });
    next.add(old != state.end() ? *old : MemberState{.id = member.id});
  }
  state = next;
}

// Not too long, and each sees the next along the way.
bool coherent(std::span<const GroupMember> members, uint32_t mask) {
  std::array<uint32_t, kMaxMembers> order;  // by the way to the goal, then as they are
  uint32_t n = 0;
  for (uint32_t k = 0; k < members.size(); ++k) {
    if (!((mask >> k) & 1U)) continue;
    uint32_t at = n++;
    for (; at > 0 && members[k].toGoal < members[order[at - 1]].toGoal; --at) order[at] = order[at - 1];
    order[at] = k;
  }
  if (members[order[n - 1]].toGoal - members[order[0]].toGoal > coherentLength(n)) return false;
  for (uint32_t k = 1; k < n; ++k) {
    if (!((members[order[k]].sees >> order[k - 1]) & 1U)) return false;
  }
  return true;
}

// Members reached from `first` by sight within the mask.
uint32_t inSight(std::span<const GroupMember> members, uint32_t first, uint32_t mask) {
  uint32_t reached = 1U << first;
  for (uint32_t before = 0; before != reached;) {
    before = reached;
    for (uint32_t k = 0; k < members.size(); ++k) {
      if ((before >> k) & 1U) reached |= members[k].sees & mask;
    }
  }
  return reached;
}

// A part that has not been coherent for a while splits into the members that see each other. Parts are named by the id
// of their first member plus one; a whole group is part 0.
bool split(const GroupView& view, GroupState& state, const Parts& parts) {
  bool fell = false;
  for (uint32_t i = 0; i < state.size(); ++i) {
    MemberState& member = state[i];
    member.incoherent = coherent(view.members, parts.mask[i]) ? 0 : member.incoherent + view.step;
    if (member.incoherent < kSplitAfter) continue;
    const uint32_t seen = inSight(view.members, i, parts.mask[i]);
    if (seen == parts.mask[i]) continue;  // only stretched: those ahead wait
    member.part = view.members[static_cast<uint32_t>(std::countr_zero(seen))].id + 1;
    member.incoherent = 0;
    fell = true;
  }
  return fell;
}

void merge(const GroupView& view, GroupState& state, const Parts& parts) {
  const auto n = static_cast<uint32_t>(state.size());
  const float near = coherentLength(n);
  for (uint32_t i = 0; i < n; ++i) {
    bool met = false;
    for (uint32_t k = 0; k < n; ++k) {
      const bool other = !((parts.mask[i] >> k) & 1U);
      const bool sees = (view.members[i].sees >> k) & 1U;
      met |= other && sees && length(view.members[k].position - view.members[i].position) <= near;
    }
    state[i].together = met ? state[i].together + view.step : 0;
    if (state[i].together < kMergeAfter) continue;
    for (uint32_t k = 0; k < n; ++k) {
      if (state[k].part == state[i].part || !((view.members[i].sees >> k) & 1U) ||
          length(view.members[k].position - view.members[i].position) > near) {
        continue;
      }
      const uint32_t joined = std::min(state[i].part, state[k].part);
      const uint32_t gone = std::max(state[i].part, state[k].part);
      for (MemberState& member : state) {
        if (member.part == gone) member.part = joined;
      }
    }
    state[i].together = 0;
  }
  if (std::all_of(state.begin(), state.end(), [&](const MemberState& s) { return s.part == state[0].part; })) {
    for (MemberState& member : state) member.part = 0;
  }
}

// The member nearest to the goal leads; its part waits, the others come back to its last member.
void assign(const GroupView& view, GroupState& state, bool fell, std::span<GroupAnswer> answers) {
  const Parts parts = partsOf(state);
  uint32_t leader = 0;
  for (uint32_t k = 1; k < state.size(); ++k) {
    if (view.members[k].toGoal < view.members[leader].toGoal) leader = k;
  }
  uint32_t last = leader;
  for (uint32_t k = 0; k < state.size(); ++k) {
    if (((parts.mask[leader] >> k) & 1U) && view.members[k].toGoal > view.members[last].toGoal) last = k;
  }
  for (uint32_t k = 0; k < state.size(); ++k) {
    GroupAnswer& answer = answers[k];
    if (state[k].part == state[leader].part) {
      state[k].apart = parts.mask[leader] == (1ULL << state.size()) - 1 ? 0 : state[k].apart + view.step;
      if (state[k].apart > 0 && state[k].apart < kIndividualAfter) answer.duty = GroupDuty::kWait;
      continue;
    }
    state[k].apart += view.step;
    answer.duty = GroupDuty::kRejoin;
    answer.rejoin = last;
    answer.lost = fell && state[k].apart <= view.step;
    answer.leaves = state[k].apart >= kIndividualAfter;
    if (answer.leaves) answer.duty = GroupDuty::kWalk;
  }
}

// How many can walk side by side here.
uint32_t membersAbreast(const GroupMember& self) {
  return std::max(1U, static_cast<uint32_t>((2 * self.clearance + kBeside) / (2 * self.radius + kBeside)));
}

// Lateral speed towards the member's place in its row.
Vec2f abreast(std::span<const GroupMember> members, uint32_t i, uint32_t mask) {
  const GroupMember& self = members[i];
  const Vec2f ahead = direction(self.preferred, {});
  if (ahead == Vec2f{}) return {};
  const float place = 2 * self.radius + kBeside;
  const uint32_t perRow = membersAbreast(self);
  uint32_t rank = 0;
  Vec2f centre;
  float count = 0;
  for (uint32_t k = 0; k < members.size(); ++k) {
    if (!((mask >> k) & 1U)) continue;
    rank += k < i ? 1U : 0U;
    centre = centre + members[k].position;
    ++count;
  }
  const uint32_t inRow = std::min(perRow, static_cast<uint32_t>(count) - rank / perRow * perRow);
  const float wanted = (static_cast<float>(rank % perRow) - 0.5F * static_cast<float>(inRow - 1)) * place;
  const Vec2f left = leftOf(ahead);
  const float offset = dot(self.position - centre * (1 / count), left);
  const float most = 0.3F * self.speed;
  return left * std::clamp((wanted - offset) / (4 * kTau), -most, most);
}

Vec2f preferredInGroup(const GroupView& view, uint32_t i, uint32_t mask, const GroupAnswer& answer) {
  const GroupMember& self = view.members[i];
  const uint32_t seen = self.sees & mask & ~(1U << i);
  if (answer.duty == GroupDuty::kWait && self.clearance >= kWaitingClearance) return {};
  if (self.atGoal || seen == 0 || !(length(self.preferred) > 0)) return self.preferred;

  float behind = 0;  // how far the last visible member is behind
  for (uint32_t k = 0; k < view.members.size(); ++k) {
    if ((seen >> k) & 1U) behind = std::max(behind, view.members[k].toGoal - self.toGoal);
  }
  const float excess = behind - coherentLength(static_cast<uint32_t>(std::popcount(mask)));
  const float slower = excess > 0 ? std::max(kSlowest, 1 - excess / kWaitingRange) : 1;

  Vec2f force = groupForce(view.members, i, seen);
  if (membersAbreast(self) == 1) {
    // In a file the others are behind and stay there.
    const Vec2f ahead = direction(self.preferred, {});
    force = ahead * std::max(0.0F, dot(force, ahead));
  }
  const Vec2f moved = self.preferred + force * kTau + abreast(view.members, i, seen | (1U << i));
  const float speed = length(moved);
  const float most = excess > 0 || answer.duty == GroupDuty::kWait ? slower * self.speed : kMostSpeed * self.speed;
  return speed > most ? moved * (most / speed) : moved;
}

}  // namespace

Vec2f groupForce(std::span<const GroupMember> members, uint32_t member, uint32_t sees) {
  const GroupMember& self = members[member];
  Vec2f others;
  float count = 0;
  Vec2f force;
  for (uint32_t k = 0; k < members.size(); ++k) {
    if (k == member || !((sees >> k) & 1U)) continue;
    const Vec2f away = self.position - members[k].position;
    others = others + members[k].position;
    ++count;
    const float near = 1 - risen(length(away), kPersonal);
    force = force + direction(away, apart(self.id, members[k].id)) * (kRepulsion * near);
  }
  if (count == 0) return {};
  const Vec2f toCentroid = (others + self.position) * (1 / (count + 1)) - self.position;
  const float pull = risen(length(toCentroid), count / 2);
  force = force + direction(toCentroid, {}) * (kAttraction * pull);

  // A member with the others behind it turns its head and slows down.
  const Vec2f ahead = direction(self.velocity, direction(self.preferred, {}));
  const Vec2f toOthers = others * (1 / count) - self.position;
  const double angle =
      std::abs(portableAtan2(static_cast<double>(cross(ahead, toOthers)), static_cast<double>(dot(ahead, toOthers))));
  const auto turned = static_cast<float>(std::max(0.0, angle - std::numbers::pi / 2));
  return force - self.velocity * (kGaze * turned);
}

void walkAsGroup(const GroupView& view, GroupState& state, std::span<GroupAnswer> answers) {
  for (size_t k = 0; k < answers.size(); ++k) answers[k] = {view.members[k].preferred};
  if (view.members.size() > kMaxMembers) return;
  adopt(view, state);
  if (view.members.size() < 2) return;

  const bool fell = split(view, state, partsOf(state));
  merge(view, state, partsOf(state));
  assign(view, state, fell, answers);
  const Parts parts = partsOf(state);
  const float social = sociality(view.members);
  for (uint32_t k = 0; k < state.size(); ++k) {
    answers[k].preferred = preferredInGroup(view, k, parts.mask[k], answers[k]);
    ++state[k].steps;
    state[k].coherent += coherent(view.members, parts.mask[k]) ? 1U : 0U;
    state[k].social += social;
  }
}

float sociality(std::span<const GroupMember> members) {
  constexpr float kNear = 2;
  constexpr float kCosine = -0.17364818F;  // of 100 degrees
  const auto facing = [&](const GroupMember& from, const GroupMember& to) {
    const Vec2f w = to.position - from.position;
    const Vec2f ahead = direction(from.velocity, direction(from.preferred, {}));
    return dot(ahead, w) >= kCosine * length(w);
  };
  uint32_t pairs = 0;
  uint32_t social = 0;
  for (uint32_t i = 0; i < members.size(); ++i) {
    for (uint32_t k = i + 1; k < members.size(); ++k) {
      ++pairs;
      const bool sees = (members[i].sees >> k) & 1U;
      const bool near = length(members[k].position - members[i].position) <= kNear;
      social += sees && near && facing(members[i], members[k]) && facing(members[k], members[i]) ? 1U : 0U;
    }
  }
  return pairs == 0 ? 1 : static_cast<float>(social) / static_cast<float>(pairs);
}

float coherenceScore(const MemberState& member) {
  return member.steps == 0 ? 1 : static_cast<float>(member.coherent) / static_cast<float>(member.steps);
}

float socialityScore(const MemberState& member) {
  return member.steps == 0 ? 1 : member.social / static_cast<float>(member.steps);
}

}  // namespace wend
