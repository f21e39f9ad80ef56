#include "crowd/ground/near_walls.h"

#include <algorithm>

#include "planning/clearance/distances.h"

namespace wend {
namespace {

struct Found {
  double distance = 0;
  uint32_t wall = kNone;
};

// The nearest walls, each once; `dropped` is the nearest one that did not fit. Of equal distances, by the first side:
// the numbers of walls depend on older versions of the mesh.
class NearestWalls {
 public:
  explicit NearestWalls(const Ground& ground) : ground_(ground) {}
  void add(Found f) {
    uint32_t at = 0;
    while (at < count_ && found_[at].wall != f.wall) ++at;
    if (at < count_) {
      if (!isNearer(f, found_[at])) return;
    } else if (count_ < kMaxWalls) {
      ++count_;
    } else {
      at = kMaxWalls - 1;
      const Found& last = found_[at];
      dropped_ = std::min(dropped_, std::max(f.distance, last.distance));
      if (!isNearer(f, last)) return;
    }
    for (; at > 0 && isNearer(f, found_[at - 1]); --at) found_[at] = found_[at - 1];
    found_[at] = f;
  }
  uint32_t count() const { return count_; }
  const Found& operator[](uint32_t i) const { return found_[i]; }
  double dropped() const { return dropped_; }

 private:
  bool isNearer(const Found& a, const Found& b) const {
    if (a.distance != b.distance) return a.distance < b.distance;
    return ground_.wall(a.wall).first < ground_.wall(b.wall).first;
  }

  const Ground& ground_;
  uint32_t count_ = 0;
  std::array<Found, kMaxWalls> found_;
  double dropped_ = HUGE_VAL;
};

using Reached = WallFloodScratch::Reached;
using Visit = WallFloodScratch::Visit;

// The shortest length to one place over any of the places that lead there.
Reached onward(const Visit& visit, Vec2 to) {
  double best = visit.nearest.length + length(to - visit.nearest.at);
  best = std::min(best, visit.left.length + length(to - visit.left.at));
  best = std::min(best, visit.right.length + length(to - visit.right.at));
  return {to, best};
}

Visit through(const Visit& visit, const Ground::Side& side) {
  Visit next;
  next.left = onward(visit, side.to);
  next.right = onward(visit, side.from);
  next.nearest = onward(visit, closestOnSegment(visit.nearest.at, side.from, side.to));
  if (next.left.length < next.nearest.length) next.nearest = next.left;
  if (next.right.length < next.nearest.length) next.nearest = next.right;
  next.cell = side.neighbour;
  return next;
}

// Lengths add up from portal to portal; the straight segment across a fan of portals may be shorter by this.
constexpr double kDetour = 1.4;

}  // namespace

NearWalls gatherWalls(const Ground& ground, CellId cell, Point at, double reach, WallFloodScratch& scratch) {
  const auto later = [](const Visit& a, const Visit& b) {
    return a.nearest.length != b.nearest.length ? a.nearest.length > b.nearest.length : a.cell > b.cell;
  };
  if (scratch.stamp.advance()) scratch.seen.wipe();
  scratch.seen.grow(ground.mesh().cellCount());
  const Vec2 centre = toVec2(at);
  const double limit = reach / ground.unit();
  NearestWalls nearest(ground);
  const Reached here{centre, 0};
  scratch.open.assign(1, {here, here, here, 0, cell});
  // Each length is that of a walk, so nothing on another floor is reached that is not as near on foot. Once there are
  // more walls than fit, nothing beyond the nearest of those left out is asked for.
  while (!scratch.open.empty()) {
    std::pop_heap(scratch.open.begin(), scratch.open.end(), later);
    const Visit visit = scratch.open.back();
    scratch.open.pop_back();
    if (visit.away >= nearest.dropped() || !scratch.seen.insert(visit.cell, scratch.stamp)) continue;
    for (const Ground::Side* s = ground.firstSide(visit.cell); s != ground.endSide(visit.cell); ++s) {
      if (s->neighbour == kNone) {
        const double distance = distanceToSegment(centre, s->from, s->to);
        if (distance < limit) nearest.add({distance, s->wall});
      } else if (!scratch.seen.has(s->neighbour, scratch.stamp)) {
        const double away = distanceToSegment(centre, s->from, s->to);
        if (away >= std::min(limit, nearest.dropped())) continue;
        Visit next = through(visit, *s);
        if (next.nearest.length >= kDetour * limit) continue;
        next.away = away;
        scratch.open.push_back(next);
        std::push_heap(scratch.open.begin(), scratch.open.end(), later);
      }
    }
  }
  NearWalls walls;
  walls.from = at;
  walls.known = static_cast<float>(std::min(limit, nearest.dropped()) * ground.unit());
  walls.count = nearest.count();
  for (uint32_t i = 0; i < walls.count; ++i) walls.ids[i] = nearest[i].wall;
  return walls;
}

}  // namespace wend
