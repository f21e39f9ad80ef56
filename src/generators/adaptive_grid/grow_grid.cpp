#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include <wend/image/adaptive_grid.h>

#include <fmt/format.h>

#include "base/parallel.h"
#include "generators/adaptive_grid/growth.h"

// The public functions on rasters.
namespace wend {
namespace adaptive_grid {
namespace {

Error invalid(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

}  // namespace

Status checkSettings(const GridSettings& s) {
  if (s.count < 1 || s.count > 1'000'000'000) {
    return invalid(fmt::format("the count of random seeds is {}; it must be from 1 to 1000000000", s.count));
  }
  if (s.period < 1 || s.period > kMaxGridSide) {
    return invalid(
        fmt::format("the period of sampled seeds is {}; it must be from 1 to {} pixels", s.period, kMaxGridSide));
  }
  std::array<GridDirection, 4> sorted = s.order;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() || sorted[3] > GridDirection::kNorth) {
    return invalid("the order of the directions must name each of the four once");
  }
  if (s.memory && s.expander != GridExpander::kOneSide) {
    return invalid("memory is for the expander of one side per call; leave it out");
  }
  if (s.container == GridContainer::kRounds && s.expander != GridExpander::kOneSide) {
    return invalid("rounds need the expander of one side per call");
  }
  return Done{};
}

std::vector<uint32_t> paintIds(std::span<const GridCluster> clusters, uint32_t width, uint32_t height,
                               const Context& context) {
  std::vector<uint32_t> ids(static_cast<size_t>(width) * height, 0);
  constexpr size_t kGrain = 512;
  parallelBlocks(clusters.size(), kGrain, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const GridCluster& box = clusters[i];
      for (uint32_t row = box.top; row <= box.bottom; ++row) {
        uint32_t* first = ids.data() + static_cast<size_t>(row) * width + box.left;
        std::fill(first, first + box.width(), static_cast<uint32_t>(i + 1));
      }
    }
  });
  return ids;
}

namespace {

Error cancelled() {
  return {ErrorCode::kCancelled, "the growth of the grid was cancelled by the caller"};
}

AdaptiveGrid finish(const NavigableGrid& grid, std::vector<GridCluster> clusters, const Growth& growth,
                    const GridSettings& settings, const Context& context) {
  AdaptiveGrid result;
  result.width = grid.width;
  result.height = grid.height;
  result.tests = growth.tests();
  result.calls = growth.calls();
  result.clusters = std::move(clusters);
  result.ids = paintIds(result.clusters, grid.width, grid.height, context);
  if (settings.merge) {
    const size_t before = result.clusters.size();
    result.clusters = mergeClusters(std::move(result.clusters), result.ids, grid.width, settings);
    if (result.clusters.size() < before) {
      result.ids = paintIds(result.clusters, grid.width, grid.height, context);
    }
  }
  return result;
}

Result<AdaptiveGrid> grow(const NavigableGrid& grid, const GridSettings& settings, const Context& context) {
  if (const Status status = checkGrid(grid); !status.ok()) return status.error();
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  context.report(kGrowthStage, 0);
  TakenBits blocked(grid.width, grid.height, grid.free);
  const std::vector<Pixel> seeds = initialSeeds(blocked, grid.width, grid.height, settings);
  Growth growth(grid.width, grid.height, std::move(blocked), settings, context);
  for (const Pixel seed : seeds) growth.addSeed(seed);
  if (!growth.run()) return cancelled();
  if (settings.coverAll && settings.stopAfter == 0 && !growth.coverRest()) return cancelled();
  std::vector<GridCluster> clusters;
  clusters.reserve(growth.clusters().size());
  for (const Growing& cluster : growth.clusters()) clusters.push_back(cluster.box);
  AdaptiveGrid result = finish(grid, std::move(clusters), growth, settings, context);
  result.initialSeeds = seeds.size();
  context.report(kGrowthStage, 1);
  if (context.cancelled()) return cancelled();
  return result;
}

// Whether the pixel of an old cluster is not free any more.
bool isHit(const GridCluster& box, const NavigableGrid& now, const GridCluster& changed) {
  const uint32_t top = std::max(box.top, changed.top);
  const uint32_t bottom = std::min(box.bottom, changed.bottom);
  const uint32_t left = std::max(box.left, changed.left);
  const uint32_t right = std::min(box.right, changed.right);
  for (uint32_t row = top; row <= bottom; ++row) {
    for (uint32_t column = left; column <= right; ++column) {
      if (!now.isFree(row, column)) return true;
    }
  }
  return false;
}

Result<GridRepair> repair(const AdaptiveGrid& grid, const NavigableGrid& now, const GridCluster& changed,
                          const GridSettings& settings, const Context& context) {
  if (const Status status = checkGrid(now); !status.ok()) return status.error();
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  if (grid.width != now.width || grid.height != now.height) {
    return invalid(fmt::format("the grid has {} x {} pixels and the changed picture {} x {}; they must be equal",
                               grid.width, grid.height, now.width, now.height));
  }
  if (changed.top > changed.bottom || changed.left > changed.right || changed.bottom >= now.height ||
      changed.right >= now.width) {
    return invalid("the changed rectangle does not lie in the picture");
  }
  GridRepair repair;
  repair.newOfOld.assign(grid.clusters.size(), kNone);
  std::vector<GridCluster> kept;
  std::vector<GridCluster> gone;
  for (uint32_t i = 0; i < grid.clusters.size(); ++i) {
    const GridCluster& box = grid.clusters[i];
    if (isHit(box, now, changed)) {
      gone.push_back(box);
      continue;
    }
    repair.newOfOld[i] = static_cast<uint32_t>(kept.size());
    kept.push_back(box);
  }
  repair.removed = static_cast<uint32_t>(gone.size());
  TakenBits taken(now.width, now.height, now.free);
  for (const GridCluster& box : kept) {
    for (uint32_t row = box.top; row <= box.bottom; ++row) taken.takeRow(row, box.left, box.right);
  }
  Growth growth(now.width, now.height, std::move(taken), settings, context);
  // One seed per place that lost its cluster, then one in each free pixel of the change that is still left.
  gone.push_back(changed);
  for (const GridCluster& box : gone) {
    for (uint32_t row = box.top; row <= box.bottom; ++row) {
      for (uint32_t column = box.left; column <= box.right; ++column) {
        if (!growth.isFree({row, column})) continue;
        growth.addSeed({row, column});
        if (!growth.run()) return cancelled();
      }
    }
  }
  repair.added = static_cast<uint32_t>(growth.clusters().size());
  for (const Growing& cluster : growth.clusters()) kept.push_back(cluster.box);
  GridSettings unmerged = settings;  // the clusters that stay keep their rectangles
  unmerged.merge = false;
  repair.grid = finish(now, std::move(kept), growth, unmerged, context);
  if (context.cancelled()) return cancelled();
  return repair;
}

template <typename Value, typename Body>
Result<Value> guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the grid; choose a coarser picture"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the growth of the grid failed: {}", exception.what())};
  }
}

}  // namespace
}  // namespace adaptive_grid

