#include "crowd/follow/methods.h"
#include "planning/region/region_field.h"

// The Modified Indicative Routes And Navigation method. N. Jaklin, A. Cook, R. Geraerts: Real-time path planning in
// heterogeneous environments (2013). The attractor is the point of the route ahead, in straight sight, from which the
// cheapest way leads on: straight to it, then along the route.
namespace wend {
namespace {

constexpr double kShortcut = 10;   // m along the route: how far ahead to look
constexpr double kSampling = 0.5;  // m between candidates
constexpr uint32_t kEvery = 3;     // steps between choices
constexpr double kAlike = 1e-6;    // relative; of two costs that differ less the farther candidate wins
constexpr int kRefinements = 3;    // halvings between the winner and the next candidate

double costBetween(const FollowCall& call, LayerId layer, Vec2 a, Vec2 b) {
  return call.input.regions == nullptr ? length(b - a) : call.input.regions->along(layer, a, b);
}

// The cost of the straight walk to a candidate; infinite if it is blocked. The regions of the agent's layer count all
// the way.
double costTo(const FollowCall& call, const RouteCursor& candidate, double enough) {
  if (!isStraightTo(call, candidate.at(), candidate.z(), enough)) return HUGE_VAL;
  return costBetween(call, call.navigator.mesh().layerOf(call.input.cell), call.x(), candidate.at());
}

// Along the route to another place of it.
double routeCost(const FollowCall& call, LayerId layer, RouteCursor from, double arc) {
  double sum = 0;
  for (;;) {
    const Vec2 a = from.at();
    if (from.isLast() || from.segmentEndArc() >= arc) {
      from.setArc(arc);
      return sum + costBetween(call, layer, a, from.at());
    }
    sum += costBetween(call, layer, a, from.segmentEnd());
    from.next();
  }
}

struct Choice {
  RouteCursor at;
  double straight = HUGE_VAL;  // to it
  double cost = HUGE_VAL;      // without that of the route up to it: what the route costs on from there is the same
};

// Where all places cost the same, a farther candidate is never worse: straight is the shortest.
Choice farthest(const FollowCall& call, const RouteCursor& reference, double enough) {
  double last = HUGE_VAL;
  for (double ahead = kShortcut; ahead >= 0; ahead -= kSampling) {
    RouteCursor candidate = reference;
    candidate.forward(ahead);
    if (candidate.arc() == last) continue;  // beyond the end of the route
    last = candidate.arc();
    const double straight = costTo(call, candidate, enough);
    if (straight < HUGE_VAL) return {candidate, straight, straight - (candidate.arc() - reference.arc())};
  }
  return {reference};
}

Choice cheapest(const FollowCall& call, const RouteCursor& reference, LayerId layer, double enough) {
  Choice best{reference};
  RouteCursor candidate = reference;
  double walked = 0;  // cost of the route from the reference to the candidate
  for (double ahead = 0; ahead <= kShortcut; ahead += kSampling) {
    const double straight = costTo(call, candidate, enough);
    if (straight < HUGE_VAL && straight - walked <= best.cost + kAlike * (straight + walked)) {
      best = {candidate, straight, straight - walked};
    }
    if (candidate.isLast() && candidate.arc() >= candidate.segmentEndArc()) break;
    RouteCursor next = candidate;
    next.forward(kSampling);
    walked += routeCost(call, layer, candidate, next.arc());
    candidate = next;
  }
  return best;
}

}  // namespace

FollowStatus followMiran(const FollowCall& call) {
  FollowState& s = call.state;
  const Vec2 x = call.x();
  RouteCursor reference(call.route, s);
  reference.toNearest(x, std::min(call.window(reference), std::max(0.0, s.attractorArc - s.arc)));
  const bool near = length(s.attractor - x) <= 2 * call.input.maxStep + kSampling;
  if (s.age != 0 && s.age < kEvery && !near) {
    ++s.age;
    reference.store(s);
    return FollowStatus::kOk;
  }
  s.age = 1;
  const FreeDisk disk = call.navigator.freeDisk(call.input.cell, x, call.scratch);
  const double enough = keptFrom(call, disk);
  passBend(call, reference, enough);
  reference.store(s);
  const LayerId layer = call.navigator.mesh().layerOf(call.input.cell);
  Choice best =
      call.input.regions == nullptr ? farthest(call, reference, enough) : cheapest(call, reference, layer, enough);
  if (best.cost == HUGE_VAL) {
    const bool kept = s.attractorArc > s.arc && isStraightTo(call, s.attractor, call.input.position.z, enough);
    return kept ? FollowStatus::kOk : recoverRoute(call);
  }
  // Candidates lie apart; between the winner and the next one the attractor moves smoothly.
  const bool whole = best.at.arc() - reference.arc() >= (1 - kAlike) * kShortcut;
  for (double step = 0.5 * kSampling, i = 0; !whole && i < kRefinements; step *= 0.5, ++i) {
    RouteCursor finer = best.at;
    finer.forward(step);
    const double straight = costTo(call, finer, enough);
    if (straight - routeCost(call, layer, best.at, finer.arc()) > (1 + kAlike) * best.straight) continue;
    best.at = finer;
    best.straight = straight;
  }
  s.attractor = best.at.at();
  s.attractorArc = best.at.arc();
  return FollowStatus::kOk;
}

}  // namespace wend
