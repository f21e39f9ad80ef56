#include "geometry/growth/advance.h"

#include <algorithm>
#include <optional>

#include "geometry/growth/region_shape.h"

namespace wend::growth {

// The ground ahead of a side, up to a new limit.
struct Grower::Strip {
  Side4 side;
  int64_t near = 0;  // the limit now
  int64_t far = 0;   // the limit aimed at
  Limits box{};      // of the ground ahead: the side's limit is `far`, the opposite one `near`
  std::vector<uint32_t> contacts;
  Chord chord;  // the side itself
  bool stopped = false;

  void setFar(int64_t limit) {
    far = limit;
    box[side] = static_cast<int32_t>(limit);
  }
  bool isEmpty() const { return far == near; }
};

// Where a strip first meets a wall.
struct Grower::Hit {
  uint32_t wall = kNone;
  Fraction place;         // the coordinate along which the side moves
  int by = 0;             // what bounds the wall there: LineClip::kEnd, a side, or a contact
  bool isAtStart = true;  // whether the wall runs from there into the strip in its own direction
};

GrowthCounts& GrowthCounts::operator+=(const GrowthCounts& other) {
  steps += other.steps;
  tests += other.tests;
  contacts += other.contacts;
  return *this;
}

void Grower::look(const Box& window) {
  window_ = window;
  space_.collect(window, walls_, regions_);
}

bool Grower::covers(const Limits& limit) const {
  return limit[kLeft] >= window_.min.x && limit[kRight] <= window_.max.x && limit[kBottom] >= window_.min.y &&
         limit[kTop] <= window_.max.y;
}

// A wall on the line of the side itself, in front of some of it.
bool Grower::meetsNear(const Strip& strip, const Wall& wall) const {
  const std::optional<Chord> covered = coveredBy(wall, strip.side, strip.near);
  return covered && compare(covered->from, strip.chord.to) < 0 && compare(strip.chord.from, covered->to) < 0;
}

bool Grower::hitBy(const Strip& strip, uint32_t id, Hit& hit) {
  const Wall& wall = space_.walls()[id];
  const Limits& box = strip.box;
  if (std::max(wall.from.x, wall.to.x) < box[kLeft] || std::min(wall.from.x, wall.to.x) > box[kRight] ||
      std::max(wall.from.y, wall.to.y) < box[kBottom] || std::min(wall.from.y, wall.to.y) > box[kTop]) {
    return false;
  }
  if (std::find(strip.contacts.begin(), strip.contacts.end(), id) != strip.contacts.end()) return false;
  ++counts_.tests;
  hit.wall = id;
  if (meetsNear(strip, wall)) {
    hit.place = {strip.near, 1};
    hit.by = opposite(strip.side);
    return true;
  }
  LineClip clip =
      LineClip::segment(wall.from.x, wall.from.y, int64_t{wall.to.x} - wall.from.x, int64_t{wall.to.y} - wall.from.y);
  if (!cutByRegion(clip, box, strip.contacts, space_.walls(), -1)) return false;
  const bool upright = isUpright(strip.side);
  const int64_t speed = (upright ? clip.dx : clip.dy) * forward(strip.side);
  hit.isAtStart = speed >= 0;
  hit.by = hit.isAtStart ? clip.fromBy : clip.toBy;
  const Point end = hit.isAtStart ? wall.from : wall.to;
  const bool isUprightCut = hit.by == kRight || hit.by == kLeft;
  if (hit.by == LineClip::kEnd || speed == 0 || hit.by >= 4 || isUprightCut == upright) {
    const int64_t place = upright ? end.x : end.y;
    // Only an end may lie ahead; what meets the side itself or a contact elsewhere stops the side where it is.
    hit.place = {hit.by == LineClip::kEnd || speed == 0 ? place : strip.near, 1};
    return true;
  }
  const int64_t line = box[hit.by];  // a lateral limit, which the wall crosses
  Int128 numerator = 0;
  Int128 denominator = 0;
  if (upright) {
    denominator = clip.dy;
    numerator = Int128{clip.x} * clip.dy + Int128{line - clip.y} * clip.dx;
  } else {
    denominator = clip.dx;
    numerator = Int128{clip.y} * clip.dx + Int128{line - clip.x} * clip.dy;
  }
  hit.place = denominator > 0 ? Fraction{numerator, denominator} : Fraction{-numerator, -denominator};
  return true;
}

// Whether the region's corner slides onto the wall: it touches it there, lies wholly on its free side, and the strip
// goes on beside it.
bool Grower::isFollowable(const Strip& strip, const Hit& hit) const {
  const Wall& wall = space_.walls()[hit.wall];
  if (!rules_.follow || !wall.isSlanted()) return false;
  const bool upright = isUpright(strip.side);
  int lateral = hit.by;
  if (hit.by == LineClip::kEnd) {
    // The end of a wall exactly on a lateral limit.
    const Point end = hit.isAtStart ? wall.from : wall.to;
    const int64_t across = upright ? end.y : end.x;
    lateral = -1;
    for (const Side4 side : kSides) {
      if (isUpright(side) != upright && strip.box[side] == across) lateral = side;
    }
  }
  if (lateral < 0 || lateral > 3 || isUpright(static_cast<Side4>(lateral)) == upright) return false;
  const HalfPlane half = wall.halfPlane();
  const int64_t back = -forward(strip.side);
  const int64_t inward = -forward(static_cast<Side4>(lateral));
  const Int128 behind = upright ? half.along(back, 0) : half.along(0, back);
  const Int128 within = upright ? half.along(0, inward) : half.along(inward, 0);
  return behind > 0 && within > 0;
}

namespace {

// The end of a wall that a strip slides along and would leave.
struct WallEnd {
  size_t contact = 0;
  Point tip;
  int64_t place = 0;  // the tip's coordinate along which the side moves
};

// The first end of a followed wall that the strip would pass.
std::optional<WallEnd> passedEnd(Side4 side, const Limits& box, int64_t far, std::span<const uint32_t> contacts,
                                 std::span<const Wall> walls) {
  const bool upright = isUpright(side);
  const int sign = forward(side);
  std::optional<WallEnd> first;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const Wall& wall = walls[contacts[i]];
    const int64_t a = upright ? wall.from.x : wall.from.y;
    const int64_t b = upright ? wall.to.x : wall.to.y;
    const bool endsAtTo = sign * (b - a) > 0;
    const int64_t end = endsAtTo ? b : a;
    if (sign * (far - end) <= 0 || (first && sign * (first->place - end) <= 0)) continue;
    const HalfPlane half = wall.halfPlane();
    const Point tip = endsAtTo ? wall.to : wall.from;
    LineClip beyond = LineClip::ray(tip.x, tip.y, endsAtTo ? half.dx : -half.dx, endsAtTo ? half.dy : -half.dy);
    if (cutByRegion(beyond, box, contacts, walls, static_cast<int>(i) + 4)) first = WallEnd{i, tip, end};
  }
  return first;
}

// Whether a region that slides along `followed` to its end `tip` may turn there and slide along `next`, which begins
// in the same point: free space has a convex corner there, and the way goes on.
bool turnsInto(Side4 side, const Wall& followed, Point tip, const Wall& next) {
  if (!next.isSlanted() || (next.from != tip && next.to != tip)) return false;
  const bool upright = isUpright(side);
  const HalfPlane old = followed.halfPlane();
  const HalfPlane half = next.halfPlane();
  const int64_t inward = (upright ? old.along(0, 1) : old.along(1, 0)) > 0 ? 1 : -1;
  const int64_t backX = followed.to == tip ? -old.dx : old.dx;
  const int64_t backY = followed.to == tip ? -old.dy : old.dy;
  const Point other = next.from == tip ? next.to : next.from;
  const int64_t onward = (upright ? int64_t{other.x} - tip.x : int64_t{other.y} - tip.y) * forward(side);
  return onward > 0 && half.along(backX, backY) > 0 && (upright ? half.along(0, inward) : half.along(inward, 0)) > 0;
}

}  // namespace

