#include "geometry/snap_round.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/index/point_tree.h"
#include "geometry/index/segment_pairs.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

// Beyond the rounding passes only exact splits can follow the hot pixels, a pass or two.
constexpr int kExtraPasses = 8;

Int128 floorDivide(Int128 a, Int128 b) {
  const Int128 q = a / b;
  return q - static_cast<Int128>((a % b != 0) && ((a < 0) != (b < 0)));
}

// Values t in [0, 1] for which low <= start + t * step < high; exact, as fractions with denominator |step|.
struct Interval {
  Int128 low = 0;
  Int128 high = 1;
  Int128 denominator = 1;
  bool lowOpen = false;
  bool highOpen = false;
  bool empty = false;
};

Interval within(int64_t start, int64_t step, int64_t low, int64_t high) {
  Interval result;
  if (step == 0) {
    result.empty = start < low || start >= high;
    return result;
  }
  result.denominator = step > 0 ? step : -step;
  result.low = step > 0 ? low - start : start - high;
  result.high = step > 0 ? high - start : start - low;
  result.lowOpen = step < 0;
  result.highOpen = step > 0;
  if (result.low < 0) {
    result.low = 0;
    result.lowOpen = false;
  }
  if (result.high > result.denominator) {
    result.high = result.denominator;
    result.highOpen = false;
  }
  return result;
}

}  // namespace

// The parameter is a quotient of two numbers below 2^63, the products stay below 2^96.
Point roundedCrossing(const Segment& s, const Segment& t) {
  const Int128 dx = static_cast<int64_t>(s.b.x) - s.a.x;
  const Int128 dy = static_cast<int64_t>(s.b.y) - s.a.y;
  const Int128 ex = static_cast<int64_t>(t.b.x) - t.a.x;
  const Int128 ey = static_cast<int64_t>(t.b.y) - t.a.y;
  const Int128 fx = static_cast<int64_t>(t.a.x) - s.a.x;
  const Int128 fy = static_cast<int64_t>(t.a.y) - s.a.y;
  const Int128 numerator = fx * ey - fy * ex;
  const Int128 denominator = dx * ey - dy * ex;
  const auto along = [&](Int128 d) { return floorDivide(2 * d * numerator + denominator, 2 * denominator); };
  return {static_cast<int32_t>(s.a.x + along(dx)), static_cast<int32_t>(s.a.y + along(dy))};
}

bool passesPixel(const Segment& s, Point p) {
  const Interval x = within(2 * static_cast<int64_t>(s.a.x), 2 * (static_cast<int64_t>(s.b.x) - s.a.x),
                            2 * static_cast<int64_t>(p.x) - 1, 2 * static_cast<int64_t>(p.x) + 1);
  const Interval y = within(2 * static_cast<int64_t>(s.a.y), 2 * (static_cast<int64_t>(s.b.y) - s.a.y),
                            2 * static_cast<int64_t>(p.y) - 1, 2 * static_cast<int64_t>(p.y) + 1);
  if (x.empty || y.empty) return false;
  const auto reaches = [](const Interval& low, const Interval& high) {
    const Int128 left = low.low * high.denominator;
    const Int128 right = high.high * low.denominator;
    return left < right || (left == right && !low.lowOpen && !high.highOpen);
  };
  return reaches(x, x) && reaches(y, y) && reaches(x, y) && reaches(y, x);
}

namespace {

// A point through which an edge must go.
struct Stop {
  uint32_t edge;
  Point point;
  auto operator<=>(const Stop&) const = default;
};

// The edges of one pass: distinct, a < b, and how each edge of the pass before became a chain of them.
struct Level {
  std::vector<Segment> edges;
  std::vector<uint8_t> moved;    // not on the line of the edge it came from: unchecked as yet
  std::vector<uint32_t> begin;   // chains of the level before (of the input, in the first level)
  std::vector<uint32_t> chains;  // 2 * edge, + 1 if walked from b to a
};

// Collects chains of points and numbers the distinct edges among them.
class LevelBuilder {
 public:
  void addChain() { level_.begin.push_back(static_cast<uint32_t>(raw_.size())); }
  void addEdge(Point a, Point b, bool moved) {
    const bool reversed = b < a;
    raw_.push_back({reversed ? b : a, reversed ? a : b, static_cast<uint32_t>(raw_.size()), reversed, moved});
  }
  size_t size() const { return raw_.size(); }

  Level finish() {
    addChain();
    level_.chains.resize(raw_.size());
    std::sort(raw_.begin(), raw_.end(),
              [](const Raw& i, const Raw& j) { return std::tie(i.a, i.b, i.place) < std::tie(j.a, j.b, j.place); });
    for (const Raw& raw : raw_) {
      if (level_.edges.empty() || level_.edges.back() != Segment{raw.a, raw.b}) {
        level_.edges.push_back({raw.a, raw.b});
        level_.moved.push_back(0);
      }
      level_.moved.back() |= static_cast<uint8_t>(raw.moved);
      level_.chains[raw.place] = static_cast<uint32_t>(2 * (level_.edges.size() - 1)) + (raw.reversed ? 1U : 0U);
    }
    return std::move(level_);
  }

