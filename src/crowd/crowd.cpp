#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "crowd/crowd_impl.h"
#include "mesh/separate_cells.h"

namespace wend {
namespace {

Error bad(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

bool isIn(double value, double low, double high) {
  return value >= low && value <= high;
}

Status checkProfile(const CrowdProfile& p) {
  const auto wrong = [&](const char* what, double value, const char* range) -> Status {
    return bad(fmt::format("profile \"{}\": {} is {}; it must be {}", p.name, what, value, range));
  };
  if (!isIn(p.side, -1, 1)) return wrong("side", p.side, "from -1 to 1");
  if (!isIn(p.clearance, 0, 10)) return wrong("clearance", p.clearance, "from 0 to 10 m");
  if (!isIn(p.timeGap, 0, 5)) return wrong("timeGap", p.timeGap, "from 0 to 5 s");
  if (!isIn(p.bodyLength, 0, 2)) return wrong("bodyLength", p.bodyLength, "from 0 to 2 m");
  if (!isIn(p.keepSide, -1, 1)) return wrong("keepSide", p.keepSide, "-1, 0 or 1");
  if (!isIn(p.densityWeight, 0, 1e6)) return wrong("densityWeight", p.densityWeight, "from 0 to 1e6");
  if (!(p.densityView > 0)) return wrong("densityView", p.densityView, "above 0 m");
  if (!isIn(p.replanEvery, 0, 1e4)) return wrong("replanEvery", p.replanEvery, "from 0 to 10000 s");
  if (!isIn(p.sight, 0, 1e4)) return wrong("sight", p.sight, "from 0 to 10000 m");
  for (const auto& [label, cost] : p.regionCost) {
    if (!(cost >= 0.01)) return wrong(("the cost of region " + label).c_str(), cost, "at least 0.01");
  }
  for (const auto& [label, factor] : p.regionSpeed) {
    if (!isIn(factor, 0.01, 2)) return wrong(("the speed in region " + label).c_str(), factor, "from 0.01 to 2");
  }
  return Done{};
}

Status checkSettings(const CrowdSettings& s) {
  if (!(s.step > 0 && s.step <= 0.5))
    return bad(fmt::format("step is {}; it must be above 0 and at most 0.5 s", s.step));
  if (s.separationSweeps < 0 || s.separationSweeps > 16) {
    return bad(fmt::format("separationSweeps is {}; it must be from 0 to 16", s.separationSweeps));
  }
  if (!isIn(s.jamPatience, 0, 1e6))
    return bad(fmt::format("jamPatience is {}; it must be from 0 to 1e6 s", s.jamPatience));
  if (!std::isfinite(s.periodicFrom) || !std::isfinite(s.periodicTo) || s.periodicTo < s.periodicFrom) {
    return bad(fmt::format(
        "the periodic strip goes from {} to {}; it must go from a smaller to a larger x, or be equal for none",
        s.periodicFrom, s.periodicTo));
  }
  return Done{};
}

}  // namespace

std::unique_ptr<CrowdWorker> CrowdWorkers::take() {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) return std::make_unique<CrowdWorker>();
  std::unique_ptr<CrowdWorker> worker = std::move(free_.back());
  free_.pop_back();
  return worker;
}

void CrowdWorkers::give(std::unique_ptr<CrowdWorker> worker) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(worker));
}

