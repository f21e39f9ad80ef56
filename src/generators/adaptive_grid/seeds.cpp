#include <algorithm>
#include <unordered_set>

#include "base/random.h"
#include "generators/adaptive_grid/growth.h"

namespace wend::adaptive_grid {
namespace {

// The border, clockwise from the top left; each pixel once.
std::vector<Pixel> borderWalk(uint32_t width, uint32_t height) {
  std::vector<Pixel> walk;
  for (uint32_t c = 0; c < width; ++c) walk.push_back({0, c});
  for (uint32_t r = 1; r < height; ++r) walk.push_back({r, width - 1});
  if (height > 1) {
    for (uint32_t c = width - 1; c-- > 0;) walk.push_back({height - 1, c});
  }
  if (width > 1) {
    for (uint32_t r = height - 1; r-- > 1;) walk.push_back({r, 0});
  }
  return walk;
}

std::vector<Pixel> borderSeeds(const TakenBits& taken, uint32_t width, uint32_t height, bool all) {
  const std::vector<Pixel> walk = borderWalk(width, height);
  const auto isFree = [&](const Pixel& p) { return !taken.isTaken(p.row, p.column); };
  std::vector<Pixel> seeds;
  for (size_t i = 0; i < walk.size(); ++i) {
    if (!isFree(walk[i])) continue;
    // The walk is closed: a run may go on over its start.
    const bool begins = !isFree(walk[i == 0 ? walk.size() - 1 : i - 1]);
    if (all || begins) seeds.push_back(walk[i]);
  }
  if (seeds.empty() && !walk.empty() && isFree(walk[0])) seeds.push_back(walk[0]);
  return seeds;
}

// The free pixels with these numbers, which are ascending.
std::vector<Pixel> freePixels(const TakenBits& taken, uint32_t width, uint32_t height,
                              const std::vector<uint64_t>& numbers) {
  std::vector<Pixel> found;
  uint64_t number = 0;
  size_t next = 0;
  for (uint32_t row = 0; row < height && next < numbers.size(); ++row) {
    for (uint32_t column = 0; column < width && next < numbers.size(); ++column) {
      if (taken.isTaken(row, column)) continue;
      if (number++ != numbers[next]) continue;
      found.push_back({row, column});
      ++next;
    }
  }
  return found;
}

// Floyd's method: each set of `count` pixels is equally likely, and no pixel comes twice.
std::vector<Pixel> randomSeeds(const TakenBits& taken, uint32_t width, uint32_t height, const GridSettings& settings) {
  const uint64_t free = taken.countFree();
  const uint64_t count = std::min<uint64_t>(settings.count, free);
  Random random(settings.seed);
  std::unordered_set<uint64_t> chosen;
  for (uint64_t i = free - count; i < free; ++i) {
    const uint64_t drawn = random.below(i + 1);
    if (!chosen.insert(drawn).second) chosen.insert(i);
  }
  std::vector<uint64_t> numbers(chosen.begin(), chosen.end());
  std::sort(numbers.begin(), numbers.end());
  return freePixels(taken, width, height, numbers);
}

std::vector<Pixel> sampledSeeds(const TakenBits& taken, uint32_t width, uint32_t height, uint32_t period) {
  std::vector<Pixel> seeds;
  for (uint32_t row = 0; row < height; row += period) {
    for (uint32_t column = 0; column < width; column += period) {
      if (!taken.isTaken(row, column)) seeds.push_back({row, column});
    }
  }
  return seeds;
}

}  // namespace

std::vector<Pixel> initialSeeds(const TakenBits& taken, uint32_t width, uint32_t height, const GridSettings& settings) {
  switch (settings.seeds) {
    case GridSeeds::kSingle: {
      Pixel first;
      if (taken.findFree(width, height, first.row, first.column)) return {first};
      return {};
    }
    case GridSeeds::kBorder:
    case GridSeeds::kBorderAll:
      return borderSeeds(taken, width, height, settings.seeds == GridSeeds::kBorderAll);
    case GridSeeds::kRandom:
      return randomSeeds(taken, width, height, settings);
    case GridSeeds::kSampled:
      return sampledSeeds(taken, width, height, settings.period);
  }
  return {};
}

}  // namespace wend::adaptive_grid
