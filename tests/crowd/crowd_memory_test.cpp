#include "tests/allocations.h"
#include "tests/crowd/crowd_world.h"

namespace wend {
namespace {

// People who walk along a street, half of them in groups, with densities and a plan every half second. Nobody arrives:
// only a route that is longer than any the agent had before takes memory.
TEST(CrowdMemory, AStepAllocatesNothingAfterWarmUp) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "skipped: sanitizers count for themselves";
  constexpr double kWidth = 24;
  const auto navigator = navigatorOf(built(room(0, 0, 120, kWidth)));
  CrowdProfile profile;
  profile.replanEvery = 0.5;
  for (const int threads : {1, 2, 4}) {
    Crowd crowd = crowdOn(navigator, profile);
    Random random(3);
    while (crowd.size() < 1200) {
      AgentStart start;
      start.at = {random.real(0.5, 60), random.real(0.5, kWidth - 0.5), 0};
      start.goal = {118, kWidth / 2, 0};
      start.radius = 0.2;
      if (crowd.size() % 8 < 4) start.group = static_cast<GroupId>(crowd.size() / 8);
      (void)crowd.add(start);
    }
    const Threads context(threads);
    const std::function<void(Crowd&, const CrowdEvent&)> nothing = [](Crowd&, const CrowdEvent&) {};
    testing::takeAllocations();
    for (int i = 0; i < 70; ++i) crowd.step(context, nothing);
    EXPECT_GT(testing::takeAllocations(), 0U) << "the counter does not count";
    // Alone at once; one of several threads may do its first work late, and only then warm up.
    const int windows = threads == 1 ? 1 : 6;
    size_t allocations = 1;
    for (int window = 0; window < windows && allocations > 0; ++window) {
      for (int i = 0; i < 40; ++i) crowd.step(context, nothing);
      allocations = testing::takeAllocations();
    }
    EXPECT_EQ(allocations, 0U) << threads << " threads";
  }
}

}  // namespace
}  // namespace wend
