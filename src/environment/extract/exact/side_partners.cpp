#include "environment/extract/exact/side_partners.h"

#include <algorithm>

#include "base/parallel.h"

namespace wend::exact {
namespace {

constexpr size_t kBlock = 4096;

struct Side {
  uint32_t other;  // the larger of its two points
  uint32_t code;   // 2 (3 triangle + corner) + whether it runs from the smaller point to the larger
  bool forward() const { return (code & 1) != 0; }
  uint32_t side() const { return code >> 1; }
  uint32_t triangle() const { return code / 6; }
};

std::vector<uint8_t> kindsOf(const Soup& soup, const Context& context) {
  std::vector<uint8_t> kinds(soup.triangles.size());
  parallelBlocks(kinds.size(), kBlock, context, [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) {
      const Triangle& triangle = soup.triangles[t];
      const auto mark = [&](Kind kind, bool is) { kinds[t] |= is ? static_cast<uint8_t>(kind) : 0; };
      mark(Kind::kFloor, triangle.walkable);
      mark(Kind::kWall, triangle.wall);
      mark(Kind::kRiser, isSteep(triangle));
    }
  });
  return kinds;
}

// Few meet at one point.
void sortByOther(Side* first, Side* last) {
  constexpr std::ptrdiff_t kFew = 24;
  if (last - first > kFew) {
    std::sort(first, last, [](const Side& x, const Side& y) { return x.other < y.other; });
    return;
  }
  for (Side* i = first; i < last; ++i) {
    const Side side = *i;
    Side* k = i;
    for (; k > first && k[-1].other > side.other; --k) *k = k[-1];
    *k = side;
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

SidePartners::SidePartners(const Soup& soup, const Context& context)
    : surface_(3 * soup.triangles.size(), kNone), wall_(3 * soup.triangles.size(), kNone) {
  constexpr auto kFloor = static_cast<uint8_t>(Kind::kFloor);
  constexpr auto kRiser = static_cast<uint8_t>(Kind::kRiser);
  constexpr auto kWall = static_cast<uint8_t>(Kind::kWall);
  const std::vector<uint8_t> kinds = kindsOf(soup, context);
  // The sides at the smaller of their two points.
  std::vector<uint32_t> begin(soup.points.size() + 2, 0);
  const auto forSides = [&](auto&& body) {
    for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
      if (kinds[t] == 0) continue;
      const std::array<uint32_t, 3>& v = soup.triangles[t].v;
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
  const auto introduce = [&](const Side& side, const Side& other) {
    const uint8_t own = kinds[side.triangle()];
    const uint8_t its = kinds[other.triangle()];
    const bool floors = (own & its & kFloor) != 0;
    const bool riser = (own & kRiser) != 0 && (its & (kFloor | kRiser)) != 0;
    if (floors || riser) surface_[side.side()] = other.triangle();
    if ((own & its & kWall) != 0) wall_[side.side()] = other.triangle();
  };
  parallelBlocks(soup.points.size(), kBlock, context, [&](size_t from, size_t to) {
    for (size_t p = from; p < to; ++p) {
      Side* const first = sides.data() + begin[p];
      Side* const last = sides.data() + begin[p + 1];
      sortByOther(first, last);
      for (Side *i = first, *j = first; i != last; i = j) {
        while (j != last && j->other == i->other) ++j;
        if (j - i < 2) continue;
        if (j - i == 2) {
          if (i[0].forward() == i[1].forward()) continue;
          introduce(i[0], i[1]);
          introduce(i[1], i[0]);
          continue;
        }
        pair(i, j, kinds, kFloor, kFloor, surface_);
        pair(i, j, kinds, kFloor | kRiser, kRiser, surface_);
        pair(i, j, kinds, kWall, kWall, wall_);
      }
    }
  });
}

}  // namespace wend::exact
