#include "generators/cdg/brushfire.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace wend::cdg {
namespace {

// A square's distance in one direction.
struct Away {
  explicit Away(int32_t squares) : count(static_cast<int16_t>(squares)) {
    const int32_t halves = std::max(0, 2 * std::abs(squares) - 1);
    squared = halves * halves;
  }
  int16_t count;
  int32_t squared;  // of the way from the middle of one to the other's side, in half sides
};

NearestGap seen(const Away& columns, const Away& rows) {
  return {columns.squared + rows.squared, columns.count, rows.count};
}

// Samples by gap, which is a small whole number: a list for each.
class Fronts {
 public:
  void push(int32_t gap, uint32_t voxel) {
    const auto at = static_cast<size_t>(gap);
    if (at >= heads_.size()) heads_.resize(2 * at + 1, kNone);
    uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({voxel, heads_[at]});
    } else {
      free_ = nodes_[node].next;
      nodes_[node] = {voxel, heads_[at]};
    }
    heads_[at] = node;
    next_ = std::min(next_, at);
  }

  // The samples of the least gap, in the order in which they came. False at the end.
  bool take(int32_t& gap, std::vector<uint32_t>& voxels) {
    while (next_ < heads_.size() && heads_[next_] == kNone) ++next_;
    if (next_ >= heads_.size()) return false;
    gap = static_cast<int32_t>(next_);
    voxels.clear();
    uint32_t last = kNone;
    for (uint32_t node = heads_[next_]; node != kNone; node = nodes_[node].next) {
      voxels.push_back(nodes_[node].voxel);
      last = node;
    }
    nodes_[last].next = free_;
    free_ = heads_[next_];
    heads_[next_] = kNone;
    std::reverse(voxels.begin(), voxels.end());
    return true;
  }

 private:
  struct Node {
    uint32_t voxel;
    uint32_t next;
  };
  size_t next_ = 0;
  uint32_t free_ = kNone;  // nodes to use again: the fire's front is much shorter than the ground it burns
  std::vector<uint32_t> heads_;
  std::vector<Node> nodes_;
};

constexpr std::array<std::array<int, 2>, 4> kSides{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
constexpr std::array<std::array<int, 2>, 4> kCorners{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
constexpr uint8_t kAllCorners = 15;

class Brushfire {
 public:
  explicit Brushfire(const SurfaceLinks& links) : links_(links), gaps_(links.sides.size()) {}

  void light() {
    for (uint32_t i = 0; i < gaps_.size(); ++i) {
      if (links_.corners[i] == kAllCorners) continue;
      // Squares that share a side are nearer than those at corners.
      size_t k = 0;
      while (k < 4 && links_.sides[i][k] != kNone) ++k;
      if (k < 4) {
        reach(i, seen(Away(kSides[k][0]), Away(kSides[k][1])));
        continue;
      }
      k = 0;
      while ((links_.corners[i] >> k & 1U) != 0) ++k;
      reach(i, seen(Away(kCorners[k][0]), Away(kCorners[k][1])));
    }
  }

  void burn(const Context& context) {
    int32_t gap = 0;
    std::vector<uint32_t> voxels;
    while (!context.cancelled() && fronts_.take(gap, voxels)) {
      for (const uint32_t voxel : voxels) {
        if (gaps_[voxel].gap == gap) spread(voxel);
      }
    }
  }

  std::vector<NearestGap> take() { return std::move(gaps_); }

 private:
  void reach(uint32_t voxel, const NearestGap& square) {
    // Around the end of a thin wall the square behind it comes back as the sample itself.
    if (square.gap == 0 || square.gap >= gaps_[voxel].gap) return;
    gaps_[voxel] = square;
    fronts_.push(square.gap, voxel);
  }

  // Over a side and over the corner after it.
  void step(uint32_t voxel, size_t side, const NearestGap& fromSide, const NearestGap& fromCorner) {
    const uint32_t next = links_.sides[voxel][side];
    if (next == kNone) return;
    reach(next, fromSide);
    if ((links_.corners[voxel] >> side & 1U) != 0) reach(links_.sides[next][(side + 1) % 4], fromCorner);
  }

  void spread(uint32_t voxel) {
    const NearestGap from = gaps_[voxel];
    const Away left(from.columns + 1);
    const Away column(from.columns);
    const Away right(from.columns - 1);
    const Away below(from.rows + 1);
    const Away row(from.rows);
    const Away above(from.rows - 1);
    step(voxel, 0, seen(right, row), seen(right, above));
    step(voxel, 1, seen(column, above), seen(left, above));
    step(voxel, 2, seen(left, row), seen(left, below));
    step(voxel, 3, seen(column, below), seen(right, below));
  }

  const SurfaceLinks& links_;
  std::vector<NearestGap> gaps_;
  Fronts fronts_;
};

}  // namespace

std::vector<NearestGap> measureGaps(const SurfaceLinks& links, const Context& context) {
  Brushfire fire(links);
  fire.light();
  fire.burn(context);
  return fire.take();
}

}  // namespace wend::cdg
