#include "generators/ecm/open_sweep.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include "generators/ecm/open_circle.h"
#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

// Tolerances, as parts of the largest coordinate and at most so many lattice units. Vertices of the diagram are off by
// up to 5e-14 of their coordinates, along a bisector of nearly parallel walls by a large multiple of that.
struct Tolerance {
  Wide part, most;
};
// An event that looks this far behind the start of its edge is a tie.
constexpr Tolerance kBehind{1e-7L, 2e-2L};
// So is one this early.
constexpr Tolerance kEarly{1e-8L, 2e-3L};
// A foot this far outside of its part of the wave is a tie, which splits off a part without area.
constexpr Tolerance kTie{1e-10L, 1e-4L};
// Radians; directions this near count as one.
constexpr Wide kTurn = 1e-7L;

// A label of the outline of a part. `edge` is under way between it and the next one, this label on its left.
struct Node {
  uint32_t label = kNone;
  uint32_t previous = kNone;
  uint32_t next = kNone;
  uint32_t edge = kNone;
  uint32_t circle = kNone;  // the event in which it would vanish, kNone if it cannot
  bool gone = false;
  bool hasSplit = false;  // at its foot on C; once for all copies of a label
};

struct Event {
  Wide time = 0;
  uint32_t node = kNone;
  uint32_t previous = kNone;  // neighbours when it was found; a split has none
  uint32_t next = kNone;
  uint32_t id = 0;
  Circle circle;

  bool isSplit() const { return previous == kNone; }
  bool operator>(const Event& other) const { return time != other.time ? time > other.time : id > other.id; }
};

class Wave {
 public:
  Wave(const Diagram& diagram, const Zone& zone);
  Result<ZoneTree> run();

 private:
  const TangentSite& tangentSite(uint32_t node) const { return tangentSites_[nodes_[node].label]; }
  WideVec start(uint32_t edge) const { return places_[tree_.edges[edge].start]; }

  Wide distanceToObstacle(WideVec p) const;
  WideVec towardsObstacle(WideVec p) const;
  Wide along(uint32_t node, WideVec p) const;
  bool ahead(uint32_t node, WideVec p) const;
  bool inOrder(const Event& event) const;

  void findCircle(uint32_t node);
  void findSplit(uint32_t node);
  bool isCurrent(const Event& event) const;
  Event earliestAround(Event event) const;
  uint32_t addVertex(WideVec p, Wide clearance, bool joint);
  uint32_t addEdge(uint32_t from, uint32_t leftLabel, uint32_t rightLabel);
  void vanish(const Event& event);
  void split(const Event& event);
  void finish(uint32_t node);

  std::optional<Wide> breakpoint(uint32_t node, Wide time) const;
  uint32_t oppositeOf(uint32_t node, Wide time, Wide foot, bool above) const;

  const Zone& zone_;
  std::vector<TangentSite> tangentSites_;  // per label
  std::vector<Node> nodes_;
  std::vector<WideVec> places_;  // of gaps, then vertices
  ZoneTree tree_;
  std::vector<Event> found_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Wide now_ = 0;
  WideVec along_;  // unit, a -> b
  WideVec up_;     // unit, to the side of face A
  Wide length_ = 0;
  Wide reach_ = 0;  // from a; no vertex is farther away
  Wide behind_ = 0;
  Wide early_ = 0;
  Wide tie_ = 0;
};

Wave::Wave(const Diagram& diagram, const Zone& zone) : zone_(zone) {
  const auto count = static_cast<uint32_t>(zone.labels.size());
  for (uint32_t k = 0; k < count; ++k) {
    const Diagram::Site& site = diagram.sites[zone.labels[k]];
    tangentSites_.emplace_back(site.a, site.b);
    places_.push_back(wide(diagram.vertices[zone.gaps[k].vertex].p));
  }
  Wide largest = 1;
  for (const WideVec place : places_) largest = std::max({largest, std::abs(place.x), std::abs(place.y)});
  const auto limit = [&](Tolerance tolerance) { return std::min(tolerance.part * largest, tolerance.most); };
  behind_ = limit(kBehind);
  early_ = limit(kEarly);
  tie_ = limit(kTie);
  // An arc of the outline has its ends in gaps, and its points are about as far away as they are.
  for (const WideVec place : places_) reach_ = std::max(reach_, 4 * norm(place - wide(zone.a)));
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t next = k + 1 == count ? 0 : k + 1;
    nodes_.push_back({k, k == 0 ? count - 1 : k - 1, next, addEdge(k, k, next)});
  }
  if (!zone.isPoint()) {
    const WideVec d = wide(zone.b) - wide(zone.a);
    length_ = norm(d);
    along_ = d * (1 / length_);
    up_ = left(along_);
  }
}

