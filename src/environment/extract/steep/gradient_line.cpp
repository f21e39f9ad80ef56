#include "environment/extract/steep/gradient_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace wend::extraction {
namespace {

// Faces along one line; more are too rough to be a riser.
constexpr int kMostPieces = 64;
// What lies across a crack is ahead by so much of its distance (a cosine).
constexpr double kAhead = 0.5;

double heightAt(const Soup& soup, const Triangle& t, double x, double y) {
  const Point3& o = soup.points[t.v[0]];
  return o.z - (t.normal.x * (x - o.x) + t.normal.y * (y - o.y)) / t.normal.z;
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
    const SideLine s = sideOf(triangle, i);
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
    const SteepFace& face = faces_.of(walker.triangle);
    const std::array<Point3, 3> p = soup_.corners(t);
    double way = 1e300;
    uint32_t exit = 0;
    for (uint32_t k = 0; k < 3; ++k) {
      const double rate = -sign * face.turn[k];
      if (rate <= 0) continue;
      const double to = std::max(0.0, sideOf(p, k).left(walker.x, walker.y)) / rate;
      if (to >= way) continue;
      way = to;
      exit = k;
    }
    if (way == 1e300) return false;
    walker.x += sign * way * face.x;
    walker.y += sign * way * face.y;
    walker.climbed += way * face.steep;
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
  const uint32_t next = neighbours_.of(Kind::kRiser, walker.triangle, side);
  if (next == kNone) {
    const double z = heightAt(soup_, t, walker.x, walker.y);
    std::vector<uint32_t> scratch;
    const Move move = jump(walker, borders_.beyond(faces_.placeOf(walker.triangle), side, scratch), z, sign, budget);
    // Along an open flank one comes as far as over the middle.
    return move == Move::kLost ? slide(walker, side, z, sign, budget) : move;
  }
  const Triangle& beyond = soup_.triangles[next];
  if (beyond.walkable) return Move::kFloor;
  const SteepFace& face = faces_.of(next);
  if (sign * sideOf(soup_.corners(t), side).turn(face.x, face.y) < 0) {
    walker.triangle = next;
    return Move::kOn;
  }
  // Both faces lead to the side between them.
  return slide(walker, side, heightAt(soup_, t, walker.x, walker.y), sign, budget);
}

// Along a side to its end, and on along others that lead the same way.
GradientLines::Move GradientLines::slide(Walker& walker, uint32_t side, double z, double sign, double budget) const {
  for (int i = 0; i < kMostPieces; ++i) {
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
    if (walker.high) return Move::kLost;
    const AroundCorner around = faces_.around(walker.triangle, corner, sign);
    const Move move = turnAround(walker, side, around, end, sign, budget);
    if (move != Move::kLost || around.along == kNone) return move;
    walker.triangle = around.along;
    side = around.side;
    z = end.z;
  }
  return Move::kLost;
}

// From a corner at the end of a side, over what lies around it.
GradientLines::Move GradientLines::turnAround(Walker& walker, uint32_t side, const AroundCorner& around,
                                              const Point3& at, double sign, double budget) const {
  if (around.floor) return Move::kFloor;
  if (around.onward == kNone) {
    if (around.closed) return Move::kLost;
    std::vector<uint32_t> scratch;
    const bool open = neighbours_.of(Kind::kRiser, walker.triangle, side) == kNone;
    return jump(walker,
                open ? borders_.beyond(faces_.placeOf(walker.triangle), side, scratch)
                     : borders_.beyondCorner(walker.triangle, at, sign, scratch),
                at.z, sign, budget);
  }
  walker.triangle = around.onward;
  return Move::kOn;
}

// From a border to what lies within a crack of it.
GradientLines::Move GradientLines::jump(Walker& walker, std::span<const uint32_t> beyond, double z, double sign,
                                        double budget) const {
  struct Found {
    bool steep = true;
    double off = 0;
    double rise = 0;
    uint32_t triangle = kNone;
    Vec2 at;
  };
  Found best;
  const SteepFace& g = faces_.of(walker.triangle);
  const double reach = tol_.gap + tol_.same;
  const double rest = budget - walker.climbed;
  const double back = std::max(tol_.gap, tol_.contact);
  // Beyond these nothing can count.
  const Box near{{BoxTree::wholeBelow(walker.x - reach), BoxTree::wholeBelow(walker.y - reach)},
                 {BoxTree::wholeAbove(walker.x + reach), BoxTree::wholeAbove(walker.y + reach)}};
  const int32_t low = BoxTree::wholeBelow(sign > 0 ? z - back : z - rest);
  const int32_t high = BoxTree::wholeAbove(sign > 0 ? z + rest : z + back);
  for (const uint32_t i : beyond) {
    const Triangle& t = soup_.triangles[i];
    if (t.low > high || t.high < low || !meet(near, t.box)) continue;
    const Vec2 q = nearestIn(soup_.corners(t), walker.x, walker.y);
    const double off = std::sqrt((q.x - walker.x) * (q.x - walker.x) + (q.y - walker.y) * (q.y - walker.y));
    const double apart = off <= tol_.same ? 0 : off;
    if (off > reach || (best.triangle != kNone && apart > best.off)) continue;
    const double rise = sign * (heightAt(soup_, t, q.x, q.y) - z);
    if (rise < -back || rise > rest) continue;
    // The next face begins ahead; beside lie those of this one.
    if (!t.walkable && (rise < -tol_.contact / t.normal.z || !faces_.leadsInto(i, q.x, q.y, sign) ||
                        (off > tol_.same && sign * ((q.x - walker.x) * g.x + (q.y - walker.y) * g.y) < kAhead * off))) {
      continue;
    }
    // Near ones first; of these floors, then the least step.
    const Found found{!t.walkable, apart, rise, i, q};
    const auto key = [](const Found& f) { return std::tuple(f.off, f.steep, std::abs(f.rise), f.triangle); };
    if (best.triangle == kNone || key(found) < key(best)) best = found;
  }
  if (best.triangle == kNone) return Move::kLost;
  walker.climbed += std::max(0.0, best.rise);
  pass(walker.path, 4 * uint64_t{best.triangle} + 3);
  if (!best.steep) return Move::kFloor;
  walker.triangle = best.triangle;
  walker.x = best.at.x;
  walker.y = best.at.y;
  return Move::kOn;
}

}  // namespace wend::extraction
