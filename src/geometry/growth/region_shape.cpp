#include "geometry/growth/region_shape.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace wend::growth {
namespace {

// The value of a coordinate at a parameter of a clip.
Fraction coordinate(int64_t origin, int64_t step, const Fraction& t) {
  return {origin * t.denominator + t.numerator * step, t.denominator};
}

LineClip lineOf(const Wall& wall) {
  const HalfPlane half = wall.halfPlane();
  return LineClip::line(half.x, half.y, half.dx, half.dy);
}

struct EdgeLine {
  HalfPlane half;
  uint32_t wall = kNone;
};

Corner reduced(Int128 x, Int128 y, Int128 denominator) {
  if (denominator < 0) {
    x = -x;
    y = -y;
    denominator = -denominator;
  }
  Corner corner{static_cast<int64_t>(x), static_cast<int64_t>(y), static_cast<int64_t>(denominator)};
  const int64_t divisor = std::gcd(std::gcd(corner.x, corner.y), corner.denominator);
  if (divisor > 1) {
    corner.x /= divisor;
    corner.y /= divisor;
    corner.denominator /= divisor;
  }
  return corner;
}

// Where two consecutive edges meet. Two walls meet in a common end only, so every corner has a whole coordinate.
Corner meetingPoint(const EdgeLine& a, const EdgeLine& b, std::span<const Wall> walls) {
  if (a.wall != kNone && b.wall != kNone) {
    const Wall& first = walls[a.wall];
    const Wall& second = walls[b.wall];
    for (const Point p : {first.from, first.to}) {
      if (p == second.from || p == second.to) return {p.x, p.y, 1};
    }
    throw std::logic_error("two walls of a grown region do not share an end");
  }
  if (a.wall == kNone && b.wall == kNone) {
    return a.half.dx == 0 ? Corner{a.half.x, b.half.y, 1} : Corner{b.half.x, a.half.y, 1};
  }
  const HalfPlane& line = a.wall == kNone ? a.half : b.half;
  const HalfPlane& wall = a.wall == kNone ? b.half : a.half;
  if (line.dx == 0) {  // x is whole
    return reduced(Int128{line.x} * wall.dx, Int128{wall.y} * wall.dx + Int128{line.x - wall.x} * wall.dy, wall.dx);
  }
  return reduced(Int128{wall.x} * wall.dy + Int128{line.y - wall.y} * wall.dx, Int128{line.y} * wall.dy, wall.dy);
}

bool isUpperHalf(const HalfPlane& half) {
  return half.dy > 0 || (half.dy == 0 && half.dx > 0);
}

}  // namespace

Vec2 Corner::toVec2() const {
  const auto divide = [&](int64_t a) {
    return static_cast<double>(a / denominator) +
           static_cast<double>(a % denominator) / static_cast<double>(denominator);
  };
  return {divide(x), divide(y)};
}

bool cutByRegion(LineClip& clip, const Limits& limit, std::span<const uint32_t> contacts, std::span<const Wall> walls,
                 int except) {
  for (const Side4 side : kSides) {
    if (side == except) continue;
    // As cut(halfPlaneOf(side, ...)), in 64 bits.
    const int64_t ahead = int64_t{limit[side]} - (isUpright(side) ? clip.x : clip.y);
    const int64_t speed = isUpright(side) ? clip.dx : clip.dy;
    if (!clip.cutAt(forward(side) * ahead, -forward(side) * speed, side)) return false;
  }
  for (size_t i = 0; i < contacts.size(); ++i) {
    const int number = static_cast<int>(i) + 4;
    if (number == except) continue;
    if (!clip.cut(walls[contacts[i]].halfPlane(), number)) return false;
  }
  return true;
}

Chord chordOf(Side4 side, const Limits& limit, std::span<const uint32_t> contacts, std::span<const Wall> walls) {
  LineClip clip = isUpright(side) ? LineClip::line(limit[side], 0, 0, 1) : LineClip::line(0, limit[side], 1, 0);
  const Side4 last = isUpright(side) ? kTop : kRight;
  clip.from = {limit[opposite(last)], 1};
  clip.to = {limit[last], 1};
  clip.hasFrom = true;
  clip.hasTo = true;
  bool isEmpty = false;
  for (size_t i = 0; i < contacts.size() && !isEmpty; ++i) {
    isEmpty = !clip.cut(walls[contacts[i]].halfPlane(), static_cast<int>(i) + 4);
  }
  return {clip.from, clip.to, isEmpty};
}

