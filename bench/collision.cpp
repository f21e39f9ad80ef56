#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include <wend/game/collision.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"

// Pairs of disks that touch, by four methods beside each other: the cells of a mesh, a kd-tree, a spatial hash, and all
// pairs; and disks against walls.
//   bench_collision --benchmark_format=csv
// A case moves every object a little, then finds all pairs: that is a frame of a game. The label is the hash of the
// pairs; it must be the same for all methods. CPU time of one thread.
namespace wend {
namespace {

struct Disk {
  Vec2 position;
  double radius;
};
using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

bool touch(const Disk& a, const Disk& b) {
  const double x = a.position.x - b.position.x;
  const double y = a.position.y - b.position.y;
  const double sum = a.radius + b.radius;
  return x * x + y * y < sum * sum;
}

// A level for capture the flag: two bases with cover between them.
const NavMesh& level() {
  static const NavMesh mesh = [] {
    EnvironmentDraft draft;
    LayerDraft& layer = draft.layers.emplace_back();
    layer.walkable = {{{{0, 0}, {200, 0}, {200, 120}, {0, 120}}}};
    const auto block = [&](double x, double y, double w, double h) {
      layer.obstacles.push_back({{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}});
    };
    for (const double side : {0.0, 1.0}) {
      const double x = side == 0 ? 20 : 160;
      block(x, 40, 20, 2);
      block(x, 78, 20, 2);
      block(side == 0 ? x : x + 18, 42, 2, 36);
    }
    for (int i = 0; i < 6; ++i) block(60 + 14 * i, i % 2 == 0 ? 30 : 70, 6, 20);
    return *generate(*buildEnvironment(draft), {.generator = "hertel-mehlhorn"});
  }();
  return mesh;
}

// Where objects are in each of a few frames; none touches a wall, so that all methods agree on the pairs.
const std::vector<std::vector<Disk>>& frames(size_t count) {
  static std::unordered_map<size_t, std::vector<std::vector<Disk>>> made;
  std::vector<std::vector<Disk>>& all = made[count];
  if (!all.empty()) return all;
  const CollisionService walls(level());
  Random random(count);
  std::vector<Disk> disks;
  while (disks.size() < count) {
    const Disk disk{{random.real(0, 200), random.real(0, 120)}, random.real(0.2, 0.5)};
    if (!walls.touchesWall(disk.position, disk.radius)) disks.push_back(disk);
  }
  for (int frame = 0; frame < 8; ++frame) {
    all.push_back(disks);
    for (Disk& disk : disks) {
      const Vec2 next{disk.position.x + random.real(-0.2, 0.2), disk.position.y + random.real(-0.2, 0.2)};
      if (!walls.touchesWall(next, disk.radius)) disk.position = next;
    }
  }
  return all;
}

uint64_t hashOf(const Pairs& pairs) {
  Hash hash;
  for (const auto& [a, b] : pairs) {
    hash.add(a);
    hash.add(b);
  }
  return hash.value();
}

Pairs allPairs(const std::vector<Disk>& disks) {
  Pairs pairs;
  for (uint32_t i = 0; i < disks.size(); ++i) {
    for (uint32_t j = i + 1; j < disks.size(); ++j) {
      if (touch(disks[i], disks[j])) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

void sortUnique(Pairs& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

void pairsWithin(const std::vector<Disk>& disks, const std::vector<uint32_t>& ids, Pairs& pairs) {
  for (size_t i = 0; i < ids.size(); ++i) {
    for (size_t j = i + 1; j < ids.size(); ++j) {
      if (touch(disks[ids[i]], disks[ids[j]])) pairs.emplace_back(std::min(ids[i], ids[j]), std::max(ids[i], ids[j]));
    }
  }
}

// Axis-aligned, axes in turn, five levels: 32 leaves, as in the source. An object is in every leaf it reaches.
void kdTree(const std::vector<Disk>& disks, std::vector<uint32_t> ids, int depth, Pairs& pairs) {
  if (depth == 5 || ids.size() < 2) {
    pairsWithin(disks, ids, pairs);
    return;
  }
  const auto along = [&](uint32_t id) { return depth % 2 == 0 ? disks[id].position.x : disks[id].position.y; };
  const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
  std::nth_element(ids.begin(), middle, ids.end(), [&](uint32_t a, uint32_t b) { return along(a) < along(b); });
  const double cut = along(*middle);
  std::vector<uint32_t> low;
  std::vector<uint32_t> high;
  for (const uint32_t id : ids) {
    if (along(id) - disks[id].radius <= cut) low.push_back(id);
    if (along(id) + disks[id].radius >= cut) high.push_back(id);
  }
  kdTree(disks, std::move(low), depth + 1, pairs);
  kdTree(disks, std::move(high), depth + 1, pairs);
}

// Thirty cells, as in the source; an object is in every cell it touches.
Pairs spatialHash(const std::vector<Disk>& disks) {
  constexpr int kColumns = 6;
  constexpr int kRows = 5;
  std::array<std::vector<uint32_t>, kColumns * kRows> cells;
  const auto slot = [](double value, double size, int count) {
    return std::clamp(static_cast<int>(value / size * count), 0, count - 1);
  };
  for (uint32_t i = 0; i < disks.size(); ++i) {
    const Disk& d = disks[i];
    for (int x = slot(d.position.x - d.radius, 200, kColumns); x <= slot(d.position.x + d.radius, 200, kColumns); ++x) {
      for (int y = slot(d.position.y - d.radius, 120, kRows); y <= slot(d.position.y + d.radius, 120, kRows); ++y) {
        cells[static_cast<size_t>(x * kRows + y)].push_back(i);
      }
    }
  }
  Pairs pairs;
  for (const std::vector<uint32_t>& ids : cells) pairsWithin(disks, ids, pairs);
  return pairs;
}

template <typename Find>
void measure(benchmark::State& state, Find&& find) {
  const auto& all = frames(static_cast<size_t>(state.range(0)));
  size_t frame = 0;
  Pairs pairs;
  for ([[maybe_unused]] auto unused : state) {
    pairs = find(all[frame % all.size()]);
    benchmark::DoNotOptimize(pairs.data());
    ++frame;
  }
  Pairs last = find(all.back());
  sortUnique(last);
  state.counters["pairs"] = static_cast<double>(last.size());
  state.counters["cells"] = level().cellCount();
  state.SetLabel(fmt::format("{:016x}", hashOf(last)));
}

void mesh(benchmark::State& state) {
  CollisionService service(level());
  for (const Disk& disk : frames(static_cast<size_t>(state.range(0))).front()) {
    (void)service.insert(disk.position, disk.radius).ok();
  }
  measure(state, [&](const std::vector<Disk>& disks) {
    for (uint32_t i = 0; i < disks.size(); ++i) (void)service.update(i, disks[i].position).ok();
    return service.collidingPairs();
  });
}
void tree(benchmark::State& state) {
  measure(state, [](const std::vector<Disk>& disks) {
    std::vector<uint32_t> ids(disks.size());
    for (uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
    Pairs pairs;
    kdTree(disks, std::move(ids), 0, pairs);
    sortUnique(pairs);
    return pairs;
  });
}
void hashing(benchmark::State& state) {
  measure(state, [](const std::vector<Disk>& disks) {
    Pairs pairs = spatialHash(disks);
    sortUnique(pairs);
    return pairs;
  });
}
void bruteForce(benchmark::State& state) {
  measure(state, [](const std::vector<Disk>& disks) { return allPairs(disks); });
}
// Objects against walls: the mesh alone, with the update that finds their cells.
void walls(benchmark::State& state) {
  CollisionService service(level());
  const auto& all = frames(static_cast<size_t>(state.range(0)));
  for (const Disk& disk : all.front()) (void)service.insert(disk.position, disk.radius).ok();
  size_t frame = 0;
  size_t touching = 0;
  for ([[maybe_unused]] auto unused : state) {
    const std::vector<Disk>& disks = all[frame++ % all.size()];
    for (uint32_t i = 0; i < disks.size(); ++i) {
      (void)service.update(i, disks[i].position).ok();
      touching += service.touchesWall(i) ? 1 : 0;
    }
  }
  state.counters["pairs"] = static_cast<double>(touching);
  state.counters["cells"] = level().cellCount();
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int count : {200, 400, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000}) bench->Arg(count);
  bench->Unit(benchmark::kMillisecond);
}
BENCHMARK(mesh)->Apply(sizes);
BENCHMARK(tree)->Apply(sizes);
BENCHMARK(hashing)->Apply(sizes);
BENCHMARK(bruteForce)->Apply(sizes);
BENCHMARK(walls)->Apply(sizes);

}  // namespace
}  // namespace wend

BENCHMARK_MAIN();
