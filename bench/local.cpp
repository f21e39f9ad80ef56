#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "crowd/local/avoid.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/vision.h"

// Local movement by method, walls and crowding, without the search for neighbours; one thread.
//   bench_local --benchmark_format=csv
// One iteration decides for every view of a fixed set: 10 neighbours ahead at 0.4 or 2.5 persons/m^2, walls of a
// corridor and a pillar. Counter us_per_agent: microseconds of one decision. vision_plain is the same method one
// direction and neighbour at a time, to compare with. The label is a hash of all results: it must not depend on the
// machine or the vector width.
namespace wend {
namespace {

constexpr size_t kViews = 512;

void addWall(LocalView& view, Vec2f a, Vec2f b, Vec2f before, Vec2f after) {
  WallView& wall = view.walls[view.wallCount++];
  wall.a = a;
  wall.b = b;
  wall.along = direction(b - a, {1, 0});
  wall.before = direction(before, {});
  wall.after = direction(after, {});
}

// A corridor along x, 3 m wide, each side in two pieces; then a square pillar ahead.
void addWalls(LocalView& view, uint32_t count, float across) {
  const float low = -1.5F - across;
  const float high = 1.5F - across;
  if (count >= 4) {
    addWall(view, {-2, low}, {1, low}, {1, 0}, {1, 0});
    addWall(view, {1, low}, {4, low}, {1, 0}, {1, 0});
    addWall(view, {4, high}, {1, high}, {-1, 0}, {-1, 0});
    addWall(view, {1, high}, {-2, high}, {-1, 0}, {-1, 0});
  }
  if (count >= 8) {
    const Vec2f corner[] = {
        {2.0F, -0.2F - across}, {2.0F, 0.2F - across}, {2.4F, 0.2F - across}, {2.4F, -0.2F - across}};
    for (int k = 0; k < 4; ++k) {
      const Vec2f a = corner[k];
      const Vec2f b = corner[(k + 1) % 4];
      addWall(view, a, b, a - corner[(k + 3) % 4], corner[(k + 2) % 4] - b);
    }
  }
}

std::vector<LocalView> views(double density, uint32_t walls) {
  Random random(21);
  std::vector<LocalView> all(kViews);
  // So that the half disk ahead holds the 10.
  const double reach = std::sqrt(2 * kAvoidNeighbours / (density * std::numbers::pi));
  for (LocalView& view : all) {
    view.id = static_cast<uint32_t>(random.below(100000));
    view.preferred = {view.speed, 0};
    view.velocity = {static_cast<float>(random.real(0.5, 1.4)), static_cast<float>(random.real(-0.3, 0.3))};
    std::vector<std::pair<float, Vec2f>> places;
    while (places.size() < kAvoidNeighbours) {
      const Vec2f w{static_cast<float>(random.real(-0.25, reach)), static_cast<float>(random.real(-reach, reach))};
      const float distance = length(w);
      if (distance > 0.49F && static_cast<double>(distance) < reach) places.emplace_back(distance, w);
    }
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [distance, w] : places) {
      const uint32_t j = view.count++;
      const double angle = random.real(-std::numbers::pi, std::numbers::pi);
      view.wx[j] = w.x;
      view.wy[j] = w.y;
      view.vx[j] = static_cast<float>(1.2 * std::cos(angle));
      view.vy[j] = static_cast<float>(1.2 * std::sin(angle));
      view.r[j] = 0.24F;
      view.ids[j] = 100000 + j;
      view.groups[j] = ~0U;
    }
    addWalls(view, walls, static_cast<float>(random.real(-1.2, 1.2)));
  }
  return all;
}

// As a first version would be written.
LocalChoice visionPlain(const LocalView& view) {
  const Intent intent = intentOf(view);
  const double alpha = std::atan2(static_cast<double>(intent.heading.y), static_cast<double>(intent.heading.x));
  const float horizon = 10;
  float best = 1e30F;
  Vec2f chosen;
  for (int j = -19; j <= 19; ++j) {
    const double angle = j * 150.0 / 38 * std::numbers::pi / 180;
    const Vec2f v =
        Vec2f{static_cast<float>(std::cos(alpha + angle)), static_cast<float>(std::sin(alpha + angle))} * intent.speed;
    float time = horizon / intent.speed;
    for (uint32_t k = 0; k < view.count; ++k) {
      time = std::min(
          time, timeToContact({view.wx[k], view.wy[k]}, v - Vec2f{view.vx[k], view.vy[k]}, view.radius + view.r[k]));
    }
    for (uint32_t k = 0; k < view.wallCount; ++k) time = std::min(time, timeToWall(view.walls[k], v, view.radius));
    const float f = time * intent.speed;
    const float cost = horizon * horizon + f * f - 2 * horizon * f * static_cast<float>(std::cos(angle));
    if (cost < best) {
      best = cost;
      chosen = v * std::min(1.0F, time / 0.5F);
    }
  }
  return {chosen, 0, false};
}

template <typename Method>
void decide(benchmark::State& state, double density, uint32_t walls, const Method& method) {
  const std::vector<LocalView> all = views(density, walls);
  Hash hash;
  for (auto _ : state) {
    hash = {};
    for (const LocalView& view : all) {
      const LocalChoice choice = method(view);
      hash.add(choice.velocity.x);
      hash.add(choice.velocity.y);
    }
    benchmark::DoNotOptimize(hash.value());
  }
  state.counters["us_per_agent"] = benchmark::Counter(1e-6 * static_cast<double>(kViews * state.iterations()),
                                                      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel(fmt::format("{:016x}", hash.value()));
}

void registerAll() {
  const auto add = [](const std::string& name, double density, uint32_t walls, const auto& method) {
    benchmark::RegisterBenchmark(fmt::format("local/{}/density:{}/walls:{}", name, density, walls).c_str(),
                                 [=](benchmark::State& state) { decide(state, density, walls, method); })
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  };
  for (const double density : {0.4, 2.5}) {
    for (const uint32_t walls : {0U, 4U, 8U}) {
      add("vision_plain", density, walls, visionPlain);
      for (const auto& [width, name] :
           {std::pair{VectorWidth::kBaseline, "vision_baseline"}, std::pair{VectorWidth::kAvx2, "vision_avx2"},
            std::pair{VectorWidth::kAvx512, "vision_avx512"}}) {
        if (!available(width)) continue;
        add(name, density, walls, [w = width](const LocalView& view) { return avoidVisionWith(w, view); });
      }
      for (int m = 0; m <= static_cast<int>(AvoidMethod::kSpeed); ++m) {
        const auto method = static_cast<AvoidMethod>(m);
        add(methodName(method), density, walls, [=](const LocalView& view) { return avoid(method, view); });
      }
      add("stream", density, walls, [](const LocalView& view) { return LocalChoice{stream(view, 0)}; });
    }
  }
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  wend::registerAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
