#include "generators/cdg/brushfire.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wend::cdg {
namespace {

// Samples by gap, which is a small whole number: a list for each.
class Fronts {
 public:
  void push(int32_t gap, uint32_t voxel) {
    const auto at = static_cast<size_t>(gap);
    if (at >= lists_.size()) lists_.resize(2 * at + 1);
    lists_[at].push_back(voxel);
    next_ = std::min(next_, at);
  }

  // The samples of the least gap, in the order in which they came. False at the end.
  bool take(int32_t& gap, std::vector<uint32_t>& voxels) {
    while (next_ < lists_.size() && lists_[next_].empty()) ++next_;
    if (next_ >= lists_.size()) return false;
    gap = static_cast<int32_t>(next_);
    voxels = std::exchange(lists_[next_], {});
    return true;
  }

 private:
  size_t next_ = 0;
  std::vector<std::vector<uint32_t>> lists_;
};

// By the number of columns (or rows) to a square, the way from a sample's centre to its side in half sides, squared.
class SquaredWays {
 public:
  explicit SquaredWays(int32_t farthest) : none_(static_cast<size_t>(farthest)), squares_(2 * none_ + 1, 0) {
    for (int32_t away = 1; away <= farthest; ++away) {
      const int32_t halves = 2 * away - 1;
      squares_[none_ - static_cast<size_t>(away)] = squares_[none_ + static_cast<size_t>(away)] = halves * halves;
    }
  }
  const int32_t* at(int32_t away) const { return squares_.data() + none_ + away; }

 private:
  size_t none_;
  std::vector<int32_t> squares_;
};

// Columns and rows by way.
constexpr std::array<std::array<int, 2>, 8> kSteps{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
constexpr uint32_t kSides = 0b01010101;

// On which ways a sample can bring news, if the fire came to it by a way from one with these ways. That one has told
// its own neighbours: those beside a side only if it has ways over the corners there.
template <int way>
uint8_t waysAhead(uint32_t waysBefore) {
  constexpr uint8_t kFive = std::rotl(uint8_t{0b11000111}, way);
  if constexpr (way % 2 == 1) return kFive;
  constexpr uint8_t kThree = std::rotl(uint8_t{0b10000011}, way);
  return (waysBefore & kThree) == kThree ? kThree : kFive;
}

class Brushfire {
 public:
  Brushfire(const SurfaceLinks& links, int32_t farthest)
      : links_(links), squared_(farthest + 1), gaps_(links.sides.size()), ahead_(links.sides.size()) {}

  void light() {
    for (uint32_t i = 0; i < gaps_.size(); ++i) {
      const uint32_t missing = links_.ways[i] ^ SurfaceLinks::kAllWays;
      if (missing == 0) continue;
      // Squares that share a side are nearer than those at corners.
      const uint32_t sides = missing & kSides;
      const auto& [columns, rows] = kSteps[static_cast<size_t>(std::countr_zero(sides != 0 ? sides : missing))];
      reach(i, *squared_.at(columns) + *squared_.at(rows), columns, rows, SurfaceLinks::kAllWays);
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
  // The nearest square of a sample, with the ways to tell it.
  struct News {
    uint32_t voxel;
    uint32_t ways;
    NearestGap square;
    const int32_t* columns;  // squared ways to the square; those of neighbours beside them
    const int32_t* rows;
  };

  void reach(uint32_t voxel, int32_t gap, int32_t columns, int32_t rows, uint8_t ahead) {
    gaps_[voxel] = {gap, static_cast<int16_t>(columns), static_cast<int16_t>(rows)};
    ahead_[voxel] = ahead;
    fronts_.push(gap, voxel);
  }

  template <int way>
  void tell(const News& news) {
    if ((news.ways >> way & 1U) == 0) return;
    const uint32_t next = links_.across(news.voxel, way);
    const auto& [x, y] = kSteps[way];
    const int32_t gap = news.columns[-x] + news.rows[-y];
    // Around the end of a thin wall the square behind it comes back as the sample itself.
    if (gap >= gaps_[next].gap || gap == 0) return;
    reach(next, gap, news.square.columns - x, news.square.rows - y, waysAhead<way>(links_.ways[news.voxel]));
  }

  void spread(uint32_t voxel) {
    const NearestGap square = gaps_[voxel];
    const uint32_t ways = links_.ways[voxel] & ahead_[voxel];
    const News news{voxel, ways, square, squared_.at(square.columns), squared_.at(square.rows)};
    tell<0>(news);
    tell<1>(news);
    tell<2>(news);
    tell<3>(news);
    tell<4>(news);
    tell<5>(news);
    tell<6>(news);
    tell<7>(news);
  }

  const SurfaceLinks& links_;
  const SquaredWays squared_;
  std::vector<NearestGap> gaps_;
  std::vector<uint8_t> ahead_;  // the ways on which each sample can bring news
  Fronts fronts_;
};

}  // namespace

std::vector<NearestGap> measureGaps(const SurfaceLinks& links, int32_t farthest, const Context& context) {
  Brushfire fire(links, farthest);
  fire.light();
  fire.burn(context);
  return fire.take();
}

}  // namespace wend::cdg
