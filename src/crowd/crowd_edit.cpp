#include <algorithm>
#include <cmath>
#include <utility>

#include "crowd/crowd_impl.h"
#include "crowd/refuge.h"
#include "crowd/route_keeper.h"
#include "planning/clearance/distances.h"
#include "planning/table/hop_change.h"

// An edit of the world in the time of what it changes: agents, routes and maps that it does not concern are not looked
// at, but for a few numbers of each agent. For crowds that follow points and plan on the mesh itself. Tables are read
// in the time of their cells, but not searched; agents that learn by sight are each looked at, as in every step.
namespace wend {
namespace {

constexpr double kSafeAround = 0.01;  // metres around a disk within which no change may be
constexpr double kLargestAgent = 2;   // metres, a radius

// Metres: how far from an agent the walls that it knows of may be.
constexpr double kWallReach = kLargestAgent + kWallRange + 2 * kWallRefresh + 0.5;

bool isSameEdge(const CorridorMap& was, const CorridorMap& now, uint32_t edge) {
  if (edge >= was.edges.size() || edge >= now.edges.size()) return false;
  const CorridorMap::Edge& a = was.edges[edge];
  const CorridorMap::Edge& b = now.edges[edge];
  if (a.from != b.from || a.to != b.to || a.first != b.first || a.count != b.count) return false;
  for (uint32_t i = a.first; i < a.first + a.count; ++i) {
    if (!(was.bendingPoints[i].p == now.bendingPoints[i].p)) return false;
  }
  return true;
}

// Metres.
RouteIndex::Area areaOf(const CorridorMap& map, uint32_t edge) {
  RouteIndex::Area area{{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
  for (uint32_t i = map.edges[edge].first; i < map.edges[edge].first + map.edges[edge].count; ++i) {
    const CorridorMap::BendingPoint& point = map.bendingPoints[i];
    area.min = {std::min(area.min.x, point.p.x - point.clearance), std::min(area.min.y, point.p.y - point.clearance)};
    area.max = {std::max(area.max.x, point.p.x + point.clearance), std::max(area.max.y, point.p.y + point.clearance)};
  }
  return {map.lattice.toMetres(area.min), map.lattice.toMetres(area.max)};
}

// Boxes in lattice units, and one around them all.
class Surroundings {
 public:
  void add(Vec2 a, Vec2 b, double around) {
    boxes_.push_back({{std::min(a.x, b.x) - around, std::min(a.y, b.y) - around},
                      {std::max(a.x, b.x) + around, std::max(a.y, b.y) + around}});
    all_.min = {std::min(all_.min.x, boxes_.back().min.x), std::min(all_.min.y, boxes_.back().min.y)};
    all_.max = {std::max(all_.max.x, boxes_.back().max.x), std::max(all_.max.y, boxes_.back().max.y)};
  }
  bool has(int32_t x, int32_t y) const {
    return isIn(all_, x, y) &&
           std::any_of(boxes_.begin(), boxes_.end(), [&](const auto& box) { return isIn(box, x, y); });
  }

 private:
  using Area = RouteIndex::Area;
  static bool isIn(const Area& box, int32_t x, int32_t y) {
    return x >= box.min.x && x <= box.max.x && y >= box.min.y && y <= box.max.y;
  }
  Area all_{{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
  std::vector<Area> boxes_;
};

void prefetchForRoute(const AgentRecord& record) {
  __builtin_prefetch(&record.state);
  __builtin_prefetch(&record.follow);
  __builtin_prefetch(&record.route.points);
  __builtin_prefetch(&record.route.length);
}

void prefetchPoints(const AgentRecord& record) {
  if (record.follow.segment >= record.route.points.size()) return;
  __builtin_prefetch(record.route.points.data() + record.follow.segment);
  __builtin_prefetch(&record.route.points.back());
}

bool isSameCost(const SetCost& a, const SetCost& b) {
  return a.profile == b.profile && a.label == b.label && a.cost == b.cost;
}

double distanceTo(const RouteIndex::Area& area, Vec2 p) {
  return std::hypot(std::max({0.0, area.min.x - p.x, p.x - area.max.x}),
                    std::max({0.0, area.min.y - p.y, p.y - area.max.y}));
}

// The bending point of an edge that is nearest to what changed, metres.
Vec2 nearestOn(const CorridorMap& map, uint32_t edge, std::span<const RouteIndex::Area> areas) {
  Vec2 nearest;
  double least = HUGE_VAL;
  for (uint32_t i = map.edges[edge].first; i < map.edges[edge].first + map.edges[edge].count; ++i) {
    const Vec2 p = map.lattice.toMetres(map.bendingPoints[i].p);
    double away = 0;
    for (const RouteIndex::Area& area : areas) away = std::max(away, distanceTo(area, p));
    if (away >= least) continue;
    least = away;
    nearest = p;
  }
  return nearest;
}

}  // namespace

bool Crowd::Impl::learnsLate() const {
  return std::any_of(profiles.begin(), profiles.end(),
                     [](const CrowdProfile& profile) { return profile.notice != ReplanTrigger::kInstant; });
}

bool Crowd::Impl::followsEdits() const {
  if (std::any_of(planners.begin(), planners.end(), [](const auto& planner) { return planner.has_value(); }))
    return false;
  bool plansByDensity = true;
  for (const CrowdProfile& profile : profiles) {
    const bool walksOnPoints = profile.follow == FollowMethod::kIrm || profile.follow == FollowMethod::kMiran;
    if (!walksOnPoints) return false;
    plansByDensity = plansByDensity && profile.densityWeight > 0;
  }
  return !plansByDensity || learnsLate() || versions.size() == 1;
}

bool Crowd::Impl::isOnAxis(const AgentRecord& record) const {
  return profiles[record.profile].densityWeight <= 0 && navigator.mesh().corridorMap() != nullptr &&
         !usesHops(record) && !plansApart(record);
}

// A route keeps the ids of the mesh and axis it was planned on. Call this before they are used.
void Crowd::Impl::freshen(AgentRecord& record) const {
  // A route of an older version has the ids of that one.
  if (record.routeEdit == edits || !knowsNewest(record)) return;
  Route& route = record.route;
  route.cells.clear();
  route.portals.clear();
  route.shrunkPortals.clear();
  const bool isStale = std::any_of(route.path.begin(), route.path.end(), [&](uint32_t halfEdge) {
    return (halfEdge >> 1) >= edgeEdits.size() || edgeEdits[halfEdge >> 1] > record.routeEdit;
  });
  if (isStale) route.path.clear();
  record.routeEdit = edits;
}

Crowd::Impl::ChangedEdges Crowd::Impl::changedEdges(const std::shared_ptr<const CorridorMap>& was,
                                                    const std::shared_ptr<const CorridorMap>& now,
                                                    const RouteKeeper& keeper) const {
  ChangedEdges changed;
  if (now == nullptr) return changed;
  const auto count = static_cast<uint32_t>(std::max(was == nullptr ? 0 : was->edges.size(), now->edges.size()));
  for (uint32_t edge = 0; edge < count; ++edge) {
    if (was != nullptr && isSameEdge(*was, *now, edge)) continue;
    changed.edges.push_back(edge);
    if (was != nullptr && edge < was->edges.size()) changed.areas.push_back(areaOf(*was, edge));
    if (edge >= now->edges.size()) continue;
    changed.areas.push_back(areaOf(*now, edge));
    const Vec2 p = nearestOn(*now, edge, keeper.areas());
    changed.passed.push_back({p, p});
  }
  return changed;
}

void Crowd::Impl::noteEdges(const ChangedEdges& changed, size_t count) {
  ++edits;
  edgeEdits.resize(count, 0);
  for (const uint32_t edge : changed.edges) {
    if (edge < count) edgeEdits[edge] = edits;
  }
}

// Walls that agents remember, and disks that they saw free.
void Crowd::Impl::forgetSurroundings(const Ground::Next& next, const OldWorld& before, const RouteKeeper& keeper) {
  const double unit = ground.unit();
  const double around = kWallReach / unit;
  Surroundings near;
  std::vector<uint8_t> isGone(std::max(before.ground.walls().size(), ground.walls().size()), 0);
  for (const uint32_t wall : next.goneWalls) {
    isGone[wall] = 1;
    if (wall < before.ground.walls().size()) near.add(before.ground.wall(wall).a, before.ground.wall(wall).b, around);
  }
  for (const uint32_t wall : next.newWalls) near.add(ground.wall(wall).a, ground.wall(wall).b, around);
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (!next.isAnew && !near.has(agents.x[i], agents.y[i])) continue;
    NearWalls& walls = agents.motion[i].walls;
    bool isKept = !next.isAnew;
    for (uint32_t n = 0; n < walls.count && isKept; ++n) isKept = isGone[walls.ids[n]] == 0;
    for (size_t n = 0; n < next.newWalls.size() && isKept; ++n) {
      const GroundWall& wall = ground.wall(next.newWalls[n]);
      isKept = distanceToSegment(toVec2(walls.from), wall.a, wall.b) * unit > walls.known + kSafeAround;
    }
    if (!isKept) walls = {};
  }
  // An agent is inside its disk, so the disk reaches no farther than its diameter from the agent.
  Surroundings seen;
  for (const RouteIndex::Area& area : keeper.areas()) {
    seen.add((1 / unit) * area.min, (1 / unit) * area.max, (2 * largestDisk + 1) / unit);
  }
  const auto meetsDisk = [&](const OpenDisk& disk) {
    const Vec2 centre = unit * toVec2(disk.centre);
    return std::any_of(keeper.areas().begin(), keeper.areas().end(), [&](const RouteIndex::Area& area) {
      return distanceTo(area, centre) <= disk.radius + 2 * kSafeAround;
    });
  };
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (!seen.has(agents.x[i], agents.y[i])) continue;
    // The last step wrote most of these disks down where they can be read in order.
    const bool isWritten = i < agents.glance.size() && agents.glance[i].id == agents.id[i] && agents.open[i].radius > 0;
    if (isWritten && !meetsDisk(agents.open[i])) continue;
    FollowState& follow = recordAt(i).follow;
    for (const RouteIndex::Area& area : keeper.areas()) {
      if (distanceTo(area, follow.diskCentre) <= follow.diskRadius + kSafeAround) follow.diskRadius = -1;
    }
  }
}

// Those whose cell is gone or changed, and those that the change comes near to.
void Crowd::Impl::settleNear(const OldWorld& before, const RouteKeeper& keeper, const Context& context) {
  Surroundings near;
  const double around = (kLargestAgent + kSafeAround) / ground.unit();
  for (const RouteIndex::Area& area : keeper.areas()) {
    near.add((1 / ground.unit()) * area.min, (1 / ground.unit()) * area.max, around);
  }
  std::vector<uint32_t> touched;
  for (uint32_t i = 0; i < agents.size(); ++i) {
    const CellId cell = agents.cell[i];
    const CellId now = keeper.cellNow(cell);
    if (now == cell && !near.has(agents.x[i], agents.y[i])) continue;
    if (now != kNone && !keeper.isNear(toVec2(agents.at(i)), agents.radius[i] + kSafeAround)) {
      agents.cell[i] = now;
      continue;
    }
    touched.push_back(i);
  }
  const Refuge refuge(before.navigator, before.ground, before.locator, ground, locator);
  struct Moved {
    AgentPlace place;
    NearWalls walls;
    bool isFound = false;
  };
  std::vector<Moved> moved(touched.size());
  parallelBlocks(touched.size(), 64, context, [&](size_t begin, size_t end) {
    CrowdWorkers::Lease worker(workers);
    for (size_t n = begin; n < end; ++n) {
      const uint32_t i = touched[n];
      const AgentPlace old{agents.at(i), agents.cell[i]};
      const LayerId layer = before.ground.mesh().layerOf(old.cell);
      const double z = before.locator.height(ground.mesh().lattice().toMetres(old.at), layer);
      moved[n].isFound =
          refuge.find(old, z, agents.radius[i], moved[n].place, moved[n].walls, worker->flood, worker->plan);
    }
  });
  std::vector<AgentId> removed;
  for (size_t n = 0; n < touched.size(); ++n) {
    const uint32_t i = touched[n];
    if (!moved[n].isFound) {
      removed.push_back(agents.id[i]);
      events.push_back({CrowdEventKind::kRemoved, agents.id[i]});
      continue;
    }
    const AgentPlace& place = moved[n].place;
    agents.cell[i] = place.cell;
    agents.motion[i].walls = moved[n].walls;
    AgentRecord& record = recordAt(i);
    if (!(place.at == agents.at(i))) {
      events.push_back({CrowdEventKind::kDisplaced, agents.id[i]});
      agents.x[i] = place.at.x;
      agents.y[i] = place.at.y;
      record.knows = WorldVersions::kAlwaysNewest;
      record.route.clear();
      if (record.state != RouteState::kNone) record.state = RouteState::kWanted;
    }
  }
  for (const AgentId agent : removed) erase(slotOf(agent));
}

// Routes near the change, and routes that new free space may shorten, wait to be planned anew; until then their agents
// follow them. Agents without a route look for one when space becomes free.
void Crowd::Impl::findConcerned(const UpdateReport& report, const RouteKeeper& keeper, const Context& context) {
  double berth = 0;
  for (const CrowdProfile& profile : profiles) berth = std::max(berth, largestRadius + profile.clearance);
  RouteIndex::Parts parts{};
  for (const RouteIndex::Area& area : keeper.areas()) routes.addParts(area, berth, parts);
  const double unit = ground.unit();
  notices.assign(records.size(), 0);
  parallelBlocks(records.size(), kBlock, context, [&](size_t begin, size_t end) {
    // First those that may be concerned, by what lies in order in memory; then their records and routes, which do not.
    struct Candidate {
      uint32_t record;
      bool mayMeet;
      bool mayShorten;
    };
    std::vector<Candidate> candidates;
    for (auto record = static_cast<uint32_t>(begin); record < end; ++record) {
      const uint32_t slot = slotOfRecord[record];
      if (slot == kNone || routes.isOnAxis(record)) continue;
      const bool mayMeet = routes.meets(record, parts);
      const bool mayShorten = report.opens && routes.mayShorten(record, unit * toVec2(agents.at(slot)), keeper.areas());
      if (mayMeet || mayShorten) candidates.push_back({record, mayMeet, mayShorten});
    }
    const size_t count = candidates.size();
    for (size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) prefetchForRoute(records[candidates[i + kAhead].record]);
      if (i + kAhead / 2 < count) prefetchPoints(records[candidates[i + kAhead / 2].record]);
      const auto& [record, mayMeet, mayShorten] = candidates[i];
      const uint32_t slot = slotOfRecord[record];
      const AgentRecord& r = records[record];
      if (r.state == RouteState::kBlocked && mayShorten) notices[record] = 2;
      // Rows of a table are read as a whole, and an agent that learns late knows nothing yet.
      if (r.state != RouteState::kWalking || usesHops(r) || noticeOf(r) != ReplanTrigger::kInstant) continue;
      const double left = (r.route.length - r.follow.arc) * detourOf(r);
      const double own = agents.radius[slot] + profiles[r.profile].clearance;
      const bool meets = mayMeet && keeper.comesNear(r.route, r.follow.segment, own);
      if (meets || (mayShorten && keeper.mayBeShorter(r.route, toVec2(agents.at(slot)), left))) notices[record] = 1;
    }
  });
  for (uint32_t record = 0; record < records.size(); ++record) {
    if (notices[record] == 1) waiting.add(records[record].id, frame);
    if (notices[record] == 2) records[record].state = RouteState::kWanted;
  }
  notices.clear();
}

// The same for routes that the lengths of edges decide on: those with a changed edge, and those that a way over one may
// shorten to walk, whatever came or went. They wait with the version that they were planned on; the re-planning proves
// most of them the best without a search. Before noteEdges(): the ids of their paths must be those of that version.
void Crowd::Impl::findOnAxis(const ChangedEdges& changed, const RouteKeeper& keeper, uint32_t old,
                             const Context& context) {
  RouteIndex::Parts parts{};
  for (const RouteIndex::Area& area : changed.areas) routes.addParts(area, kLargestAgent, parts);
  for (const RouteIndex::Area& area : keeper.areas()) routes.addParts(area, kLargestAgent, parts);
  const double unit = ground.unit();
  notices.assign(records.size(), 0);
  parallelBlocks(records.size(), kBlock, context, [&](size_t begin, size_t end) {
    for (auto record = static_cast<uint32_t>(begin); record < end; ++record) {
      const uint32_t slot = slotOfRecord[record];
      if (slot == kNone || !routes.isOnAxis(record)) continue;
      const bool mayMeet = routes.meets(record, parts);
      if (!mayMeet && !routes.mayShorten(record, unit * toVec2(agents.at(slot)), changed.passed)) continue;
      AgentRecord& r = records[record];
      if (r.state != RouteState::kWalking || waiting.has(r.id)) continue;
      if (noticeOf(r) != ReplanTrigger::kInstant) continue;
      freshen(r);
      const double own = agents.radius[slot] + profiles[r.profile].clearance;
      const bool isBroken =
          r.route.path.empty() || std::any_of(r.route.path.begin(), r.route.path.end(), [&](uint32_t h) {
            return std::binary_search(changed.edges.begin(), changed.edges.end(), h >> 1);
          });
      if (isBroken || keeper.comesNear(r.route, r.follow.segment, own) ||
          routes.mayShorten(record, unit * toVec2(agents.at(slot)), changed.passed)) {
        notices[record] = 1;
      }
    }
  });
  for (uint32_t record = 0; record < records.size(); ++record) {
    if (notices[record] == 0) continue;
    AgentRecord& r = records[record];
    r.knows = old;
    r.route.cells.clear();
    r.route.portals.clear();
    r.route.shrunkPortals.clear();
    waiting.add(r.id, frame);
  }
  notices.clear();
}

// An agent that learns late knows the version before this one until then. An agent without a way looks around when
// space becomes free.
void Crowd::Impl::keepBeliefs(uint32_t old, bool opens) {
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    AgentRecord& record = recordAt(slot);
    if (noticeOf(record) == ReplanTrigger::kInstant || usesHops(record) || !knowsNewest(record)) continue;
    freshen(record);
    record.route.cells.clear();
    record.route.portals.clear();
    record.route.shrunkPortals.clear();
    record.knows = old;
    if (record.state != RouteState::kBlocked || !opens) continue;
    record.knows = WorldVersions::kAlwaysNewest;
    record.state = RouteState::kWanted;
  }
}

// Regions stay where they are; what they cost may change in the same batch. Then every agent that weighs them plans
// anew.
void Crowd::Impl::followRegions(const RouteKeeper& keeper, const std::vector<SetCost>& costsBefore,
                                const Context& context) {
  if (regions == nullptr) return;
  std::vector<WeightedGrid::Area> areas;
  for (const RouteIndex::Area& area : keeper.areas()) areas.push_back({area.min, area.max});
  for (const auto& costs : weighted) costs->follow(navigator, *regions, areas, context);
  const std::vector<SetCost> costs = navigator.world().costs();
  if (std::equal(costs.begin(), costs.end(), costsBefore.begin(), costsBefore.end(), isSameCost)) return;
  setRegionCosts();
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    AgentRecord& record = recordAt(slot);
    if (record.state == RouteState::kWalking && isWeighted(record)) record.state = RouteState::kWanted;
  }
}