 private:
  struct Raw {
    Point a;
    Point b;
    uint32_t place;
    bool reversed;
    bool moved;
  };
  std::vector<Raw> raw_;
  Level level_;
};

// A few segments that all cross each other make a square of their number of pieces: the limit grows with the input, so
// that a small file does not take the memory of a large one. Some 150 bytes per piece.
constexpr size_t kPiecesAlways = 4'000'000;
constexpr size_t kPiecesPerSegment = 16;

class SnapRounder {
 public:
  SnapRounder(std::span<const Segment> segments, const Context& context, int roundingPasses)
      : segments_(segments),
        context_(context),
        roundingPasses_(roundingPasses),
        most_(std::min(kMaxPieces, kPiecesAlways + kPiecesPerSegment * segments.size())) {}

  Result<std::vector<Piece>> run() {
    if (auto error = start()) return *error;
    for (int pass = 0;; ++pass) {
      if (auto error = findStops()) return *error;
      if (stops_.empty()) break;
      if (pass == roundingPasses_ + kExtraPasses)
        return Error{ErrorCode::kInternal, "snap rounding did not come to an end; please report"};
      if (crossings_ > 0 && pass >= roundingPasses_) stopAtHotPixels();
      if (auto error = split()) return *error;
    }
    return collect();
  }

 private:
  Error tooMany() const {
    return {ErrorCode::kLimit,
            fmt::format("the segments cross so often that more than {} pieces are needed; remove duplicates or cut the "
                        "world into smaller parts",
                        most_)};
  }

  std::optional<Error> start() {
    if (segments_.size() > most_) return tooMany();
    LevelBuilder builder;
    for (const Segment& s : segments_) {
      for (const Point p : {s.a, s.b}) {
        if (p.x < -kMaxCoordinate || p.x > kMaxCoordinate || p.y < -kMaxCoordinate || p.y > kMaxCoordinate) {
          return Error{
              ErrorCode::kOutsideLattice,
              fmt::format("point ({}, {}) lies beyond the lattice of +-2^30 units; choose a coarser unit", p.x, p.y)};
        }
      }
      builder.addChain();
      if (s.a != s.b) builder.addEdge(s.a, s.b, true);
    }
    levels_.push_back(builder.finish());
    return std::nullopt;
  }

  // Where edges cross, touch or overlap, as stops on the edges that must be split there.
  std::optional<Error> findStops() {
    const Level& level = levels_.back();
    stops_.clear();
    crossings_ = 0;
    size_t compactAt = size_t{1} << 20;
    uint32_t visits = 0;
    const auto visit = [&](uint32_t i, uint32_t j) {
      addStops(i, j);
      if (stops_.size() > compactAt) {
        compact();
        if (stops_.size() > most_) return false;
        compactAt = std::max(compactAt, 2 * stops_.size());
      }
      return (++visits & 0xfffU) != 0 || !context_.cancelled();
    };
    const PairSearch search = forEachClosePair(level.edges, level.moved, pairBudget(level.edges.size()), visit);
    if (context_.cancelled())
      return Error{ErrorCode::kCancelled, "stopped while splitting segments at their crossings"};
    if (search == PairSearch::kStopped) return tooMany();
    if (search == PairSearch::kOverBudget) {
      return Error{ErrorCode::kLimit,
                   fmt::format("{} segments lie so close together that comparing them takes too long; cut the world "
                               "into smaller parts",
                               level.edges.size())};
    }
    compact();
    return std::nullopt;
  }

  void addStops(uint32_t i, uint32_t j) {
    const Segment& s = levels_.back().edges[i];
    const Segment& t = levels_.back().edges[j];
    const Meeting meeting = meet(s.a, s.b, t.a, t.b);
    if (meeting == Meeting::kNone) return;
    if (meeting == Meeting::kCross) {
      const Point p = roundedCrossing(s, t);
      if (p != s.a && p != s.b) stops_.push_back({i, p});
      if (p != t.a && p != t.b) stops_.push_back({j, p});
      ++crossings_;
      return;
    }
    const auto stopIfInside = [&](uint32_t edge, const Segment& on, Point p) {
      if (p != on.a && p != on.b && onSegment(on.a, on.b, p)) stops_.push_back({edge, p});
    };
    stopIfInside(i, s, t.a);
    stopIfInside(i, s, t.b);
    stopIfInside(j, t, s.a);
    stopIfInside(j, t, s.b);
  }

  void compact() {
    std::sort(stops_.begin(), stops_.end());
    stops_.erase(std::unique(stops_.begin(), stops_.end()), stops_.end());
  }