uint32_t Grower::nextWall(const Strip& strip, uint32_t followed, Point tip) const {
  for (const uint32_t id : walls_) {
    const Wall& wall = space_.walls()[id];
    if (std::find(strip.contacts.begin(), strip.contacts.end(), id) != strip.contacts.end()) continue;
    if (turnsInto(strip.side, space_.walls()[followed], tip, wall)) return id;
  }
  return kNone;
}

bool Grower::followAll(Strip& strip) {
  const std::vector<Wall>& walls = space_.walls();
  size_t known = strip.contacts.size();  // the contacts of which the chord knows
  while (true) {
    if (strip.contacts.size() != known) {
      Limits now = strip.box;
      now[strip.side] = static_cast<int32_t>(strip.near);
      strip.chord = chordOf(strip.side, now, strip.contacts, walls);
      known = strip.contacts.size();
    }
    if (strip.chord.isEmpty) return false;
    if (const auto end = passedEnd(strip.side, strip.box, strip.far, strip.contacts, walls)) {
      const uint32_t next = nextWall(strip, strip.contacts[end->contact], end->tip);
      if (next != kNone) {
        ++counts_.contacts;
        strip.contacts.push_back(next);
        continue;
      }
      // Never past the end, or a slanted side would border on free space.
      strip.setFar(forward(strip.side) * (end->place - strip.near) > 0 ? end->place : strip.near);
      strip.stopped = true;
      if (strip.isEmpty()) return true;
    }
    Hit first;
    bool canFollow = false;
    for (const uint32_t wall : walls_) {
      Hit hit;
      if (!hitBy(strip, wall, hit)) continue;
      const int order = first.wall == kNone ? -1 : forward(strip.side) * compare(hit.place, first.place);
      if (order > 0) continue;
      const bool follows = isFollowable(strip, hit);
      if (order == 0 && (canFollow || !follows)) continue;
      first = hit;
      canFollow = follows;
    }
    if (first.wall == kNone) return true;
    if (canFollow) {
      ++counts_.contacts;
      strip.contacts.push_back(first.wall);
      continue;
    }
    const Int128 limit = forward(strip.side) > 0 ? floorOf(first.place) : ceilOf(first.place);
    strip.setFar(static_cast<int64_t>(limit));
    strip.stopped = true;
    return true;
  }
}