Wide Wave::distanceToObstacle(WideVec p) const {
  return norm(towardsObstacle(p));
}

WideVec Wave::towardsObstacle(WideVec p) const {
  const WideVec d = wide(zone_.a) - p;
  if (zone_.isPoint()) return d;
  const Wide x = -dot(d, along_);
  if (x <= 0) return d;
  if (x >= length_) return wide(zone_.b) - p;
  return up_ * dot(d, up_);
}

// Whether p, on the bisector of the node and the next one, lies on the part that their edge has not passed yet.
bool Wave::ahead(uint32_t node, WideVec p) const {
  return along(node, p) >= -behind_;
}

// Around the centre, counter-clockwise: the label that vanishes, the next one, the obstacle, the previous one.
bool Wave::inOrder(const Event& event) const {
  const WideVec centre = event.circle.centre;
  const auto direction = [&](uint32_t node) { return nearest(tangentSite(node), centre) - centre; };
  const WideVec zero = direction(event.node);
  const auto angle = [&](WideVec d) {
    const Wide turn = std::atan2(cross(zero, d), dot(zero, d));
    return turn < 0 ? turn + 2 * std::numbers::pi_v<Wide> : turn;
  };
  constexpr Wide kFull = 2 * std::numbers::pi_v<Wide>;
  Wide next = angle(direction(event.next));
  Wide previous = angle(direction(event.previous));
  if (next > kFull - kTurn) next = 0;
  if (previous < kTurn) previous = kFull;
  if (next > previous + kTurn) return false;
  const WideVec back = towardsObstacle(centre);
  if (norm(back) < behind_) return true;
  const Wide obstacle = angle(back);
  if (obstacle < kTurn || obstacle > kFull - kTurn) return next < kTurn || previous > kFull - kTurn;
  return obstacle > next - kTurn && obstacle < previous + kTurn;
}

void Wave::findCircle(uint32_t node) {
  Event best;
  const uint32_t previous = nodes_[node].previous;
  const uint32_t next = nodes_[node].next;
  const Circles circles = tangentCircles(tangentSite(previous), tangentSite(node), tangentSite(next));
  for (int i = 0; i < circles.count; ++i) {
    Event event;
    event.node = node;
    event.previous = previous;
    event.next = next;
    event.circle = circles.circle[static_cast<size_t>(i)];
    if (event.circle.radius < tie_) continue;  // in an end of C on the line of a label
    if (norm(event.circle.centre - wide(zone_.a)) > reach_) continue;
    event.time = event.circle.radius - distanceToObstacle(event.circle.centre);
    if (event.time < now_ - early_ || !ahead(previous, event.circle.centre) || !ahead(node, event.circle.centre)) {
      continue;
    }
    if (!inOrder(event)) continue;
    event.time = std::max(event.time, now_);
    if (best.node == kNone || event.time < best.time) best = event;
  }
  nodes_[node].circle = kNone;
  if (best.node == kNone) return;
  best.id = static_cast<uint32_t>(found_.size());
  nodes_[node].circle = best.id;
  found_.push_back(best);
  events_.push(best);
}

void Wave::findSplit(uint32_t node) {
  if (zone_.isPoint() || nodes_[node].hasSplit || !tangentSite(node).isPoint()) return;
  if (orient(zone_.a, zone_.b, tangentSite(node).a) == 0) return;  // an end of C
  const WideVec p = wide(tangentSite(node).a) - wide(zone_.a);
  const Wide foot = dot(p, along_);
  const Wide height = std::abs(dot(p, up_));
  if (foot <= 0 || foot >= length_ || height < now_ - early_) return;
  Event event;
  event.node = node;
  // Before circles of the same time: under an end of a wall parallel to C, the whole normal has the time of the split.
  event.time = std::max(now_, height - early_);
  event.id = static_cast<uint32_t>(found_.size());
  found_.push_back(event);
  events_.push(event);
}

bool Wave::isCurrent(const Event& event) const {
  const Node& node = nodes_[event.node];
  if (node.gone) return false;
  return event.isSplit() ? !node.hasSplit : node.circle == event.id;
}

uint32_t Wave::addVertex(WideVec p, Wide clearance, bool joint) {
  places_.push_back(p);
  tree_.vertices.push_back(
      {{static_cast<double>(p.x), static_cast<double>(p.y)}, static_cast<double>(clearance), joint});
  return static_cast<uint32_t>(places_.size() - 1);
}