  // Hot pixels are those of all ends and crossings. Edges that go through the centre of every hot pixel they meet no
  // longer cross (Guibas and Marimont 1998).
  void stopAtHotPixels() {
    const std::vector<Segment>& edges = levels_.back().edges;
    std::vector<Point> hot;
    for (const Segment& s : edges) {
      hot.push_back(s.a);
      hot.push_back(s.b);
    }
    for (const Stop& stop : stops_) hot.push_back(stop.point);
    std::sort(hot.begin(), hot.end());
    hot.erase(std::unique(hot.begin(), hot.end()), hot.end());
    const PointTree tree(hot);
    for (uint32_t i = 0; i < edges.size() && stops_.size() <= 2 * most_; ++i) {
      const Segment& s = edges[i];
      const Int128 width =
          std::abs(static_cast<int64_t>(s.b.x) - s.a.x) + std::abs(static_cast<int64_t>(s.b.y) - s.a.y);
      Strip strip{{}, s.a, s.b, -width, width};
      strip.box.add(s.a);
      strip.box.add(s.b);
      tree.forEach(strip, [&](uint32_t h) {
        if (hot[h] != s.a && hot[h] != s.b && passesPixel(s, hot[h])) stops_.push_back({i, hot[h]});
        return true;
      });
    }
    compact();
  }

  // Replaces every edge by the chain through its stops.
  std::optional<Error> split() {
    const Level& level = levels_.back();
    LevelBuilder builder;
    size_t next = 0;
    std::vector<Point> chain;
    for (uint32_t i = 0; i < level.edges.size(); ++i) {
      const Segment& s = level.edges[i];
      chain.assign(1, s.a);
      for (; next < stops_.size() && stops_[next].edge == i; ++next) chain.push_back(stops_[next].point);
      chain.push_back(s.b);
      // Stops are roundings of points of the edge, and rounding keeps the order of each coordinate: so does the chain.
      const bool down = s.b.y < s.a.y;
      std::sort(chain.begin() + 1, chain.end() - 1,
                [down](Point p, Point q) { return p.x != q.x ? p.x < q.x : (down ? p.y > q.y : p.y < q.y); });
      builder.addChain();
      for (size_t k = 1; k < chain.size(); ++k) {
        const bool moved = orient(s.a, s.b, chain[k - 1]) != 0 || orient(s.a, s.b, chain[k]) != 0;
        builder.addEdge(chain[k - 1], chain[k], moved);
      }
      if (builder.size() > most_) return tooMany();
    }
    levels_.push_back(builder.finish());
    return std::nullopt;
  }

  bool expand(size_t depth, uint32_t link, uint32_t source, std::vector<Piece>& out) const {
    const bool reversed = (link & 1U) != 0;
    const uint32_t edge = link >> 1U;
    if (depth + 1 == levels_.size()) {
      const Segment& s = levels_[depth].edges[edge];
      out.push_back(reversed ? Piece{s.b, s.a, source} : Piece{s.a, s.b, source});
      return out.size() <= most_;
    }
    const Level& below = levels_[depth + 1];
    const uint32_t first = below.begin[edge];
    const uint32_t count = below.begin[edge + 1] - first;
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t child = below.chains[first + (reversed ? count - 1 - k : k)];
      if (!expand(depth + 1, child ^ (reversed ? 1U : 0U), source, out)) return false;
    }
    return true;
  }

  Result<std::vector<Piece>> collect() const {
    std::vector<Piece> pieces;
    pieces.reserve(segments_.size());
    const Level& top = levels_.front();
    for (uint32_t i = 0; i < segments_.size(); ++i) {
      for (uint32_t k = top.begin[i]; k < top.begin[i + 1]; ++k) {
        if (!expand(0, top.chains[k], i, pieces)) return tooMany();
      }
    }
    WEND_ASSERT(piecesAreDisjoint(), "two pieces meet in a common end at most");
    return pieces;
  }

  bool piecesAreDisjoint() const {
    const std::vector<Segment>& edges = levels_.back().edges;
    return forEachClosePair(edges, {}, pairBudget(edges.size()), [&](uint32_t i, uint32_t j) {
             return meetInEndsOnly(edges[i], edges[j]);
           }) != PairSearch::kStopped;
  }

  std::span<const Segment> segments_;
  const Context& context_;
  int roundingPasses_;
  size_t most_;  // pieces
  std::vector<Level> levels_;
  std::vector<Stop> stops_;
  uint64_t crossings_ = 0;
};

}  // namespace

bool meetInEndsOnly(const Segment& s, const Segment& t) {
  const int ta = orient(s.a, s.b, t.a);
  const int tb = orient(s.a, s.b, t.b);
  const int sa = orient(t.a, t.b, s.a);
  const int sb = orient(t.a, t.b, s.b);
  if (ta * tb > 0 || sa * sb > 0) return true;
  if (ta == 0 && tb == 0) {  // on one line
    const Meeting meeting = meet(s.a, s.b, t.a, t.b);
    if (meeting != Meeting::kTouch) return meeting == Meeting::kNone;
  }
  return s.a == t.a || s.a == t.b || s.b == t.a || s.b == t.b;
}

Result<std::vector<Piece>> snapRound(std::span<const Segment> segments, const Context& context, int roundingPasses) {
  return SnapRounder(segments, context, roundingPasses).run();
}

}  // namespace wend