std::optional<Chord> coveredBy(const Wall& wall, Side4 side, int64_t line) {
  const bool upright = isUpright(side);
  const int64_t a = upright ? wall.from.x : wall.from.y;
  const int64_t b = upright ? wall.to.x : wall.to.y;
  if (a != line || b != line) return std::nullopt;
  // Free space lies left of the wall; it blocks if that is where the region is.
  const int64_t from = upright ? wall.from.y : wall.from.x;
  const int64_t to = upright ? wall.to.y : wall.to.x;
  const bool facesRegion = ((upright ? to > from : to < from)) == (forward(side) > 0);
  if (!facesRegion) return std::nullopt;
  return Chord{{std::min(from, to), 1}, {std::max(from, to), 1}, false};
}

bool refresh(Region& region, std::span<const Wall> walls) {
  bool dropped = false;
  bool isSet = false;
  std::array<Fraction, 4> extent;  // top, bottom, right, left of all contacts
  for (size_t i = 0; i < region.contacts.size();) {
    const Wall& wall = walls[region.contacts[i]];
    LineClip clip = lineOf(wall);
    if (!cutByRegion(clip, region.limit, region.contacts, walls, static_cast<int>(i) + 4)) {
      region.contacts.erase(region.contacts.begin() + static_cast<std::ptrdiff_t>(i));
      dropped = true;
      continue;
    }
    for (const Fraction& t : {clip.from, clip.to}) {
      const Fraction x = coordinate(clip.x, clip.dx, t);
      const Fraction y = coordinate(clip.y, clip.dy, t);
      // Whole numbers are enough, and keep the comparison within 128 bits.
      const std::array<Fraction, 4> here{Fraction{ceilOf(y), 1}, Fraction{floorOf(y), 1}, Fraction{ceilOf(x), 1},
                                         Fraction{floorOf(x), 1}};
      for (const Side4 side : kSides) {
        if (!isSet || forward(side) * compare(here[side], extent[side]) > 0) extent[side] = here[side];
      }
      isSet = true;
    }
    ++i;
  }
  for (const Side4 side : kSides) {
    Chord chord = chordOf(side, region.limit, region.contacts, walls);
    if (chord.isEmpty && isSet) {
      const auto tight = static_cast<int32_t>(extent[side].numerator);
      if (forward(side) * (int64_t{tight} - region.limit[side]) < 0) region.limit[side] = tight;
    }
    region.chords[side] = chord;
  }
  return dropped;
}

std::vector<OutlineEdge> outlineOf(const Region& region, std::span<const Wall> walls) {
  std::vector<EdgeLine> lines;
  for (const Side4 side : kSides) {
    if (!region.chords[side].isEmpty) lines.push_back({halfPlaneOf(side, region.limit[side]), kNone});
  }
  for (const uint32_t wall : region.contacts) lines.push_back({walls[wall].halfPlane(), wall});
  std::sort(lines.begin(), lines.end(), [](const EdgeLine& a, const EdgeLine& b) {
    const bool upperA = isUpperHalf(a.half);
    const bool upperB = isUpperHalf(b.half);
    if (upperA != upperB) return upperA;
    return a.half.along(b.half.dx, b.half.dy) > 0;
  });
  std::vector<OutlineEdge> outline;
  for (size_t i = 0; i < lines.size(); ++i) {
    const EdgeLine& before = lines[(i + lines.size() - 1) % lines.size()];
    outline.push_back({meetingPoint(before, lines[i], walls), lines[i].half.dx, lines[i].half.dy, lines[i].wall});
  }
  return outline;
}

double areaOf(std::span<const OutlineEdge> outline) {
  double sum = 0;
  const Vec2 o = outline.empty() ? Vec2{} : outline[0].start.toVec2();
  for (size_t i = 2; i < outline.size(); ++i) {
    const Vec2 a = outline[i - 1].start.toVec2();
    const Vec2 b = outline[i].start.toVec2();
    sum += (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  }
  return sum / 2;
}

}  // namespace wend::growth
