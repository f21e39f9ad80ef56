#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/image/adaptive_grid.h>
#include <wend/image/range_image.h>
#include <wend/make.h>
#include <wend/next_hop_table.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"

// Adaptive grids: growth by the size of the picture, next-hop queries by the number of cells, and a crowd on tables
// beside the same crowd on routes.
//   bench_adaptive_grid [LARGEST PICTURE] [AGENTS] [FRAMES]
// Prints CSV: part, size, cells, milliseconds by the CPU on one thread, cost per item, and a hash of the result.
namespace wend {
namespace {

uint64_t hashOf(const AdaptiveGrid& grid) {
  Hash sum;
  sum.array(std::span<const GridCluster>(grid.clusters));
  return sum.value();
}

// The city of the source at several resolutions; `dense`: one site per 85 pixels at every size, so many small streets.
NavigableGrid city(uint32_t pixels, bool dense = false) {
  RangeCitySettings settings;
  settings.pixels = pixels;
  if (dense) settings.blocks = std::clamp(pixels / 85, 1U, 256U);
  settings.buildings = settings.blocks * settings.blocks * 11 / 12;
  return makeRangeCity(settings)->truth;
}

void growth(uint32_t largest) {
  Context one;
  one.threads = 1;
  for (uint32_t pixels = 512; pixels <= largest; pixels *= 2) {
    const NavigableGrid mask = city(pixels);
    for (const bool rounds : {false, true}) {
      if (rounds && pixels > 4096) continue;
      GridSettings settings;
      settings.container = rounds ? GridContainer::kRounds : GridContainer::kQueue;
      double least = HUGE_VAL;
      Result<AdaptiveGrid> grid = AdaptiveGrid{};
      for (int i = 0; i < (pixels <= 4096 ? 5 : 2); ++i) {
        least = std::min(least, cpuSecondsOf([&] { grid = growGrid(mask, settings, one); }));
      }
      const double count = static_cast<double>(pixels) * pixels;
      fmt::print("{},{},{},{:.2f},{:.3f} ns per pixel; {:.2f} tests per pixel,{:016x}\n",
                 rounds ? "grow in rounds" : "grow", pixels, grid->clusters.size(), 1e3 * least, 1e9 * least / count,
                 static_cast<double>(grid->tests) / count, hashOf(*grid));
      if (!rounds && pixels <= 4096) {
        const auto environment = gridEnvironment(mask, {}, one);
        Result<NavMesh> mesh = NavMesh();
        const double seconds = cpuSecondsOf([&] {
          mesh = generate(*environment, {"adaptive-grid", {{"pixel", "1"}}, 1}, one);
        });
        fmt::print("environment to mesh,{},{},{:.2f},,{:016x}\n", pixels, mesh.ok() ? mesh->cellCount() : 0,
                   1e3 * seconds, mesh.ok() ? hash(*mesh) : 0);
      }
    }
  }
}

// The direction of the field at random places, goals among 16 rows.
void queries() {
  Context one;
  one.threads = 1;
  const NavigableGrid mask = city(2048, true);
  const auto environment = gridEnvironment(mask, {}, one);
  const NavigableGrid small = city(512);
  const auto source = gridEnvironment(small, {}, one);
  for (const auto& [period, large] :
       {std::pair("128", false), {"32", false}, {"16", false}, {"12", false}, {"64", true}, {"16", true}}) {
    const auto mesh =
        generate(large ? *environment : *source, {"adaptive-grid", {{"pixel", "1"}, {"seed-period", period}}, 1}, one);
    if (!mesh.ok()) continue;
    const Locator locator(*mesh);
    Random random(1);
    NextHopSettings settings;
    for (int i = 0; i < 16; ++i) settings.goals.push_back(static_cast<CellId>(random.below(mesh->cellCount())));
    const double start = cpuSeconds();
    const auto table = NextHopTable::build(*mesh, settings, one);
    const double built = cpuSeconds() - start;
    struct Query {
      CellId cell;
      Vec2 at;
      uint32_t row;
    };
    std::vector<Query> list;
    while (list.size() < 200000) {
      const double side = large ? 2048 : 512;
      const Vec2 p{random.real(0, side), random.real(0, side)};
      const CellId cell = locator.locate(p, 0);
      if (cell != kNone) list.push_back({cell, p, static_cast<uint32_t>(random.below(table->goalCount()))});
    }
    Hash sum;
    double least = HUGE_VAL;
    for (int repeat = 0; repeat < 5; ++repeat) {
      Vec2 total;
      least = std::min(least, cpuSecondsOf([&] {
                         for (const Query& q : list) {
                           const Vec2 d = fieldDirection(*mesh, *table, q.cell, q.at, q.row, {1, 1}, 0.25);
                           total.x += d.x;
                           total.y += d.y;
                         }
                       }));
      sum.add(total.x);
    }
    fmt::print("field query,16,{},{:.2f},{:.1f} ns per query; table of 16 goals in {:.2f} ms; {} bytes,{:016x}\n",
               mesh->cellCount(), 1e3 * least, 1e9 * least / static_cast<double>(list.size()), 1e3 * built,
               table->memory(), sum.value());
  }
}

// The City of the crowd benchmark, with few goals: exits on its border.
void crowd(size_t agents, int frames) {
  Context one;
  one.threads = 1;
  const auto environment = makeEnvironment({"city", {}, 1, {}});
  const auto world = bake(*environment, {"hertel-mehlhorn", {}, 1}, one);
  if (!world.ok()) return;
  const Navigator navigator = makeNavigator(*world);
  for (const bool tables : {false, true, false, true}) {
    CrowdProfile profile;
    profile.route = tables ? RouteMethod::kTable : RouteMethod::kShort;
    profile.densityWeight = 0;
    auto made = Crowd::make(navigator, {profile}, {});
    Random random(1);
    const std::vector<Vec2> exits{{2, 2}, {250, 2}, {498, 2}, {498, 250}, {498, 498}, {250, 498}, {2, 498}, {2, 250}};
    std::vector<Vec2> goals;
    for (const Vec2 exit : exits) {
      for (double r = 0; r < 40; r += 1) {
        const Vec2 p{exit.x + (exit.x < 250 ? r : -r), exit.y + (exit.y < 250 ? r : -r)};
        if (navigator.locate(p) == kNone) continue;
        goals.push_back(p);
        break;
      }
    }
    PlanScratch scratch;
    while (made->size() < agents) {
      AgentStart start;
      start.at = {random.real(1, 499), random.real(1, 499)};
      start.goal = goals[random.below(goals.size())];
      (void)made->add(start);
    }
    const double begin = cpuSeconds();
    made->step(one);
    const double first = cpuSeconds() - begin;
    CrowdTimes sum;
    const double start = cpuSeconds();
    for (int i = 0; i < frames; ++i) {
      made->step(one, [&](Crowd& c, const CrowdEvent& event) {
        Random own(event.agent, c.frame());
        c.setGoal(event.agent, goals[own.below(goals.size())]);
      });
      sum.replanning += made->times().replanning;
      sum.following += made->times().following;
    }
    const double seconds = cpuSeconds() - start;
    fmt::print("{},{},{},{:.2f},planning {:.2f} ms; following {:.2f} ms; first step {:.0f} ms,{:016x}\n",
               tables ? "crowd on tables" : "crowd on routes", agents, world->mesh().cellCount(),
               1e3 * seconds / frames, 1e3 * sum.replanning / frames, 1e3 * sum.following / frames, 1e3 * first,
               made->hash());
  }
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const auto number = [&](int i, long otherwise) {
    return argc > i && argv[i][0] != '-' ? std::strtol(argv[i], nullptr, 10) : otherwise;
  };
  fmt::print("part,size,cells,ms,cost,hash\n");
  wend::growth(static_cast<uint32_t>(number(1, 4096)));
  wend::queries();
  wend::crowd(static_cast<size_t>(number(2, 100000)), static_cast<int>(number(3, 5)));
}
