#include "geometry/growth/events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "geometry/growth/region_shape.h"

namespace wend::growth {
namespace {

// The ends of a split wall come right after the split itself.
constexpr double kJustAfter = 1 + 1e-9;
constexpr double kAfterThat = 1 + 2e-9;

// Two sides that move to one event take turns of this share of the way.
constexpr int64_t kShares = 4;

struct Segment {
  Vec2 a;
  Vec2 b;
};

double distanceOf(Vec2 a, Vec2 b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// The parameter of the nearest point, 0 to 1.
double nearestOn(const Segment& s, Vec2 p) {
  const double dx = s.b.x - s.a.x;
  const double dy = s.b.y - s.a.y;
  const double squared = dx * dx + dy * dy;
  if (squared == 0) return 0;
  return std::clamp(((p.x - s.a.x) * dx + (p.y - s.a.y) * dy) / squared, 0.0, 1.0);
}

Vec2 pointOn(const Segment& s, double t) {
  if (t == 0) return s.a;
  if (t == 1) return s.b;
  return {s.a.x + t * (s.b.x - s.a.x), s.a.y + t * (s.b.y - s.a.y)};
}

bool isInQuarter(Vec2 offset, Side4 side) {
  const double ahead = (isUpright(side) ? offset.x : offset.y) * forward(side);
  const double aside = std::abs(isUpright(side) ? offset.y : offset.x);
  return ahead > 0 && aside <= ahead;
}

Side4 binOf(const Segment& s, Vec2 nearest, Vec2 seed) {
  for (const Side4 side : kSides) {
    for (const Vec2 p : {nearest, s.a, s.b}) {
      if (isInQuarter({p.x - seed.x, p.y - seed.y}, side)) return side;
    }
  }
  return kTop;
}

void addEvents(const Segment& s, bool isOfRegion, uint32_t edge, Vec2 seed, std::vector<GrowthEvent>& events) {
  const double t = nearestOn(s, seed);
  const Vec2 nearest = pointOn(s, t);
  const double distance = distanceOf(nearest, seed);
  const Side4 bin = binOf(s, nearest, seed);
  const bool isParallel = isOfRegion || (isUpright(bin) ? s.a.x == s.b.x : s.a.y == s.b.y);
  if (isParallel || t == 0 || t == 1) {
    events.push_back({nearest, distance, bin, edge, isParallel ? EventKind::kParallel : EventKind::kVertex});
    return;
  }
  events.push_back({nearest, distance, bin, edge, EventKind::kSplit});
  events.push_back({s.a, distance * kJustAfter, bin, edge, EventKind::kSplitEnd});
  events.push_back({s.b, distance * kAfterThat, bin, edge, EventKind::kSplitEnd});
}

double valueOf(const Fraction& fraction) {
  return static_cast<double>(fraction.numerator) / static_cast<double>(fraction.denominator);
}

Vec2 centreOf(const Limits& limit) {
  return {(static_cast<double>(limit[kLeft]) + limit[kRight]) / 2,
          (static_cast<double>(limit[kBottom]) + limit[kTop]) / 2};
}

// How far a side has to move to reach a place; not more than 0 if it is there.
int64_t wayOf(const Region& region, Side4 side, Vec2 place) {
  const double target = isUpright(side) ? place.x : place.y;
  const double outward = forward(side) > 0 ? std::ceil(target) : std::floor(target);
  const auto clamped = static_cast<int64_t>(std::clamp<double>(outward, -kMaxCoordinate, kMaxCoordinate));
  return forward(side) * (clamped - region.limit[side]);
}

class EventGrowth {
 public:
  EventGrowth(GrowthSpace& space, Grower& grower, Region& region, EventCounts& counts)
      : space_(space), grower_(grower), region_(region), counts_(counts), seed_(centreOf(region.limit)) {}

  void run(bool indexed) {
    int64_t reach = indexed ? space_.pitch() : 4 * int64_t{kMaxCoordinate};
    while (true) {
      const Box window = around(reach);
      grower_.look(window);
      for (const GrowthEvent& event : eventsAround(space_, seed_, grower_.walls(), grower_.regions(), counts_)) {
        if (isStopped()) return;
        jumpTo(event.place, window);
      }
      if (!indexed) return;
      // The borders of the window are the last events; a side that gets there looks farther.
      for (const Side4 side : kSides) {
        const double border = borderOf(window, side);
        jumpTo(isUpright(side) ? Vec2{border, seed_.y} : Vec2{seed_.x, border}, window);
      }
      bool goesOn = false;
      for (const Side4 side : kSides) {
        goesOn = goesOn || (isActive(side) && region_.limit[side] == borderOf(window, side));
      }
      if (!goesOn) return;
      reach *= 2;
    }
  }

  const StoppedSides& stoppedAt() const { return stoppedAt_; }

 private:
  bool isStoppedOn(Side4 side) const { return stoppedAt_[side] == region_.version; }
  bool isActive(Side4 side) const { return !isStoppedOn(side) && !region_.chords[side].isEmpty; }
  bool isStopped() const {
    return std::all_of(kSides.begin(), kSides.end(), [&](Side4 side) { return isStoppedOn(side); });
  }

  static int32_t borderOf(const Box& window, Side4 side) {
    switch (side) {
      case kTop:
        return window.max.y;
      case kBottom:
        return window.min.y;
      case kRight:
        return window.max.x;
      default:
        return window.min.x;
    }
  }

  Box around(int64_t reach) const {
    const auto limit = [&](Side4 side) {
      const int64_t far = int64_t{region_.limit[side]} + (isActive(side) ? forward(side) * reach : 0);
      return static_cast<int32_t>(std::clamp<int64_t>(far, -kMaxCoordinate, kMaxCoordinate));
    };
    return {{limit(kLeft), limit(kBottom)}, {limit(kRight), limit(kTop)}};
  }

  // How far a side moves for an event; it never leaves the window.
  int64_t wayTo(Side4 side, Vec2 place, const Box& window) const {
    if (isStoppedOn(side)) return 0;
    return std::min(wayOf(region_, side, place),
                    forward(side) * (int64_t{borderOf(window, side)} - region_.limit[side]));
  }

  // Moves the sides that face an event; two of them in turns. Those that touch something stop.
  void jumpTo(Vec2 place, const Box& window) {
    std::array<int64_t, 4> step{};
    int moving = 0;
    for (const Side4 side : kSides) {
      step[side] = wayTo(side, place, window);
      if (step[side] > 0) ++moving;
    }
    if (moving == 0) return;
    const int64_t shares = moving > 1 ? kShares : 1;
    bool moved = false;
    for (int64_t share = 0; share < shares; ++share) {
      for (const Side4 side : kSides) {
        if (step[side] <= 0) continue;
        const int64_t way = std::min((step[side] + shares - 1) / shares, wayTo(side, place, window));
        if (way > 0) moved = advance(side, way) || moved;
      }
    }
    if (moved) ++counts_.jumps;
  }

  bool advance(Side4 side, int64_t way) {
    switch (grower_.advance(region_, side, way, kNone)) {
      case Grower::Move::kWhole:
        return true;
      case Grower::Move::kPart:
        stoppedAt_[side] = region_.version;
        return true;
      case Grower::Move::kStopped:
        stoppedAt_[side] = region_.version;
        return false;
      default:
        return false;
    }
  }

  GrowthSpace& space_;
  Grower& grower_;
  Region& region_;
  EventCounts& counts_;
  Vec2 seed_;
  StoppedSides stoppedAt_ = kNoneStopped;
};

}  // namespace

std::vector<GrowthEvent> eventsAround(const GrowthSpace& space, Vec2 seed, std::span<const uint32_t> walls,
                                      std::span<const uint32_t> regions, EventCounts& counts) {
  std::vector<GrowthEvent> events;
  counts.classified += walls.size() + 4 * regions.size();
  for (const uint32_t id : walls) {
    const Wall& wall = space.walls()[id];
    const Vec2 a = toVec2(wall.from);
    const Vec2 b = toVec2(wall.to);
    const double left = (b.x - a.x) * (seed.y - a.y) - (b.y - a.y) * (seed.x - a.x);
    if (left > 0) addEvents({a, b}, false, id, seed, events);  // free space, and so the wall's front, is on its left
  }
  const auto firstSide = static_cast<uint32_t>(space.walls().size());
  for (const uint32_t id : regions) {
    const Region& region = space.regions()[id];
    for (const Side4 side : kSides) {
      const Chord& chord = region.chords[side];
      if (chord.isEmpty) continue;
      const double line = region.limit[side];
      if (((isUpright(side) ? seed.x : seed.y) - line) * forward(side) <= 0) continue;
      const double from = valueOf(chord.from);
      const double to = valueOf(chord.to);
      const Segment s = isUpright(side) ? Segment{{line, from}, {line, to}} : Segment{{from, line}, {to, line}};
      addEvents(s, true, firstSide + 4 * id + side, seed, events);
    }
  }
  counts.events += events.size();
  std::sort(events.begin(), events.end(), [](const GrowthEvent& a, const GrowthEvent& b) {
    return std::tie(a.distance, a.bin, a.edge, a.kind, a.place.x, a.place.y) <
           std::tie(b.distance, b.bin, b.edge, b.kind, b.place.x, b.place.y);
  });
  return events;
}

StoppedSides growByEvents(GrowthSpace& space, Grower& grower, Region& region, bool indexed, EventCounts& counts) {
  EventGrowth growth(space, grower, region, counts);
  growth.run(indexed);
  return growth.stoppedAt();
}

}  // namespace wend::growth
