#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "generators/adaptive_grid/growth.h"

// Growth in rounds. In each round every cluster proposes one layer of pixels. A pixel that several clusters propose
// goes to the lowest id; a proposal counts only if it wins all of its pixels, and the lowest id always does, so each
// round makes progress. No step depends on the order of the threads: the minimum of ids and the union of bits do not.
namespace wend::adaptive_grid {
namespace {

constexpr size_t kGrain = 256;  // clusters per task

struct Proposal {
  GridDirection side = GridDirection::kEast;
  bool wanted = false;
  bool won = false;
};

template <typename F>
void eachPixel(const GridCluster& box, GridDirection side, F&& f) {
  switch (side) {
    case GridDirection::kEast:
      for (uint32_t row = box.top; row <= box.bottom; ++row) f(row, box.right + 1);
      break;
    case GridDirection::kWest:
      for (uint32_t row = box.top; row <= box.bottom; ++row) f(row, box.left - 1);
      break;
    case GridDirection::kSouth:
      for (uint32_t column = box.left; column <= box.right; ++column) f(box.bottom + 1, column);
      break;
    case GridDirection::kNorth:
      for (uint32_t column = box.left; column <= box.right; ++column) f(box.top - 1, column);
      break;
  }
}

void lower(uint32_t& value, uint32_t id) {
  std::atomic_ref<uint32_t> shared(value);
  uint32_t seen = shared.load(std::memory_order_relaxed);
  while (id < seen && !shared.compare_exchange_weak(seen, id, std::memory_order_relaxed)) {
  }
}

}  // namespace

bool Growth::runRounds() {
  std::vector<uint32_t> active;
  active.swap(waiting_);
  if (active.empty()) return true;
  wantedBy_.resize(static_cast<size_t>(width_) * height_, kNone);
  const auto at = [&](uint32_t row, uint32_t column) -> uint32_t& {
    return wantedBy_[static_cast<size_t>(row) * width_ + column];
  };
  std::vector<Proposal> proposals;
  std::vector<uint64_t> tests;
  while (!active.empty()) {
    if (context_.cancelled()) return false;
    proposals.assign(active.size(), {});
    tests.assign(active.size(), 0);
    parallelBlocks(active.size(), kGrain, context_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        Growing& cluster = clusters_[active[i]];
        if (isStopped(cluster)) continue;
        for (uint8_t k = 0; k < 4 && !proposals[i].wanted; ++k) {
          const GridDirection side = settings_.order[settings_.memory ? (cluster.next + k) % 4 : k];
          const auto bit = static_cast<uint8_t>(1U << static_cast<unsigned>(side));
          if ((cluster.closed & bit) != 0) continue;
          const bool across = side == GridDirection::kEast || side == GridDirection::kWest;
          tests[i] += across ? cluster.box.height() : cluster.box.width();
          if (isLayerFree(cluster.box, side)) {
            proposals[i] = {side, true, false};
          } else {
            cluster.closed |= bit;
          }
        }
        if (!proposals[i].wanted) continue;
        eachPixel(cluster.box, proposals[i].side,
                  [&](uint32_t row, uint32_t column) { lower(at(row, column), active[i]); });
      }
    });
    parallelBlocks(active.size(), kGrain, context_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (!proposals[i].wanted) continue;
        bool won = true;
        eachPixel(clusters_[active[i]].box, proposals[i].side,
                  [&](uint32_t row, uint32_t column) { won = won && at(row, column) == active[i]; });
        proposals[i].won = won;
      }
    });
    parallelBlocks(active.size(), kGrain, context_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (!proposals[i].wanted) continue;
        Growing& cluster = clusters_[active[i]];
        eachPixel(cluster.box, proposals[i].side, [&](uint32_t row, uint32_t column) {
          std::atomic_ref<uint32_t>(at(row, column)).store(kNone, std::memory_order_relaxed);
          if (!proposals[i].won) return;
          std::atomic_ref<uint64_t>(taken_.wordAt(row, column))
              .fetch_or(uint64_t{1} << (column % 64), std::memory_order_relaxed);
        });
        if (!proposals[i].won) continue;
        extend(cluster.box, proposals[i].side);
        const auto place = std::find(settings_.order.begin(), settings_.order.end(), proposals[i].side);
        cluster.next = static_cast<uint8_t>((place - settings_.order.begin() + 1) % 4);
      }
    });
    // In the order of ids: clusters that are done leave, and free pixels around them get seeds.
    size_t kept = 0;
    for (size_t i = 0; i < active.size(); ++i) {
      tests_ += tests[i];
      Growing& cluster = clusters_[active[i]];
      const bool stopped = isStopped(cluster);
      ++calls_;
      ++cluster.calls;
      if (proposals[i].wanted) {
        active[kept++] = active[i];
      } else if (!stopped) {
        spawnAround(clusters_[active[i]].box);
      }
    }
    active.resize(kept);
    active.insert(active.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
  }
  return true;
}

}  // namespace wend::adaptive_grid