Crowd::Crowd(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Crowd::Crowd(Crowd&&) noexcept = default;
Crowd& Crowd::operator=(Crowd&&) noexcept = default;
Crowd::~Crowd() = default;

Result<Crowd> Crowd::make(Navigator navigator, std::vector<CrowdProfile> profiles, const CrowdSettings& settings) {
  if (profiles.empty()) return bad("a crowd needs at least one profile");
  if (const Status status = checkCellsAreJoined(navigator.mesh(), "a crowd"); !status.ok()) return status.error();
  for (const CrowdProfile& profile : profiles) {
    if (const Status status = checkProfile(profile); !status.ok()) return status.error();
  }
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  auto impl = std::make_unique<Impl>();
  impl->profiles = std::move(profiles);
  impl->settings = settings;
  impl->planners.resize(impl->profiles.size());
  if (const Status status = impl->setWorld(std::move(navigator)); !status.ok()) return status.error();
  impl->versions = WorldVersions(impl->navigator);
  const double period = settings.periodicTo - settings.periodicFrom;
  if (period > 0) {
    const double unit = impl->ground.unit();
    constexpr double kShortest = 4;  // metres: two disks of the largest radius
    if (period < kShortest || settings.periodicTo > impl->ground.mesh().lattice().reach()) {
      return bad(fmt::format("the periodic strip is {} m long; it must be at least {} m and inside the lattice", period,
                             kShortest));
    }
    impl->strip = {std::llround(settings.periodicFrom / unit), std::llround(period / unit)};
  }
  return Crowd(std::move(impl));
}

// --- Agents come and go ---------------------------------------------------------------------------------------------

Vec3 Crowd::Impl::placeOf(uint32_t slot) const {
  const Vec2 metres = ground.mesh().lattice().toMetres(agents.at(slot));
  return {metres.x, metres.y, height(metres, ground.mesh().layerOf(agents.cell[slot]))};
}

AgentState Crowd::Impl::stateOf(uint32_t slot) const {
  const Motion& motion = agents.motion[slot];
  AgentState state;
  state.id = agents.id[slot];
  state.position = placeOf(slot);
  state.velocity = {motion.velocity.x, motion.velocity.y};
  state.heading = {motion.heading.x, motion.heading.y};
  state.cell = agents.cell[slot];
  state.layer = ground.mesh().layerOf(state.cell);
  state.radius = agents.radius[slot];
  return state;
}

uint32_t Crowd::Impl::slotOf(AgentId agent) const {
  const auto at = std::lower_bound(byId.begin(), byId.end(), agent,
                                   [&](uint32_t record, AgentId id) { return records[record].id < id; });
  return at == byId.end() || records[*at].id != agent ? kNone : slotOfRecord[*at];
}

void Crowd::Impl::insert(AgentRecord record, const AgentPlace& place, float radius, GroupId group,
                         const Motion& motion) {
  uint32_t index = static_cast<uint32_t>(records.size());
  if (freeRecords.empty()) {
    records.emplace_back();
    slotOfRecord.push_back(kNone);
  } else {
    index = freeRecords.back();
    freeRecords.pop_back();
  }
  routes.resize(records.size());
  slotOfRecord[index] = static_cast<uint32_t>(agents.size());
  byId.push_back(index);
  agents.x.push_back(place.at.x);
  agents.y.push_back(place.at.y);
  agents.cell.push_back(place.cell);
  agents.vx.push_back(0);
  agents.vy.push_back(0);
  agents.radius.push_back(radius);
  largestRadius = std::max(largestRadius, radius);
  agents.id.push_back(record.id);
  agents.group.push_back(group);
  agents.motion.push_back(motion);
  agents.motion.back().record = index;
  if (motion.isDriven) ++driven;
  records[index] = std::move(record);
  statesValid = false;
}

// Of the agent that left first, or a new one. Its lists keep their memory.
AgentRecord Crowd::Impl::takeRecord() {
  if (pool.empty()) {
    ++constructed;
    return {};
  }
  Route route = std::move(pool.front().route);
  pool.pop_front();
  route.clear();
  AgentRecord record;
  record.route = std::move(route);
  return record;
}

void Crowd::Impl::erase(uint32_t slot) {
  waiting.remove(agents.id[slot]);
  const Motion& gone = agents.motion[slot];
  if (gone.isDriven) --driven;
  slotOfRecord[gone.record] = kNone;
  // What is left behind keeps its id, by which it is found until tidy().
  const AgentId id = records[gone.record].id;
  pool.push_back(std::move(records[gone.record]));
  records[gone.record].id = id;
  isTidy = false;
  if (gone.densityCell != kNone) density->add(gone.densityCell, -DensityMap::areaOf(agents.radius[slot]));
  agents.eachArray([&](auto& array) {
    array[slot] = array.back();
    array.pop_back();
  });
  if (slot < agents.size()) slotOfRecord[agents.motion[slot].record] = slot;
  statesValid = false;
}

void Crowd::Impl::tidy() {
  size_t kept = 0;
  for (const uint32_t record : byId) {
    if (slotOfRecord[record] != kNone) {
      byId[kept++] = record;
    } else {
      freeRecords.push_back(record);
    }
  }
  byId.resize(kept);
  isTidy = true;
}

Status Crowd::Impl::admit(const AgentStart& start, AgentPlace& place, NearWalls& walls) {
  const Place& p = start.at;
  if (!isIn(start.radius, 0.05, 2)) {
    return bad(
        fmt::format("the radius of the agent at {}, {} is {}; it must be from 0.05 to 2 m", p.x, p.y, start.radius));
  }
  if (!isIn(start.speed, 0.05, 5)) {
    return bad(
        fmt::format("the speed of the agent at {}, {} is {}; it must be from 0.05 to 5 m/s", p.x, p.y, start.speed));
  }
  if (start.profile >= profiles.size()) {
    return bad(
        fmt::format("the agent at {}, {} asks for profile {}; there are {}", p.x, p.y, start.profile, profiles.size()));
  }
  if (!std::isfinite(start.goalRadius) || start.goalRadius < 0) {
    return bad(
        fmt::format("the goal radius of the agent at {}, {} is {}; it must be 0 or more", p.x, p.y, start.goalRadius));
  }
  const Error offMesh{ErrorCode::kNotOnMesh,
                      fmt::format("{}, {} is not walkable; start the agent on the mesh", p.x, p.y)};
  if (!p.finite()) return offMesh;
  CellId cell = navigator.locate(p);
  if (cell == kNone) return offMesh;
  const Lattice& lattice = ground.mesh().lattice();
  const Result<Point> snapped = lattice.snap({p.x, p.y});
  if (!snapped.ok()) return offMesh;
  if (!ground.holds(cell, *snapped)) {
    cell = locator.locate(lattice.toMetres(*snapped), ground.mesh().layerOf(cell));
    if (cell == kNone || !ground.holds(cell, *snapped)) return offMesh;
  }
  place = {*snapped, cell};
  CrowdWorkers::Lease worker(workers);
  walls = gatherWalls(ground, cell, *snapped, start.radius + kWallRange + kWallRefresh, worker->flood);
  const double clearance = clearanceAt(ground, walls, toVec2(*snapped));
  // A place that a planner gave may be off by its rounding.
  constexpr double kTolerance = 1e-3;
  if (clearance < start.radius - kTolerance) {
    return Error{ErrorCode::kNotOnMesh, fmt::format("{}, {} is {:.3f} m from a wall; a disk of radius {} does not fit",
                                                    p.x, p.y, clearance, start.radius)};
  }
  move(ground, {}, start.radius, place, walls, worker->flood);
  return Done{};
}

Result<AgentId> Crowd::add(const AgentStart& start) {
  if (impl_->nextId == kNone) return Error{ErrorCode::kLimit, "a crowd can have at most 4294967294 agents over time"};
  AgentPlace place;
  Motion motion;
  if (const Status status = impl_->admit(start, place, motion.walls); !status.ok()) return status.error();
  motion.speed = static_cast<float>(start.speed);
  AgentRecord record = impl_->takeRecord();
  record.id = impl_->nextId++;
  record.profile = start.profile;
  record.knows = WorldVersions::kAlwaysNewest;
  impl_->setGoal(record, start.goal, start.goalRadius);
  impl_->insert(std::move(record), place, static_cast<float>(start.radius), start.group, motion);
  return impl_->nextId - 1;
}

void Crowd::remove(AgentId agent) {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot != kNone) impl_->erase(slot);
}

