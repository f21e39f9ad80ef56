#include "geometry/index/segment_pairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/predicates.h"

namespace wend {
namespace {

constexpr size_t kLeaf = 24;             // segments that are compared pair by pair
constexpr double kBucketLoad = 4;        // segments per bucket aimed at
constexpr double kSpread = 3;            // bucket entries per segment, beyond its first
constexpr double kMaxBuckets = 1 << 22;  // per node
constexpr int kMaxDepth = 100;           // halving 2^31 by 2^31 units, with room
constexpr double kSweepLoad = 24;        // pairs per segment up to which a plain sweep beats the grid

int64_t floorDivide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q - static_cast<int64_t>((a % b != 0) && ((a < 0) != (b < 0)));
}

struct Range {
  int64_t low;
  int64_t high;
  bool empty() const { return low > high; }
};

// Whole numbers around the part of the segment (u, v) -> (u', v'), given as v over u, that lies in the slab. Products
// stay below 2^62.
Range across(int64_t u0, int64_t v0, int64_t u1, int64_t v1, Range slab) {
  if (u0 > u1) {
    std::swap(u0, u1);
    std::swap(v0, v1);
  }
  if (u1 < slab.low || u0 > slab.high) return {1, 0};
  const auto at = [&](int64_t u) {
    const int64_t product = (u - u0) * (v1 - v0);
    const int64_t below = floorDivide(product, u1 - u0);
    return Range{v0 + below, v0 + below + static_cast<int64_t>(below * (u1 - u0) != product)};
  };
  const Range first = slab.low > u0 ? at(slab.low) : Range{v0, v0};
  const Range last = slab.high < u1 ? at(slab.high) : Range{v1, v1};
  return {std::min(first.low, last.low), std::max(first.high, last.high)};
}

struct Cell {
  Range x;
  Range y;
  bool empty() const { return x.empty() || y.empty(); }
};

Range clip(Range a, Range b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

class PairFinder {
 public:
  PairFinder(std::span<const Segment> segments, std::span<const uint8_t> marked, uint64_t budget,
             const std::function<bool(uint32_t, uint32_t)>& visit)
      : segments_(segments), marked_(marked), budget_(budget), visit_(visit) {}

  PairSearch run() {
    std::vector<uint32_t> items(segments_.size());
    Cell world{{kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, -kMaxCoordinate}};
    for (uint32_t i = 0; i < items.size(); ++i) {
      items[i] = i;
      const Segment& s = segments_[i];
      world.x = {std::min<int64_t>({world.x.low, s.a.x, s.b.x}), std::max<int64_t>({world.x.high, s.a.x, s.b.x})};
      world.y = {std::min<int64_t>({world.y.low, s.a.y, s.b.y}), std::max<int64_t>({world.y.high, s.a.y, s.b.y})};
    }
    if (items.size() <= kLeaf || !sweepWorld(world)) node(items, world, 0);
    return state_;
  }

 private:
  // Compares segments whose shadows on an axis overlap. False, with pairs missing, if they are too many: where many
  // segments are long, or crowd in one place.
  bool sweepWorld(const Cell& world) {
    double sumX = 0;
    double sumY = 0;
    for (const Segment& s : segments_) {
      sumX += std::abs(static_cast<double>(s.b.x) - s.a.x);
      sumY += std::abs(static_cast<double>(s.b.y) - s.a.y);
    }
    const double loadX = sumX / static_cast<double>(world.x.high - world.x.low + 1);
    const double loadY = sumY / static_cast<double>(world.y.high - world.y.low + 1);
    if (std::min(loadX, loadY) > kSweepLoad) return false;
    struct Extent {
      int32_t low, high;        // along the axis
      int32_t lowest, highest;  // across
      uint32_t item;
    };
    const bool alongX = loadX <= loadY;
    std::vector<uint64_t> order(segments_.size());  // by where they begin along the axis
    for (uint32_t i = 0; i < order.size(); ++i) {
      const Segment& s = segments_[i];
      const int32_t low = alongX ? std::min(s.a.x, s.b.x) : std::min(s.a.y, s.b.y);
      order[i] = uint64_t{static_cast<uint32_t>(low) ^ 0x80000000U} << 32 | i;
    }
    std::sort(order.begin(), order.end());
    std::vector<Extent> extents(order.size());
    for (size_t k = 0; k < order.size(); ++k) {
      const auto i = static_cast<uint32_t>(order[k]);
      const Segment& s = segments_[i];
      const auto [x0, x1] = std::minmax(s.a.x, s.b.x);
      const auto [y0, y1] = std::minmax(s.a.y, s.b.y);
      extents[k] = alongX ? Extent{x0, x1, y0, y1, i} : Extent{y0, y1, x0, x1, i};
    }
    auto left = static_cast<uint64_t>(4 * kSweepLoad) * extents.size();
    for (size_t i = 0; i < extents.size(); ++i) {
      const Extent& e = extents[i];
      size_t j = i + 1;
      for (; j < extents.size() && extents[j].low <= e.high; ++j) {
        const Extent& f = extents[j];
        if (f.lowest > e.highest || f.highest < e.lowest || !(isMarked(e.item) || isMarked(f.item))) continue;
        if (!visit_(e.item, f.item)) {
          state_ = PairSearch::kStopped;
          return true;
        }
      }
      if (j - i > left) return false;
      left -= j - i;
    }
    return true;
  }

  bool isMarked(uint32_t item) const { return marked_.empty() || marked_[item] != 0; }

  bool spend(uint64_t steps) {
    if (steps > budget_) {
      state_ = PairSearch::kOverBudget;
      budget_ = 0;
    } else {
      budget_ -= steps;
    }
    return state_ == PairSearch::kDone;
  }

  // The part of the cell that the segment passes through, rounded outwards.
  Cell part(const Segment& s, const Cell& cell) const {
    const Range x = clip({std::min(s.a.x, s.b.x), std::max(s.a.x, s.b.x)}, cell.x);
    const Range y = clip({std::min(s.a.y, s.b.y), std::max(s.a.y, s.b.y)}, cell.y);
    if (x.empty() || y.empty()) return {{1, 0}, {1, 0}};
    return {clip(x, across(s.a.y, s.a.x, s.b.y, s.b.x, cell.y)), clip(y, across(s.a.x, s.a.y, s.b.x, s.b.y, cell.x))};
  }

  struct Grid {
    Cell cell;
    int64_t width;
    int64_t height;
    int64_t columns;
    int64_t rows;
  };

  // Bucket sides in proportion to the mean extents of the segments, so that stripes get striped buckets.
  static Grid chooseGrid(const Cell& cell, size_t count, double sumX, double sumY) {
    const double n = static_cast<double>(count);
    const double w = static_cast<double>(cell.x.high - cell.x.low + 1);
    const double h = static_cast<double>(cell.y.high - cell.y.low + 1);
    const double ex = sumX + 0.5 * n;
    const double ey = sumY + 0.5 * n;
    const double buckets = std::min(n / kBucketLoad, kMaxBuckets);
    const double area = std::max(w * h / buckets, 4 * ex * ey / (kSpread * kSpread * n * n));
    double width = std::sqrt(area * ex / ey);
    double height = std::sqrt(area * ey / ex);
    if (width > w) {
      width = w;
      height = std::max(h / buckets, 2 * ey / (kSpread * n));
    } else if (height > h) {
      height = h;
      width = std::max(w / buckets, 2 * ex / (kSpread * n));
    }
    Grid grid{cell, 1, 1, 1, 1};
    grid.width = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(std::min(width, w))));
    grid.height = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(std::min(height, h))));
    grid.columns = (cell.x.high - cell.x.low) / grid.width + 1;
    grid.rows = (cell.y.high - cell.y.low) / grid.height + 1;
    return grid;
  }

  template <typename Body>
  void forBuckets(const Grid& grid, const Segment& s, const Cell& in, Body&& body) const {
    const int64_t x0 = (in.x.low - grid.cell.x.low) / grid.width;
    const int64_t x1 = (in.x.high - grid.cell.x.low) / grid.width;
    for (int64_t x = x0; x <= x1; ++x) {
      Range y = in.y;
      if (x0 != x1) {
        // The slab ends where the next one begins, so that a crossing between two whole x is seen by both segments.
        const int64_t left = grid.cell.x.low + x * grid.width;
        y = clip(y, across(s.a.x, s.a.y, s.b.x, s.b.y, {left, left + grid.width}));
        if (y.empty()) continue;
      }
      const int64_t y0 = (y.low - grid.cell.y.low) / grid.height;
      const int64_t y1 = (y.high - grid.cell.y.low) / grid.height;
      for (int64_t r = y0; r <= y1; ++r) body(static_cast<size_t>(r * grid.columns + x));
    }
  }

  void node(std::vector<uint32_t>& items, const Cell& outer, int depth) {
    if (items.size() <= kLeaf || depth >= kMaxDepth) return leaf(items);
    Cell cell{{outer.x.high, outer.x.low}, {outer.y.high, outer.y.low}};
    double sumX = 0;
    double sumY = 0;
    for (const uint32_t item : items) {
      const Cell in = part(segments_[item], outer);
      if (in.empty()) continue;
      cell.x = {std::min(cell.x.low, in.x.low), std::max(cell.x.high, in.x.high)};
      cell.y = {std::min(cell.y.low, in.y.low), std::max(cell.y.high, in.y.high)};
      sumX += static_cast<double>(in.x.high - in.x.low);
      sumY += static_cast<double>(in.y.high - in.y.low);
    }
    if (cell.empty()) return;
    const Grid grid = chooseGrid(cell, items.size(), sumX, sumY);
    if (grid.columns * grid.rows == 1) return leaf(items);

    std::vector<uint32_t> begin(static_cast<size_t>(grid.columns * grid.rows) + 1, 0);
    for (const uint32_t item : items) {
      const Cell in = part(segments_[item], cell);
      if (!in.empty()) forBuckets(grid, segments_[item], in, [&](size_t i) { ++begin[i + 1]; });
    }
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    if (!spend(begin.back() + begin.size())) return;
    if (!worthCutting(begin, items.size())) return leaf(items);
    std::vector<uint32_t> entries(begin.back());
    std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
    for (const uint32_t item : items) {
      const Cell in = part(segments_[item], cell);
      if (!in.empty()) forBuckets(grid, segments_[item], in, [&](size_t i) { entries[fill[i]++] = item; });
    }
    descend(grid, begin, entries, depth);
  }

  // Cutting must halve the pairs, or shrink the place without multiplying the segments (a crowd and a few far away).
  static bool worthCutting(const std::vector<uint32_t>& begin, size_t count) {
    double pairs = 0;
    for (size_t i = 0; i + 1 < begin.size(); ++i) {
      const double k = begin[i + 1] - begin[i];
      pairs += k * k;
    }
    const double n = static_cast<double>(count);
    return 2 * pairs <= n * n || 4.0 * begin.back() <= 5 * n;
  }

  void descend(const Grid& grid, const std::vector<uint32_t>& begin, const std::vector<uint32_t>& entries, int depth) {
    std::vector<uint32_t> child;
    for (size_t i = 0; i + 1 < begin.size() && state_ == PairSearch::kDone; ++i) {
      if (begin[i + 1] - begin[i] < 2) continue;
      child.assign(entries.begin() + begin[i], entries.begin() + begin[i + 1]);
      if (std::none_of(child.begin(), child.end(), [&](uint32_t item) { return isMarked(item); })) continue;
      const int64_t x = grid.cell.x.low + static_cast<int64_t>(i) % grid.columns * grid.width;
      const int64_t y = grid.cell.y.low + static_cast<int64_t>(i) / grid.columns * grid.height;
      node(child, {{x, x + grid.width}, {y, y + grid.height}}, depth + 1);
    }
  }

  void report(uint32_t i, uint32_t j) {
    if (!isMarked(i) && !isMarked(j)) return;
    const Segment& s = segments_[i];
    const Segment& t = segments_[j];
    if (std::max(s.a.x, s.b.x) < std::min(t.a.x, t.b.x) || std::max(t.a.x, t.b.x) < std::min(s.a.x, s.b.x) ||
        std::max(s.a.y, s.b.y) < std::min(t.a.y, t.b.y) || std::max(t.a.y, t.b.y) < std::min(s.a.y, s.b.y)) {
      return;
    }
    if (!visit_(i, j)) state_ = PairSearch::kStopped;
  }

  void leaf(std::vector<uint32_t>& items) {
    size_t fan = 0;
    if (items.size() > 4 * kLeaf) {
      fan = gatherFan(items);
      if (2 * fan < items.size()) return sweep(items);
      pairFan(std::span(items).first(fan));
    }
    for (size_t i = fan; i < items.size(); ++i) {
      if (state_ != PairSearch::kDone || !spend(i)) return;
      for (size_t j = 0; j < i && state_ == PairSearch::kDone; ++j) report(items[j], items[i]);
    }
  }

  // Compares only segments whose shadows overlap, along the line on which the shadows are shortest: a bundle of almost
  // parallel segments falls apart, in whatever direction it runs.
  void sweep(const std::vector<uint32_t>& items) {
    // Doubling the angle makes opposite directions one; scaled so that coordinates times the normal fit 64 bits.
    double c = 0;
    double d = 0;
    for (const uint32_t item : items) {
      const double x = static_cast<double>(segments_[item].b.x) - segments_[item].a.x;
      const double y = static_cast<double>(segments_[item].b.y) - segments_[item].a.y;
      c += x * x - y * y;
      d += 2 * x * y;
    }
    const double angle = 0.5 * std::atan2(d, c);
    constexpr double kScale = 1 << 28;
    const auto nx = static_cast<int64_t>(-std::sin(angle) * kScale);
    const auto ny = static_cast<int64_t>(std::cos(angle) * kScale);
    struct Shadow {
      int64_t low;
      int64_t high;
      uint32_t item;
    };
    std::vector<Shadow> shadows;
    shadows.reserve(items.size());
    for (const uint32_t item : items) {
      const int64_t u = nx * segments_[item].a.x + ny * segments_[item].a.y;
      const int64_t v = nx * segments_[item].b.x + ny * segments_[item].b.y;
      shadows.push_back({std::min(u, v), std::max(u, v), item});
    }
    std::sort(shadows.begin(), shadows.end(),
              [](const Shadow& s, const Shadow& t) { return s.low != t.low ? s.low < t.low : s.item < t.item; });
    for (size_t i = 0; i < shadows.size(); ++i) {
      for (size_t j = i + 1; j < shadows.size() && shadows[j].low <= shadows[i].high; ++j) {
        if (!spend(1)) return;
        report(shadows[i].item, shadows[j].item);
        if (state_ != PairSearch::kDone) return;
      }
    }
  }

  // Moves the segments that end in the most common end to the front; how many they are.
  size_t gatherFan(std::vector<uint32_t>& items) const {
    std::vector<Point> ends;
    ends.reserve(2 * items.size());
    for (const uint32_t item : items) {
      ends.push_back(segments_[item].a);
      ends.push_back(segments_[item].b);
    }
    std::sort(ends.begin(), ends.end());
    size_t most = 0;
    fanCentre_ = ends.front();
    for (size_t i = 0, j = 0; i < ends.size(); i = j) {
      while (j < ends.size() && ends[j] == ends[i]) ++j;
      if (j - i > most) {
        most = j - i;
        fanCentre_ = ends[i];
      }
    }
    const auto middle = std::stable_partition(items.begin(), items.end(), [&](uint32_t item) {
      return (segments_[item].a == fanCentre_) != (segments_[item].b == fanCentre_);
    });
    return static_cast<size_t>(middle - items.begin());
  }

  // Two segments from one point meet elsewhere only if they have the same direction.
  void pairFan(std::span<uint32_t> fan) {
    const Point centre = fanCentre_;
    const auto tip = [&](uint32_t item) { return segments_[item].a == centre ? segments_[item].b : segments_[item].a; };
    const auto less = [&](uint32_t i, uint32_t j) {
      const Point p = tip(i);
      const Point q = tip(j);
      const bool left = p < centre;
      if (left != (q < centre)) return left;
      return orient(centre, p, q) > 0;
    };
    std::stable_sort(fan.begin(), fan.end(), less);
    for (size_t i = 0; i < fan.size(); ++i) {
      for (size_t j = i; j > 0 && !less(fan[j - 1], fan[i]); --j) {
        if (state_ != PairSearch::kDone || !spend(1)) return;
        report(fan[j - 1], fan[i]);
      }
    }
  }

  std::span<const Segment> segments_;
  std::span<const uint8_t> marked_;
  uint64_t budget_;
  const std::function<bool(uint32_t, uint32_t)>& visit_;
  PairSearch state_ = PairSearch::kDone;
  mutable Point fanCentre_;
};

}  // namespace

PairSearch forEachClosePair(std::span<const Segment> segments, std::span<const uint8_t> marked, uint64_t budget,
                            const std::function<bool(uint32_t, uint32_t)>& visit) {
  if (segments.size() < 2) return PairSearch::kDone;
  return PairFinder(segments, marked, budget, visit).run();
}

}  // namespace wend
