#include "generators/adaptive_grid/growth.h"

#include <algorithm>
#include <queue>

// The loop of the source (its figure 2): pop a cluster, expand it once, push it back; if nothing could grow, the
// cluster is final and free pixels around it get seeds.
namespace wend::adaptive_grid {
namespace {

constexpr uint64_t kCancelEvery = uint64_t{1} << 16;  // calls

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