void Crowd::Impl::setGoal(AgentRecord& record, const Place& goal, double goalRadius) {
  record.goal = {goal.x, goal.y, goal.z.value_or(0)};
  record.goalRadius = std::isfinite(goalRadius) ? std::max(goalRadius, 0.0) : 0.5;
  record.state = RouteState::kWanted;
  record.rejoin = kNone;
  record.hops = kNone;
  const CellId cell = goal.finite() ? navigator.locate(goal) : kNone;
  if (cell != kNone) record.goal.z = height(goal.top(), ground.mesh().layerOf(cell));
}

void Crowd::setGoal(AgentId agent, const Place& goal, double goalRadius) {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot != kNone) impl_->setGoal(impl_->recordAt(slot), goal, goalRadius);
}

void Crowd::stop(AgentId agent) {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot == kNone) return;
  impl_->recordAt(slot).state = RouteState::kNone;
}

void Crowd::setSpeed(AgentId agent, double speed) {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot != kNone && isIn(speed, 0.05, 5)) impl_->agents.motion[slot].speed = static_cast<float>(speed);
}

void Crowd::setGroup(AgentId agent, GroupId group) {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot == kNone || impl_->agents.group[slot] == group) return;
  impl_->agents.group[slot] = group;
  AgentRecord& record = impl_->recordAt(slot);
  record.member = {};
  // It was on the way back to a member of the old group.
  if (record.rejoin != kNone && record.state == RouteState::kWalking) record.state = RouteState::kWanted;
  record.rejoin = kNone;
}

