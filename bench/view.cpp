#include <algorithm>
#include <cstdlib>
#include <memory>

#include <wend/make.h>

#include <fmt/format.h>

#include "clocks.h"
#include "crowd/simulation/simulation.h"
#include "serve/crowd_frame.h"
#include "serve/density_grid.h"
#include "serve/live_crowd.h"
#include "serve/scenario_text.h"

// What looking at a crowd costs: persons that roam the City, stepped by the simulation alone and, in turn with it, by
// what `wend view` runs: the same simulation, its persons read into slots, densities every fifth frame, and a frame of
// 12 bytes per person. Both must end in the same state.
//   bench_view [AGENTS] [WARM-UP FRAMES] [MEASURED FRAMES]
// Prints CSV: agents, CPU milliseconds per frame of the engine alone and watched, their ratio, milliseconds of encoding
// (density and frame) alone, bytes per frame, MB per second at ten frames per second, and the hash of the final state.
namespace wend {
namespace {

int run(uint32_t agents, int warmUp, int measured) {
  const Result<Environment> city = makeEnvironment({.kind = "city"});
  if (!city.ok()) return 1;
  const Result<World> world = bake(*city);
  if (!world.ok()) return 1;
  serve::CrowdCommand crowd;
  crowd.sources = {{"everywhere", 0, {}, agents, 0}};
  crowd.roam = true;
  const Result<Scenario> scenario = parseScenario(serve::scenarioText(crowd, "city", "make:city"), "bench");
  if (!scenario.ok()) return fmt::print(stderr, "{}\n", scenario.error().message), 1;
  const Context context;
  const SimulateSettings settings;
  Simulation alone(*scenario, settings, context);
  if (!alone.prepare(*world).ok() || !alone.begin().ok()) return 1;
  Result<std::unique_ptr<serve::LiveCrowd>> watched = serve::LiveCrowd::make(*scenario, *world, "", context);
  if (!watched.ok()) return 1;
  const Locator locator(world->mesh());
  serve::DensityGrid grid(world->mesh(), locator);
  double engine = 0;
  double both = 0;
  double encoding = 0;
  size_t bytes = 0;
  for (int i = 0; i < warmUp + measured; ++i) {
    const double first = cpuSecondsOf([&] { (void)alone.advance(); });
    double encode = 0;
    const double second = cpuSecondsOf([&] {
      (void)(*watched)->advance();
      const double start = threadSeconds();
      if (i % 5 == 0) {
        grid.measure((*watched)->persons());
        (*watched)->measured();
      }
      (void)(*watched)->takeChanges();
      bytes =
          serve::encodeFrame(1, 1, 0, {{0, 0, 0}, {500, 500, 1}}, (*watched)->persons(), (*watched)->slots())->size();
      encode = threadSeconds() - start;
    });
    if (i < warmUp) continue;
    engine += first;
    both += second;
    encoding += encode;
  }
  const double n = measured;
  fmt::print("agents,engine_ms,watched_ms,ratio,encode_ms,bytes,megabytes_per_second,hash\n");
  fmt::print("{},{:.2f},{:.2f},{:.3f},{:.2f},{},{:.2f},{:016x}\n", (*watched)->persons().size(), 1e3 * engine / n,
             1e3 * both / n, both / engine, 1e3 * encoding / n, bytes, static_cast<double>(bytes) * 10 / 1e6,
             (*watched)->hash());
  return alone.state().crowd->hash() == (*watched)->hash() ? 0 : 1;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  // Options of the benchmark library are for other benchmarks.
  const bool own = argc > 1 && argv[1][0] != '-';
  return wend::run(own ? static_cast<uint32_t>(std::atoi(argv[1])) : 100000, own && argc > 2 ? std::atoi(argv[2]) : 5,
                   own && argc > 3 ? std::atoi(argv[3]) : 20);
}
