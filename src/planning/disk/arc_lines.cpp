#include "planning/disk/arc_lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planning/disk/direction_angle.h"

namespace wend {
namespace {

// Arcs may bulge by this share of the radius where there is free space.
constexpr double kBulge = 0.01;

Vec2 turned(Vec2 v, Vec2 by) {
  return {v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x};
}

// Where the tangents at two places of a circle around the origin meet.
Vec2 between(Vec2 first, Vec2 second) {
  const double square = dot(first, first);
  return (square / (square + dot(first, second))) * (first + second);
}

}  // namespace

ArcLines::Step::Step(double bulge) : share(bulge) {
  const double half = std::acos(1 / (1 + bulge));
  perRadian = 0.5 / half;
  for (size_t i = 0; i <= kTurns; ++i) {
    const double angle = 2 * half * static_cast<double>(i);
    turns[i] = {std::cos(angle), std::sin(angle)};
    if (i == kTurns) break;
    corners[i] = turned(turns[i], {1, std::tan(half)});
    pairs[i] = {Pair{corners[i].x, corners[i].x}, Pair{corners[i].y, corners[i].y}};
  }
}

const ArcLines::Step ArcLines::kUsual(kBulge);

inline const ArcLines::Step& ArcLines::stepOf(double slack, double r) {
  const double free = std::max(0.5 * slack, 0.5 * tolerance_);
  if (free >= kBulge * r) return kUsual;
  const double share = free / r;
  if (!last_ || share != last_->share) last_.emplace(share);
  return *last_;
}

// Whole lines, and a last one that is shorter or as long.
inline size_t ArcLines::wholeLines(const DiskBend& bend, const Step& step) {
  const double lines = std::abs(bend.sweep) * step.perRadian;
  auto whole = static_cast<size_t>(lines);
  if (whole > 0 && static_cast<double>(whole) == lines) --whole;
  return whole;
}

void ArcLines::append(const DiskBend& bend, std::vector<Vec2>& corners) {
  const Step& step = stepOf(bend.slack, bend.contact.radius);
  const double sense = bend.sweep < 0 ? -1 : 1;
  const Vec2 c = bend.contact.centre;
  Vec2 direction = bend.in - c;
  for (size_t left = wholeLines(bend, step); left > 0;) {
    const size_t count = std::min(left, kTurns);
    for (size_t k = 0; k < count; ++k) {
      corners.push_back(c + turned(direction, {step.corners[k].x, sense * step.corners[k].y}));
    }
    direction = turned(direction, {step.turns[count].x, sense * step.turns[count].y});
    left -= count;
  }
  corners.push_back(c + between(direction, bend.out - c));
}

Vec3* ArcLines::write(const DiskBend& bend, double unit, double z, Vec3* out) {
  const Step& step = stepOf(bend.slack, bend.contact.radius);
  const double sense = std::copysign(1.0, bend.sweep);
  const Vec2 c = unit * bend.contact.centre;
  Vec2 direction = unit * (bend.in - bend.contact.centre);
  size_t left = wholeLines(bend, step);
  do {
    // Always all of them: a loop with an unpredictable end costs more than the lines that are not needed.
    const Vec2 side{-sense * direction.y, sense * direction.x};
    const Pair along{direction.x, direction.y};
    const Pair across{side.x, side.y};
    const Pair centre{c.x, c.y};
    for (size_t k = 0; k < kTurns; ++k) {
      const Pair corner = centre + (along * step.pairs[k][0] + across * step.pairs[k][1]);
      out[k] = {corner[0], corner[1], z};
    }
    const size_t count = std::min(left, kTurns);
    direction = step.turns[count].x * direction + step.turns[count].y * side;
    out += count;
    left -= count;
  } while (left > 0);
  const Vec2 corner = c + between(direction, unit * (bend.out - bend.contact.centre));
  *out++ = {corner.x, corner.y, z};
  return out;
}

size_t ArcLines::mostCorners(const DiskString& string) {
  double turn = 0;
  double slack = HUGE_VAL;
  double r = 0;
  for (const DiskBend& bend : string.bends) {
    turn += std::abs(bend.sweep);
    slack = std::min(slack, bend.slack);
    r = std::max(r, bend.contact.radius);
  }
  const double lines = r > 0 ? turn * stepOf(slack, r).perRadian : 0;
  return static_cast<size_t>(lines) + 2 * string.bends.size() + kTurns + 1;
}

void writeString(const DiskString& string, Vec2 start, const Lattice& lattice, double tolerance, double z,
                 Route& route) {
  ArcLines lines(tolerance);
  route.points.resize(lines.mostCorners(string));
  route.arcs.reserve(string.bends.size());
  Vec3* const begin = route.points.data();
  Vec3* out = begin;
  const auto add = [&](Vec2 units) {
    const Vec2 p = lattice.toMetres(units);
    *out++ = {p.x, p.y, z};
  };
  add(start);
  double heading = 0;  // of the path behind the last arc
  bool isKnown = false;
  for (const DiskBend& bend : string.bends) {
    if (bend.sweep == 0) {
      add(bend.in);
      isKnown = false;
      continue;
    }
    const double r = bend.contact.radius;
    const Vec2 c = bend.contact.centre;
    const double quarter = std::copysign(0.5 * std::numbers::pi, bend.sweep);
    RouteArc& arc = route.arcs.emplace_back();
    arc.centre = lattice.toMetres(c);
    arc.radius = r * lattice.unit;
    arc.begin = isKnown ? wrapped(heading - quarter) : angleOfDirection((1 / r) * (bend.in - c));
    arc.sweep = bend.sweep;
    arc.first = static_cast<uint32_t>(out - begin);
    out = lines.write(bend, lattice.unit, z, out);
    arc.last = static_cast<uint32_t>(out - begin) - 1;
    heading = wrapped(arc.begin + bend.sweep + quarter);
    isKnown = true;
  }
  route.points.resize(static_cast<size_t>(out - begin));
  route.length = string.length * lattice.unit;
}

}  // namespace wend
