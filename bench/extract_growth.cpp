#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>

#include <wend/extract.h>
#include <wend/make_scene.h>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "clocks.h"

// How the exact method grows with the scene: terrain with a bridge and a tunnel, streets of repeated buildings, and
// towers (houses of more and more storeys).
//   bench_extract_growth [MOST TRIANGLES] [THREADS, comma separated] [KINDS, comma separated]
// Prints CSV: kind, triangles, threads, seconds by the clock and by the CPU, CPU microseconds per triangle, peak memory
// of the extraction above that of the scene (result included) in bytes per triangle, area, layers, and the hash of the
// environment, which must not depend on the machine or on the threads. Each line is a process of its own.
namespace wend {
namespace {

// A line of /proc/self/status, bytes.
double memoryOf(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    double kilobytes = 0;
    if (word == name + ":" && status >> kilobytes) return 1024 * kilobytes;
  }
  return NAN;
}

// A made scene of about that many triangles.
MakeSceneSettings settingsOf(const std::string& kind, double triangles) {
  if (kind == "terrain") return {kind, {{"cells", std::round(std::sqrt(triangles / 3.2))}}, 1};
  if (kind == "tower") {
    const double storeys = triangles / 2170;  // of two rooms on each side
    const double rooms = std::max(2.0, std::round(2 * storeys / 1000));
    return {"house", {{"storeys", std::clamp(std::round(storeys), 1.0, 1000.0)}, {"rooms", rooms}, {"detail", 0}}, 1};
  }
  const double buildings = std::max(1.0, triangles / 36000);
  if (buildings < 2) return {kind, {{"columns", 1}, {"rows", 1}, {"storeys", 1}}, 1};
  const double columns = std::ceil(std::sqrt(buildings));
  return {kind, {{"columns", columns}, {"rows", std::round(buildings / columns)}}, 1};
}

int measure(const std::string& kind, double triangles, int threads) {
  const Result<MadeScene> made = makeScene(settingsOf(kind, triangles));
  if (!made.ok()) {
    fmt::print(stderr, "{}\n", made.error().message);
    return 1;
  }
  ExtractSettings settings;
  settings.regions = false;
  Context context;
  context.threads = threads;
  // Small scenes are over before the clock can tell: the least of some runs.
  const auto count = static_cast<double>(made->scene.triangles.size());
  double least = INFINITY;
  double leastCpu = INFINITY;
  double peak = NAN;
  std::string result;
  for (int run = 0; run < std::clamp(static_cast<int>(3e5 / count), 1, 5); ++run) {
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
    const double before = memoryOf("VmRSS");
    const double cpu = cpuSeconds();
    const double start = wallSeconds();
    const Result<Extraction> extraction = extract(made->scene, settings, context);
    least = std::min(least, wallSeconds() - start);
    leastCpu = std::min(leastCpu, cpuSeconds() - cpu);
    if (run == 0) peak = memoryOf("VmHWM") - before;
    if (!extraction.ok()) {
      fmt::print(stderr, "{}\n", extraction.error().message);
      return 1;
    }
    const Environment& e = extraction->environment;
    result = fmt::format("{:.2f},{},{:016x}", e.lattice.area(topology(e).doubledArea), e.layers.size(), hash(e));
  }
  fmt::print("{},{},{},{:.4f},{:.4f},{:.3f},{:.0f},{}\n", kind, count, threads, least, leastCpu, 1e6 * leastCpu / count,
             peak / count, result);
  return 0;
}

int main(std::span<char*> arguments) {
  const double most = arguments.size() > 1 ? std::atof(arguments[1]) : 1e6;
  const std::string threads = arguments.size() > 2 ? arguments[2] : "1,2";
  const std::string kinds = arguments.size() > 3 ? arguments[3] : "terrain,city-block,tower";
  fmt::print("kind,triangles,threads,seconds,cpu_seconds,us_per_triangle,bytes_per_triangle,area,layers,hash\n");
  for (const std::string& kind : splitAt(kinds, ',')) {
    for (double triangles = 1e4; triangles < 1.1 * most; triangles *= 10) {
      for (const std::string& t : splitAt(threads, ',')) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
          const int code = measure(kind, triangles, std::atoi(t.c_str()));
          std::fflush(stdout);
          _exit(code);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) return 1;
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  return wend::main({argv, static_cast<size_t>(argc)});
}