Result<AdaptiveGrid> growGrid(const NavigableGrid& grid, const GridSettings& settings, const Context& context) {
  return adaptive_grid::guarded<AdaptiveGrid>([&] { return adaptive_grid::grow(grid, settings, context); });
}

Result<GridRepair> repairGrid(const AdaptiveGrid& grid, const NavigableGrid& now, const GridCluster& changed,
                              const GridSettings& settings, const Context& context) {
  return adaptive_grid::guarded<GridRepair>(
      [&] { return adaptive_grid::repair(grid, now, changed, settings, context); });
}

std::vector<GridPassage> passagesOf(const AdaptiveGrid& grid) {
  std::vector<GridPassage> passages;
  for (uint32_t i = 0; i < grid.clusters.size(); ++i) {
    const GridCluster& box = grid.clusters[i];
    // Along a side the neighbours follow each other; each gives one passage.
    for (uint32_t row = box.top; box.right + 1 < grid.width && row <= box.bottom;) {
      const uint32_t other = grid.at(row, box.right + 1);
      const uint32_t last = other == kNone ? row : std::min(box.bottom, grid.clusters[other].bottom);
      if (other != kNone) passages.push_back({i, other, GridDirection::kEast, row, last + 1});
      row = last + 1;
    }
    for (uint32_t column = box.left; box.bottom + 1 < grid.height && column <= box.right;) {
      const uint32_t other = grid.at(box.bottom + 1, column);
      const uint32_t last = other == kNone ? column : std::min(box.right, grid.clusters[other].right);
      if (other != kNone) passages.push_back({i, other, GridDirection::kSouth, column, last + 1});
      column = last + 1;
    }
  }
  return passages;
}

GridStatistics statisticsOf(const AdaptiveGrid& grid) {
  GridStatistics s;
  s.clusters = grid.clusters.size();
  if (s.clusters == 0) return s;
  double pixels = 0;
  double aspect = 0;
  double logarithm = 0;
  for (const GridCluster& box : grid.clusters) {
    const double ratio = static_cast<double>(box.width()) / box.height();
    pixels += static_cast<double>(box.pixels());
    aspect += ratio;
    logarithm += std::abs(std::log(ratio));
    s.largest = std::max(s.largest, box.pixels());
  }
  const auto count = static_cast<double>(s.clusters);
  s.meanPixels = pixels / count;
  s.meanAspect = aspect / count;
  s.aspectFactor = std::exp(logarithm / count);
  return s;
}

}  // namespace wend
