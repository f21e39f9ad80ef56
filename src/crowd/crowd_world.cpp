#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "crowd/crowd_impl.h"
#include "crowd/refuge.h"
#include "crowd/route_keeper.h"
#include "planning/table/hop_change.h"

// The world of a crowd, and what becomes of the agents when it changes.
namespace wend {
namespace {

// Metres around a disk within which no change may be, so that it can stay without a look at the walls.
constexpr double kSafe = 0.01;

template <typename Impl>
Status checkLattice(const Impl& s, const Navigator& navigator) {
  if (navigator.mesh().lattice() == s.ground.mesh().lattice()) return Done{};
  return Error{ErrorCode::kUnsupported,
               fmt::format("the new mesh has a lattice of {} m, the crowd lives on one of {} m; use the same unit",
                           navigator.mesh().lattice().unit, s.ground.unit())};
}

}  // namespace

Status Crowd::Impl::setWorld(Navigator given) {
  if (given.mesh().empty()) {
    return Error{ErrorCode::kEmpty, "a crowd needs a mesh with at least one cell"};
  }
  navigator = std::move(given);
  const NavMesh& mesh = navigator.mesh();
  ground = Ground(mesh);
  locator = Locator(mesh);
  flatHeight.clear();
  for (const HeightField& field : mesh.info().layerHeights) {
    flatHeight.push_back(field.flat() ? field.base : std::numeric_limits<double>::quiet_NaN());
  }
  meshHash.reset();
  if (!routes.isFit()) routes.fit(mesh);
  density = std::make_unique<DensityMap>(mesh);
  hops = std::make_unique<CrowdHops>(mesh);
  for (AgentRecord& record : records) record.hops = kNone;
  for (Motion& motion : agents.motion) motion.densityCell = kNone;
  workers.clear();
  setRegions(navigator.world().environment());
  return Done{};
}

void Crowd::Impl::adoptWorld(Impl& other) {
  navigator = std::move(other.navigator);
  profiles = std::move(other.profiles);
  settings = other.settings;
  ground = std::move(other.ground);
  meshHash = other.meshHash;
  locator = std::move(other.locator);
  flatHeight = std::move(other.flatHeight);
  strip = other.strip;
  density = std::move(other.density);
  density->clear();
  regions = std::move(other.regions);
  regionCosts = std::move(other.regionCosts);
  obstacles = std::move(other.obstacles);
  planners = std::move(other.planners);
  versions = std::move(other.versions);
  weighted = std::move(other.weighted);
  hops = std::move(other.hops);
  routes = std::move(other.routes);
}

uint64_t Crowd::Impl::hashOfMesh() const {
  if (!meshHash) meshHash = wend::hash(ground.mesh());
  return *meshHash;
}

// After loading.
void Crowd::Impl::indexRoutes() {
  routes.resize(records.size());
  largestDisk = 0;
  for (uint32_t i = 0; i < records.size(); ++i) {
    if (slotOfRecord[i] == kNone) continue;
    routes.set(i, records[i].route, isOnAxis(records[i]), detourOf(records[i]));
    if (records[i].state == RouteState::kBlocked) routes.setBlocked(i);
    largestDisk = std::max(largestDisk, records[i].follow.diskRadius);
  }
}

// Labelled regions cost memory and time; they are read only if a profile uses them.
void Crowd::Impl::setRegions(const Environment& environment) {
  weighted.clear();
  regionCosts.clear();
  regions.reset();
  obstacles = LocalObstacles(environment, settings.localObstacles);
  const auto usesRegions = [](const CrowdProfile& profile) {
    return profile.route == RouteMethod::kWeighted || profile.route == RouteMethod::kFastest ||
           !profile.regionCost.empty();
  };
  if (std::none_of(profiles.begin(), profiles.end(), usesRegions)) return;
  regions = std::make_shared<const RegionField>(environment);
  setRegionCosts();
}

void Crowd::Impl::setRegionCosts() {
  regionCosts.clear();
  if (regions == nullptr) return;
  const std::vector<SetCost> set = navigator.world().costs();
  for (const CrowdProfile& profile : profiles) {
    std::map<std::string, double> costs = profile.regionCost;
    if (profile.route == RouteMethod::kFastest) {
      // Seconds per metre, over those where nothing slows down.
      costs.clear();
      for (const auto& [label, factor] : profile.regionSpeed) costs[label] = 1 / factor;
    }
    // Those for all profiles come first: their name is empty.
    for (const SetCost& one : set) {
      if (one.profile.empty() || one.profile == profile.name) costs[one.label] = one.cost;
    }
    regionCosts.emplace_back(regions, costs);
  }
}

Crowd::Impl::OldWorld Crowd::Impl::leaveWorld(const Context& context) const {
  OldWorld old{navigator, ground, locator, std::vector<double>(agents.size())};
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) old.heights[i] = placeOf(i).z;
  });
  return old;
}

