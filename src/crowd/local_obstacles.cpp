#include "crowd/local_obstacles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.h"
#include "crowd/crowd_impl.h"
#include "geometry/convex_hull.h"
#include "planning/clearance/distances.h"

namespace wend {
namespace {

// The nearest point of a convex polygon's boundary; `inside`: the polygon contains p.
struct Rim {
  Vec2 nearest;
  double distance = 0;
  bool inside = false;
};

Rim rimOf(std::span<const Vec2> corners, Vec2 p) {
  Rim rim{{}, HUGE_VAL, containsConvex(corners, p)};
  for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Vec2 q = closestOnSegment(p, corners[j], corners[i]);
    const double d = distance(p, q);
    if (d < rim.distance) {
      rim.nearest = q;
      rim.distance = d;
    }
  }
  return rim;
}

double distanceFrom(std::span<const Vec2> corners, Vec2 p) {
  const Rim rim = rimOf(corners, p);
  return rim.inside ? 0 : rim.distance;
}

bool comesNear(std::span<const Vec2> corners, Vec2 a, Vec2 b, double r) {
  for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    if (isNearer(a, b, corners[j], corners[i], r)) return true;
  }
  return false;
}

// From -2 to 2, ascending with the angle from `ahead` to v, left is positive.
double turnTo(Vec2 ahead, Vec2 v) {
  const double along = dot(ahead, v);
  const double aside = cross(ahead, v);
  const double sum = std::abs(along) + std::abs(aside);
  if (!(sum > 0)) return 0;
  const double turn = along >= 0 ? std::abs(aside) / sum : 2 - std::abs(aside) / sum;
  return aside < 0 ? -turn : turn;
}

// A tangent from the agent past a polygon at a distance from its corners.
struct Tangent {
  double turn = 0;  // to the side
  Vec2 direction;
  double side = 1;  // 1 left, -1 right
};

Tangent tangentOf(std::span<const Vec2> corners, Vec2 at, Vec2 ahead, double apart, double side) {
  Tangent best;
  best.turn = -HUGE_VAL;
  for (const Vec2 corner : corners) {
    const Vec2 to = corner - at;
    const double far = length(to);
    if (!(far > 0)) continue;
    const Vec2 unit = (1 / far) * to;
    const double sine = std::min(1.0, apart / far);
    const Vec2 turned = std::sqrt(1 - sine * sine) * unit + (side * sine) * leftOf(unit);
    const double turn = side * turnTo(ahead, turned);
    if (turn > best.turn) best = {turn, turned, side};
  }
  return best;
}

}  // namespace

LocalObstacles::LocalObstacles(const Environment& environment, std::span<const std::string> labels)
    : lattice_(environment.lattice) {
  std::vector<BoxTree::Extent> extents;
  for (size_t l = 0; l < environment.layers.size(); ++l) {
    for (const Region& region : environment.layers[l].regions) {
      if (std::find(labels.begin(), labels.end(), region.label) == labels.end()) continue;
      for (const Polygon& polygon : region.area) {
        std::vector<Vec2> points;
        for (const Point p : polygon.outer) points.push_back(lattice_.toMetres(p));
        Hull hull{convexHull(std::move(points))};
        if (hull.corners.size() < 3) continue;
        hulls_.push_back(std::move(hull));
        const auto layer = static_cast<int32_t>(l);
        extents.push_back({boundingBox(polygon.outer), layer, layer + 1});
      }
    }
  }
  tree_ = BoxTree(extents);
}

uint64_t LocalObstacles::hash() const {
  Hash h;
  for (const Hull& hull : hulls_) {
    h.add(hull.corners.size());
    for (const Vec2 corner : hull.corners) {
      h.add(corner.x);
      h.add(corner.y);
    }
  }
  return h.value();
}

template <typename Visit>
void LocalObstacles::eachNear(const ObstacleView& view, double reach, Visit&& visit) const {
  const double unit = lattice_.unit;
  const auto whole = [&](double metres) {
    return static_cast<int32_t>(std::clamp(std::round(metres / unit), -1.0 * kMaxCoordinate, 1.0 * kMaxCoordinate));
  };
  const Box box{{whole(view.at.x - reach), whole(view.at.y - reach)},
                {whole(view.at.x + reach), whole(view.at.y + reach)}};
  tree_.forEach(box, view.layer, view.layer + 1.0, [&](uint32_t hull) {
    if (distanceFrom(hulls_[hull].corners, view.goal) >= view.radius) visit(hull);
  });
}

// Whether a disk has space on that side of the obstacle, between it and walls or other obstacles.
bool LocalObstacles::isPassable(const Ground& ground, const ObstacleView& view, uint32_t hull, Vec2 aside) const {
  const auto units = [&](Vec2 p) { return (1 / lattice_.unit) * p; };
  const std::vector<Vec2>& corners = hulls_[hull].corners;
  const Vec2 outmost =
      *std::max_element(corners.begin(), corners.end(), [&](Vec2 a, Vec2 b) { return dot(a, aside) < dot(b, aside); });
  const Vec2 past = outmost + view.radius * aside;
  if (ground.trace(view.cell, units(view.at), units(outmost + 2 * view.radius * aside)).blocked) return false;
  bool free = true;
  ObstacleView there = view;
  there.at = past;
  eachNear(there, view.radius, [&](uint32_t other) {
    if (other != hull && distanceFrom(hulls_[other].corners, past) < view.radius) free = false;
  });
  return free;
}

