#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <fmt/format.h>

#include "base/random.h"
#include "clocks.h"

// What an edit costs a crowd: the agents of bench_crowd in the City, and a square of 2 x 2 m that comes and goes at
// random places. Frames with an edit and without one follow each other, one thread, CPU time: only differences and
// ratios mean something on a shared machine.
//   bench_live_crowd [AGENTS] [WARM-UP FRAMES] [EDITS] [WORLD] [BUDGET]   (CSV on standard output)
// BUDGET: routes that are planned anew per step at most, 0: no limit. Columns, ms of CPU, medians:
//   plain      a step without an edit
//   edited     World::apply(), Crowd::apply() and the step after them
//   longer     edited minus the mean of the steps before and after it
//   world      of it: World::apply()
//   crowd      of it: Crowd::apply(), with the navigator
//   replanning the longer part of planning routes in the step after
//   worst      the largest `longer`
// The last column is the hash of the crowd; it must not depend on the machine.
namespace wend {
namespace {

double middle(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

class FreePlaces {
 public:
  explicit FreePlaces(const Navigator& navigator) : navigator_(navigator) {}
  Vec3 draw(uint64_t seed) {
    RandomPlaceQuery query;
    query.radius = 0.25;
    const auto place = navigator_.randomPlace(query, seed, scratch_);
    return place ? place->place : Vec3{};
  }

 private:
  Navigator navigator_;
  PlanScratch scratch_;
};

int run(size_t agents, int warmUp, int edits, const std::string& kind, uint32_t budget) {
  MakeSettings make;
  make.kind = kind;
  make.parameters = {{"edition", 2}};
  const Result<Environment> environment = makeEnvironment(make);
  if (!environment.ok()) return fmt::print(stderr, "{}\n", environment.error().message), 1;
  Context context;
  context.threads = 1;
  const Result<World> baked = bake(*environment, {.generator = "ecm", .options = {}, .seed = 1}, context);
  if (!baked.ok()) return fmt::print(stderr, "{}\n", baked.error().message), 1;
  World world = *baked;
  CrowdProfile profile;
  profile.clearance = 4;
  profile.densityWeight = 10;
  profile.densityView = 500;
  profile.replanEvery = 10;
  CrowdSettings settings;
  settings.replanBudget = budget;
  Result<Crowd> made = Crowd::make(makeNavigator(world), {profile}, settings);
  if (!made.ok()) return fmt::print(stderr, "{}\n", made.error().message), 1;
  Crowd& crowd = *made;
  FreePlaces places(makeNavigator(world));
  for (uint64_t seed = 1; crowd.size() < agents; seed += 2) {
    AgentStart start;
    start.at = places.draw(seed);
    start.goal = places.draw(seed + 1);
    (void)crowd.add(start);
  }
  const auto newGoal = [&](Crowd& c, const CrowdEvent& event) {
    if (event.kind == CrowdEventKind::kGoalReached) {
      c.setGoal(event.agent, places.draw((uint64_t{event.agent} << 32) + c.frame()), true);
    }
  };
  for (int i = 0; i < warmUp; ++i) crowd.step(context, newGoal);
  const Box box = boundingBox(*environment);
  Random random(7);
  std::vector<double> plain, edited, longer, inWorld, inCrowd, planning;
  double before = 1e3 * cpuSecondsOf([&] { crowd.step(context, newGoal); });
  double planningBefore = 1e3 * crowd.times().replanning;
  ObstacleId there;
  for (int tries = 0; tries < 100 * edits && static_cast<int>(edited.size()) < edits; ++tries) {
    std::vector<Edit> edit;
    if (there.slot == kNone) {
      Obstacle obstacle;
      obstacle.shape = PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}};
      const Vec2 at = environment->lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                          static_cast<int32_t>(random.between(box.min.y, box.max.y))});
      obstacle.place = Placement::turned({at.x, at.y, 0}, 17);
      edit.push_back(AddObstacle{obstacle});
    } else {
      edit.push_back(RemoveObstacle{there});
    }
    const double start = cpuSeconds();
    const Result<WorldUpdate> update = world.apply(edit, context);
    const double applied = cpuSeconds();
    if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
    if (!crowd.apply(*update, context).ok()) return 1;
    const double taken = cpuSeconds();
    crowd.step(context, newGoal);
    const double end = cpuSeconds();
    const double planningNow = 1e3 * crowd.times().replanning;
    there = there.slot == kNone ? update->report.edits[0].id : ObstacleId{};
    world = update->world;
    const double after = 1e3 * cpuSecondsOf([&] { crowd.step(context, newGoal); });
    inWorld.push_back(1e3 * (applied - start));
    inCrowd.push_back(1e3 * (taken - applied));
    edited.push_back(1e3 * (end - start));
    planning.push_back(planningNow - 0.5 * (planningBefore + 1e3 * crowd.times().replanning));
    longer.push_back(edited.back() - 0.5 * (before + after));
    plain.push_back(after);
    before = after;
    planningBefore = 1e3 * crowd.times().replanning;
  }
  fmt::print("world,agents,edits,plain_ms,edited_ms,longer_ms,world_ms,crowd_ms,replanning_ms,worst_ms,hash\n");
  fmt::print("{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:016x}\n", kind, agents, edited.size(),
             middle(plain), middle(edited), middle(longer), middle(inWorld), middle(inCrowd), middle(planning),
             longer.empty() ? 0.0 : *std::max_element(longer.begin(), longer.end()), crowd.hash());
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  // The switch that scripts/bench.sh gives to all benchmarks.
  if (argc > 1 && argv[1][0] == '-') argc = 1;
  return wend::run(static_cast<size_t>(number(1, 100'000)), number(2, 60), number(3, 20), argc > 4 ? argv[4] : "city",
                   static_cast<uint32_t>(number(5, 0)));
}
