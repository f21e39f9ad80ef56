#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <wend/crowd.h>
#include <wend/world_input.h>

#include <fmt/format.h>

#include "arguments.h"
#include "base/random.h"
#include "clocks.h"

// The worst step of a small crowd on real scenes: what a game notices. Agents walk between random places, get a new
// goal when they arrive, and plan again every 5 s.
//   bench_crowd_steps [FILE...] [--generators a,b] [--agents N] [--steps N]
// Without files: those that WEND_SCENES names (separated by ':'), and dungeon.obj and aknz_evac.wkt of the data folder.
// Prints CSV: mean, median, 99th percentile and worst processor time of a step in milliseconds, on one thread; how much
// of the worst step was planning, by the clock; and a hash of the final state. The first steps, in which all agents
// plan for the first time, are measured apart (first_ms: the worst of them).
namespace wend {
namespace {

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> generators{"neogen", "hertel-mehlhorn", "delaunay", "trapezoid", "ecm"};
  size_t agents = 150;
  int steps = 600;
};

constexpr int kFirstSteps = 10;

void run(const std::string& name, const Environment& environment, const std::string& generator,
         const Options& options) {
  const Result<World> world = bake(environment, {.generator = generator});
  if (!world.ok()) {
    fmt::print(stderr, "{}, {}: {}\n", name, generator, world.error().message);
    return;
  }
  const Navigator navigator = makeNavigator(*world);
  Result<Crowd> made = Crowd::make(navigator, {CrowdProfile{}}, {});
  if (!made.ok()) {
    fmt::print(stderr, "{}\n", made.error().message);
    return;
  }
  Crowd& crowd = *made;
  PlanScratch scratch;
  uint64_t seed = 0;
  const auto draw = [&](std::optional<Place> from, uint64_t number) {
    const auto place = navigator.randomPlace({.from = from, .radius = 0.25}, number, scratch);
    return place ? std::optional<Place>(Place(place->place)) : std::nullopt;
  };
  for (size_t tries = 0; crowd.size() < options.agents && tries < 100 * options.agents; ++tries) {
    AgentStart start;
    const auto at = draw({}, ++seed);
    const auto goal = at ? draw(*at, ++seed) : std::nullopt;
    if (!goal) continue;
    start.at = *at;
    start.goal = *goal;
    (void)crowd.add(start);
  }
  Context context;
  context.threads = 1;
  const auto newGoal = [&](Crowd& c, const CrowdEvent& event) {
    if (event.kind != CrowdEventKind::kGoalReached) return;
    const auto goal = draw(Place(c.find(event.agent)->position), ++seed);
    if (goal) c.setGoal(event.agent, *goal);
  };
  std::vector<double> times;
  double first = 0;
  double worst = 0;
  double planning = 0;
  for (int i = 0; i < kFirstSteps + options.steps; ++i) {
    double events = 0;
    const double begin = threadSeconds();
    crowd.step(context, [&](Crowd& c, const CrowdEvent& event) {
      const double before = threadSeconds();
      newGoal(c, event);
      events += threadSeconds() - before;
    });
    const double ms = 1e3 * (threadSeconds() - begin - events);
    if (i < kFirstSteps) {
      first = std::max(first, ms);
      continue;
    }
    times.push_back(ms);
    if (ms <= worst) continue;
    worst = ms;
    planning = 1e3 * crowd.times().replanning;
  }
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (const double t : times) sum += t;
  const size_t n = times.size();
  fmt::print("{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:016x}\n", name, generator,
             navigator.mesh().cellCount(), crowd.size(), n, sum / static_cast<double>(n), times[n / 2],
             times[n - 1 - n / 100], worst, planning, first, crowd.hash());
  std::fflush(stdout);
}

std::vector<std::string> defaultFiles() {
  const std::string data = dataFolder();
  std::vector<std::string> files{data + "/scenes/dungeon.obj", data + "/floorplans/aknz_evac.wkt"};
  if (const char* scenes = std::getenv("WEND_SCENES")) {
    for (const std::string& scene : splitAt(scenes, ':')) files.push_back(scene);
  } else {
    fmt::print(stderr, "WEND_SCENES names no model: only the data folder is measured\n");
  }
  return files;
}

int main(const Options& options) {
  fmt::print("world,generator,cells,agents,steps,mean_ms,median_ms,p99_ms,worst_ms,worst_planning_ms,first_ms,hash\n");
  for (const std::string& file : options.files) {
    if (!std::filesystem::exists(file)) {
      fmt::print(stderr, "skipped: '{}' is not there\n", file);
      continue;
    }
    const Result<EnvironmentReading> reading = readAnyEnvironment(file);
    if (!reading.ok()) {
      fmt::print(stderr, "{}\n", reading.error().message);
      continue;
    }
    const std::string name = std::filesystem::path(file).stem().string();
    for (const std::string& generator : options.generators) run(name, reading->environment, generator, options);
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  wend::Options options;
  options.files = wend::readArguments({argv, static_cast<size_t>(argc)}, [&](const auto& name, const auto& value) {
    if (name == "--generators") options.generators = wend::splitAt(value, ',');
    if (name == "--agents") options.agents = static_cast<size_t>(std::atol(value.c_str()));
    if (name == "--steps") options.steps = std::max(1, std::atoi(value.c_str()));
  });
  if (options.files.empty()) options.files = wend::defaultFiles();
  return wend::main(options);
}
