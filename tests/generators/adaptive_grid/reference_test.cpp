#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "tests/generators/adaptive_grid/masks.h"

// The growth against a slow and obvious one: the loop of the source, pixel by pixel, with nothing remembered about
// blocked sides. Equal clusters in equal order, for every container and expander.
namespace wend {
namespace {

class SlowGrowth {
 public:
  SlowGrowth(const NavigableGrid& grid, const GridSettings& settings)
      : grid_(grid), settings_(settings), ids_(grid.free.size(), 0) {}

  std::vector<GridCluster> run() {
    for (uint32_t row = 0; row < grid_.height; row += settings_.period) {
      for (uint32_t column = 0; column < grid_.width; column += settings_.period) addSeed(row, column);
    }
    loop();
    for (uint32_t row = 0; row < grid_.height; ++row) {
      for (uint32_t column = 0; column < grid_.width; ++column) {
        if (!isFree(row, column)) continue;
        addSeed(row, column);
        loop();
      }
    }
    return clusters_;
  }

 private:
  bool isFree(int64_t row, int64_t column) const {
    if (row < 0 || column < 0 || row >= grid_.height || column >= grid_.width) return false;
    const auto i = static_cast<size_t>(row * grid_.width + column);
    return grid_.free[i] != 0 && ids_[i] == 0;
  }
  void addSeed(int64_t row, int64_t column) {
    if (!isFree(row, column)) return;
    const auto r = static_cast<uint32_t>(row);
    const auto c = static_cast<uint32_t>(column);
    clusters_.push_back({r, c, r, c});
    next_.push_back(0);
    ids_[static_cast<size_t>(r) * grid_.width + c] = static_cast<uint32_t>(clusters_.size());
    waiting_.push_back(static_cast<uint32_t>(clusters_.size() - 1));
  }

  // The next cluster by the container; sizes are looked at anew each time.
  uint32_t take() {
    auto best = waiting_.begin();
    if (settings_.container == GridContainer::kStack) best = std::prev(waiting_.end());
    if (settings_.container == GridContainer::kMinHeap || settings_.container == GridContainer::kMaxHeap) {
      const bool largest = settings_.container == GridContainer::kMaxHeap;
      best = std::min_element(waiting_.begin(), waiting_.end(), [&](uint32_t a, uint32_t b) {
        const uint64_t x = clusters_[a].pixels();
        const uint64_t y = clusters_[b].pixels();
        if (x != y) return largest ? x > y : x < y;
        return a < b;
      });
    }
    const uint32_t id = *best;
    waiting_.erase(best);
    return id;
  }
  void loop() {
    while (!waiting_.empty()) {
      const uint32_t id = take();
      if (expand(id)) {
        waiting_.push_back(id);
      } else {
        spawn(clusters_[id]);
      }
    }
  }

  std::vector<std::pair<int64_t, int64_t>> layer(const GridCluster& box, GridDirection side) const {
    std::vector<std::pair<int64_t, int64_t>> pixels;
    const bool across = side == GridDirection::kEast || side == GridDirection::kWest;
    if (across) {
      const int64_t column = side == GridDirection::kEast ? int64_t{box.right} + 1 : int64_t{box.left} - 1;
      for (uint32_t row = box.top; row <= box.bottom; ++row) pixels.emplace_back(row, column);
    } else {
      const int64_t row = side == GridDirection::kSouth ? int64_t{box.bottom} + 1 : int64_t{box.top} - 1;
      for (uint32_t column = box.left; column <= box.right; ++column) pixels.emplace_back(row, column);
    }
    return pixels;
  }
  bool growSide(uint32_t id, GridDirection side) {
    GridCluster& box = clusters_[id];
    const auto pixels = layer(box, side);
    for (const auto& [row, column] : pixels) {
      if (!isFree(row, column)) return false;
    }
    const uint64_t after = box.pixels() + pixels.size();
    if (settings_.maxPixels > 0 && after > settings_.maxPixels) return false;
    for (const auto& [row, column] : pixels) ids_[static_cast<size_t>(row * grid_.width + column)] = id + 1;
    for (const auto& [row, column] : pixels) {
      box.top = std::min(box.top, static_cast<uint32_t>(row));
      box.bottom = std::max(box.bottom, static_cast<uint32_t>(row));
      box.left = std::min(box.left, static_cast<uint32_t>(column));
      box.right = std::max(box.right, static_cast<uint32_t>(column));
    }
    return true;
  }
  bool expand(uint32_t id) {
    if (settings_.expander == GridExpander::kAllSides) {
      bool grew = false;
      for (const GridDirection side : settings_.order) grew = growSide(id, side) || grew;
      return grew;
    }
    if (settings_.expander == GridExpander::kDiagonal) {
      bool grew = false;
      for (const bool across : {true, false}) {
        for (const GridDirection side : settings_.order) {
          if ((side == GridDirection::kEast || side == GridDirection::kWest) != across) continue;
          if (!growSide(id, side)) continue;
          grew = true;
          break;
        }
      }
      return grew;
    }
    for (size_t i = 0; i < 4; ++i) {
      const size_t place = settings_.memory ? (next_[id] + i) % 4 : i;
      if (!growSide(id, settings_.order[place])) continue;
      next_[id] = (place + 1) % 4;
      return true;
    }
    return false;
  }

