#include "environment/extract/soup/triangle_neighbours.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace wend::extraction {
namespace {

constexpr size_t kNeighboursPerTask = 4096;

struct Side {
  uint32_t other;  // the larger of its two points
  uint32_t code;   // 2 (3 triangle + corner) + whether it runs from the smaller point to the larger
  bool forward() const { return (code & 1) != 0; }
  uint32_t side() const { return code >> 1; }
  uint32_t triangle() const { return code / 6; }
};

std::vector<uint8_t> kindsOf(const Soup& soup, const Context& context) {
  std::vector<uint8_t> kinds(soup.triangles.size());
  parallelBlocks(kinds.size(), kNeighboursPerTask, context, [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) {
      const Triangle& triangle = soup.triangles[t];
      const auto mark = [](Kind kind, bool is) { return is ? static_cast<int>(kind) : 0; };
      kinds[t] = static_cast<uint8_t>(mark(Kind::kFloor, triangle.walkable) | mark(Kind::kWall, triangle.wall) |
                                      mark(Kind::kRiser, isSteep(triangle)));
    }
  });
  return kinds;
}

// Calls body(first, last) for sides that have both points in common, two at least. All begin at one point.
template <typename Body>
void forEqual(Side* first, Side* last, const Body& body) {
  constexpr std::ptrdiff_t kFew = 16;
  if (last - first > kFew) {
    std::sort(first, last, [](const Side& x, const Side& y) { return x.other < y.other; });
    for (Side *i = first, *j = first; i != last; i = j) {
      while (j != last && j->other == i->other) ++j;
      if (j - i > 1) body(i, j);
    }
    return;
  }
  std::array<Side, kFew> equal;
  for (; last - first > 1; ++first) {
    // Each is compared with all after it; those that are equal are taken out.
    const Side own = *first;
    equal[0] = own;
    size_t count = 1;
    Side* kept = first + 1;
    for (const Side* s = first + 1; s != last; ++s) {
      const Side side = *s;
      const bool is = side.other == own.other;
      equal[count] = side;
      *kept = side;
      count += is ? 1 : 0;
      kept += is ? 0 : 1;
    }
    last = kept;
    if (count > 1) body(equal.data(), equal.data() + count);
  }
}

// The only two sides of any of these kinds, if they run against each other. Those of `kind` get to know the other.
void pair(const Side* first, const Side* last, const std::vector<uint8_t>& kinds, uint8_t among, uint8_t kind,
          std::vector<uint32_t>& partner) {
  const Side* found[2] = {nullptr, nullptr};
  size_t count = 0;
  for (const Side* s = first; s != last; ++s) {
    if ((kinds[s->triangle()] & among) == 0) continue;
    if (count == 2) return;
    found[count++] = s;
  }
  if (count != 2 || found[0]->forward() == found[1]->forward()) return;
  for (const size_t i : {0, 1}) {
    if ((kinds[found[i]->triangle()] & kind) != 0) partner[found[i]->side()] = found[1 - i]->triangle();
  }
}

}  // namespace

TriangleNeighbours::TriangleNeighbours(const Soup& soup, const Context& context)
    : walkable_(3 * soup.triangles.size(), kNone), wall_(3 * soup.triangles.size(), kNone) {
  constexpr auto kFloor = static_cast<uint8_t>(Kind::kFloor);
  constexpr auto kRiser = static_cast<uint8_t>(Kind::kRiser);
  constexpr auto kWall = static_cast<uint8_t>(Kind::kWall);
  const std::vector<uint8_t> kinds = kindsOf(soup, context);
  // The sides at the smaller of their two points.
  std::vector<uint32_t> begin(soup.points.size() + 2, 0);
  const auto forSides = [&](auto&& body) {
    for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
      if (kinds[t] == 0) continue;
      const std::array<uint32_t, 3> v = soup.triangles[t].v;
      for (uint32_t i = 0; i < 3; ++i) body(3 * t + i, v[i], v[i == 2 ? 0 : i + 1]);
    }
  };
  // Counted two places on, so that filling leaves each beginning in its own place.
  forSides([&](uint32_t, uint32_t a, uint32_t b) { ++begin[std::min(a, b) + 2]; });
  for (size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Side> sides(begin.back());
  forSides([&](uint32_t side, uint32_t a, uint32_t b) {
    sides[begin[std::min(a, b) + 1]++] = {std::max(a, b), 2 * side + (a < b ? 1U : 0U)};
  });
  // As pair() does for each kind, where no others share the side: mostly.
  const auto introduce = [&](uint32_t side, uint32_t own, uint32_t its, uint32_t other) {
    // Without branches: what lies beyond a side is not predictable.
    const uint32_t common = ((own & kRiser) != 0 ? kFloor | kRiser : own & kFloor) & its;
    walkable_[side] = common != 0 ? other : kNone;
    wall_[side] = (own & its & kWall) != 0 ? other : kNone;
  };
  const auto pairAll = [&](const Side* first, const Side* last) {
    if (last - first == 2) {
      const Side one = first[0];
      const Side two = first[1];
      if (one.forward() == two.forward()) return;
      const uint8_t kindsOfOne = kinds[one.triangle()];
      const uint8_t kindsOfTwo = kinds[two.triangle()];
      introduce(one.side(), kindsOfOne, kindsOfTwo, two.triangle());
      introduce(two.side(), kindsOfTwo, kindsOfOne, one.triangle());
      return;
    }
    pair(first, last, kinds, kFloor, kFloor, walkable_);
    pair(first, last, kinds, kFloor | kRiser, kRiser, walkable_);
    pair(first, last, kinds, kWall, kWall, wall_);
  };
  parallelBlocks(soup.points.size(), kNeighboursPerTask, context, [&](size_t from, size_t to) {
    for (size_t p = from; p < to; ++p) {
      forEqual(sides.data() + begin[p], sides.data() + begin[p + 1], pairAll);
    }
  });
}

}  // namespace wend::extraction