// Versions that agents wait with, and what lies between them and the newest; no agent knows the others.
void Crowd::Impl::keepAwaited() {
  if (versions.size() < 2) return;
  std::vector<uint32_t> used;
  for (const ReplanQueue::Entry& entry : waiting.entries()) {
    const uint32_t slot = slotOf(entry.agent);
    if (slot == kNone || knowsNewest(recordAt(slot))) continue;
    AgentRecord& record = recordAt(slot);
    record.knows = versions.known(record.knows);
    used.push_back(record.knows);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  versions.keep(used);
  for (const uint32_t version : used) versions.prepare(version);
}

void Crowd::Impl::followEdit(Navigator given, const UpdateReport& report, const Context& context) {
  const OldWorld before{navigator, ground, locator, {}};
  navigator = std::move(given);
  const NavMesh& mesh = navigator.mesh();
  Ground::Next next = ground.next(mesh);
  ground = next.ground;
  locator = locator.next(mesh);
  meshHash.reset();
  workers.clear();
  const auto hopsBefore = std::exchange(hops, std::make_unique<CrowdHops>(mesh));
  hops->takeOver(*hopsBefore, newCellsOfOld(before.ground.mesh().cellCount(), mesh.cellCount(), report.cellSource),
                 context);
  const RouteKeeper keeper(before.ground.mesh(), mesh, &report);
  followRegions(keeper, before.navigator.world().costs(), context);
  const bool keepsVersions = learnsLate() || std::any_of(profiles.begin(), profiles.end(),
                                                         [](const CrowdProfile& p) { return p.densityWeight <= 0; });
  const ChangedEdges edges = changedEdges(before.ground.mesh().corridorMap(), mesh.corridorMap(), keeper);
  if (keepsVersions) {
    const uint32_t old = versions.newest();
    findOnAxis(edges, keeper, old, context);
    if (learnsLate()) keepBeliefs(old, report.opens);
    versions.add(navigator, report.opens ? ChangeKind::kMixed : ChangeKind::kInsertion);
    if (learnsLate()) {
      forgetVersions();
    } else {
      keepAwaited();
    }
  } else {
    versions.renew(navigator);
  }
  noteEdges(edges, mesh.corridorMap() == nullptr ? 0 : mesh.corridorMap()->edges.size());

  std::vector<uint8_t> isChanged;
  auto map = std::make_unique<DensityMap>(density->next(mesh, report.cellSource, isChanged));
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (isChanged[density->cellOf(agents.cell[i])] == 0) continue;
    uint32_t& counted = agents.motion[i].densityCell;
    if (counted != kNone && isChanged[counted] != 0) counted = kNone;
  }
  density = std::move(map);

  forgetSurroundings(next, before, keeper);
  settleNear(before, keeper, context);
  findConcerned(report, keeper, context);
  if (learnsLate()) noticeChanges(context);
  statesValid = false;
}

}  // namespace wend