  // Clockwise from the top left, corners left out, each side anew.
  void spawn(const GridCluster box) {
    const auto run = [&](int64_t row, int64_t column, int64_t rowStep, int64_t columnStep, uint32_t count) {
      bool before = false;
      for (uint32_t i = 0; i < count; ++i) {
        const bool free = isFree(row, column);
        if (free && !before) addSeed(row, column);
        before = free;
        row += rowStep;
        column += columnStep;
      }
    };
    run(int64_t{box.top} - 1, box.left, 0, 1, box.width());
    run(box.top, int64_t{box.right} + 1, 1, 0, box.height());
    run(int64_t{box.bottom} + 1, box.right, 0, -1, box.width());
    run(box.bottom, int64_t{box.left} - 1, -1, 0, box.height());
  }

  const NavigableGrid& grid_;
  const GridSettings& settings_;
  std::vector<uint32_t> ids_;
  std::vector<GridCluster> clusters_;
  std::vector<size_t> next_;
  std::deque<uint32_t> waiting_;
};

// Pitfalls 2, 6 and 7 of the source: seeds are claimed at once, heaps see the size of today, and a spawned seed grows
// before older ones on a stack.
TEST(AdaptiveGridReference, EveryContainerAndExpander) {
  Random random(21);
  const std::array<GridDirection, 4> other{GridDirection::kNorth, GridDirection::kWest, GridDirection::kEast,
                                           GridDirection::kSouth};
  for (int i = 0; i < 150; ++i) {
    const NavigableGrid mask = randomMask(random, static_cast<uint32_t>(1 + random.below(24)),
                                          static_cast<uint32_t>(1 + random.below(20)), random.real(0.5, 1));
    for (const GridContainer container :
         {GridContainer::kQueue, GridContainer::kStack, GridContainer::kMinHeap, GridContainer::kMaxHeap}) {
      for (const GridExpander expander : {GridExpander::kOneSide, GridExpander::kAllSides, GridExpander::kDiagonal}) {
        GridSettings settings;
        settings.period = static_cast<uint32_t>(1 + random.below(9));
        settings.container = container;
        settings.expander = expander;
        settings.memory = expander == GridExpander::kOneSide && i % 2 == 0;
        if (i % 3 == 0) settings.order = other;
        if (i % 5 == 0) settings.maxPixels = 1 + random.below(20);
        const auto grid = growGrid(mask, settings);
        ASSERT_TRUE(grid.ok());
        ASSERT_EQ(grid->clusters, SlowGrowth(mask, settings).run()) << i;
      }
    }
  }
}

// Pitfall 11: ids beyond 65,535.
TEST(AdaptiveGridReference, ManyClusters) {
  const NavigableGrid mask{300, 280, std::vector<uint8_t>(300 * 280, 1), 1, {}};
  GridSettings settings;
  settings.maxPixels = 1;
  const auto grid = growGrid(mask, settings);
  ASSERT_TRUE(grid.ok());
  ASSERT_EQ(grid->clusters.size(), 84000U);
  std::set<uint32_t> ids(grid->ids.begin(), grid->ids.end());
  EXPECT_EQ(ids.size(), 84000U);
  EXPECT_EQ(*ids.rbegin(), 84000U);
}

}  // namespace
}  // namespace wend