bool Grower::stopAtRegions(Strip& strip, uint32_t self) {
  const int sign = forward(strip.side);
  const Side4 facing = opposite(strip.side);
  for (const uint32_t id : regions_) {
    if (id == self) continue;
    const Region& other = space_.regions()[id];
    const Limits& box = strip.box;
    if (other.limit[kRight] <= box[kLeft] || other.limit[kLeft] >= box[kRight] || other.limit[kTop] <= box[kBottom] ||
        other.limit[kBottom] >= box[kTop]) {
      continue;
    }
    ++counts_.tests;
    bool meets = other.limit[facing] == strip.near && !other.chords[facing].isEmpty &&
                 compare(other.chords[facing].from, strip.chord.to) < 0 &&
                 compare(strip.chord.from, other.chords[facing].to) < 0;
    // The slanted sides of the other region lie on walls, and no wall is left in the strip: if the two overlap, one of
    // its straight sides passes through the strip.
    for (const Side4 side : kSides) {
      const Chord& chord = other.chords[side];
      if (meets || chord.isEmpty) continue;
      LineClip clip =
          isUpright(side) ? LineClip::line(other.limit[side], 0, 0, 1) : LineClip::line(0, other.limit[side], 1, 0);
      clip.from = chord.from;
      clip.to = chord.to;
      clip.hasFrom = true;
      clip.hasTo = true;
      meets = cutByRegion(clip, box, strip.contacts, space_.walls(), -1);
    }
    if (!meets) continue;
    const int64_t limit = other.limit[facing];
    strip.stopped = true;
    strip.setFar(sign * (limit - strip.near) > 0 ? limit : strip.near);
    if (strip.isEmpty()) return false;
  }
  return true;
}

Grower::Move Grower::advance(Region& region, Side4 side, int64_t step, uint32_t self) {
  ++counts_.steps;
  Strip strip{side};
  strip.near = region.limit[side];
  strip.box = region.limit;
  strip.box[opposite(side)] = static_cast<int32_t>(strip.near);
  const int64_t wanted = std::clamp<int64_t>(strip.near + forward(side) * step, -kMaxCoordinate, kMaxCoordinate);
  strip.setFar(wanted);
  if (region.chords[side].isEmpty) return Move::kInactive;
  strip.contacts = region.contacts;
  strip.chord = region.chords[side];
  if (!followAll(strip)) return Move::kInactive;
  if (strip.isEmpty() || !stopAtRegions(strip, self)) return Move::kStopped;
  if (!rules_.snap && strip.far != wanted) return Move::kStopped;
  if (strip.contacts.size() != region.contacts.size()) ++region.version;
  region.limit[side] = static_cast<int32_t>(strip.far);
  region.contacts = std::move(strip.contacts);
  if (refresh(region, space_.walls())) ++region.version;
  return strip.stopped ? Move::kPart : Move::kWhole;
}

}  // namespace wend::growth