void Crowd::Impl::settleAgents(const OldWorld& before, const UpdateReport* report, ChangeKind kind,
                               const Context& context) {
  struct Moved {
    AgentPlace place;
    bool isFound = false;
  };
  for (uint32_t i = 0; i < agents.size(); ++i) freshen(recordAt(i));
  std::vector<Moved> moved(agents.size());
  const Refuge refuge(before.navigator, before.ground, before.locator, ground, locator);
  const RouteKeeper keeper(before.ground.mesh(), ground.mesh(), report);
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(workers);
    for (uint32_t i = begin; i < end; ++i) {
      const AgentPlace old{agents.at(i), agents.cell[i]};
      // Far from every change the cell is the same under another number, and the walls are found when they are needed.
      const CellId same = keeper.cellNow(old.cell);
      if (same != kNone && !keeper.isNear(toVec2(old.at), agents.radius[i] + kSafe)) {
        moved[i] = {{old.at, same}, true};
        agents.motion[i].walls = {};
        continue;
      }
      moved[i].isFound = refuge.find(old, before.heights[i], agents.radius[i], moved[i].place, agents.motion[i].walls,
                                     worker->flood, worker->plan);
    }
  });
  constexpr uint32_t next = WorldVersions::kAlwaysNewest;
  const uint32_t last = versions.newest();
  std::vector<AgentId> removed;
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (!moved[i].isFound) {
      removed.push_back(agents.id[i]);
      events.push_back({CrowdEventKind::kRemoved, agents.id[i]});
      continue;
    }
    const AgentPlace& place = moved[i].place;
    const bool stays = place.at == agents.at(i);
    if (!stays) events.push_back({CrowdEventKind::kDisplaced, agents.id[i]});
    agents.x[i] = place.at.x;
    agents.y[i] = place.at.y;
    agents.cell[i] = place.cell;
    AgentRecord& record = recordAt(i);
    if (knowsNewest(record)) record.knows = last;
    const CrowdProfile& profile = profiles[record.profile];
    // Tables know the world as it is: a look at the new one costs nothing.
    if (usesHops(record)) {
      record.knows = next;
      record.route.clear();
      if (record.state != RouteState::kNone) record.state = RouteState::kWanted;
      continue;
    }
    const bool isInstant = noticeOf(record) == ReplanTrigger::kInstant;
    if (record.state == RouteState::kWalking && stays) {
      // Without densities a path has a cost that can be proved the least: adaptRoutes() decides.
      if (!plansApart(record) && (!isInstant || profile.densityWeight <= 0)) continue;
      const double berth = agents.radius[i] + profile.clearance;
      const double left = record.route.length - record.follow.arc;
      // The cost of a way over regions is no length: something that opened may lead to a cheaper one from anywhere. A
      // route on another world has other ids.
      const bool mayKeep =
          !planners[record.profile].has_value() && (!isWeighted(record) || (report != nullptr && !report->opens));
      if (mayKeep && keeper.keep(record.route, toVec2(place.at), left, berth)) {
        record.knows = next;
        continue;
      }
    }
    // An agent that is pushed or has no way looks around.
    if (isInstant || !stays || record.state == RouteState::kBlocked) record.knows = next;
    record.route.clear();
    if (record.state != RouteState::kNone) record.state = RouteState::kWanted;
  }
  for (const AgentId agent : removed) erase(slotOf(agent));
  versions.add(navigator, kind);
  adaptRoutes(context);
  statesValid = false;
}

