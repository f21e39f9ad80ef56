#include "planning/disk/bends.h"

#include <algorithm>
#include <numbers>

#include "planning/disk/direction_angle.h"

namespace wend {
namespace {

bool isOnArc(const DiskBend& bend, Vec2 direction) {
  const Vec2 begin = bend.in - bend.contact.centre;
  const Vec2 end = bend.out - bend.contact.centre;
  const double sense = bend.sweep < 0 ? -1 : 1;
  // Straight back from an arc of almost no length lies on both lines that bound it.
  if (std::abs(bend.sweep) < std::numbers::pi / 2 && dot(begin, direction) < 0) return false;
  const bool afterBegin = sense * cross(begin, direction) >= 0;
  const bool beforeEnd = sense * cross(direction, end) >= 0;
  return std::abs(bend.sweep) <= std::numbers::pi ? afterBegin && beforeEnd : afterBegin || beforeEnd;
}

}  // namespace

// The distance to a segment along an arc is least at its ends, or where it points straight at an end of the segment or
// across it.
double arcClearance(const DiskBend& bend, const Wall& wall, Vec2* nearest) {
  const Vec2 c = bend.contact.centre;
  double best = HUGE_VAL;
  const auto consider = [&](Vec2 p) {
    const Vec2 q = closestOnSegment(p, wall.a, wall.b);
    const double distance = length(p - q);
    if (distance >= best) return;
    best = distance;
    if (nearest != nullptr) *nearest = q;
  };
  const auto considerDirection = [&](Vec2 d) {
    const double size = length(d);
    if (size > 0 && isOnArc(bend, d)) consider(c + (bend.contact.radius / size) * d);
  };
  consider(bend.in);
  consider(bend.out);
  const Vec2 along = wall.b - wall.a;
  considerDirection({-along.y, along.x});
  considerDirection({along.y, -along.x});
  considerDirection(wall.a - c);
  considerDirection(wall.b - c);
  return best;
}

namespace {

// Radians: bends by less are rounding.
constexpr double kStraight = 1e-12;

// By how much the path turns around a contact, in its sense.
double sweepOf(const Way& in, const Way& out, double side, Vec2 turn) {
  double sweep = 0;
  if (in.tangent->measured & out.tangent->measured) {
    sweep = wrapped(side * (out.tangent->heading - in.tangent->heading));
  } else {
    sweep = angleOfDirection(turn);
  }
  // Against the wrapping sense by rounding only; a real turn beyond 180 degrees comes out negative, too.
  if (sweep < 0) sweep = sweep > -1e-6 ? 0 : sweep + 2 * std::numbers::pi;
  return sweep;
}

}  // namespace

Laid layString(std::span<const DiskContact> taut, std::span<const Way> ways, WayFinder& finder, DiskString& string) {
  string.bends.clear();
  string.length = 0;
  // A start that is the goal is a string of one contact.
  if (taut.size() == 1) return Laid::kTaut;
  string.bends.reserve(taut.size());
  bool isWrong = false;
  bool isWound = false;
  bool isNew = true;  // the way begins at a bend
  for (size_t i = 1; i + 1 < taut.size(); ++i) {
    const DiskContact& contact = taut[i];
    const Way& way = ways[i];
    const Way& next = ways[i + 1];
    const Vec2 in = way.tangent->direction;
    const Vec2 out = next.tangent->direction;
    const Vec2 turn{dot(in, out), contact.side * cross(in, out)};
    const bool isBack = turn.y < -kStraight;
    isWrong |= isBack & (turn.x >= 0);
    isWound |= isBack;
    string.length += way.tangent->length;
    // A contact that a straight part touches is not a bend.
    if ((std::abs(turn.y) <= kStraight) & (turn.x > 0)) {
      isNew = false;
      continue;
    }
    const double sweep = contact.radius == 0 ? 0 : sweepOf(way, next, contact.side, turn);
    string.length += sweep * contact.radius;
    DiskBend& bend =
        string.bends.emplace_back(contact, touch(contact, in), touch(contact, out), sweep * contact.side, HUGE_VAL);
    bend.known = way.tangent->clear && isNew;
    bend.quiet = !isBack && finder.isQuiet(way, next, contact.side < 0);
    bend.fromStep = way.fromStep();
    bend.toStep = way.toStep();
    bend.outStep = next.fromStep();
    isNew = true;
  }
  string.length += ways.back().tangent->length;
  const Vec2 goal = touch(taut.back(), ways.back().tangent->direction);
  string.bends.emplace_back(taut.back(), goal, goal, 0, HUGE_VAL);
  return isWrong ? Laid::kWrong : isWound ? Laid::kWound : Laid::kTaut;
}

void dropWrongTurns(std::vector<DiskContact>& taut) {
  for (size_t i = 1; i + 1 < taut.size();) {
    const Vec2 in = heading(taut[i - 1], taut[i]);
    const Vec2 out = heading(taut[i], taut[i + 1]);
    if (taut[i].side * cross(in, out) >= 0 || dot(in, out) < 0) {
      ++i;
      continue;
    }
    taut.erase(taut.begin() + static_cast<ptrdiff_t>(i));
    if (i > 1) --i;
  }
}

}  // namespace wend
