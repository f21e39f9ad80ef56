#include "planning/disk/cell_contour.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wend {
namespace {

// Of the radius: moves by less are none.
constexpr double kNoMove = 1e-7;
// Of the radius: an outline that another one touches, or enters by less than this, goes on. Walls that follow each
// other in a line touch all along.
constexpr double kTouch = 1e-9;
// Radians, and of the radius: how far behind an event its effect is measured.
constexpr double kAfter = 1e-5;
// Of the radius: how far from the begin of an interval the trace may leave the cell. Where it meets the border at a
// small angle, rounding moves that place.
constexpr double kMiss = 0.02;
constexpr double kTurn = 2 * std::numbers::pi;

Vec2 left(Vec2 v) {
  return {-v.y, v.x};
}
Vec2 turnedRight(Vec2 v, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * v.x + s * v.y, c * v.y - s * v.x};
}
// Clockwise, from 0 to a full turn. What is almost a full turn is rounding.
double angleRight(Vec2 from, Vec2 to) {
  const double angle = std::atan2(cross(to, from), dot(to, from));
  if (angle >= 0) return angle;
  return angle > -kNoMove ? 0 : angle + kTurn;
}

class Trace {
 public:
  Trace(const ContourCell& cell, std::vector<ContourPoint>& points) : cell_(cell), r_(cell.r), points_(points) {}

  uint32_t run(uint32_t from) {
    const ContourInterval& first = cell_.intervals[from];
    if (first.endWall == kNoWall) {
      const uint32_t next = from + 1 == cell_.intervals.size() ? 0 : from + 1;
      return length(cell_.intervals[next].begin - first.end) <= kMiss * r_ ? next : kNoWall;
    }
    switchTo(first.endWall, first.end);
    const size_t most = 8 * cell_.walls.size() + 64;
    for (size_t i = 0; i < most; ++i) {
      const Event event = isLine_ ? followLine() : followArc();
      if (event.kind == Event::kBorder) return arriveAt(first.face);
      if (event.kind == Event::kWall) switchTo(event.wall, at_);
    }
    return kNoWall;
  }

 private:
  struct Event {
    enum Kind : uint8_t { kEnd, kWall, kBorder };
    double at = 0;
    Kind kind = kEnd;
    uint32_t wall = kNoWall;
  };

  const Wall& wall() const { return cell_.walls[wall_]; }

  void switchTo(uint32_t next, Vec2 place) {
    if (wall_ != kNoWall) here_.push_back(wall_);
    wall_ = next;
    at_ = place;
    const Vec2 way = wall().b - wall().a;
    size_ = length(way);
    u_ = size_ > 0 ? (1 / size_) * way : Vec2{1, 0};
    const double along = dot(place - wall().a, u_);
    isLine_ = size_ > 0 && along > 0 && along < size_;
    isLeft_ = isLine_ ? cross(u_, place - wall().a) >= 0 : along <= 0;  // of an arc: around the wall's start
  }
  void moved(double by) {
    if (by > kNoMove * r_) here_.clear();
  }
  bool isHere(uint32_t w) const { return std::find(here_.begin(), here_.end(), w) != here_.end(); }
  void add(Vec2 place, Vec2 centre) {
    if (!points_.empty() && length(points_.back().place - place) <= kNoMove * r_) return;
    points_.push_back({place, centre, r_});
  }

  // Along the wall, with the wall on the right: forward on its left side, backward on its right side.
  Event followLine() {
    const double begin = std::clamp(dot(at_ - wall().a, u_), 0.0, size_);
    const Vec2 off = isLeft_ ? r_ * left(u_) : -r_ * left(u_);
    const Vec2 foot = wall().a + begin * u_;
    const Vec2 way = isLeft_ ? u_ : -u_;
    Event event{isLeft_ ? size_ - begin : begin};
    const Vec2 o = foot + off;
    for (uint32_t i = 0; i < cell_.walls.size(); ++i) {
      const Wall& w = cell_.walls[i];
      if (i == wall_ || areBoxesApart(o, o + event.at * way, w.a, w.b, r_)) continue;
      const Interval blocked = blockedInterval(o, way, w.a, w.b, (1 - kTouch) * r_);
      if (blocked.empty() || blocked.high <= kNoMove * r_ || blocked.low >= event.at) continue;
      if (blocked.low <= kNoMove * r_ && isHere(i)) continue;
      event = {std::max(0.0, blocked.low), Event::kWall, i};
    }
    for (size_t k = 0; k < cell_.polygon.size(); ++k) {
      const Vec2 a = cell_.polygon[k];
      const Vec2 b = cell_.polygon[k + 1 == cell_.polygon.size() ? 0 : k + 1];
      const double falls = -cross(b - a, way);
      if (!(falls > 1e-12 * length(b - a))) continue;
      const double at = std::max(0.0, cross(b - a, o - a) / falls);
      if (at < event.at) event = {at, Event::kBorder, kNoWall};
    }
    add(o, foot);
    at_ = o + event.at * way;
    // At the end of the wall exactly its corner, which the arc behind it has as its centre.
    const bool isEnd = event.kind == Event::kEnd;
    add(at_, !isEnd ? foot + event.at * way : isLeft_ ? wall().b : wall().a);
    moved(event.at);
    if (event.kind == Event::kEnd) {
      isLine_ = false;
      isLeft_ = !isLeft_;  // the arc around the start follows the right side
    }
    return event;
  }

