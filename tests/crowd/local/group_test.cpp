#include "crowd/local/group.h"

#include <gtest/gtest.h>

#include "tests/crowd/local/views.h"

namespace wend {
namespace {

// Members on open ground who walk along x to a goal at x = 100.
struct Walk {
  std::vector<GroupMember> members;
  GroupState state;
  std::vector<GroupAnswer> answers;

  explicit Walk(std::vector<Vec2f> places) {
    const uint32_t all = (1U << places.size()) - 1;
    for (uint32_t k = 0; k < places.size(); ++k) {
      GroupMember member;
      member.id = 10 + k;
      member.position = places[k];
      member.sees = all & ~(1U << k);
      members.push_back(member);
    }
    answers.resize(members.size());
  }
  void decide() {
    for (GroupMember& member : members) {
      member.toGoal = 100 - member.position.x;
      member.preferred = {member.speed, 0};
    }
    walkAsGroup({members, 0.1F}, state, answers);
  }
  void run(int steps) {
    for (int n = 0; n < steps; ++n) {
      decide();
      for (size_t k = 0; k < members.size(); ++k) {
        GroupMember& member = members[k];
        member.velocity = member.velocity + (answers[k].preferred - member.velocity) * 0.18F;
        member.position = member.position + member.velocity * 0.1F;
      }
    }
  }
  void blind(uint32_t a, uint32_t b) {
    members[a].sees &= ~(1U << b);
    members[b].sees &= ~(1U << a);
  }
};

TEST(Group, OneIsLeftAlone) {
  Walk walk({{0, 0}});
  walk.decide();
  EXPECT_EQ(walk.answers[0].preferred, (Vec2f{1.4F, 0}));
  Walk nobody({});
  nobody.decide();
}

TEST(Group, WalksAbreastAndTogether) {
  for (uint32_t n = 2; n <= 4; ++n) {
    std::vector<Vec2f> places;
    for (uint32_t k = 0; k < n; ++k) places.push_back({-0.9F * static_cast<float>(k), 0});  // in a file
    Walk walk(places);
    walk.run(300);
    float front = -1e9F;
    float back = 1e9F;
    for (const GroupMember& member : walk.members) {
      front = std::max(front, member.position.x);
      back = std::min(back, member.position.x);
      EXPECT_GT(member.velocity.x, 0.7F);
      for (const GroupMember& other : walk.members) {
        EXPECT_TRUE(&other == &member || length(member.position - other.position) > 0.45F);
      }
    }
    EXPECT_LT(front - back, 0.5F * static_cast<float>(n)) << n;
    EXPECT_GT(sociality(walk.members), 0.6F) << n;
    EXPECT_GT(coherenceScore(walk.state[0]), 0.9F);
    EXPECT_GT(socialityScore(walk.state[0]), 0.4F);
  }
}

TEST(Group, NoRoomBesideMeansAFile) {
  Walk walk({{0, 0}, {-0.9F, 0.05F}});
  for (GroupMember& member : walk.members) member.clearance = 0.3F;
  walk.run(100);
  EXPECT_LT(std::abs(walk.members[0].position.y - walk.members[1].position.y), 0.3F);
}

TEST(Group, WhoIsAheadWaitsWalking) {
  Walk walk({{5, 0}, {0, 0}});
  walk.decide();
  EXPECT_LT(length(walk.answers[0].preferred), 0.5F * 1.4F);
  EXPECT_GT(length(walk.answers[0].preferred), 0.1F * 1.4F);
  EXPECT_GT(length(walk.answers[1].preferred), 1.3F);
  walk.run(200);
  EXPECT_LT(std::abs(walk.members[0].position.x - walk.members[1].position.x), 2);
}

TEST(Group, FallsApartAndMeetsAgain) {
  Walk walk({{10, 0}, {10, 1}, {0, 0}});
  walk.blind(0, 2);
  walk.blind(1, 2);
  int lost = 0;
  for (int n = 0; n < 40; ++n) {
    walk.decide();
    lost += walk.answers[2].lost ? 1 : 0;
    EXPECT_FALSE(walk.answers[0].lost);
    EXPECT_TRUE(n == 29 || n == 30 || (walk.answers[2].duty == GroupDuty::kRejoin) == (n > 30)) << n;
  }
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(walk.answers[0].duty, GroupDuty::kWait);
  EXPECT_EQ(walk.answers[0].preferred, (Vec2f{}));  // room enough to stand
  EXPECT_LT(walk.answers[2].rejoin, 2U);
  walk.members[0].clearance = 0.5F;  // a narrow place: goes on slowly
  walk.decide();
  EXPECT_GT(length(walk.answers[0].preferred), 0);

  walk.members[2].position = {9, 0};
  walk.members[0].sees = 6;
  walk.members[1].sees = 5;
  walk.members[2].sees = 3;
  for (int n = 0; n < 11; ++n) walk.decide();
  for (const GroupAnswer& answer : walk.answers) EXPECT_EQ(answer.duty, GroupDuty::kWalk);
  for (const MemberState& member : walk.state) EXPECT_EQ(member.part, 0U);
}

TEST(Group, LeavesAfterAMinute) {
  Walk walk({{10, 0}, {0, 0}});
  walk.blind(0, 1);
  int leftAt = -1;
  for (int n = 0; n < 800 && leftAt < 0; ++n) {
    walk.decide();
    if (walk.answers[1].leaves) leftAt = n;
    EXPECT_FALSE(walk.answers[0].leaves);
  }
  EXPECT_NEAR(leftAt, 629, 3);
}

TEST(Group, RemembersMembersWhenOthersGo) {
  Walk walk({{10, 0}, {0, 0}, {0, 1}});
  walk.blind(0, 1);
  walk.blind(0, 2);
  for (int n = 0; n < 50; ++n) walk.decide();
  ASSERT_EQ(walk.answers[2].duty, GroupDuty::kRejoin);
  walk.members.erase(walk.members.begin() + 1);
  walk.members[0].sees = 0;
  walk.members[1].sees = 0;
  walk.answers.resize(2);
  walk.decide();
  EXPECT_EQ(walk.answers[1].duty, GroupDuty::kRejoin);
  EXPECT_EQ(walk.answers[1].rejoin, 0U);
  EXPECT_FALSE(walk.answers[1].lost);
}

TEST(Group, FiniteForAnything) {
  Random random(9);
  for (int n = 0; n < 5000; ++n) {
    const auto count = random.below(7);
    std::vector<Vec2f> places;
    for (uint64_t k = 0; k < count; ++k) {
      places.push_back(random.chance(0.3) ? Vec2f{} : test::randomVector(random, 10));
    }
    Walk walk(places);
    for (GroupMember& member : walk.members) {
      member.velocity = random.chance(0.3) ? Vec2f{} : test::randomVector(random, 2);
      member.clearance = test::real(random, 0, 3);
      member.atGoal = random.chance(0.1);
    }
    for (uint32_t a = 0; a < count; ++a) {
      if (random.chance(0.4)) walk.blind(a, static_cast<uint32_t>((a + 1) % count));
    }
    walk.run(10);
    for (const GroupAnswer& answer : walk.answers) {
      ASSERT_TRUE(std::isfinite(answer.preferred.x) && std::isfinite(answer.preferred.y));
      ASSERT_LE(length(answer.preferred), 1.3001F * 1.4F);
    }
  }
}

}  // namespace
}  // namespace wend
