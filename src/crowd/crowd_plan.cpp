#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "crowd/crowd_impl.h"
#include "crowd/local/symmetry.h"
#include "crowd/route_method.h"
#include "planning/route_heights.h"

// Global planning: which agents need a route in this frame, and with which query.
namespace wend {
namespace {

constexpr size_t kPlanBlock = 8;  // routes differ much in cost
constexpr double kRoundings = 2;  // lattice units

std::optional<double> sideOf(const CrowdProfile& profile) {
  switch (profile.route) {
    case RouteMethod::kMedial:
      return 0;
    case RouteMethod::kLeft:
      return -1;
    case RouteMethod::kRight:
      return 1;
    case RouteMethod::kSide:
      return profile.side;
    case RouteMethod::kShort:
    case RouteMethod::kWeighted:
    case RouteMethod::kFastest:
    case RouteMethod::kTable:
      break;
  }
  return std::nullopt;
}

}  // namespace

// The disk may reach into walls by the rounding of its place.
PathQuery Crowd::Impl::queryFor(const AgentRecord& record, uint32_t slot, DensityView& seen) const {
  const CrowdProfile& profile = profiles[record.profile];
  PathQuery query;
  query.from = placeOf(slot);
  const uint32_t member = record.rejoin == kNone ? kNone : slotOf(record.rejoin);
  query.to = member == kNone ? record.goal : placeOf(member);
  query.radius = std::max(0.0, agents.radius[slot] - kRoundings * ground.unit());
  query.clearance = profile.clearance;
  query.side = sideOf(profile);
  query.method = methodOfAgents(navigator);
  query.measure = false;
  if (profile.densityWeight > 0) {
    seen.map = density.get();
    seen.diagram = profile.diagram;
    seen.weight = profile.densityWeight;
    seen.view = profile.densityView;
    seen.ownCell = agents.motion[slot].densityCell;
    seen.own = DensityMap::areaOf(agents.radius[slot]);
    if (agents.motion[slot].slowFor >= kSlowPatience) seen.avoided = seen.ownCell;
    query.density = &seen;
  }
  return query;
}

// An agent on its way back to its group plans a route.
bool Crowd::Impl::usesHops(const AgentRecord& record) const {
  return profiles[record.profile].route == RouteMethod::kTable && record.rejoin == kNone;
}

// Rows are made before the threads start, in the order of slots. Their numbers depend on that order, what they say does
// not.
void Crowd::Impl::findHops(const Context& context) {
  for (const uint32_t slot : due) {
    AgentRecord& record = recordAt(slot);
    if (!usesHops(record)) continue;
    const CellId goal = navigator.locate(record.goal);
    record.hops = goal == kNone ? kNone : hops->row(goal, agents.radius[slot], context);
  }
}

PathStatus Crowd::Impl::planByHops(AgentRecord& record, uint32_t slot) const {
  if (record.hops == kNone) return PathStatus::kGoalOffMesh;
  const double left = hops->left(record.hops, agents.cell[slot]);
  if (!std::isfinite(left)) return PathStatus::kUnreachable;
  record.target = record.goal;
  record.route.clear();
  record.route.points.push_back(record.goal);  // an agent that walks has an end of its route
  record.route.length = left;
  return PathStatus::kFound;
}

PathStatus Crowd::Impl::planRoute(AgentRecord& record, uint32_t slot, CrowdWorker& worker) const {
  if (usesHops(record)) return planByHops(record, slot);
  const double rounding = kRoundings * ground.unit();
  DensityView seen;
  PathQuery query = queryFor(record, slot, seen);
  if (noticeOf(record) == ReplanTrigger::kInstant) record.knows = WorldVersions::kAlwaysNewest;
  if (!knowsNewest(record)) {
    // On the world as the agent believes it to be. Densities are known of the world as it is.
    PathQuery believed = query;
    believed.density = nullptr;
    if (versions.navigator(record.knows).plan(believed, worker.plan, record.route) == PathStatus::kFound) {
      record.route.cells.clear();
      record.route.portals.clear();
      record.route.shrunkPortals.clear();
      record.target = {query.to.x, query.to.y, *query.to.z};
      return PathStatus::kFound;
    }
    record.knows = WorldVersions::kAlwaysNewest;
  }
  if (const std::optional<Navigator>& planner = planners[record.profile]) {
    return planElsewhere(*planner, record, slot, worker);
  }
  const auto plan = [&] { return navigator.plan(query, worker.plan, record.route); };
  // The squares of the grid may miss a narrow passage; then the agent takes the shortest route.
  const WeightedGrid* squares = isWeighted(record) ? weightedGrid(query.radius) : nullptr;
  if (squares != nullptr &&
      squares->plan(query, regionCosts[record.profile], worker.plan, record.route) == PathStatus::kFound) {
    record.target = {query.to.x, query.to.y, *query.to.z};
    return PathStatus::kFound;
  }
  PathStatus status = plan();
  if (status == PathStatus::kUnsupported && query.side) {
    query.side.reset();
    status = plan();
  }
  if (status == PathStatus::kGoalTooNear) {
    // It is enough to come near: the place beside the wall where the disk fits.
    const auto wall = navigator.nearestObstacle(query.to, worker.plan);
    const double missing = wall ? query.radius + rounding - wall->distance : 0;
    if (wall && wall->distance > 0 && missing < record.goalRadius) {
      const double share = missing / wall->distance;
      query.to.x += share * (query.to.x - wall->point.x);
      query.to.y += share * (query.to.y - wall->point.y);
      status = plan();
    }
  }
  if (status == PathStatus::kStartTooNear) {
    // Pushed into a place that is narrower than the disk: find a path out of it.
    const auto wall = navigator.nearestObstacle(query.from, worker.plan);
    query.radius = wall ? std::max(0.0, std::min(query.radius, wall->distance) - rounding) : 0;
    status = plan();
  }
  record.target = {query.to.x, query.to.y, *query.to.z};
  return status;
}

// Only the points of the route are of use in this world.
PathStatus Crowd::Impl::planElsewhere(const Navigator& planner, AgentRecord& record, uint32_t slot,
                                      CrowdWorker& worker) const {
  constexpr double kWayOut = 5;  // m to the nearest place that is open
  DensityView seen;
  PathQuery query = queryFor(record, slot, seen);
  query.method = methodOfAgents(planner);
  query.density = nullptr;
  const Vec3 from{query.from.x, query.from.y, *query.from.z};
  PathStatus status = planner.plan(query, worker.plan, record.route);
  const auto nearestTo = [&](Place& place) {
    const std::optional<NearestPlace> open = planner.nearest(place, query.radius, kWayOut, worker.plan);
    if (open) place = open->place;
    return open.has_value();
  };
  const bool isGoalNear = status == PathStatus::kGoalTooNear;
  if (isGoalNear && nearestTo(query.to)) status = planner.plan(query, worker.plan, record.route);
  const bool isStartShut = status == PathStatus::kStartTooNear || status == PathStatus::kStartOffMesh;
  if (isStartShut && nearestTo(query.from)) status = planner.plan(query, worker.plan, record.route);
  record.target = {query.to.x, query.to.y, *query.to.z};
  if (status != PathStatus::kFound) return status;
  Route& route = record.route;
  markConnections(planner.mesh(), route);
  if (isStartShut && !route.points.empty()) {
    route.length += std::hypot(route.points.front().x - from.x, route.points.front().y - from.y);
    route.points.insert(route.points.begin(), from);
  }
  route.cells.clear();
  route.portals.clear();
  route.shrunkPortals.clear();
  route.path.clear();
  route.arcs.clear();
  return status;
}

PathStatus Crowd::Impl::replanRoute(AgentRecord& record, uint32_t slot, CrowdWorker& worker, bool& changed) const {
  DensityView seen;
  PathQuery query = queryFor(record, slot, seen);
  query.to = record.target;
  freshen(record);
  return navigator.replan(query, worker.plan, record.route, changed);
}

bool Crowd::Impl::isWeighted(const AgentRecord& record) const {
  const RouteMethod route = profiles[record.profile].route;
  return regions != nullptr && (route == RouteMethod::kWeighted || route == RouteMethod::kFastest);
}

double Crowd::Impl::detourOf(const AgentRecord& record) const {
  if (!isWeighted(record)) return 1;
  const RegionCosts& costs = regionCosts[record.profile];
  return costs.most() / costs.least();
}

const WeightedGrid* Crowd::Impl::weightedGrid(double radius) const {
  const auto at =
      std::find_if(weighted.begin(), weighted.end(), [&](const auto& squares) { return squares->radius() >= radius; });
  return at == weighted.end() ? nullptr : at->get();
}

// One grid for all radii up to the next step: the radii in a crowd differ by little.
void Crowd::Impl::makeWeightedGrids(const Context& context) {
  constexpr double kGridRadiusStep = 0.1;  // metres
  for (const uint32_t slot : due) {
    if (!isWeighted(recordAt(slot))) continue;
    const double radius = kGridRadiusStep * std::ceil(agents.radius[slot] / kGridRadiusStep);
    const WeightedGrid* known = weightedGrid(agents.radius[slot]);
    if (known != nullptr && known->radius() <= radius) continue;
    const auto place =
        std::find_if(weighted.begin(), weighted.end(), [&](const auto& squares) { return squares->radius() > radius; });
    weighted.insert(place, std::make_unique<WeightedGrid>(navigator, *regions, radius, context));
  }
}

// Without density nothing changes while one walks.
bool Crowd::Impl::replans(const AgentRecord& record) const {
  const CrowdProfile& profile = profiles[record.profile];
  return profile.densityWeight > 0 && profile.replanEvery > 0 && !plansApart(record) && !usesHops(record);
}

// When its time has come, or when it is stuck in a jam: then the part of the world where it stands counts as full.
bool Crowd::Impl::isDue(const AgentRecord& record, const Motion& motion) const {
  // It believes in another world: densities are of this one.
  if (!knowsNewest(record)) return false;
  if (record.state != RouteState::kWalking || (record.replanAt > frame && motion.slowFor < kSlowPatience)) return false;
  return replans(record);
}

// Agents that start together must not all plan in the same frame again.
uint64_t Crowd::Impl::replanFrame(const AgentRecord& record, bool first) const {
  const double period = std::max(1.0, std::round(profiles[record.profile].replanEvery / settings.step));
  const double share = first ? 0.5 + 0.5 * std::abs(hashed(record.id, settings.seed)) : 1;
  return frame + static_cast<uint64_t>(std::max(1.0, std::ceil(period * share)));
}

// Everyone without a route; then those that noticed a change of the world, first in, first out; then those whose time
// has come, the longest overdue first. The budget holds for the last two.
void Crowd::Impl::chooseDue(const Context& context) {
  if (followsEdits() && !learnsLate()) {
    keepAwaited();
  } else {
    noticeChanges(context);
  }
  // Records lie anywhere in memory: all threads read them once.
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    for (uint32_t slot = begin; slot < end; ++slot) {
      if (slot + kAhead < end) __builtin_prefetch(&records[agents.motion[slot + kAhead].record].state);
      AgentRecord& record = recordAt(slot);
      const bool hasHops = record.hops != kNone && !hops->isStale(record.hops);
      const bool needsHops = !hasHops && record.state == RouteState::kWalking && usesHops(record);
      // An edit took the row away: it may lead nowhere now. A loaded agent walks on once it has found its row.
      if (needsHops && record.hops != kNone) record.state = RouteState::kWanted;
      const bool isWanted = record.state == RouteState::kWanted || needsHops;
      dueKind[slot] = isWanted ? 2 : isDue(record, agents.motion[slot]) ? 1 : 0;
    }
  });
  due.clear();
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    if (dueKind[slot] != 2) continue;
    due.push_back(slot);
    waiting.remove(agents.id[slot]);
  }
  turns.clear();
  waiting.take(settings.replanBudget, turns);
  for (const AgentId agent : turns) {
    const uint32_t slot = slotOf(agent);
    if (recordAt(slot).state != RouteState::kWalking) continue;
    dueKind[slot] = 3;
    due.push_back(slot);
  }
  const size_t unplanned = due.size();
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    if (dueKind[slot] == 1) due.push_back(slot);
  }
  const auto left =
      static_cast<uint32_t>(settings.replanBudget - std::min<size_t>(settings.replanBudget, turns.size()));
  if (settings.replanBudget == 0 || due.size() - unplanned <= left) return;
  const auto sooner = [&](uint32_t a, uint32_t b) {
    const AgentRecord& first = recordAt(a);
    const AgentRecord& second = recordAt(b);
    return first.replanAt != second.replanAt ? first.replanAt < second.replanAt : first.id < second.id;
  };
  const auto begin = due.begin() + static_cast<ptrdiff_t>(unplanned);
  std::nth_element(begin, begin + left, due.end(), sooner);
  due.resize(unplanned + left);
}

