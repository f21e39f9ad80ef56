#include "crowd/move.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "planning/clearance/distances.h"

namespace wend {
namespace {

constexpr int kSlides = 3;
constexpr int kPushes = 8;
constexpr int kPieces = 16;
constexpr double kNever = std::numeric_limits<double>::infinity();

Point rounded(Vec2 p) {
  return {static_cast<int32_t>(std::lround(p.x)), static_cast<int32_t>(std::lround(p.y))};
}

struct Contact {
  double at = kNever;  // fraction of the displacement
  Vec2 normal;         // away from the wall
};

// When a disk of that radius around x touches the point c, moving by d; lattice units.
void touchPoint(Vec2 x, Vec2 d, double radius, Vec2 c, Contact& first) {
  const Vec2 w = c - x;
  const double b = dot(w, d);
  if (!(b > 0)) return;
  const double gap = dot(w, w) - radius * radius;
  double t = 0;
  if (gap > 0) {
    const double discriminant = b * b - dot(d, d) * gap;
    if (discriminant < 0) return;
    t = gap / (b + std::sqrt(discriminant));
  }
  if (t >= first.at) return;
  const Vec2 away = x + t * d - c;
  const double l = length(away);
  if (l > 0) first = {t, (1 / l) * away};
}

// The same for a wall. A disk behind it, beyond its ends, does not touch its side.
void touchWall(Vec2 x, Vec2 d, double radius, const GroundWall& wall, Contact& first) {
  if (wall.cornerA) touchPoint(x, d, radius, wall.a, first);
  if (wall.cornerB) touchPoint(x, d, radius, wall.b, first);
  const Vec2 ab = wall.b - wall.a;
  const double l = length(ab);
  if (!(l > 0)) return;
  const Vec2 inward{-ab.y / l, ab.x / l};
  const double approach = -dot(d, inward);
  const double height = dot(x - wall.a, inward);
  if (!(approach > 0) || height < 0) return;
  const double t = std::max(height - radius, 0.0) / approach;
  if (t >= first.at) return;
  const double foot = dot(x + t * d - wall.a, ab) / l;
  // In a convex corner the disk is as near to both walls' lines; a disk squeezed in there must not slip past an end.
  const double low = wall.cornerA ? 0 : -radius;
  const double high = wall.cornerB ? l : l + radius;
  if (foot >= low && foot <= high) first = {t, inward};
}

// Straight away from the walls that are nearest, all of them if several are as near; 0, 0 between opposite ones.
Vec2 wayOut(std::span<const GroundWall* const> walls, Vec2 x, double clearance) {
  constexpr double kTie = 1;  // lattice unit
  Vec2 sum;
  for (const GroundWall* at : walls) {
    const GroundWall& wall = *at;
    const Vec2 away = x - closestOnSegment(x, wall.a, wall.b);
    const double l = length(away);
    if (l > clearance + kTie) continue;
    if (l > 0) {
      sum = sum + (1 / l) * away;
    } else {
      sum = sum + Vec2{-wall.along.y, wall.along.x};
    }
  }
  const double l = length(sum);
  constexpr double kOpposite = 0.02;
  return l > kOpposite ? (1 / l) * sum : Vec2{};
}

class Mover {
 public:
  Mover(const Ground& ground, double radius, double free, AgentPlace& place, NearWalls& walls,
        WallFloodScratch& scratch)
      : ground_(ground), radius_(radius / ground.unit()), place_(place), walls_(walls), scratch_(scratch) {
    // Over and under a connection top view brings walls near that do not count, but may be counted elsewhere.
    free_ = ground.isNearConnection(place.cell) ? 0 : (free - kRounding) / ground.unit();
  }

  void go(Vec2 d) {
    const double whole = length(d);
    double left = whole;
    // Where more walls stand together than are kept, only short steps are sure to know those that matter.
    for (int i = 0; i < kPieces && left > 0; ++i) {
      know(left);
      const double moved = length(toVec2(place_.at) - toVec2(walls_.from));
      const double sure = std::max(walls_.known / ground_.unit() - moved - radius_ - 1, 0.05 * radius_);
      const double piece = std::min(left, sure);
      slide((piece / whole) * d);
      left -= piece;
    }
  }

  void slide(Vec2 d) {
    free_ -= length(d) + 1;
    if (free_ > radius_) {
      step(toVec2(place_.at) + d);
      return;
    }
    Contact last;
    for (int i = 0; i < kSlides; ++i) {
      const Vec2 x = toVec2(place_.at);
      Contact contact;
      for (const GroundWall* wall : wallsWithin(radius_ + length(d) + 1)) touchWall(x, d, radius_, *wall, contact);
      const double t = std::min(contact.at, 1.0);
      if (t > 0 && !step(x + t * d)) return;
      if (t >= 1) return;
      d = (1 - t) * d;
      d = d - dot(d, contact.normal) * contact.normal;
      // It cannot go on between two walls.
      if (i > 0 && dot(d, last.normal) < 0) return;
      last = contact;
    }
  }

