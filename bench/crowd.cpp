#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <fmt/format.h>

#include "base/random.h"
#include "clocks.h"
#include "geometry/area.h"
#include "planning/corridor/corridor_navigator.h"

// A crowd in the City of van Toll's dissertation (2017), chapter 10: random starts and goals in 500 x 500 m, radius
// 0.24 m, 1.4 m/s, short routes with a clearance of 4 m, IRM, Stream, vision-based avoidance, density weight 10 within
// 500 m, re-planning every 10 s.
// Agents plan again from the fifth second on, so the warm-up is longer than that.
//   bench_crowd [AGENTS, comma separated] [WARM-UP FRAMES] [MEASURED FRAMES] [WORLD] [THREADS]
// Prints CSV: agents, threads, milliseconds per frame (median and least by the clock, mean by the CPU), CPU
// microseconds per agent and frame, then mean milliseconds of each substep, mean speed, deepest overlap, and a hash of
// the final state, which must not depend on the machine or on the threads.
namespace wend {
namespace {

// Free places, uniform over the layers' areas, at least `clearance` from walls.
class Places {
 public:
  Places(const Environment& environment, const Navigator& navigator)
      : environment_(environment), navigator_(navigator), locator_(navigator.mesh()) {
    for (const Layer& layer : environment.layers)
      areas_.push_back(sum_ += static_cast<double>(doubledArea(layer.free)));
  }
  Vec3 draw(Random& random, double clearance) {
    while (true) {
      const double at = random.real() * sum_;
      const auto layer = static_cast<LayerId>(std::upper_bound(areas_.begin(), areas_.end() - 1, at) - areas_.begin());
      const Box box = boundingBox(environment_.layers[layer].free);
      if (box.empty()) continue;
      const Vec2 units{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)};
      const Vec2 p = environment_.lattice.toMetres(units);
      if (locator_.locate(p, layer) == kNone) continue;
      const Vec3 place{p.x, p.y, locator_.height(p, layer)};
      const auto wall = navigator_.nearestObstacle(place, scratch_);
      if (wall && wall->distance > clearance) return place;
    }
  }

 private:
  const Environment& environment_;
  const Navigator& navigator_;
  Locator locator_;
  PlanScratch scratch_;
  std::vector<double> areas_;
  double sum_ = 0;
};

struct Frames {
  std::vector<double> wall;
  double cpu = 0;
  CrowdTimes sum;
};

void run(const Navigator& navigator, Places& places, size_t agents, int threads, int warmUp, int measured) {
  CrowdProfile profile;
  profile.clearance = 4;
  profile.densityWeight = 10;
  profile.densityView = 500;
  profile.replanEvery = 10;
  Result<Crowd> made = Crowd::make(navigator, {profile}, {});
  if (!made.ok()) {
    fmt::print(stderr, "{}\n", made.error().message);
    return;
  }
  Crowd& crowd = *made;
  Random random(1);
  while (crowd.size() < agents) {
    AgentStart start;
    start.at = places.draw(random, 0.25);
    start.goal = places.draw(random, 0.25);
    (void)crowd.add(start);
  }
  Context context;
  context.threads = threads;
  const auto newGoal = [&](Crowd& c, const CrowdEvent& event) {
    Random own(event.agent, c.frame());
    c.setGoal(event.agent, places.draw(own, 0.25), true);
  };
  for (int i = 0; i < warmUp; ++i) crowd.step(context, newGoal);
  Frames frames;
  double deepest = 0;
  for (int i = 0; i < measured; ++i) {
    const double cpu = cpuSeconds();
    const double start = wallSeconds();
    crowd.step(context, newGoal);
    frames.wall.push_back(1e3 * (wallSeconds() - start));
    frames.cpu += cpuSeconds() - cpu;
    const CrowdTimes& t = crowd.times();
    frames.sum.replanning += t.replanning;
    frames.sum.following += t.following;
    frames.sum.neighbours += t.neighbours;
    frames.sum.groups += t.groups;
    frames.sum.stream += t.stream;
    frames.sum.avoidance += t.avoidance;
    frames.sum.movement += t.movement;
    frames.sum.separation += t.separation;
    frames.sum.density += t.density;
    deepest = std::max(deepest, crowd.deepestOverlap());
  }
  double speed = 0;
  for (const AgentState& a : crowd.agents()) speed += std::hypot(a.velocity.x, a.velocity.y);
  std::sort(frames.wall.begin(), frames.wall.end());
  const double n = measured;
  const auto ms = [&](double seconds) { return 1e3 * seconds / n; };
  const CrowdTimes& t = frames.sum;
  fmt::print(
      "{},{},{:.2f},{:.2f},{:.2f},{:.3f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.3f},{:.4f},"
      "{:016x}\n",
      agents, threads, frames.wall[frames.wall.size() / 2], frames.wall.front(), ms(frames.cpu),
      1e6 * frames.cpu / n / static_cast<double>(agents), ms(t.replanning), ms(t.following), ms(t.neighbours),
      ms(t.stream), ms(t.avoidance), ms(t.movement), ms(t.separation), ms(t.density),
      speed / static_cast<double>(agents), deepest, crowd.hash());
  std::fflush(stdout);
}

int main(std::span<char*> arguments) {
  // The switch that scripts/bench.sh gives to all benchmarks.
  if (arguments.size() > 1 && arguments[1][0] == '-') arguments = arguments.first(1);
  std::vector<size_t> counts;
  for (const char* at = arguments.size() > 1 ? arguments[1] : "1000,10000,100000"; *at != 0;) {
    char* end = nullptr;
    counts.push_back(std::strtoull(at, &end, 10));
    at = *end == ',' ? end + 1 : end;
    if (end == at && *end != 0) return 2;
  }
  const int warmUp = arguments.size() > 2 ? std::atoi(arguments[2]) : 130;
  const int measured = arguments.size() > 3 ? std::max(1, std::atoi(arguments[3])) : 20;
  MakeSettings make;
  make.kind = arguments.size() > 4 ? arguments[4] : "city";
  if (make.kind == "city") make.parameters = {{"edition", 2}};
  const Result<Environment> environment = makeEnvironment(make);
  if (!environment.ok()) {
    fmt::print(stderr, "{}\n", environment.error().message);
    return 1;
  }
  GenerateSettings settings;
  settings.generator = "ecm";
  const Result<World> world = bake(*environment, settings);
  if (!world.ok()) {
    fmt::print(stderr, "{}\n", world.error().message);
    return 1;
  }
  const Navigator navigator = makeNavigator(*world);
  Places places(*environment, navigator);
  fmt::print(
      "agents,threads,median_ms,least_ms,cpu_ms,us_per_agent,replanning_ms,following_ms,neighbours_ms,stream_ms,"
      "avoidance_ms,movement_ms,separation_ms,density_ms,mean_speed,deepest_m,hash\n");
  for (const size_t agents : counts) {
    if (arguments.size() > 5) {
      run(navigator, places, agents, std::atoi(arguments[5]), warmUp, measured);
      continue;
    }
    for (const int threads : {1, 2}) run(navigator, places, agents, threads, warmUp, measured);
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  return wend::main({argv, static_cast<size_t>(argc)});
}
