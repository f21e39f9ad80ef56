#include "geometry/growth/seeds.h"

#include <algorithm>

#include "geometry/growth/region_shape.h"

namespace wend::growth {
namespace {

Limits limitsOf(Point square) {
  return {square.y + 1, square.y, square.x + 1, square.x};
}

Int128 valueAt(const HalfPlane& half, const Seed& seed) {
  return Int128{half.dx} * (seed.y - Int128{half.y} * seed.denominator) -
         Int128{half.dy} * (seed.x - Int128{half.x} * seed.denominator);
}

int32_t floorHalf(int64_t doubled) {
  return static_cast<int32_t>(doubled >> 1);
}

Seed wallSeed(const Wall& wall, uint32_t id) {
  const int64_t x = int64_t{wall.from.x} + wall.to.x;  // doubled
  const int64_t y = int64_t{wall.from.y} + wall.to.y;
  const int64_t dx = int64_t{wall.to.x} - wall.from.x;
  const int64_t dy = int64_t{wall.to.y} - wall.from.y;
  Seed seed;
  seed.denominator = 2;
  if (wall.isSlanted()) {
    // Where the middle lies on a lattice line, the square that the wall enters next.
    const bool onX = (x & 1) == 0;
    const bool onY = (y & 1) == 0;
    seed.square = {floorHalf(x) - (onX && dx < 0 ? 1 : 0), floorHalf(y) - (onY && dy < 0 ? 1 : 0)};
    seed.x = x;
    seed.y = y;
    seed.wall = id;
    return seed;
  }
  if (dy == 0) {
    seed.square = {floorHalf(x) - (dx < 0 && (x & 1) == 0 ? 1 : 0), dx > 0 ? wall.from.y : wall.from.y - 1};
    seed.x = 2 * int64_t{seed.square.x} + 1;
    seed.y = 2 * int64_t{wall.from.y};
  } else {
    seed.square = {dy > 0 ? wall.from.x - 1 : wall.from.x, floorHalf(y) - (dy < 0 && (y & 1) == 0 ? 1 : 0)};
    seed.x = 2 * int64_t{wall.from.x};
    seed.y = 2 * int64_t{seed.square.y} + 1;
  }
  return seed;
}

// What is left of a chord without the covers.
std::vector<Chord> without(const Chord& chord, std::vector<Chord> covers) {
  std::sort(covers.begin(), covers.end(), [](const Chord& a, const Chord& b) { return compare(a.from, b.from) < 0; });
  std::vector<Chord> free;
  Fraction at = chord.from;
  for (const Chord& cover : covers) {
    if (compare(cover.from, at) > 0) {
      const Fraction end = compare(cover.from, chord.to) < 0 ? cover.from : chord.to;
      if (compare(at, end) < 0) free.push_back({at, end, false});
    }
    if (compare(cover.to, at) > 0) at = cover.to;
  }
  if (compare(at, chord.to) < 0) free.push_back({at, chord.to, false});
  return free;
}

Seed sideSeed(Side4 side, int32_t line, const Chord& free) {
  // The square that holds the middle, and the middle of the free part of its border.
  const Int128 denominator = free.from.denominator * free.to.denominator;
  const Fraction middle{free.from.numerator * free.to.denominator + free.to.numerator * free.from.denominator,
                        2 * denominator};
  const auto cell = static_cast<int32_t>(floorOf(middle));
  const Fraction low = compare(free.from, Fraction{cell, 1}) > 0 ? free.from : Fraction{cell, 1};
  const Fraction high = compare(free.to, Fraction{cell + 1, 1}) < 0 ? free.to : Fraction{cell + 1, 1};
  Seed seed;
  seed.denominator = 2 * low.denominator * high.denominator;
  const Int128 along = low.numerator * high.denominator + high.numerator * low.denominator;
  const Int128 across = line * seed.denominator;
  const int32_t outside = forward(side) > 0 ? line : line - 1;
  seed.square = isUpright(side) ? Point{outside, cell} : Point{cell, outside};
  seed.x = isUpright(side) ? across : along;
  seed.y = isUpright(side) ? along : across;
  return seed;
}

}  // namespace

std::vector<Seed> wallSeeds(const GrowthSpace& space) {
  std::vector<Seed> seeds;
  seeds.reserve(space.walls().size());
  for (uint32_t i = 0; i < space.walls().size(); ++i) seeds.push_back(wallSeed(space.walls()[i], i));
  return seeds;
}

Seed pointSeed(Point p) {
  return {p, p.x, p.y, 1, kNone};
}

std::vector<Seed> gridSeeds(std::span<const Polygon> free, int64_t pitch) {
  std::vector<Seed> seeds;
  const Box box = boundingBox(free);
  // Row by row: the points between an odd and the next even crossing with the boundary are inside.
  std::vector<double> crossings;
  for (int64_t y = int64_t{box.min.y} + pitch / 2; y < box.max.y; y += pitch) {
    crossings.clear();
    const auto addRing = [&](const Ring& ring) {
      for (size_t i = 0; i < ring.size(); ++i) {
        const Point a = ring[i];
        const Point b = ring[(i + 1) % ring.size()];
        if ((a.y <= y) == (b.y <= y)) continue;
        const double t = (static_cast<double>(y) - a.y) / (static_cast<double>(b.y) - a.y);
        crossings.push_back(a.x + t * (static_cast<double>(b.x) - a.x));
      }
    };
    for (const Polygon& polygon : free) {
      addRing(polygon.outer);
      for (const Ring& ring : polygon.holes) addRing(ring);
    }
    std::sort(crossings.begin(), crossings.end());
    size_t passed = 0;
    for (int64_t x = int64_t{box.min.x} + pitch / 2; x < box.max.x; x += pitch) {
      // Crossings are rounded, so near one of them the exact test decides.
      while (passed < crossings.size() && crossings[passed] < static_cast<double>(x)) ++passed;
      const bool isNear = (passed > 0 && static_cast<double>(x) - crossings[passed - 1] < 2) ||
                          (passed < crossings.size() && crossings[passed] - static_cast<double>(x) < 2);
      const Point p{static_cast<int32_t>(x), static_cast<int32_t>(y)};
      if (isNear ? locate(free, p) == Side::kInside : passed % 2 == 1) seeds.push_back(pointSeed(p));
    }
  }
  return seeds;
}

Status checkSeedCount(const Box& box, int64_t pitch) {
  constexpr double kMostSeeds = 4e6;  // about a gigabyte of regions
  const double columns = (static_cast<double>(box.max.x) - box.min.x) / static_cast<double>(pitch);
  const double rows = (static_cast<double>(box.max.y) - box.min.y) / static_cast<double>(pitch);
  if (columns * rows <= kMostSeeds) return Done{};
  return Error{ErrorCode::kLimit, "The grid of seeds has more than four million points; choose a larger pitch."};
}

std::vector<Seed> freeSideSeeds(GrowthSpace& space, uint32_t id, int64_t gap) {
  std::vector<Seed> seeds;
  std::vector<uint32_t> walls;
  std::vector<uint32_t> regions;
  const Region& region = space.regions()[id];
  for (const Side4 side : kSides) {
    const Chord& chord = region.chords[side];
    if (chord.isEmpty) continue;
    const int32_t line = region.limit[side];
    const auto low = static_cast<int32_t>(floorOf(chord.from));
    const auto high = static_cast<int32_t>(ceilOf(chord.to));
    space.collect(isUpright(side) ? Box{{line, low}, {line, high}} : Box{{low, line}, {high, line}}, walls, regions);
    std::vector<Chord> covers;
    for (const uint32_t wall : walls) {
      if (const auto cover = coveredBy(space.walls()[wall], side, line)) covers.push_back(*cover);
    }
    for (const uint32_t other : regions) {
      const Region& neighbour = space.regions()[other];
      if (neighbour.limit[opposite(side)] != line || neighbour.chords[opposite(side)].isEmpty) continue;
      covers.push_back(neighbour.chords[opposite(side)]);
    }
    for (const Chord& free : without(chord, std::move(covers))) {
      if (gap > 0 &&
          compare({free.from.numerator + gap * free.from.denominator, free.from.denominator}, free.to) >= 0) {
        continue;
      }
      seeds.push_back(sideSeed(side, line, free));
    }
  }
  return seeds;
}

std::optional<Region> plant(GrowthSpace& space, const Seed& seed) {
  std::vector<uint32_t> walls;
  std::vector<uint32_t> regions;
  Region region;
  region.limit = limitsOf(seed.square);
  space.collect({seed.square, {seed.square.x + 1, seed.square.y + 1}}, walls, regions);
  for (const uint32_t id : regions) {
    const Region& other = space.regions()[id];
    bool isInside = other.limit[kTop] >= region.limit[kTop] && other.limit[kBottom] <= region.limit[kBottom] &&
                    other.limit[kRight] >= region.limit[kRight] && other.limit[kLeft] <= region.limit[kLeft];
    for (size_t i = 0; i < other.contacts.size() && isInside; ++i) {
      isInside = valueAt(space.walls()[other.contacts[i]].halfPlane(), seed) >= 0;
    }
    if (isInside) return std::nullopt;
  }
  for (const uint32_t id : walls) {
    const Wall& wall = space.walls()[id];
    if (!wall.isSlanted()) continue;
    LineClip clip =
        LineClip::segment(wall.from.x, wall.from.y, int64_t{wall.to.x} - wall.from.x, int64_t{wall.to.y} - wall.from.y);
    if (!cutByRegion(clip, region.limit, {}, {}, -1)) continue;
    if (id == seed.wall || valueAt(wall.halfPlane(), seed) > 0) region.contacts.push_back(id);
  }
  refresh(region, space.walls());
  return region;
}

}  // namespace wend::growth
