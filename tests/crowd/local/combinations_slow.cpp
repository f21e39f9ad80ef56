#include <fmt/format.h>

#include "tests/crowd/crowd_world.h"

// Every way of following with every way of avoiding, with and without streams: nobody gets lost in numbers or leaves
// the mesh, and the threads do not matter.
namespace wend {
namespace {

uint64_t hashAfter(const CrowdProfile& profile, const Navigator& navigator, int threads, int steps, double& deepest) {
  Crowd crowd = crowdOn(navigator, profile);
  Random random(41);
  for (int k = 0; k < 40; ++k) {
    const bool left = k % 2 == 0;
    AgentStart start;
    const double x = 1.5 + 0.9 * (k / 2 % 7);
    const double y = -2.5 + 1.6 * (k / 14) + random.real(-0.1, 0.1);
    start.at = {left ? -x : x, y, 0};
    start.goal = {left ? 8.0 : -8.0, random.real(-4, 4), 0};
    start.speed = random.real(0.9, 1.6);
    start.radius = random.real(0.18, 0.28);
    EXPECT_TRUE(crowd.add(start).ok());
  }
  const Locator locator(crowd.navigator().mesh());
  const Threads context(threads);
  for (int n = 0; n < steps; ++n) {
    crowd.step(context);
    deepest = std::max(deepest, crowd.deepestOverlap());
    if (n % 50 == 0) expectOnMesh(crowd, locator);
    for (const AgentState& agent : crowd.agents()) {
      EXPECT_TRUE(std::isfinite(agent.velocity.x) && std::isfinite(agent.velocity.y));
    }
    if (testing::Test::HasFailure()) break;
  }
  return crowd.hash();
}

TEST(CombinationsSlow, RunAndDoNotDependOnThreads) {
  const Navigator navigator = navigatorOf(built(doorRooms(1.6)));
  for (const FollowMethod follow : {FollowMethod::kIrm, FollowMethod::kMiran, FollowMethod::kWaypoints}) {
    for (int m = 0; m <= static_cast<int>(AvoidMethod::kNone); ++m) {
      for (const bool stream : {false, true}) {
        CrowdProfile profile;
        profile.follow = follow;
        profile.avoid = static_cast<AvoidMethod>(m);
        profile.stream = stream;
        const std::string name = fmt::format("{} {} {}", methodName(follow), methodName(profile.avoid), stream);
        double deepest = 0;
        const uint64_t one = hashAfter(profile, navigator, 1, 400, deepest);
        EXPECT_EQ(hashAfter(profile, navigator, 2, 400, deepest), one) << name;
        EXPECT_EQ(hashAfter(profile, navigator, m % 4 == 0 ? 8 : 3, 400, deepest), one) << name;
        EXPECT_LT(deepest, 0.25 * 0.46) << name;
      }
    }
  }
}

}  // namespace
}  // namespace wend
