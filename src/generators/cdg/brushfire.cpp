#include "generators/cdg/brushfire.h"

#include <bit>
#include <utility>

namespace wend::cdg {
namespace {

// The nearest square of a sample so far, to be told to neighbours.
struct News {
  const int32_t* columns;  // squared ways to the square; those of neighbours beside them
  const int32_t* rows;
  uint32_t voxel;
  uint32_t ahead;  // the ways on which neighbours may not know it yet
};

// News by gap, which is a small whole number: a queue for each. What was taken makes room for what comes.
class Fronts {
 public:
  // The gap is 1 or 2, or that of a neighbour of a sample of the front taken last.
  [[gnu::always_inline]] void push(int32_t gap, const News& news) {
    if (free_ == kNone) makeRoom();
    const uint32_t at = free_;
    Link& link = links_[at];
    free_ = link.next;
    link = {news, kNone};
    const auto place = static_cast<uint32_t>(gap);
    Queue& queue = queues_[place];
    (queue.first == kNone ? queue.first : links_[queue.last].next) = at;
    queue.last = at;
    if (place < next_) [[unlikely]] {
      next_ = place;
    }
  }

  // Goes on to the news of the least gap. False at the end.
  bool take(int32_t& gap) {
    while (next_ < queues_.size() && queues_[next_].first == kNone) ++next_;
    if (next_ >= queues_.size()) return false;
    gap = static_cast<int32_t>(next_);
    taken_ = std::exchange(queues_[next_].first, kNone);
    // With two half sides more on both legs, x and y, a gap grows by 4 (x + y) + 8, which is at most the gap and 16.
    if (queues_.size() <= 2 * next_ + kMore) queues_.resize(2 * (2 * next_ + kMore));
    return true;
  }

  // The news that were taken, in the order in which they came. False at the end.
  bool pop(News& news) {
    if (taken_ == kNone) return false;
    Link& link = links_[taken_];
    news = link.news;
    free_ = std::exchange(taken_, std::exchange(link.next, free_));
    return true;
  }

 private:
  static constexpr size_t kMore = 16;
  static constexpr size_t kLinks = 1024;  // at first

  struct Link {
    News news;
    uint32_t next;
  };
  struct Queue {
    uint32_t first = kNone;
    uint32_t last = kNone;
  };

  [[gnu::noinline]] void makeRoom() {
    free_ = static_cast<uint32_t>(links_.size());
    links_.resize(2 * links_.size() + kLinks);
    for (uint32_t at = free_; at < links_.size(); ++at) links_[at].next = at + 1;
    links_.back().next = kNone;
  }

  std::vector<Link> links_;           // those of the queues, and free ones
  std::vector<Queue> queues_{kMore};  // by gap
  size_t next_ = 0;
  uint32_t taken_ = kNone;
  uint32_t free_ = kNone;
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

// The three or five ways that lead on in the direction of a way.
constexpr uint8_t three(int way) {
  return std::rotl(uint8_t{0b10000011}, way);
}
constexpr uint8_t five(int way) {
  return std::rotl(uint8_t{0b11000111}, way);
}

// On which ways a sample can bring news, if the fire came to it by a way from one with these ways. That one has told
// its own neighbours: those beside a side only if it has ways over the corners there.
template <int way>
uint32_t waysAhead(uint32_t waysBefore) {
  if constexpr (way % 2 == 1) return five(way);
  return (waysBefore & three(way)) == three(way) ? three(way) : five(way);
}

class Brushfire {
 public:
  Brushfire(const SurfaceLinks& links, int32_t farthest)
      : links_(links), squared_(farthest + 1), gaps_(links.sides.size()) {}

  void light() {
    uint32_t next = 0;
    for (const Stretch& stretch : links_.stretches) {
      for (; next < stretch.begin; ++next) light(next);
      next = stretch.end;
    }
    for (; next < gaps_.size(); ++next) light(next);
  }

  void burn(const Context& context) {
    int32_t gap = 0;
    while (!context.cancelled() && fronts_.take(gap)) {
      for (News news; fronts_.pop(news);) {
        if (gaps_[news.voxel].gap == gap) spread(news);
      }
    }
  }

  std::vector<NearestGap> take() { return std::move(gaps_); }

 private:
  void light(uint32_t voxel) {
    const uint32_t missing = links_.ways[voxel] ^ SurfaceLinks::kAllWays;
    if (missing == 0) return;
    // Squares that share a side are nearer than those at corners.
    const uint32_t sides = missing & kSides;
    const auto& [columns, rows] = kSteps[static_cast<size_t>(std::countr_zero(sides != 0 ? sides : missing))];
    reach({squared_.at(columns), squared_.at(rows), voxel, SurfaceLinks::kAllWays});
  }

  [[gnu::always_inline]] void reach(const News& news) {
    const int32_t gap = *news.columns + *news.rows;
    gaps_[news.voxel].gap = gap;
    fronts_.push(gap, news);
  }

  template <int way>
  [[gnu::always_inline]] void tell(const News& news, uint32_t ways, uint32_t ahead) {
    if ((ahead >> way & 1U) == 0) return;
    const uint32_t next = links_.across(news.voxel, way);
    const auto& [x, y] = kSteps[way];
    const int32_t gap = news.columns[-x] + news.rows[-y];
    // Around the end of a thin wall the square behind it comes back as the sample itself.
    if (gap >= gaps_[next].gap || gap == 0) return;
    reach({news.columns - x, news.rows - y, next, waysAhead<way>(ways)});
  }

  [[gnu::always_inline]] void tellAll(const News& news, uint32_t ways, uint32_t ahead) {
    tell<0>(news, ways, ahead);
    tell<1>(news, ways, ahead);
    tell<2>(news, ways, ahead);
    tell<3>(news, ways, ahead);
    tell<4>(news, ways, ahead);
    tell<5>(news, ways, ahead);
    tell<6>(news, ways, ahead);
    tell<7>(news, ways, ahead);
  }

  // Nearly all pixels have all neighbours: code for each of these cases needs no tests.
  [[gnu::always_inline]] void spread(const News& news) {
    const uint32_t ways = links_.ways[news.voxel];
    switch (const uint32_t ahead = ways & news.ahead) {
      case three(0):
        return tellAll(news, three(0), three(0));
      case five(1):
        return tellAll(news, five(1), five(1));
      case three(2):
        return tellAll(news, three(2), three(2));
      case five(3):
        return tellAll(news, five(3), five(3));
      case three(4):
        return tellAll(news, three(4), three(4));
      case five(5):
        return tellAll(news, five(5), five(5));
      case three(6):
        return tellAll(news, three(6), three(6));
      case five(7):
        return tellAll(news, five(7), five(7));
      default:
        return tellAll(news, ways, ahead);
    }
  }

  const SurfaceLinks& links_;
  const SquaredWays squared_;
  std::vector<NearestGap> gaps_;
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
