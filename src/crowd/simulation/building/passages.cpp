#include "crowd/simulation/building/passages.h"

#include <algorithm>

#include "crowd/route_method.h"

namespace wend {

Vec3 Passages::entryOf(size_t passage) const {
  const size_t lanes = gates_.laneCount();
  return passage < lanes ? gates_.entryOf(static_cast<uint32_t>(passage))
                         : lifts_.lobbyOf(static_cast<uint32_t>(passage - lanes));
}

Vec3 Passages::exitOf(size_t passage) const {
  const size_t lanes = gates_.laneCount();
  return passage < lanes ? gates_.exitOf(static_cast<uint32_t>(passage))
                         : lifts_.exitOf(static_cast<uint32_t>(passage - lanes));
}

bool Passages::isUsable(size_t passage, const Person& person) const {
  const size_t lanes = gates_.laneCount();
  return passage < lanes ? gates_.isOpen(static_cast<uint32_t>(passage)) : run_.scenario.profiles[person.profile].lifts;
}

double Passages::walk(const Person& person, Vec3 from, Vec3 to, bool isSteady) {
  const Navigator& navigator = run_.navigatorOf(person);
  PathQuery query{.from = from, .to = to, .radius = person.radius, .method = methodOfAgents(navigator)};
  PathStatus status = navigator.plan(query, run_.scratch, run_.route);
  if (status == PathStatus::kStartTooNear || status == PathStatus::kGoalTooNear) {
    query.radius = 0.9 * person.radius;
    status = navigator.plan(query, run_.scratch, run_.route);
  }
  if (status != PathStatus::kFound) return kForever;
  return walkTime_ ? person.freeSpeed * walkTime_(person, run_.route, isSteady) : run_.route.length;
}

// The same for all persons of a profile: what is too narrow for one is not worth a table of its own.
double Passages::between(const Person& person, size_t from, size_t to) {
  const size_t n = count();
  const uint64_t version = run_.world->world.version();
  if (version != version_ || between_.empty()) between_.assign(run_.scenario.profiles.size() * n * n, -1);
  version_ = version;
  double& known = between_[(person.profile * n + from) * n + to];
  if (known >= 0) return known;
  constexpr double kSlim = 0.2;           // m
  constexpr double kAverageSpeed = 1.34;  // m/s; lengths on stairs do not depend on it
  Person average;
  average.profile = person.profile;
  average.radius = kSlim;
  average.freeSpeed = kAverageSpeed;
  known = walk(average, exitOf(from), entryOf(to), true);
  return known;
}

double Passages::through(size_t passage, const Person& person, double arrival) const {
  const size_t lanes = gates_.laneCount();
  return passage < lanes ? gates_.secondsThrough(static_cast<uint32_t>(passage), person)
                         : lifts_.secondsOf(static_cast<uint32_t>(passage - lanes), person, arrival);
}

// Dijkstra over passages: to the entry of one, through it, on to the next or to the goal.
Passages::Way Passages::find(const Person& person, Vec3 from, Vec3 to) {
  Way best{walk(person, from, to, false)};
  const size_t n = count();
  std::vector<double> cost(n, kForever);
  std::vector<size_t> first(n);
  std::vector<uint8_t> done(n, 0);
  const auto passed = [&](size_t passage, double entry) {
    if (entry == kForever) return kForever;
    return entry + person.freeSpeed * through(passage, person, entry / person.freeSpeed);
  };
  double entry = kForever;
  for (size_t i = 0; i < n; ++i) {
    first[i] = i;
    if (!isUsable(i, person)) continue;
    // All rides from a floor begin in one lobby.
    const bool isSame = i > 0 && isUsable(i - 1, person) && entryOf(i) == entryOf(i - 1);
    if (!isSame) entry = walk(person, from, entryOf(i), false);
    cost[i] = passed(i, entry);
  }
  while (true) {
    size_t next = n;
    for (size_t i = 0; i < n; ++i) {
      if (done[i] == 0 && cost[i] < kForever && (next == n || cost[i] < cost[next])) next = i;
    }
    if (next == n || cost[next] >= best.length) break;
    done[next] = 1;
    const double whole = cost[next] + walk(person, exitOf(next), to, false);
    if (whole < best.length) {
      const size_t lanes = gates_.laneCount();
      const bool isLane = first[next] < lanes;
      best = {whole, isLane ? static_cast<uint32_t>(first[next]) : kNone,
              isLane ? kNone : static_cast<uint32_t>(first[next] - lanes)};
    }
    for (size_t i = 0; i < n; ++i) {
      if (done[i] != 0 || !isUsable(i, person)) continue;
      const double onwards = passed(i, cost[next] + between(person, next, i));
      if (onwards < cost[i]) {
        cost[i] = onwards;
        first[i] = first[next];
      }
    }
  }
  return best;
}

}  // namespace wend
