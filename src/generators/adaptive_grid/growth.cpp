#include "generators/adaptive_grid/growth.h"

#include <algorithm>
#include <queue>

// The loop of the source (its figure 2): pop a cluster, expand it once, push it back; if nothing could grow, the
// cluster is final and free pixels around it get seeds.
namespace wend::adaptive_grid {
namespace {

constexpr uint64_t kCancelEvery = uint64_t{1} << 16;  // calls

uint8_t bitOf(GridDirection side) {
  return static_cast<uint8_t>(1U << static_cast<unsigned>(side));
}

// First in, first out, in one block of memory.
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  void push(uint32_t id) {
    if (size_ == slots_.size()) enlarge();
    slots_[(first_ + size_++) & (slots_.size() - 1)] = id;
  }
  uint32_t pop() {
    const uint32_t id = slots_[first_];
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
    return id;
  }

 private:
  void enlarge() {
    std::vector<uint32_t> larger(std::max<size_t>(1024, 2 * slots_.size()));
    for (size_t i = 0; i < size_; ++i) larger[i] = slots_[(first_ + i) & (slots_.size() - 1)];
    slots_.swap(larger);
    first_ = 0;
  }
  std::vector<uint32_t> slots_;
  size_t first_ = 0;
  size_t size_ = 0;
};

}  // namespace

Growth::Growth(uint32_t width, uint32_t height, TakenBits taken, const GridSettings& settings, const Context& context)
    : width_(width), height_(height), taken_(std::move(taken)), settings_(settings), context_(context) {}

// The pixel is claimed at once: two clusters may come to want the same seed.
void Growth::addSeed(Pixel pixel) {
  if (taken_.isTaken(pixel.row, pixel.column)) return;
  taken_.take(pixel.row, pixel.column);
  waiting_.push_back(static_cast<uint32_t>(clusters_.size()));
  clusters_.push_back({{pixel.row, pixel.column, pixel.row, pixel.column}, 0, 0, 0});
}

bool Growth::run() {
  switch (settings_.container) {
    case GridContainer::kMinHeap:
      return runHeap(false);
    case GridContainer::kMaxHeap:
      return runHeap(true);
    case GridContainer::kRounds:
      return runRounds();
    case GridContainer::kQueue:
    case GridContainer::kStack:
      break;
  }
  return runOne(settings_.container);
}

bool Growth::coverRest() {
  for (Pixel at; taken_.findFree(width_, height_, at.row, at.column);) {
    addSeed(at);
    if (!run()) return false;
  }
  return true;
}

bool Growth::runOne(GridContainer container) {
  Ring queue;
  std::vector<uint32_t> stack;
  const bool first = container == GridContainer::kQueue;
  const auto takeIn = [&] {
    for (const uint32_t id : waiting_) {
      if (first) {
        queue.push(id);
      } else {
        stack.push_back(id);
      }
    }
    waiting_.clear();
  };
  for (takeIn(); first ? !queue.empty() : !stack.empty();) {
    if (calls_ % kCancelEvery == 0 && context_.cancelled()) return false;
    const uint32_t id = first ? queue.pop() : stack.back();
    if (expand(clusters_[id])) {
      if (first) queue.push(id);
      continue;
    }
    if (!first) stack.pop_back();
    if (isStopped(clusters_[id])) continue;
    spawnAround(clusters_[id].box);
    takeIn();
  }
  return true;
}

// A cluster is not in the heap while it grows, so its key never changes inside.
bool Growth::runHeap(bool largestFirst) {
  struct Item {
    uint64_t key;
    uint32_t id;
  };
  const auto later = [largestFirst](const Item& a, const Item& b) {
    if (a.key != b.key) return largestFirst ? a.key < b.key : a.key > b.key;
    return a.id > b.id;
  };
  std::priority_queue<Item, std::vector<Item>, decltype(later)> heap(later);
  const auto push = [&](uint32_t id) { heap.push({clusters_[id].box.pixels(), id}); };
  const auto takeIn = [&] {
    for (const uint32_t id : waiting_) push(id);
    waiting_.clear();
  };
  for (takeIn(); !heap.empty();) {
    if (calls_ % kCancelEvery == 0 && context_.cancelled()) return false;
    const uint32_t id = heap.top().id;
    heap.pop();
    if (expand(clusters_[id])) {
      push(id);
      continue;
    }
    if (isStopped(clusters_[id])) continue;
    spawnAround(clusters_[id].box);
    takeIn();
  }
  return true;
}

bool Growth::expand(Growing& cluster) {
  if (isStopped(cluster)) return false;
  ++calls_;
  ++cluster.calls;
  switch (settings_.expander) {
    case GridExpander::kOneSide:
      return expandOneSide(cluster);
    case GridExpander::kAllSides:
      return expandAllSides(cluster);
    case GridExpander::kDiagonal:
      return expandPair(cluster);
    case GridExpander::kSquare:
      return expandSquare(cluster);
  }
  return false;
}

bool Growth::isOpen(Growing& cluster, GridDirection side) {
  if ((cluster.closed & bitOf(side)) != 0) return false;
  if (canGrow(cluster.box, side)) return true;
  cluster.closed |= bitOf(side);
  return false;
}

bool Growth::expandOneSide(Growing& cluster) {
  for (uint8_t i = 0; i < 4; ++i) {
    const auto place = static_cast<uint8_t>(settings_.memory ? (cluster.next + i) % 4 : i);
    const GridDirection side = settings_.order[place];
    if (!isOpen(cluster, side)) continue;
    grow(cluster.box, side);
    cluster.next = static_cast<uint8_t>((place + 1) % 4);
    return true;
  }
  return false;
}