  // Gains distance step by step; where walls on opposite sides are equally near, it cannot gain more.
  void pushOut() {
    for (int i = 0; i < kPushes; ++i) {
      know(0);
      const Vec2 x = toVec2(place_.at);
      const double clearance =
          clearanceAt(x, free_ > radius_ ? std::span<const GroundWall* const>{} : wallsWithin(radius_));
      if (clearance >= radius_ - 1) return;
      free_ = 0;
      know(radius_ + 1 - clearance);
      const std::span<const GroundWall* const> walls = wallsWithin(2 * radius_ + 1);
      const Vec2 out = wayOut(walls, x, clearance);
      if (out == Vec2{}) return;
      bool gained = false;
      for (double s = radius_ + 1 - clearance; s >= 1 && !gained; s *= 0.5) {
        const Vec2 to = x + s * out;
        const AgentPlace old = place_;
        // There may be more space behind a thin wall: it must not go there.
        gained = clearanceAt(to, walls) > clearance + 0.25 && step(to);
        if (!gained) place_ = old;
      }
      if (!gained) return;
    }
    know(0);
  }

 private:
  // Walls within the radius of a place at this distance must be known.
  void know(double distance) {
    const double moved = movedSince(ground_, walls_, place_.at);
    const double range = (distance + radius_) * ground_.unit();
    if (walls_.covers(static_cast<float>(moved), static_cast<float>(range + kMargin))) return;
    const double reach = std::max(radius_ * ground_.unit() + kWallRange + kWallRefresh, range + kMargin);
    // There may be too many to know more of them.
    if (moved == 0 && walls_.known >= 0 && walls_.count == kMaxWalls) return;
    walls_ = gatherWalls(ground_, place_.cell, place_.at, reach, scratch_);
  }
  // What is sure: beyond what is known there may be another wall.
  double clearanceAt(Vec2 x, std::span<const GroundWall* const> walls) const {
    double best = walls_.known / ground_.unit() - length(x - toVec2(walls_.from));
    for (const GroundWall* wall : walls) best = std::min(best, distanceToSegment(x, wall->a, wall->b));
    return best;
  }
  // The known walls that are nearer than that, without those above and below.
  std::span<const GroundWall* const> wallsWithin(double distance) {
    const Vec2 x = toVec2(place_.at);
    const bool layered = ground_.isNearConnection(place_.cell);
    uint32_t count = 0;
    for (uint32_t i = 0; i < walls_.count; ++i) {
      const GroundWall& wall = ground_.wall(walls_.ids[i]);
      if (distanceToSegment(x, wall.a, wall.b) > distance) continue;
      if (layered && !ground_.isMet(place_.cell, x, walls_.ids[i])) continue;
      near_[count++] = &wall;
    }
    return {near_.data(), count};
  }
  // False where a wall stopped it.
  bool step(Vec2 to) {
    const GroundStep end = ground_.walk(place_.cell, place_.at, rounded(to));
    place_ = {end.at, end.cell};
    return !end.blocked;
  }

  static constexpr double kMargin = 1e-3;    // metres, more than rounding to the lattice and to floats takes
  static constexpr double kRounding = 1e-5;  // metres, more than rounding to floats takes

  const Ground& ground_;
  double radius_;  // lattice units
  double free_;    // likewise, around the place where it is now
  AgentPlace& place_;
  NearWalls& walls_;
  WallFloodScratch& scratch_;
  std::array<const GroundWall*, kMaxWalls> near_;
};

}  // namespace

double clearanceAt(const Ground& ground, const NearWalls& walls, Vec2 units) {
  double best = kNever;
  for (uint32_t i = 0; i < walls.count; ++i) {
    const GroundWall& wall = ground.wall(walls.ids[i]);
    best = std::min(best, distanceToSegment(units, wall.a, wall.b));
  }
  return best * ground.unit();
}

double movedSince(const Ground& ground, const NearWalls& walls, Point at) {
  if (walls.known < 0) return kNever;
  return length(toVec2(at) - toVec2(walls.from)) * ground.unit();
}

void move(const Ground& ground, Vec2 by, double radius, AgentPlace& place, NearWalls& walls, WallFloodScratch& scratch,
          double free) {
  Mover mover(ground, radius, free, place, walls, scratch);
  if (by != Vec2{}) mover.go((1 / ground.unit()) * by);
  mover.pushOut();
}

}  // namespace wend
