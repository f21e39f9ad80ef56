#include <algorithm>
#include <cmath>

#include "crowd/crowd_impl.h"
#include "crowd/refuge.h"
#include "crowd/route_keeper.h"
#include "planning/clearance/distances.h"

// An edit of the world in the time of what it changes: agents, routes and maps that it does not concern are not looked
// at, but for a few numbers of each agent. For crowds whose profiles know of changes at once and plan by densities.
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

double distanceTo(const RouteIndex::Area& area, Vec2 p) {
  return std::hypot(std::max({0.0, area.min.x - p.x, p.x - area.max.x}),
                    std::max({0.0, area.min.y - p.y, p.y - area.max.y}));
}

}  // namespace

bool Crowd::Impl::followsEdits() const {
  if (versions.size() != 1) return false;
  if (std::any_of(planners.begin(), planners.end(), [](const auto& planner) { return planner.has_value(); }))
    return false;
  return std::all_of(profiles.begin(), profiles.end(), [](const CrowdProfile& profile) {
    const bool plansByDensity = profile.route != RouteMethod::kTable && profile.route != RouteMethod::kWeighted &&
                                profile.route != RouteMethod::kFastest && profile.densityWeight > 0;
    const bool walksOnPoints = profile.follow == FollowMethod::kIrm || profile.follow == FollowMethod::kMiran;
    return plansByDensity && walksOnPoints && profile.notice == ReplanTrigger::kInstant;
  });
}

// A route keeps the ids of the mesh and axis it was planned on. Call this before they are used.
void Crowd::Impl::freshen(AgentRecord& record) const {
  if (record.routeEdit == edits) return;
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

void Crowd::Impl::noteEdges(const CorridorMap* was, const CorridorMap* now) {
  ++edits;
  if (now == nullptr) return;
  const auto count = static_cast<uint32_t>(now->edges.size());
  edgeEdits.resize(count, 0);
  for (uint32_t edge = 0; edge < count; ++edge) {
    if (was == nullptr || !isSameEdge(*was, *now, edge)) edgeEdits[edge] = edits;
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
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (!seen.has(agents.x[i], agents.y[i])) continue;
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
      record.route.clear();
      if (record.state != RouteState::kNone) record.state = RouteState::kWanted;
    }
  }
  for (const AgentId agent : removed) erase(slotOf(agent));
}

// Routes near the change, and routes that new free space may shorten, wait to be planned anew; until then their agents
// follow them. Agents without a route look for one when space becomes free.
void Crowd::Impl::findConcerned(const UpdateReport& report, const RouteKeeper& keeper, const Context& context) {
  double berth = kLargestAgent;
  for (const CrowdProfile& profile : profiles) berth = std::max(berth, kLargestAgent + profile.clearance);
  RouteIndex::Parts parts{};
  for (const RouteIndex::Area& area : keeper.areas()) routes.addParts(area, berth, parts);
  const double unit = ground.unit();
  notices.assign(records.size(), 0);
  parallelBlocks(records.size(), kBlock, context, [&](size_t begin, size_t end) {
    for (auto record = static_cast<uint32_t>(begin); record < end; ++record) {
      const uint32_t slot = slotOfRecord[record];
      if (slot == kNone) continue;
      const Vec2 at = unit * toVec2(agents.at(slot));
      const bool mayMeet = routes.meets(record, parts);
      const bool mayShorten = report.opens && routes.mayShorten(record, at, keeper.areas());
      if (!mayMeet && !mayShorten) continue;
      const AgentRecord& r = records[record];
      if (r.state == RouteState::kBlocked && mayShorten) notices[record] = 2;
      if (r.state != RouteState::kWalking) continue;
      const double left = r.route.length - r.follow.arc;
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

void Crowd::Impl::followEdit(Navigator given, const UpdateReport& report, const Context& context) {
  const OldWorld before{navigator, ground, locator, {}};
  navigator = std::move(given);
  const NavMesh& mesh = navigator.mesh();
  Ground::Next next = ground.next(mesh);
  ground = next.ground;
  locator = locator.next(mesh);
  meshHash.reset();
  hops = std::make_unique<CrowdHops>(mesh);
  workers.clear();
  setRegions(navigator.world().environment());
  versions.renew(navigator);
  noteEdges(before.ground.mesh().corridorMap().get(), mesh.corridorMap().get());

  std::vector<uint8_t> isChanged;
  auto map = std::make_unique<DensityMap>(density->next(mesh, report.cellSource, isChanged));
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (isChanged[density->cellOf(agents.cell[i])] == 0) continue;
    uint32_t& counted = agents.motion[i].densityCell;
    if (counted != kNone && isChanged[counted] != 0) counted = kNone;
  }
  density = std::move(map);

  const RouteKeeper keeper(before.ground.mesh(), mesh, &report);
  forgetSurroundings(next, before, keeper);
  settleNear(before, keeper, context);
  findConcerned(report, keeper, context);
  statesValid = false;
}

}  // namespace wend