Status Crowd::moveTo(AgentId agent, const Place& to) {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot == kNone) return Done{};
  AgentRecord& record = impl_->recordAt(slot);
  Motion& motion = impl_->agents.motion[slot];
  AgentStart start;
  start.at = to;
  start.radius = impl_->agents.radius[slot];
  start.profile = record.profile;
  AgentPlace place;
  NearWalls walls;
  if (Status status = impl_->admit(start, place, walls); !status.ok()) return status;
  impl_->waiting.remove(agent);
  impl_->agents.x[slot] = place.at.x;
  impl_->agents.y[slot] = place.at.y;
  impl_->agents.cell[slot] = place.cell;
  impl_->agents.vx[slot] = 0;
  impl_->agents.vy[slot] = 0;
  motion.velocity = {};
  motion.walls = walls;
  if (motion.densityCell != kNone) {
    impl_->density->add(motion.densityCell, -DensityMap::areaOf(impl_->agents.radius[slot]));
    motion.densityCell = kNone;
  }
  record.knows = WorldVersions::kAlwaysNewest;
  record.route.clear();
  if (record.state != RouteState::kNone) record.state = RouteState::kWanted;
  impl_->statesValid = false;
  return Done{};
}

// --- What the caller sees -------------------------------------------------------------------------------------------

uint64_t Crowd::frame() const {
  return impl_->frame;
}
double Crowd::time() const {
  return static_cast<double>(impl_->frame) * impl_->settings.step;
}
size_t Crowd::size() const {
  return impl_->agents.size() - impl_->driven;
}
uint64_t Crowd::constructed() const {
  return impl_->constructed;
}

std::span<const AgentState> Crowd::agents() const {
  if (!impl_->statesValid) {
    impl_->states.clear();
    for (const uint32_t record : impl_->byId) {
      const uint32_t slot = impl_->slotOfRecord[record];
      if (slot != kNone && !impl_->agents.motion[slot].isDriven) impl_->states.push_back(impl_->stateOf(slot));
    }
    impl_->statesValid = true;
  }
  return impl_->states;
}

const AgentState* Crowd::find(AgentId agent) const {
  const std::span<const AgentState> all = agents();
  const auto at = std::lower_bound(all.begin(), all.end(), agent,
                                   [](const AgentState& state, AgentId id) { return state.id < id; });
  return at == all.end() || at->id != agent ? nullptr : &*at;
}

const Navigator& Crowd::navigator() const {
  return impl_->navigator;
}
const CrowdSettings& Crowd::settings() const {
  return impl_->settings;
}
const CrowdTimes& Crowd::times() const {
  return impl_->times;
}
double Crowd::deepestOverlap() const {
  return impl_->overlap.deepest;
}
double Crowd::meanOverlap() const {
  return impl_->overlap.pairs == 0 ? 0 : impl_->overlap.sum / static_cast<double>(impl_->overlap.pairs);
}
double Crowd::routeLeft(AgentId agent) const {
  const uint32_t slot = impl_->slotOf(agent);
  if (slot == kNone) return -1;
  const AgentRecord& record = impl_->recordAt(slot);
  if (record.state != RouteState::kWalking) return -1;
  if (record.hops != kNone) return impl_->hops->left(record.hops, impl_->agents.cell[slot]);
  return std::max(0.0, record.route.length - record.follow.arc);
}
double Crowd::densityAt(AgentId agent) const {
  const uint32_t slot = impl_->slotOf(agent);
  return slot == kNone ? 0 : impl_->density->density(impl_->density->cellOf(impl_->agents.cell[slot]));
}

}  // namespace wend
