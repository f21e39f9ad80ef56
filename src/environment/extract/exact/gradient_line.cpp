#include "environment/extract/exact/gradient_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace wend::exact {
namespace {

// Pieces along one line; more are a surface too rough to be a riser.
constexpr int kMostPieces = 64;
// Two faces that lean against each other are followed along their common side if that rises so much per length.
constexpr double kSideRise = 0.3;
// What lies across a crack is ahead by so much of its distance (a cosine).
constexpr double kAhead = 0.5;
// A side runs along the line if it leads away from it by no more than this (a sine).
constexpr double kAlong = 0.1;
// This near to a side, a point is on it. Units.
constexpr double kOnSide = 0.5;

struct Gradient {
  double x, y;   // direction uphill
  double steep;  // height per length
};
Gradient gradientOf(const Triangle& t) {
  const double across = std::sqrt(t.normal.x * t.normal.x + t.normal.y * t.normal.y);
  return {-t.normal.x / across, -t.normal.y / across, across / t.normal.z};
}

double heightAt(const Soup& soup, const Triangle& t, double x, double y) {
  const Point3& o = soup.points[t.v[0]];
  return o.z - (t.normal.x * (x - o.x) + t.normal.y * (y - o.y)) / t.normal.z;
}

struct Side {
  double ax, ay;
  double dx, dy;
  // Positive to its left, inside; in units times the side's length.
  double left(double x, double y) const { return dx * (y - ay) - dy * (x - ax); }
  double turn(double x, double y) const { return dx * y - dy * x; }
};
Side sideOf(const std::array<Point3, 3>& p, uint32_t i) {
  const Point3& a = p[i];
  const Point3& b = p[i == 2 ? 0 : i + 1];
  return {double(a.x), double(a.y), double(b.x) - a.x, double(b.y) - a.y};
}

void pass(uint64_t& path, uint64_t what) {
  path = (path ^ what) * 0x9e3779b97f4a7c15ULL;
  path ^= path >> 29;
}

}  // namespace

Vec2 nearestIn(const std::array<Point3, 3>& triangle, double x, double y) {
  Vec2 best{x, y};
  double least = -1;
  bool inside = true;
  for (uint32_t i = 0; i < 3; ++i) {
    const Side s = sideOf(triangle, i);
    if (s.left(x, y) >= 0) continue;
    inside = false;
    const double square = s.dx * s.dx + s.dy * s.dy;
    const double t = square > 0 ? std::clamp(((x - s.ax) * s.dx + (y - s.ay) * s.dy) / square, 0.0, 1.0) : 0;
    const Vec2 q{s.ax + t * s.dx, s.ay + t * s.dy};
    const double off = (q.x - x) * (q.x - x) + (q.y - y) * (q.y - y);
    if (least >= 0 && off >= least) continue;
    least = off;
    best = q;
  }
  return inside ? Vec2{x, y} : best;
}

GradientLines::Run GradientLines::at(uint32_t triangle, double x, double y) const {
  const double limit = tol_.step + tol_.contact;
  Run run;
  Walker down{triangle, x, y};
  run.below = walk(down, -1, limit);
  run.path = down.path;
  run.high = down.high;
  if (!run.below) return run;
  Walker up{triangle, x, y};
  run.ends = walk(up, 1, limit - down.climbed);
  run.high = up.high;
  pass(run.path, up.path);
  return run;
}

bool GradientLines::walk(Walker& walker, double sign, double budget) const {
  for (int i = 0; i < kMostPieces; ++i) {
    const Triangle& t = soup_.triangles[walker.triangle];
    const Gradient g = gradientOf(t);
    const std::array<Point3, 3> p = soup_.corners(t);
    double way = 1e300;
    uint32_t exit = 0;
    for (uint32_t k = 0; k < 3; ++k) {
      const Side s = sideOf(p, k);
      const double rate = -sign * s.turn(g.x, g.y);
      if (rate <= 0) continue;
      const double to = std::max(0.0, s.left(walker.x, walker.y)) / rate;
      if (to >= way) continue;
      way = to;
      exit = k;
    }
    if (way == 1e300) return false;
    walker.x += sign * way * g.x;
    walker.y += sign * way * g.y;
    walker.climbed += way * g.steep;
    pass(walker.path, 4 * uint64_t{walker.triangle} + exit);
    walker.high = walker.climbed > budget;
    if (walker.high) return false;
    const Move move = cross(walker, exit, sign, budget);
    if (move != Move::kOn) return move == Move::kFloor;
  }
  return false;
}

GradientLines::Move GradientLines::cross(Walker& walker, uint32_t side, double sign, double budget) const {
  const Triangle& t = soup_.triangles[walker.triangle];
  const std::array<Point3, 3> p = soup_.corners(t);
  const uint32_t next = partners_.of(Kind::kRiser, walker.triangle, side);
  const double z = heightAt(soup_, t, walker.x, walker.y);
  if (next == kNone) {
    const Move move = jump(walker, z, sign, budget);
    // A line along the border that rounding led out of it.
    return move == Move::kLost && isAlong(t, side) ? slide(walker, side, z, sign, budget) : move;
  }
  const Triangle& beyond = soup_.triangles[next];
  if (beyond.walkable) return Move::kFloor;
  const Gradient g = gradientOf(beyond);
  if (sign * sideOf(p, side).turn(g.x, g.y) < 0) {
    walker.triangle = next;
    return Move::kOn;
  }
  // Both faces lead to the side between them.
  return slide(walker, side, z, sign, budget);
}