uint32_t Wave::addEdge(uint32_t from, uint32_t leftLabel, uint32_t rightLabel) {
  const auto edge = static_cast<uint32_t>(tree_.edges.size());
  tree_.edges.push_back({from, leftLabel, kNone});
  tree_.edges.push_back({kNone, rightLabel, kNone});
  return edge;
}

Wide Wave::along(uint32_t node, WideVec p) const {
  return dot(p - start(nodes_[node].edge), bisectorDirection(tangentSite(node), tangentSite(nodes_[node].next)));
}

// Two circles on one edge exclude each other, and the nearer one is the earlier: w grows along an edge under way. If
// the times are equal, as they are all along an edge between walls parallel to C, the nearer one is done in its place;
// if the nearer one is later, the farther one lies where the edge will not get, and waits for it. What would have to
// wait itself delays no other label.
Event Wave::earliestAround(Event event) const {
  std::optional<Event> before;
  for (size_t step = 0; step < nodes_.size(); ++step) {
    const Node& node = nodes_[event.node];
    Event better = event;
    for (const bool forward : {false, true}) {
      const uint32_t other = forward ? node.next : node.previous;
      if (nodes_[other].circle == kNone) continue;
      const uint32_t shared = forward ? event.node : other;
      const Event& candidate = found_[nodes_[other].circle];
      if (along(shared, candidate.circle.centre) < along(shared, event.circle.centre) - tie_) better = candidate;
    }
    if (better.id == event.id) break;
    if (better.time > event.time + early_) {
      if (before) return *before;
      event.time = better.time + tie_;
      break;
    }
    before = event;
    event = better;
  }
  return event;
}

void Wave::vanish(const Event& event) {
  Node& node = nodes_[event.node];
  Node& previous = nodes_[node.previous];
  Node& next = nodes_[node.next];
  const uint32_t vertex = addVertex(event.circle.centre, event.circle.radius, false);
  const uint32_t before = previous.edge;
  const uint32_t after = node.edge;
  const uint32_t onward = addEdge(vertex, previous.label, next.label);
  tree_.edges[before ^ 1U].start = vertex;
  tree_.edges[after ^ 1U].start = vertex;
  tree_.edges[before].next = onward;
  tree_.edges[after].next = before ^ 1U;
  tree_.edges[onward ^ 1U].next = after ^ 1U;
  previous.edge = onward;
  previous.next = node.next;
  next.previous = node.previous;
  node.gone = true;
  const uint32_t u = node.previous;
  const uint32_t w = node.next;
  if (previous.previous == w) {
    finish(u);
    return;
  }
  findCircle(u);
  findCircle(w);
}

// Two labels are left: the edges that come from both sides are one.
void Wave::finish(uint32_t node) {
  Node& u = nodes_[node];
  Node& w = nodes_[u.next];
  const uint32_t joint = addVertex(start(u.edge), 0, true);
  tree_.edges[u.edge ^ 1U].start = joint;
  tree_.edges[w.edge ^ 1U].start = joint;
  tree_.edges[u.edge].next = w.edge ^ 1U;
  tree_.edges[w.edge].next = u.edge ^ 1U;
  u.gone = true;
  w.gone = true;
}

// Where the end between the node and the next one is at that time, as a position along C: the points of the wave on one
// side of C are as far from their label as from the line parallel to C at distance `time` on the other side.
std::optional<Wide> Wave::breakpoint(uint32_t node, Wide time) const {
  const TangentSite& u = tangentSite(node);
  const TangentSite& v = tangentSite(nodes_[node].next);
  const WideVec direction = bisectorDirection(u, v);
  const WideVec from = start(nodes_[node].edge);
  std::optional<Wide> best;
  Wide bestAhead = 0;
  for (const TangentSite& line : {TangentSite(zone_.a, zone_.b, time), TangentSite(zone_.b, zone_.a, time)}) {
    const Circles circles = tangentCircles(u, v, line);
    for (int i = 0; i < circles.count; ++i) {
      const Circle& circle = circles.circle[static_cast<size_t>(i)];
      const Wide by = dot(circle.centre - from, direction);
      if (circle.radius < time - tie_ || by < -behind_ || (best && by > bestAhead)) continue;
      bestAhead = by;
      best = dot(circle.centre - wide(zone_.a), along_);
    }
  }
  return best;
}

