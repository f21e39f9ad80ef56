#include "tests/crowd/crowd_world.h"

namespace wend {
namespace {

AgentStart member(Vec2 at, Vec2 goal, GroupId group) {
  AgentStart start;
  start.at = {at.x, at.y, 0};
  start.goal = {goal.x, goal.y, 0};
  start.group = group;
  return start;
}

double farthestApart(const Crowd& crowd) {
  double most = 0;
  for (const AgentState& a : crowd.agents()) {
    for (const AgentState& b : crowd.agents()) {
      most = std::max(most, std::hypot(a.position.x - b.position.x, a.position.y - b.position.y));
    }
  }
  return most;
}

TEST(CrowdGroups, WalkTogetherThoughTheirSpeedsDiffer) {
  for (const bool together : {false, true}) {
    Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 60, 8))));
    for (int k = 0; k < 3; ++k) {
      AgentStart start = member({1.0, 3.0 + k}, {58, 4}, together ? 7 : kNone);
      start.speed = 1.0 + 0.2 * k;
      ASSERT_TRUE(crowd.add(start).ok());
    }
    for (int n = 0; n < 300; ++n) crowd.step(Threads(1));
    if (together) {
      EXPECT_LT(farthestApart(crowd), 3);
    } else {
      EXPECT_GT(farthestApart(crowd), 8);
    }
  }
}

TEST(CrowdGroups, LostMemberIsToldAndComesBack) {
  // A long wall between two members; the one ahead waits, the other comes around it.
  EnvironmentDraft draft = room(0, 0, 40, 12);
  draft.layers[0].obstacles.push_back({rectangle(6, 4, 30, 8)});
  Crowd crowd = crowdOn(navigatorOf(built(draft)));
  ASSERT_TRUE(crowd.add(member({12, 2}, {38, 6}, 0)).ok());
  ASSERT_TRUE(crowd.add(member({8, 10}, {38, 6}, 0)).ok());
  int lost = 0;
  int arrived = 0;
  double nearest = 100;
  for (int n = 0; n < 1200 && arrived < 2; ++n) {
    crowd.step(Threads(1), [&](Crowd&, const CrowdEvent& event) {
      if (event.kind == CrowdEventKind::kLostGroup) ++lost;
      if (event.kind == CrowdEventKind::kGoalReached) ++arrived;
      EXPECT_NE(event.kind, CrowdEventKind::kRouteBlocked);
    });
    if (lost > 0) nearest = std::min(nearest, farthestApart(crowd));
  }
  EXPECT_EQ(lost, 1);
  EXPECT_LT(nearest, 2);
  EXPECT_EQ(arrived, 2);
}

TEST(CrowdGroups, SameForAnyThreadsAndAfterASave) {
  EnvironmentDraft draft = room(0, 0, 40, 12);
  draft.layers[0].obstacles.push_back({rectangle(10, 3, 30, 9)});
  const auto navigator = navigatorOf(built(draft));
  const auto make = [&] {
    Crowd crowd = crowdOn(navigator);
    for (uint32_t k = 0; k < 24; ++k) {
      const bool left = k / 3 % 2 == 0;
      const double y = 1 + 0.45 * k;
      EXPECT_TRUE(crowd.add(member({left ? 2.0 + k % 3 : 36.0 + k % 3, y}, {left ? 38.0 : 2.0, 6}, k / 3)).ok());
    }
    return crowd;
  };
  Crowd one = make();
  Crowd two = make();
  for (int n = 0; n < 200; ++n) one.step(Threads(1));
  const std::vector<std::byte> saved = one.save();
  for (int n = 0; n < 200; ++n) one.step(Threads(1));
  for (int n = 0; n < 400; ++n) two.step(Threads(3));
  EXPECT_EQ(one.hash(), two.hash());
  Crowd resumed = make();
  ASSERT_TRUE(resumed.load(saved).ok());
  for (int n = 0; n < 200; ++n) resumed.step(Threads(2));
  EXPECT_EQ(one.hash(), resumed.hash());
}

TEST(CrowdGroups, LargerThanACountedGroupWalksAsIndividuals) {
  Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 30, 30))));
  for (int k = 0; k < 40; ++k) {
    ASSERT_TRUE(crowd.add(member({2.0 + k % 7, 2.0 + k / 7}, {28, 28}, 1)).ok());
  }
  for (int n = 0; n < 50; ++n) crowd.step(Threads(1));
  EXPECT_GT(crowd.agents()[0].velocity.x, 0.3);
}

}  // namespace
}  // namespace wend