Status Crowd::setNavigator(Navigator navigator, const Context& given, ChangeKind kind) {
  Impl& s = *impl_;
  if (const Status status = checkLattice(s, navigator); !status.ok()) return status;
  // A change is never left half done.
  Context context;
  context.threads = given.threads;
  const Impl::OldWorld before = s.leaveWorld(context);
  if (Status status = s.setWorld(std::move(navigator)); !status.ok()) return status;
  s.settleAgents(before, nullptr, kind, context);
  return Done{};
}

Status Crowd::planOn(uint32_t profile, Navigator navigator) {
  Impl& s = *impl_;
  if (profile >= s.profiles.size()) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("there is no profile {}", profile)};
  }
  const bool isEnd = navigator.mesh().empty();
  if (!isEnd) {
    if (const Status status = checkLattice(s, navigator); !status.ok()) return status;
    const CrowdProfile& p = s.profiles[profile];
    if ((p.follow != FollowMethod::kIrm && p.follow != FollowMethod::kMiran) || p.route == RouteMethod::kTable) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("profile \"{}\" cannot plan on another world; it needs a route other than 'table', "
                               "followed by 'irm' or 'miran'",
                               p.name)};
    }
  }
  s.planners[profile].reset();
  if (!isEnd) s.planners[profile] = std::move(navigator);
  for (uint32_t i = 0; i < s.agents.size(); ++i) {
    AgentRecord& record = s.recordAt(i);
    if (record.profile != profile || record.state == RouteState::kNone) continue;
    record.route.clear();
    record.state = RouteState::kWanted;
  }
  return Done{};
}

Status Crowd::apply(const WorldUpdate& update, const Context& context) {
  return apply(update, makeNavigator(impl_->navigator, update.world), context);
}

Status Crowd::apply(const WorldUpdate& update, Navigator navigator, const Context& given) {
  Impl& s = *impl_;
  if (const Status status = checkLattice(s, navigator); !status.ok()) return status;
  const bool sameMesh = update.report.mesh == MeshChange::kNone;
  if (sameMesh) {
    // Costs may have changed: agents that weigh regions plan anew.
    s.navigator = std::move(navigator);
    s.workers.clear();
    s.setRegions(s.navigator.world().environment());
    for (uint32_t i = 0; i < s.agents.size(); ++i) {
      AgentRecord& record = s.recordAt(i);
      if (record.state == RouteState::kWalking && s.isWeighted(record)) record.state = RouteState::kWanted;
    }
    return Done{};
  }
  Context context;
  context.threads = given.threads;
  if (update.report.mesh == MeshChange::kInPlace && s.followsEdits() && !navigator.mesh().empty()) {
    s.followEdit(std::move(navigator), update.report, context);
    return Done{};
  }
  const Impl::OldWorld before = s.leaveWorld(context);
  std::unique_ptr<CrowdHops> hopsBefore = std::move(s.hops);
  if (Status status = s.setWorld(std::move(navigator)); !status.ok()) {
    s.hops = std::move(hopsBefore);
    return status;
  }
  if (hopsBefore->rowCount() > 0) {
    const NavMesh& mesh = s.ground.mesh();
    s.hops->takeOver(*hopsBefore,
                     newCellsOfOld(before.ground.mesh().cellCount(), mesh.cellCount(), update.report.cellSource),
                     context);
  }
  s.settleAgents(before, &update.report, update.report.opens ? ChangeKind::kMixed : ChangeKind::kInsertion, context);
  return Done{};
}

}  // namespace wend