// The node whose part of the wave lies across C from the foot, or kNone if the foot is not in this node's own part.
// Walking counter-clockwise from a node above C, everything left of the foot comes before everything right of it.
uint32_t Wave::oppositeOf(uint32_t node, Wide time, Wide foot, bool above) const {
  const Wide sign = above ? 1 : -1;
  const auto past = [&](uint32_t k) {
    const std::optional<Wide> x = breakpoint(k, time);
    return x ? std::optional<bool>(sign * (*x - foot) > 0) : std::nullopt;
  };
  const auto off = [&](uint32_t k) { return sign * (breakpoint(k, time).value_or(foot) - foot); };
  if (off(nodes_[node].previous) < -tie_ || off(node) > tie_) return kNone;
  for (uint32_t k = nodes_[node].next; k != node; k = nodes_[k].next) {
    if (past(k).value_or(false)) return k;
  }
  return kNone;
}

// The part of a node left of the foot keeps its number, the one right of it gets a new one (left and right as seen from
// the node's own side of C).
void Wave::split(const Event& event) {
  const WideVec apex = wide(tangentSite(event.node).a);
  const bool above = dot(apex - wide(zone_.a), up_) > 0;
  const Wide height = std::abs(dot(apex - wide(zone_.a), up_));
  const uint32_t other = oppositeOf(event.node, height, dot(apex - wide(zone_.a), along_), above);
  if (other == kNone) return;
  // From the apex straight through its foot to the bisector.
  const WideVec down = above ? up_ * -1 : up_;
  const TangentSite& opposite = tangentSite(other);
  Wide reach = 0;
  if (opposite.isPoint()) {
    const WideVec d = wide(opposite.a) - apex;
    reach = dot(d, d) / (2 * dot(down, d));
  } else {
    const WideVec d = opposite.normal - down;
    reach = 2 * distance(opposite, apex) / dot(d, d);
  }
  if (!std::isfinite(reach) || reach < height - behind_) return;

  nodes_[event.node].hasSplit = true;
  const uint32_t joint = addVertex(apex + down * reach, reach, true);
  const auto twin = static_cast<uint32_t>(nodes_.size());
  const uint32_t otherTwin = twin + 1;
  nodes_.push_back(nodes_[event.node]);
  nodes_.push_back(nodes_[other]);
  Node& first = nodes_[event.node];  // with what follows it
  Node& second = nodes_[other];      // with what precedes it
  Node& firstRest = nodes_[twin];
  Node& secondRest = nodes_[otherTwin];
  // Two lists: first ... second, and secondRest ... firstRest.
  const uint32_t rightward = addEdge(joint, firstRest.label, secondRest.label);
  const uint32_t leftward = addEdge(joint, second.label, first.label);
  tree_.edges[rightward ^ 1U].next = leftward;
  tree_.edges[leftward ^ 1U].next = rightward;
  firstRest.next = otherTwin;
  firstRest.edge = rightward;
  secondRest.previous = twin;
  nodes_[firstRest.previous].next = twin;
  nodes_[secondRest.next].previous = otherTwin;
  if (firstRest.previous == other) firstRest.previous = otherTwin;
  if (secondRest.next == event.node) secondRest.next = twin;
  second.next = event.node;
  second.edge = leftward;
  first.previous = other;
  for (const uint32_t node : {event.node, twin}) {
    if (nodes_[nodes_[node].next].next == node) {
      finish(node);
      continue;
    }
    const uint32_t across = node == twin ? nodes_[node].next : nodes_[node].previous;
    for (const uint32_t k : {node, across}) {
      findCircle(nodes_[k].previous);
      findCircle(k);
      findCircle(nodes_[k].next);
    }
    findSplit(across);
  }
}

Result<ZoneTree> Wave::run() {
  const auto count = static_cast<uint32_t>(nodes_.size());
  if (count == 2) {
    finish(0);
    return std::move(tree_);
  }
  for (uint32_t k = 0; k < count; ++k) {
    findCircle(k);
    findSplit(k);
  }
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    if (!isCurrent(event)) continue;
    now_ = std::max(now_, event.time);
    if (event.isSplit()) {
      split(event);
    } else {
      const Event first = earliestAround(event);
      if (first.time > now_ + early_) {
        events_.push(first);
        continue;
      }
      vanish(first);
      if (first.id != event.id && isCurrent(event)) events_.push(event);
    }
  }
  for (const Node& node : nodes_) {
    if (!node.gone) {
      return Error{ErrorCode::kInternal, fmt::format("the wave of the zone between ({}, {}) and ({}, {}) stopped with "
                                                     "labels left; please report",
                                                     zone_.a.x, zone_.a.y, zone_.b.x, zone_.b.y)};
    }
  }
  return std::move(tree_);
}

}  // namespace

Result<ZoneTree> sweepZone(const Diagram& diagram, const Zone& zone) {
  return Wave(diagram, zone).run();
}

}  // namespace wend::ecm
