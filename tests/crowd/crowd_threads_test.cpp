#include "crowd/crowd_impl.h"
#include "tests/crowd/crowd_world.h"

namespace wend {
namespace {

// A hall with pillars, full of people who walk across it, every third in a group.
class Hall {
 public:
  static constexpr double kSide = 60;
  Hall() {
    EnvironmentDraft draft = room(0, 0, kSide, kSide);
    for (int i = 0; i < 9; ++i) {
      const double x = 10 + 20 * (i % 3);
      const double y = 10 + 20 * (i / 3);
      draft.layers[0].obstacles.push_back({rectangle(x - 2, y - 2, x + 2, y + 2)});
    }
    navigator_ = navigatorOf(built(draft));
  }

  Crowd crowdOf(size_t agents) const {
    CrowdProfile profile;
    profile.replanEvery = 0.5;
    Crowd crowd = crowdOn(navigator_, profile);
    Random random(7);
    while (crowd.size() < agents) {
      AgentStart start;
      start.at = place(random);
      start.goal = place(random);
      start.radius = random.real(0.15, 0.3);
      if (crowd.size() % 9 < 3) start.group = static_cast<GroupId>(crowd.size() / 9);
      (void)crowd.add(start);
    }
    return crowd;
  }

 private:
  static Vec3 place(Random& random) { return {random.real(0, kSide), random.real(0, kSide), 0}; }
  Navigator navigator_;
};

// More agents than one thread is given at a time, so that several do work.
TEST(CrowdThreads, OneTwoAndFourGiveTheSameBits) {
  const Hall hall;
  constexpr size_t kAgents = 4 * kBlock + 300;
  std::vector<uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Crowd crowd = hall.crowdOf(kAgents);
    const Threads context(threads);
    for (int frame = 0; frame < 12; ++frame) {
      crowd.step(context, [](Crowd& c, const CrowdEvent& e) {
        Random random(e.agent, c.frame());
        c.setGoal(e.agent, {random.real(0, Hall::kSide), random.real(0, Hall::kSide), 0});
      });
    }
    hashes.push_back(crowd.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace wend