Vec2f LocalObstacles::steered(const Ground& ground, const ObstacleView& view, Vec2f velocity) const {
  const double speed = length(wide(velocity));
  if (empty() || !(speed > 1e-6)) return velocity;
  const Vec2 ahead = (1 / speed) * wide(velocity);
  const double reach = std::min(kAhead, view.toGoal);
  const Vec2 end = view.at + reach * ahead;
  uint32_t first = kNone;
  double nearest = HUGE_VAL;
  eachNear(view, reach + view.radius, [&](uint32_t hull) {
    const std::vector<Vec2>& corners = hulls_[hull].corners;
    if (containsConvex(corners, view.at) || !comesNear(corners, view.at, end, view.radius)) return;
    // An agent that touches an obstacle and walks away from it is past it.
    const Rim rim = rimOf(corners, view.at);
    if (rim.distance < view.radius + kMargin && dot(rim.nearest - view.at, ahead) <= 0) return;
    if (rim.distance < nearest || (rim.distance == nearest && hull < first)) {
      nearest = rim.distance;
      first = hull;
    }
  });
  if (first == kNone) return velocity;
  const std::vector<Vec2>& corners = hulls_[first].corners;
  const double apart = view.radius + kMargin;
  std::array<Tangent, 2> tangents{tangentOf(corners, view.at, ahead, apart, view.side >= 0 ? -1 : 1),
                                  tangentOf(corners, view.at, ahead, apart, view.side >= 0 ? 1 : -1)};
  // An agent that turns already goes on to that side, unless the other one is much nearer.
  constexpr double kLoyalty = 0.5;
  for (Tangent& tangent : tangents) tangent.turn -= kLoyalty * tangent.side * cross(ahead, wide(view.heading));
  if (tangents[1].turn < tangents[0].turn) std::swap(tangents[0], tangents[1]);
  for (const Tangent& tangent : tangents) {
    if (isPassable(ground, view, first, tangent.side * leftOf(ahead))) return narrow(speed * tangent.direction);
  }
  return narrow(speed * tangents[0].direction);
}

double LocalObstacles::depth(const ObstacleView& view, Vec2 at) const {
  double deepest = -HUGE_VAL;
  ObstacleView there = view;
  there.at = at;
  eachNear(there, view.radius, [&](uint32_t hull) {
    const Rim rim = rimOf(hulls_[hull].corners, at);
    deepest = std::max(deepest, view.radius + (rim.inside ? rim.distance : -rim.distance));
  });
  return deepest;
}

Vec2f LocalObstacles::keptOut(const ObstacleView& view, Vec2f by, float most) const {
  if (empty()) return by;
  ObstacleView there = view;
  there.at = view.at + wide(by);
  // Out of one may be into the next.
  constexpr int kPasses = 3;
  bool changedAny = false;
  bool moved = true;
  for (int pass = 0; moved && pass < kPasses; ++pass) {
    moved = false;
    eachNear(there, 2 * view.radius, [&](uint32_t hull) {
      const Rim rim = rimOf(hulls_[hull].corners, there.at);
      if (!rim.inside && rim.distance >= view.radius) return;
      const Vec2 away = direction(rim.inside ? rim.nearest - there.at : there.at - rim.nearest, {1, 0});
      const double push = rim.inside ? rim.distance + view.radius : view.radius - rim.distance;
      there.at = there.at + push * away;
      moved = true;
      changedAny = true;
    });
  }
  if (!changedAny) return by;
  const Vec2 changed = there.at - view.at;
  const double far = length(changed);
  return narrow(far > most ? (most / far) * changed : changed);
}

// --- In a crowd -----------------------------------------------------------------------------------------------------

ObstacleView Crowd::Impl::obstacleView(uint32_t i) const {
  const Motion& motion = agents.motion[i];
  const AgentRecord& record = records[motion.record];
  const Vec2 at = ground.mesh().lattice().toMetres(agents.at(i));
  ObstacleView view{ground.mesh().layerOf(agents.cell[i]), agents.cell[i], at};
  // An agent without a goal walks around all.
  view.goal = record.state == RouteState::kNone ? Vec2{HUGE_VAL, HUGE_VAL} : Vec2{record.goal.x, record.goal.y};
  view.radius = agents.radius[i];
  view.toGoal = motion.toGoal;
  view.side = profiles[motion.profile].keepSide;
  view.heading = motion.heading;
  return view;
}

void Crowd::Impl::displace(uint32_t i, Vec2f by, float most, double free, AgentPlace& place, WallFloodScratch& flood) {
  if (obstacles.empty()) return move(ground, wide(by), agents.radius[i], place, agents.motion[i].walls, flood, free);
  // In pieces shorter than the disk, so that it jumps over nothing.
  const float pieces = std::max(1.0F, std::ceil(length(by) / (0.5F * agents.radius[i])));
  constexpr double kRounding = 5e-4;  // metres
  ObstacleView view = obstacleView(i);
  for (float piece = 0; piece < pieces; ++piece) {
    const AgentPlace start = place;
    const Vec2f part = obstacles.keptOut(view, by * (1 / pieces), most / pieces);
    move(ground, wide(part), agents.radius[i], place, agents.motion[i].walls, flood, piece == 0 ? free : 0);
    const double allowed = std::max(kRounding, obstacles.depth(view, view.at));
    view.at = ground.mesh().lattice().toMetres(place.at);
    view.cell = place.cell;
    if (obstacles.depth(view, view.at) <= allowed) continue;
    place = start;  // a wall led it into an obstacle
    return;
  }
}

}  // namespace wend