bool Growth::expandAllSides(Growing& cluster) {
  bool grew = false;
  for (const GridDirection side : settings_.order) {
    if (!isOpen(cluster, side)) continue;
    grow(cluster.box, side);
    grew = true;
  }
  return grew;
}

// The first side of each axis that can grow, in the order of the settings.
bool Growth::expandPair(Growing& cluster) {
  bool grew = false;
  for (const bool horizontal : {true, false}) {
    for (const GridDirection side : settings_.order) {
      if ((side == GridDirection::kEast || side == GridDirection::kWest) != horizontal) continue;
      if (!isOpen(cluster, side)) continue;
      grow(cluster.box, side);
      grew = true;
      break;
    }
  }
  return grew;
}

// `closed` has one bit per corner here: a blocked pair of layers stays blocked as well.
bool Growth::expandSquare(Growing& cluster) {
  for (uint8_t corner = 0; corner < 4; ++corner) {
    if ((cluster.closed >> corner & 1U) != 0) continue;
    const GridDirection across = (corner & 1U) == 0 ? GridDirection::kEast : GridDirection::kWest;
    const GridDirection along = (corner & 2U) == 0 ? GridDirection::kSouth : GridDirection::kNorth;
    GridCluster wider = cluster.box;
    bool open = fits(cluster.box, 1, 1) && canGrow(cluster.box, across);
    if (open) {
      if (across == GridDirection::kEast) {
        ++wider.right;
      } else {
        --wider.left;
      }
      open = canGrow(wider, along);
    }
    if (!open) {
      cluster.closed |= static_cast<uint8_t>(1U << corner);
      continue;
    }
    grow(cluster.box, across);
    grow(cluster.box, along);
    return true;
  }
  return false;
}

bool Growth::fits(const GridCluster& box, uint32_t addedRows, uint32_t addedColumns) const {
  const uint64_t wide = uint64_t{box.width()} + addedColumns;
  const uint64_t high = uint64_t{box.height()} + addedRows;
  if (settings_.maxSide > 0 && std::max(wide, high) > settings_.maxSide) return false;
  return settings_.maxPixels == 0 || wide * high <= settings_.maxPixels;
}

bool Growth::canGrow(const GridCluster& box, GridDirection side) {
  const bool across = side == GridDirection::kEast || side == GridDirection::kWest;
  tests_ += across ? box.height() : box.width();
  return isLayerFree(box, side);
}

// All pixels of the layer are free, or none is taken: a cluster stays a rectangle.
bool Growth::isLayerFree(const GridCluster& box, GridDirection side) const {
  const bool across = side == GridDirection::kEast || side == GridDirection::kWest;
  if (!fits(box, across ? 0 : 1, across ? 1 : 0)) return false;
  switch (side) {
    case GridDirection::kEast:
      return box.right + 1 < width_ && taken_.isColumnFree(box.right + 1, box.top, box.bottom);
    case GridDirection::kWest:
      return box.left > 0 && taken_.isColumnFree(box.left - 1, box.top, box.bottom);
    case GridDirection::kSouth:
      return box.bottom + 1 < height_ && taken_.isRowFree(box.bottom + 1, box.left, box.right);
    case GridDirection::kNorth:
      return box.top > 0 && taken_.isRowFree(box.top - 1, box.left, box.right);
  }
  return false;
}

void Growth::extend(GridCluster& box, GridDirection side) {
  switch (side) {
    case GridDirection::kEast:
      ++box.right;
      break;
    case GridDirection::kWest:
      --box.left;
      break;
    case GridDirection::kSouth:
      ++box.bottom;
      break;
    case GridDirection::kNorth:
      --box.top;
      break;
  }
}

void Growth::grow(GridCluster& box, GridDirection side) {
  extend(box, side);
  switch (side) {
    case GridDirection::kEast:
      taken_.takeColumn(box.right, box.top, box.bottom);
      break;
    case GridDirection::kWest:
      taken_.takeColumn(box.left, box.top, box.bottom);
      break;
    case GridDirection::kSouth:
      taken_.takeRow(box.bottom, box.left, box.right);
      break;
    case GridDirection::kNorth:
      taken_.takeRow(box.top, box.left, box.right);
      break;
  }
}

// By value: new seeds move the clusters in memory. Clockwise, corners left out. Each side begins anew: a run that
// continued around a corner whose pixel is blocked would leave free pixels without a seed.
void Growth::spawnAround(GridCluster box) {
  tests_ += 2 * (uint64_t{box.width()} + box.height());
  if (box.top > 0) spawnRun(box.top - 1, box.left, 0, 1, box.width());
  if (box.right + 1 < width_) spawnRun(box.top, box.right + 1, 1, 0, box.height());
  if (box.bottom + 1 < height_) spawnRun(box.bottom + 1, box.right, 0, -1, box.width());
  if (box.left > 0) spawnRun(box.bottom, box.left - 1, -1, 0, box.height());
}

void Growth::spawnRun(uint32_t row, uint32_t column, int rowStep, int columnStep, uint32_t count) {
  bool inRun = false;
  for (uint32_t i = 0; i < count; ++i) {
    const bool isFree = !taken_.isTaken(row, column);
    if (isFree && !inRun) addSeed({row, column});
    inRun = isFree;
    row += static_cast<uint32_t>(rowStep);
    column += static_cast<uint32_t>(columnStep);
  }
}

}  // namespace wend::adaptive_grid