void Crowd::Impl::planRoutes(const Context& context) {
  chooseDue(context);
  makeWeightedGrids(context);
  findHops(context);
  for (const CrowdProfile& profile : profiles) {
    if (!due.empty() && profile.densityWeight > 0) density->prepare(profile.diagram);
  }
  parallelBlocks(due.size(), kPlanBlock, context, [&](size_t begin, size_t end) {
    CrowdWorkers::Lease worker(workers);
    for (size_t i = begin; i < end; ++i) {
      const uint32_t slot = due[i];
      AgentRecord& record = recordAt(slot);
      const bool first = record.state == RouteState::kWanted;
      // A loaded agent has found its row again and walks on.
      if (!first && usesHops(record)) continue;
      bool changed = true;
      PathStatus status = first || plansApart(record) ? planRoute(record, slot, *worker)
                          : dueKind[slot] == 3        ? replanAfterChange(record, slot, *worker, changed)
                                                      : replanRoute(record, slot, *worker, changed);
      // It may be off its old route: from here it may still find one.
      if (!first && status != PathStatus::kFound) status = planRoute(record, slot, *worker);
      record.replanAt = replanFrame(record, first);
      agents.motion[slot].slowFor = 0;
      if (status != PathStatus::kFound && record.rejoin != kNone) {
        record.rejoin = kNone;
        record.state = RouteState::kWanted;
        continue;
      }
      if (status != PathStatus::kFound) {
        record.route.clear();
        record.state = RouteState::kBlocked;
        routes.setBlocked(agents.motion[slot].record);
        happened[slot] |= uint8_t{1} << static_cast<int>(CrowdEventKind::kRouteBlocked);
        continue;
      }
      record.state = RouteState::kWalking;
      if (!changed) continue;
      record.routeEdit = edits;
      routes.set(agents.motion[slot].record, record.route, isOnAxis(record), detourOf(record));
      markConnections(ground.mesh(), record.route);
      record.follow = {};
      record.lostFor = 0;
      // A late agent stays late on any new route.
      if (!first) continue;
      record.plannedAt = frame;
      record.expected = std::max(static_cast<float>(record.route.length) / agents.motion[slot].speed, 1.0F);
    }
  });
}

}  // namespace wend