  // Clockwise around an end of the wall.
  Event followArc() {
    const Vec2 c = isLeft_ ? wall().a : wall().b;
    const Vec2 begin = direction(at_ - c, u_);
    const Vec2 last = isLeft_ ? left(u_) : -left(u_);
    Event event{size_ > 0 ? angleRight(begin, last) : kTurn};
    for (uint32_t i = 0; i < cell_.walls.size(); ++i) {
      const Wall& w = cell_.walls[i];
      if (i == wall_ || areBoxesApart(c, c, w.a, w.b, 2 * r_)) continue;
      const double at = w.a == c ? meetOwn(i, c, w.b, begin) : w.b == c ? meetOwn(i, c, w.a, begin) : meet(i, c, begin);
      if (at < event.at) event = {at, Event::kWall, i};
    }
    for (size_t k = 0; k < cell_.polygon.size(); ++k) {
      const double at = leave(cell_.polygon[k], cell_.polygon[k + 1 == cell_.polygon.size() ? 0 : k + 1], c, begin);
      if (at < event.at) event = {at, Event::kBorder, kNoWall};
    }
    const int pieces = std::max(1, static_cast<int>(std::ceil(event.at / cell_.arcStep)));
    for (int i = 0; i <= pieces; ++i) {
      at_ = c + r_ * turnedRight(begin, event.at * i / pieces);
      add(at_, c);
    }
    moved(event.at * r_);
    if (event.kind == Event::kEnd) {
      isLine_ = size_ > 0;
    }
    return event;
  }
  // Where the arc around a corner comes to a wall that begins there: at right angles to that.
  double meetOwn(uint32_t i, Vec2 c, Vec2 other, Vec2 begin) const {
    const Vec2 u = direction(other - c, {0, 0});
    if (u == Vec2{0, 0}) return HUGE_VAL;
    if (dot(begin, u) > kNoMove) return isHere(i) ? HUGE_VAL : 0;
    const double at = angleRight(begin, left(u));
    return at <= kNoMove && isHere(i) ? HUGE_VAL : at;
  }
  bool isBlocked(const Wall& w, Vec2 place) const { return distanceToSegment(place, w.a, w.b) < (1 - kTouch) * r_; }
  double meet(uint32_t i, Vec2 c, Vec2 begin) const {
    const Wall& w = cell_.walls[i];
    const auto placeAt = [&](double at) { return c + r_ * turnedRight(begin, at); };
    if (isBlocked(w, placeAt(kAfter)) && isBlocked(w, c + r_ * begin) && !isHere(i)) return 0;
    double best = HUGE_VAL;
    const auto consider = [&](Vec2 towards) {
      const double at = angleRight(begin, towards);
      if (at >= best || (at <= kNoMove && isHere(i)) || !isBlocked(w, placeAt(at + kAfter))) return;
      best = at;
    };
    for (const Vec2 end : {w.a, w.b}) {
      const Vec2 way = end - c;
      const double size = length(way);
      if (size >= 2 * r_ || !(size > 0)) continue;
      consider(turnedRight((1 / size) * way, -std::acos(std::min(1.0, size / (2 * r_)))));
    }
    const double size = length(w.b - w.a);
    if (!(size > 0)) return best;
    const Vec2 u = (1 / size) * (w.b - w.a);
    const double off = cross(u, c - w.a);
    for (const double side : {r_, -r_}) {
      const double across = side - off;
      if (std::abs(across) > r_) continue;
      const double along = std::sqrt(std::max(0.0, (r_ - across) * (r_ + across)));
      for (const double way : {along, -along}) {
        const Vec2 towards = across * left(u) + way * u;
        const double foot = dot(c + towards - w.a, u);
        if (foot >= 0 && foot <= size) consider((1 / r_) * towards);
      }
    }
    return best;
  }
  // Where the arc leaves the cell through an edge.
  double leave(Vec2 a, Vec2 b, Vec2 c, Vec2 begin) const {
    const Vec2 u = direction(b - a, {0, 0});
    const double inside = cross(u, c - a);
    const auto isOut = [&](double at) { return inside + r_ * cross(u, turnedRight(begin, at)) < -1e-12 * r_; };
    if (std::abs(inside) > r_) return HUGE_VAL;
    const double sine = -inside / r_;
    const double cosine = std::sqrt(std::max(0.0, (1 - sine) * (1 + sine)));
    double best = HUGE_VAL;
    for (const double along : {cosine, -cosine}) {
      const double at = angleRight(begin, along * u + sine * left(u));
      if (at < best && isOut(at + kAfter)) best = at;
    }
    return best;
  }

  uint32_t arriveAt(uint32_t face) const {
    uint32_t best = kNoWall;
    double least = kMiss * r_;
    for (uint32_t i = 0; i < cell_.intervals.size(); ++i) {
      const double miss = length(cell_.intervals[i].begin - at_);
      if (cell_.intervals[i].face != face || miss > least) continue;
      least = miss;
      best = i;
    }
    return best;
  }

  const ContourCell& cell_;
  double r_;
  std::vector<ContourPoint>& points_;
  uint32_t wall_ = kNoWall;
  std::vector<uint32_t> here_;  // the other walls whose outlines meet where the trace is
  Vec2 at_;
  Vec2 u_;
  double size_ = 0;
  bool isLine_ = false;
  bool isLeft_ = false;  // of a line: on the wall's left; of an arc: around its start
};

}  // namespace

uint32_t traceContour(const ContourCell& cell, uint32_t from, std::vector<ContourPoint>& points) {
  const auto isLimited = [](const Wall& w) { return w.sight != nullptr; };
  if (std::any_of(cell.walls.begin(), cell.walls.end(), isLimited)) return kNoWall;
  return Trace(cell, points).run(from);
}

}  // namespace wend
