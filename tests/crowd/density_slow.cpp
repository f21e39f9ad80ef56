#include "tests/crowd/crowd_world.h"

// The flow of the density experiments (van Toll 2017, chapter 9): without weight on density it jams before the shortest
// way, with it people spread over all ways. bench_density has the whole table.
namespace wend {
namespace {

struct FlowCount {
  int entered = 0;
  int left = 0;  // after the warm-up
};

FlowCount flowThroughBlocks(const Navigator& navigator, double weight) {
  CrowdProfile profile;
  profile.clearance = 5;
  profile.densityWeight = weight;
  Crowd crowd = Crowd::make(navigator, {profile}, {}).value();
  Random random(7);
  FlowCount flow;
  for (int frame = 0; frame < 2500; ++frame) {
    std::vector<Vec3> near;
    std::vector<AgentId> gone;
    for (const AgentState& a : crowd.agents()) {
      if (a.position.y < 8) near.push_back(a.position);
      if (a.position.y > 92) gone.push_back(a.id);
    }
    if (frame >= 1500) flow.left += static_cast<int>(gone.size());
    for (const AgentId id : gone) crowd.remove(id);
    // Who finds no room in the bay at the first attempts does not come.
    for (int person = 0; person < 3; ++person) {
      AgentStart start;
      start.goal = {random.real(10, 40), random.real(93, 99), 0};
      for (int attempt = 0; attempt < 50; ++attempt) {
        start.at = {random.real(11, 39), random.real(0.5, 7.5), 0};
        const auto isTaken = [&](Vec3 p) { return std::hypot(p.x - start.at.x, p.y - start.at.y) < 0.49; };
        if (std::any_of(near.begin(), near.end(), isTaken)) continue;
        EXPECT_TRUE(crowd.add(start).ok());
        near.push_back({start.at.x, start.at.y, 0});
        ++flow.entered;
        break;
      }
    }
    crowd.step(Threads(2));
  }
  return flow;
}

TEST(DensitySlow, WhoAvoidsCrowdsFlowsThroughBlocks) {
  MakeSettings make;
  make.kind = "blocks";
  make.parameters = {{"layout", 2}};
  const auto navigator = navigatorOf(makeEnvironment(make).value());
  const FlowCount jam = flowThroughBlocks(navigator, 0);
  const FlowCount free = flowThroughBlocks(navigator, 1);
  RecordProperty("left_w0", jam.left);
  RecordProperty("left_w1", free.left);
  EXPECT_LT(jam.left, 2200);
  EXPECT_GT(free.left, 2400);  // of the 3,000 who enter in the time that is counted
  EXPECT_GT(free.left, 1.5 * jam.left);
  EXPECT_EQ(free.entered, 7500);
}

}  // namespace
}  // namespace wend