bool GradientLines::isAlong(const Triangle& t, uint32_t side) const {
  const Side s = sideOf(soup_.corners(t), side);
  const Gradient g = gradientOf(t);
  const double across = s.turn(g.x, g.y);
  return across * across < kAlong * kAlong * (s.dx * s.dx + s.dy * s.dy);
}

// Along a side to its end.
GradientLines::Move GradientLines::slide(Walker& walker, uint32_t side, double z, double sign, double budget) const {
  const Triangle& t = soup_.triangles[walker.triangle];
  const uint32_t other = side == 2 ? 0 : side + 1;
  const bool forward = sign * (double(soup_.points[t.v[other]].z) - soup_.points[t.v[side]].z) > 0;
  const uint32_t corner = forward ? other : side;
  const Point3& end = soup_.points[t.v[corner]];
  const double rise = sign * (end.z - z);
  if (rise < kSideRise * std::hypot(end.x - walker.x, end.y - walker.y)) return Move::kLost;
  walker.x = end.x;
  walker.y = end.y;
  walker.climbed += std::max(0.0, rise);
  walker.high = walker.climbed > budget;
  return walker.high ? Move::kLost : turnAround(walker, corner, sign, budget);
}

// From a corner, over what lies around it.
GradientLines::Move GradientLines::turnAround(Walker& walker, uint32_t corner, double sign, double budget) const {
  const uint32_t vertex = soup_.triangles[walker.triangle].v[corner];
  const Point3& at = soup_.points[vertex];
  uint32_t onward = kNone;
  bool closed = false;
  for (const bool left : {true, false}) {
    uint32_t t = walker.triangle;
    for (int i = 0; i < kMostPieces && t != kNone && !closed; ++i) {
      const Triangle& triangle = soup_.triangles[t];
      if (triangle.walkable) return Move::kFloor;
      if (onward == kNone && leadsInto(triangle, at.x, at.y, sign)) onward = t;
      const auto k =
          static_cast<uint32_t>(std::find(triangle.v.begin(), triangle.v.end(), vertex) - triangle.v.begin());
      if (k == 3) break;
      // The side that ends at the corner, or the one that begins there.
      t = partners_.of(Kind::kRiser, t, left ? (k == 0 ? 2 : k - 1) : k);
      closed = t == walker.triangle;
    }
  }
  if (onward == kNone) return closed ? Move::kLost : jump(walker, at.z, sign, budget);
  walker.triangle = onward;
  return Move::kOn;
}

// From a border to what lies within a crack of it.
GradientLines::Move GradientLines::jump(Walker& walker, double z, double sign, double budget) const {
  struct Found {
    bool steep = true;
    double off = 0;
    double rise = 0;
    uint32_t triangle = kNone;
    Vec2 at;
  };
  Found best;
  const Gradient g = gradientOf(soup_.triangles[walker.triangle]);
  const double reach = tol_.gap + Tolerances::kSame;
  const double rest = budget - walker.climbed;
  const double back = std::max(tol_.gap, tol_.contact);
  const auto look = [&](uint32_t i) {
    const Triangle& t = soup_.triangles[i];
    if (i == walker.triangle) return;
    const Vec2 q = nearestIn(soup_.corners(t), walker.x, walker.y);
    const double off = std::sqrt((q.x - walker.x) * (q.x - walker.x) + (q.y - walker.y) * (q.y - walker.y));
    const double rise = sign * (heightAt(soup_, t, q.x, q.y) - z);
    if (off > reach || rise < -back || rise > rest) return;
    // The next face begins ahead; beside lie those of this one.
    if (!t.walkable &&
        (rise < -tol_.contact / t.normal.z || !leadsInto(t, q.x, q.y, sign) ||
         (off > Tolerances::kSame && sign * ((q.x - walker.x) * g.x + (q.y - walker.y) * g.y) < kAhead * off))) {
      return;
    }
    // Near ones first; of these floors, then the least step.
    const Found found{!t.walkable, off <= Tolerances::kSame ? 0 : off, rise, i, q};
    const auto key = [](const Found& f) { return std::tuple(f.off, f.steep, std::abs(f.rise), f.triangle); };
    if (best.triangle == kNone || key(found) < key(best)) best = found;
  };
  const Box box{
      {static_cast<int32_t>(std::floor(walker.x - reach)) - 1, static_cast<int32_t>(std::floor(walker.y - reach)) - 1},
      {static_cast<int32_t>(std::ceil(walker.x + reach)) + 1, static_cast<int32_t>(std::ceil(walker.y + reach)) + 1}};
  const double low = (sign > 0 ? z - back : z - rest) - 1;
  const double high = (sign > 0 ? z + rest : z + back) + 1;
  tree_.forEach(box, low, high, look);
  if (best.triangle == kNone) return Move::kLost;
  walker.climbed += std::max(0.0, best.rise);
  pass(walker.path, 4 * uint64_t{best.triangle} + 3);
  if (!best.steep) return Move::kFloor;
  walker.triangle = best.triangle;
  walker.x = best.at.x;
  walker.y = best.at.y;
  return Move::kOn;
}

// Whether the line through a point of a triangle goes on inside it.
bool GradientLines::leadsInto(const Triangle& triangle, double x, double y, double sign) const {
  const Gradient g = gradientOf(triangle);
  const std::array<Point3, 3> p = soup_.corners(triangle);
  for (uint32_t k = 0; k < 3; ++k) {
    const Side s = sideOf(p, k);
    const double length = std::sqrt(s.dx * s.dx + s.dy * s.dy);
    if (s.left(x, y) <= kOnSide * length && sign * s.turn(g.x, g.y) <= 1e-9 * length) return false;
  }
  return true;
}

}  // namespace wend::exact
