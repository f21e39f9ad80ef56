#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <wend/levels_of_service.h>

#include "base/assert.h"
#include "crowd/crowd_impl.h"
#include "crowd/local/elementary.h"
#include "crowd/local/headway.h"
#include "crowd/local/keep_side.h"
#include "crowd/local/pass_behind.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/use_width.h"
#include "planning/density/fundamental_diagram.h"

// One frame: each substep for all agents before the next one begins, each in parallel over blocks of agents that write
// only what is theirs. So everyone sees the same state, and the result depends neither on the order nor on the threads.
namespace wend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr float kRelaxation = 0.5F;       // s
constexpr float kMaxAcceleration = 5;     // m/s2
constexpr float kFastest = 1.5F;          // of the preferred speed
constexpr float kLostPatience = 2;        // s until an agent that lost its route plans anew
constexpr float kContactMargin = 0.1F;    // metres between rims
constexpr float kLetsIn = 0.5F;           // of the radius of an agent farther from the goal, left out by a jammed one
constexpr uint64_t kRecordsKeepFor = 32;  // frames

double seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

Vec2f limited(Vec2f v, float most) {
  const float l = length(v);
  return l > most ? v * (most / l) : v;
}

uint8_t flagOf(CrowdEventKind kind) {
  return static_cast<uint8_t>(1U << static_cast<unsigned>(kind));
}

void prefetchRecord(const AgentRecord& record) {
  const char* bytes = reinterpret_cast<const char*>(&record);
  for (size_t at = 0; at < sizeof(AgentRecord); at += 64) __builtin_prefetch(bytes + at);
}

// The segment on which the agent is, which may lie on two cache lines, and the end.
void prefetchRoute(const AgentRecord& record) {
  const std::vector<Vec3>& points = record.route.points;
  if (record.follow.segment >= points.size()) return;
  const Vec3* segment = points.data() + record.follow.segment;
  __builtin_prefetch(segment);
  __builtin_prefetch(segment + 2);
  __builtin_prefetch(points.data() + points.size() - 1);
}

// The disk that route following found, if the agent is in it.
OpenDisk openDisk(const FollowState& follow, Point at, double unit) {
  constexpr double kRounding = 1e-3;  // metres
  const double radius = follow.diskRadius - kRounding;
  if (!(radius > 0)) return {};
  const double dx = follow.diskCentre.x - at.x * unit;
  const double dy = follow.diskCentre.y - at.y * unit;
  if (dx * dx + dy * dy > radius * radius) return {};
  return {{static_cast<int32_t>(std::lround(follow.diskCentre.x / unit)),
           static_cast<int32_t>(std::lround(follow.diskCentre.y / unit))},
          static_cast<float>(radius)};
}

// Walls of an agent, nearest first from where it is now; returns how far around it none is, metres.
float sortWalls(const Ground& ground, Point at, NearWalls& walls) {
  std::array<double, kMaxWalls> squares;
  const Vec2 x = toVec2(at);
  for (uint32_t i = 0; i < walls.count; ++i) {
    const uint32_t id = walls.ids[i];
    const GroundWall& wall = ground.wall(id);
    const Vec2 ab{wall.b.x - wall.a.x, wall.b.y - wall.a.y};
    const Vec2 ax{x.x - wall.a.x, x.y - wall.a.y};
    const double whole = ab.x * ab.x + ab.y * ab.y;
    const double t = whole > 0 ? std::clamp((ab.x * ax.x + ab.y * ax.y) / whole, 0.0, 1.0) : 0;
    const double dx = ax.x - t * ab.x;
    const double dy = ax.y - t * ab.y;
    const double square = dx * dx + dy * dy;
    uint32_t k = i;
    for (; k > 0 &&
           (square < squares[k - 1] || (square == squares[k - 1] && wall.first < ground.wall(walls.ids[k - 1]).first));
         --k) {
      squares[k] = squares[k - 1];
      walls.ids[k] = walls.ids[k - 1];
    }
    squares[k] = square;
    walls.ids[k] = id;
  }
  const double moved = movedSince(ground, walls, at);
  const double nearest = walls.count == 0 ? HUGE_VAL : std::sqrt(squares[0]) * ground.unit();
  return static_cast<float>(std::min(nearest, walls.known - moved));
}

}  // namespace

Neighbours Crowd::Impl::neighbours() const {
  const float farthest = 2 * kFastest * largestSpeed * static_cast<float>(settings.step);
  return {ground, agents, grid, strip, largestRadius, kContactMargin + farthest};
}

void Crowd::Impl::sortAgents(const Context& context) {
  if (!isTidy) tidy();
  grid.build(agents.x, agents.y, ground.unit());
  const std::vector<uint32_t>& order = grid.order();
  const size_t n = agents.size();
  spare.eachArray([&](auto& array) { array.resize(n); });
  agents.glance.resize(n);
  agents.bound.resize(n);
  agents.open.resize(n);
  contacts.resize(n);
  wanted.resize(n);
  nextX.resize(n);
  nextY.resize(n);
  nextCell.resize(n);
  agents.resizeStart();
  happened.assign(n, 0);
  dueKind.resize(n);
  blockLargest.resize((n + kBlock - 1) / kBlock);
  eachBlock(context, [&](size_t block, uint32_t begin, uint32_t end) {
    const auto reorder = [&](const auto& from, auto& to) {
      for (uint32_t i = begin; i < end; ++i) to[i] = from[order[i]];
    };
    reorder(agents.x, spare.x);
    reorder(agents.y, spare.y);
    reorder(agents.cell, spare.cell);
    reorder(agents.vx, spare.vx);
    reorder(agents.vy, spare.vy);
    reorder(agents.radius, spare.radius);
    reorder(agents.id, spare.id);
    reorder(agents.group, spare.group);
    reorder(agents.motion, spare.motion);
    Largest& largest = blockLargest[block];
    largest = {};
    for (uint32_t i = begin; i < end; ++i) {
      largest.radius = std::max(largest.radius, spare.radius[i]);
      largest.speed = std::max(largest.speed, spare.motion[i].speed);
      agents.startX[i] = spare.x[i];
      agents.startY[i] = spare.y[i];
      agents.startRadius[i] = spare.radius[i];
      slotOfRecord[spare.motion[i].record] = i;
    }
  });
  agents.swapArrays(spare);
  if (frame % kRecordsKeepFor == 0) sortRecords(context);
  largestRadius = 0;
  largestSpeed = 0;
  for (const Largest& largest : blockLargest) {
    largestRadius = std::max(largestRadius, largest.radius);
    largestSpeed = std::max(largestSpeed, largest.speed);
  }
}

// Records in the order of the slots: neighbours' records lie beside each other until they have walked apart.
void Crowd::Impl::sortRecords(const Context& context) {
  const size_t n = agents.size();
  spareRecords.resize(n);
  for (uint32_t& record : byId) record = slotOfRecord[record];
  routes.reorder(n, [&](size_t slot) { return agents.motion[slot].record; });
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    for (uint32_t slot = begin; slot < end; ++slot) {
      spareRecords[slot] = std::move(records[agents.motion[slot].record]);
      agents.motion[slot].record = slot;
    }
  });
  records.swap(spareRecords);
  slotOfRecord.resize(n);
  std::iota(slotOfRecord.begin(), slotOfRecord.end(), 0U);
  freeRecords.clear();
}

void Crowd::Impl::followRoutes(const Context& context) {
  eachBlock(context, [&](size_t block, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(workers);
    for (uint32_t i = begin; i < end; ++i) {
      Motion& motion = agents.motion[i];
      AgentRecord& record = records[motion.record];
      // Records and routes lie anywhere in memory: ask for those of the next agents in time.
      if (i + kAhead < end) prefetchRecord(records[agents.motion[i + kAhead].record]);
      if (i + kAhead / 2 < end) prefetchRoute(records[agents.motion[i + kAhead / 2].record]);
      if (movedSince(ground, motion.walls, agents.at(i)) > kWallRefresh) {
        const double reach = agents.radius[i] + kWallRange + kWallRefresh;
        motion.walls = gatherWalls(ground, agents.cell[i], agents.at(i), reach, worker->flood);
      }
      const float free = sortWalls(ground, agents.at(i), motion.walls);
      agents.glance[i] = {agents.at(i), agents.cell[i], agents.id[i], {agents.vx[i], agents.vy[i]}, agents.radius[i],
                          free};
      motion.preferred = {};
      motion.wish = {};
      motion.stepsBack = false;
      agents.bound[i] = {};
      motion.toGoal = 0;
      agents.open[i] = {};
      const CrowdProfile& profile = profiles[record.profile];
      motion.profile = record.profile;
      motion.avoid = profile.avoid;
      motion.looksAround = looksAround(profile.avoid);
      motion.streams = false;
      if (record.state != RouteState::kWalking) continue;
      FollowInput input;
      input.position = placeOf(i);
      input.cell = agents.cell[i];
      input.radius = agents.radius[i];
      input.speed = motion.speed;
      input.maxStep = kFastest * motion.speed * settings.step;
      if (regions != nullptr && !regionCosts[record.profile].uniform()) input.regions = &regionCosts[record.profile];
      input.goalRadius = std::max<double>(record.goalRadius, agents.radius[i]);
      const FollowResult result =
          usesHops(record) && record.hops != kNone
              ? hops->follow(record.hops, input, record.goal, profile.follow == FollowMethod::kCentres)
              : follow(profile.follow, navigator, input, record.route, record.follow, worker->plan);
      blockLargest[block].disk = std::max(blockLargest[block].disk, record.follow.diskRadius);
      motion.toGoal = static_cast<float>(result.distanceToGoal);
      agents.open[i] = openDisk(record.follow, agents.at(i), ground.unit());
      if (result.status == FollowStatus::kArrived && record.rejoin != kNone) continue;
      if (result.status == FollowStatus::kArrived) {
        record.state = RouteState::kNone;
        record.route.clear();
        happened[i] |= flagOf(CrowdEventKind::kGoalReached);
        continue;
      }
      motion.preferred = {static_cast<float>(result.preferred.x), static_cast<float>(result.preferred.y)};
      agents.bound[i] = direction({static_cast<float>(record.target.x - input.position.x),
                                   static_cast<float>(record.target.y - input.position.y)},
                                  {});
      motion.stepsBack = motion.givesWay != Vec2f{};
      motion.wish = motion.stepsBack ? motion.givesWay : direction(motion.preferred, {});
      record.lostFor = result.status == FollowStatus::kLost ? record.lostFor + static_cast<float>(settings.step) : 0;
      if (record.lostFor > kLostPatience) record.state = RouteState::kWanted;
      motion.streams = profile.stream && record.state == RouteState::kWalking;
      const float spent = static_cast<float>(frame - record.plannedAt) * static_cast<float>(settings.step);
      motion.late = std::clamp(spent / record.expected - 1, 0.0F, 1.0F);
    }
  });
  largestDisk = 0;
  for (const Largest& largest : blockLargest) largestDisk = std::max(largestDisk, largest.disk);
}

// Agents with the same goal wait for the same passage, from any side: they are no opponents, unless one steps back.
bool Crowd::Impl::shareGoal(uint32_t i, uint32_t j) const {
  constexpr double kSamePlace = 3;  // metres between goals
  if (agents.motion[j].stepsBack) return false;
  const Vec3& mine = records[agents.motion[i].record].target;
  const Vec3& other = records[agents.motion[j].record].target;
  const Vec3 apart{mine.x - other.x, mine.y - other.y, mine.z - other.z};
  return apart.x * apart.x + apart.y * apart.y + apart.z * apart.z < kSamePlace * kSamePlace;
}

void Crowd::Impl::lookAround(uint32_t i, const Neighbours& near, const NeighbourList& view, LocalView& out) const {
  const Motion& motion = agents.motion[i];
  out.id = agents.id[i];
  out.frame = frame;
  out.step = static_cast<float>(settings.step);
  out.radius = agents.radius[i];
  out.speed = motion.speed;
  out.maxSpeed = kFastest * motion.speed;
  out.mass = massOf(out.radius);
  const CrowdProfile& profile = profiles[motion.profile];
  out.timeGap = static_cast<float>(profile.timeGap);
  out.bodyLength = static_cast<float>(profile.bodyLength);
  out.side = profile.keepSide;
  out.velocity = {agents.vx[i], agents.vy[i]};
  out.preferred = motion.preferred;
  out.bound = agents.bound[i];
  const float patience = static_cast<float>(settings.jamPatience);
  out.stuck = std::clamp((motion.stuckFor - patience) / 2, 0.0F, 1.0F);
  out.lastSide = motion.lastSide;
  out.group = agents.group[i];
  out.count = view.count;
  for (uint32_t n = 0; n < out.count; ++n) {
    const uint32_t j = view.slots[n];
    const Glance& other = agents.glance[j];
    const Vec2f w = near.between(i, j);
    out.wx[n] = w.x;
    out.wy[n] = w.y;
    out.vx[n] = other.velocity.x;
    out.vy[n] = other.velocity.y;
    out.bx[n] = agents.bound[j].x;
    out.by[n] = agents.bound[j].y;
    out.r[n] = other.radius;
    out.ids[n] = other.id;
    out.groups[n] = out.group == kNone ? kNone : agents.group[j];
    if (out.stuck > 0) {
      out.wishes[n] = agents.motion[j].wish;
      out.sameGoal[n] = shareGoal(i, j);
      // The agent nearer to a common goal goes first: agents abreast in a door do not wait for each other.
      if (out.sameGoal[n] && agents.motion[j].toGoal > motion.toGoal) out.r[n] *= 1 - kLetsIn * out.stuck;
    }
  }
  const auto relative = [&](Vec2 p) -> Vec2f {
    return {static_cast<float>((p.x - agents.x[i]) * ground.unit()),
            static_cast<float>((p.y - agents.y[i]) * ground.unit())};
  };
  out.free = agents.glance[i].free;
  out.wallCount = 0;
  const LayerId layer = ground.mesh().layerOf(agents.cell[i]);
  for (uint32_t n = 0; n < motion.walls.count; ++n) {
    const GroundWall& wall = ground.wall(motion.walls.ids[n]);
    // Top view brings walls near that stand above or below.
    if (wall.layer != layer && !ground.isMet(agents.cell[i], toVec2(agents.at(i)), motion.walls.ids[n])) continue;
    out.walls[out.wallCount++] = {relative(wall.a), relative(wall.b), wall.along,  wall.before,
                                  wall.after,       wall.cornerA,     wall.cornerB};
  }
}

void Crowd::Impl::chooseVelocities(const Context& context) {
  // A few agents at a time go through all levels, so that what they see stays in the cache and each level can still be
  // timed.
  constexpr uint32_t kBatch = 16;
  const auto step = static_cast<float>(settings.step);
  const auto blend = static_cast<float>(1 - portableExp(-settings.step / static_cast<double>(kRelaxation)));
  const Neighbours near = neighbours();
  const Clock::time_point start = Clock::now();
  std::array<std::atomic<int64_t>, 3> spent{};
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(workers);
    worker->views.resize(kBatch);
    worker->neighbours.resize(kBatch);
    std::array<Clock::duration, 3> own{};
    for (uint32_t first = begin; first < end; first += kBatch) {
      const uint32_t last = std::min(first + kBatch, end);
      const Clock::time_point t0 = Clock::now();
      for (uint32_t i = first; i < last; ++i) {
        near.find(i, agents.motion[i].reach, worker->neighbours[i - first], contacts[i]);
      }
      const Clock::time_point t1 = Clock::now();
      for (uint32_t i = first; i < last; ++i) {
        LocalView& seen = worker->views[i - first];
        lookAround(i, near, worker->neighbours[i - first], seen);
        if (agents.motion[i].streams) seen.preferred = stream(seen, agents.motion[i].late);
        if (agents.motion[i].avoid != AvoidMethod::kNone) {
          seen.preferred = useWidth(seen);
          seen.preferred = passBehind(seen);
        }
        seen.preferred = keepSide(seen);
        if (!obstacles.empty()) seen.preferred = obstacles.steered(ground, obstacleView(i), seen.preferred);
      }
      const Clock::time_point t2 = Clock::now();
      for (uint32_t i = first; i < last; ++i) {
        const LocalView& seen = worker->views[i - first];
        Motion& motion = agents.motion[i];
        const Vec2f back = giveWay(seen);
        motion.givesWay = direction(back, {});
        const LocalChoice choice = back == Vec2f{} ? avoid(motion.avoid, seen) : LocalChoice{back, 0, false};
        motion.lastSide = choice.side;
        Vec2f v = choice.velocity;
        if (!choice.force) v = motion.velocity + limited((v - motion.velocity) * blend, kMaxAcceleration * step);
        if (back == Vec2f{} && motion.avoid != AvoidMethod::kNone) v = limited(v, headwaySpeed(seen, direction(v, {})));
        // Whatever a method comes to, the agent stays somewhere.
        wanted[i] = std::isfinite(v.x) && std::isfinite(v.y) ? limited(v, seen.maxSpeed) : Vec2f{};
      }
      own[0] += t1 - t0;
      own[1] += t2 - t1;
      own[2] += Clock::now() - t2;
    }
    for (size_t level = 0; level < own.size(); ++level) spent[level] += own[level].count();
  });
  // The threads' own times, as shares of the time that passed.
  const double passed = seconds(start);
  const double all = std::max(1.0, static_cast<double>(spent[0] + spent[1] + spent[2]));
  times.neighbours += passed * static_cast<double>(spent[0]) / all;
  times.stream += passed * static_cast<double>(spent[1]) / all;
  times.avoidance += passed * static_cast<double>(spent[2]) / all;
}

void Crowd::Impl::moveAgents(const Context& context) {
  const auto step = static_cast<float>(settings.step);
  const Neighbours near = neighbours();
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(workers);
    for (uint32_t i = begin; i < end; ++i) {
      Motion& motion = agents.motion[i];
      Vec2f v = wanted[i] + contactAcceleration(near, agents, i, contacts[i], step) * step;
      v = limited(v, kFastest * motion.speed);
      Vec2f by = v * step;
      // No agent may come past the middle of a gap between centres in one step: that is how disks would pass through
      // each other.
      for (const uint32_t j : contacts[i].all()) {
        const Vec2f w = near.between(i, j);
        const Vec2f relative = by - wanted[j] * step;
        // Hardly anyone does: no root for the others.
        constexpr float kRounding = 0.999F;
        if (dot(relative, w) < kRounding * 0.5F * dot(w, w)) continue;
        const float d = length(w);
        if (!(d > 1e-6F)) continue;
        const Vec2f n = w * (1 / d);
        const float closing = dot(relative, n);
        const float own = dot(by, n);
        if (closing > 0.5F * d && own > 0) by = by - n * std::min(own, 0.5F * (closing - 0.5F * d));
      }
      AgentPlace place{agents.at(i), agents.cell[i]};
      displace(i, by, kFastest * motion.speed * step, agents.glance[i].free, place, worker->flood);
      nextX[i] = place.at.x;
      nextY[i] = place.at.y;
      nextCell[i] = place.cell;
    }
  });
  placeBodies();
  agents.x.swap(nextX);
  agents.y.swap(nextY);
  agents.cell.swap(nextCell);
}

void Crowd::Impl::separateAgents(const Context& context) {
  const Neighbours near = neighbours();
  for (int sweep = 0; sweep < settings.separationSweeps; ++sweep) {
    std::atomic<bool> moved{false};
    eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
      CrowdWorkers::Lease worker(workers);
      for (uint32_t i = begin; i < end; ++i) {
        AgentPlace place{agents.at(i), agents.cell[i]};
        const Vec2f by = separation(near, agents, i, contacts[i]);
        if (!(by == Vec2f{}) && !agents.motion[i].isDriven) {
          const Vec2f since{static_cast<float>(place.at.x - agents.startX[i]),
                            static_cast<float>(place.at.y - agents.startY[i])};
          const double free = agents.glance[i].free - static_cast<double>(length(since)) * ground.unit();
          displace(i, by, length(by), free, place, worker->flood);
          moved.store(true, std::memory_order_relaxed);
        }
        nextX[i] = place.at.x;
        nextY[i] = place.at.y;
        nextCell[i] = place.cell;
      }
    });
    if (!moved) break;
    agents.x.swap(nextX);
    agents.y.swap(nextY);
    agents.cell.swap(nextCell);
  }
}

bool Crowd::Impl::agentsAreInCells() const {
  for (uint32_t i = 0; i < agents.size(); ++i) {
    if (!ground.holds(agents.cell[i], agents.at(i))) return false;
  }
  return true;
}

void Crowd::Impl::finish(const Context& context) {
  const auto step = static_cast<float>(settings.step);
  const auto scale = static_cast<float>(ground.unit() / settings.step);
  const auto patience = static_cast<float>(settings.jamPatience);
  const Neighbours near = neighbours();
  blockOverlap.assign((agents.size() + kBlock - 1) / kBlock, {});
  eachBlock(context, [&](size_t block, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) addOverlaps(near, agents, i, contacts[i], blockOverlap[block]);
    for (uint32_t i = begin; i < end; ++i) {
      Motion& motion = agents.motion[i];
      const Vec2f moved{static_cast<float>(agents.x[i] - agents.startX[i]) * scale,
                        static_cast<float>(agents.y[i] - agents.startY[i]) * scale};
      motion.velocity = limited(moved, kFastest * motion.speed);
      // Others expect the agent to go on as it wants, as far as it gets on; pushes do not count.
      const float square = dot(wanted[i], wanted[i]);
      const float gotOn = square > 0 ? std::clamp(dot(moved, wanted[i]) / square, 0.0F, 1.0F) : 0;
      agents.vx[i] = wanted[i].x * gotOn;
      agents.vy[i] = wanted[i].y * gotOn;
      constexpr float kStanding = 0.05F;  // m/s
      if (gotOn * gotOn * square > kStanding * kStanding) motion.heading = direction(wanted[i], motion.heading);
      const bool stands = (length(moved) < 0.15F * motion.speed || !(motion.givesWay == Vec2f{})) &&
                          length(motion.preferred) > 0.3F * motion.speed;
      const float wish = length(motion.preferred);
      const bool slow = wish > 0 && dot(moved, motion.preferred) < kSlow * motion.speed * wish;
      motion.slowFor = std::clamp(motion.slowFor + (slow ? step : -step), 0.0F, kSlowPatience);
      motion.stuckFor = std::clamp(motion.stuckFor + (stands ? step : -2 * step), 0.0F, patience + 2);
      if (strip.period == 0) continue;
      int64_t x = agents.x[i];
      if (x >= strip.from + strip.period) x -= strip.period;
      if (x < strip.from) x += strip.period;
      if (x == agents.x[i]) continue;
      const Point at{static_cast<int32_t>(x), agents.y[i]};
      const CellId cell = locator.locate(ground.mesh().lattice().toMetres(at), ground.mesh().layerOf(agents.cell[i]));
      if (cell == kNone) continue;
      agents.x[i] = at.x;
      agents.cell[i] = cell;
      motion.walls.known = -1;
      if (records[motion.record].state == RouteState::kWalking) records[motion.record].state = RouteState::kWanted;
    }
  });
  WEND_ASSERT(agentsAreInCells(), "each agent stands in its cell");
  overlap = {};
  for (const Overlap& o : blockOverlap) {
    overlap.deepest = std::max(overlap.deepest, o.deepest);
    overlap.sum += o.sum;
    overlap.pairs += o.pairs;
  }
}

// Everyone counts where it is now; whole numbers, so that any order gives the same sums.
void Crowd::Impl::updateDensity(const Context& context) {
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      uint32_t& counted = agents.motion[i].densityCell;
      const uint32_t here = density->cellOf(agents.cell[i]);
      if (here == counted) continue;
      const DensityMap::Covered area = DensityMap::areaOf(agents.radius[i]);
      if (counted == kNone) {
        density->add(here, area);
      } else {
        density->move(counted, here, area);
      }
      counted = here;
    }
  });
}

void Crowd::Impl::noticeCrowding(const Context& context) {
  constexpr float kPatience = 10;  // s
  const auto step = static_cast<float>(settings.step);
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      float& clock = agents.motion[i].crowdedFor;
      const double share = density->density(agents.motion[i].densityCell);
      const bool full = serviceLevel(personsPerM2(share), ServiceTable::kFruin) == ServiceLevel::kF;
      const float last = clock;
      clock = full ? clock + step : 0;
      if (last < kPatience && clock >= kPatience) happened[i] |= flagOf(CrowdEventKind::kOvercrowded);
    }
  });
}

void Crowd::step(const Context& given, const std::function<void(Crowd&, const CrowdEvent&)>& planner) {
  // A frame is never left half done.
  Context context;
  context.threads = given.threads;
  Impl& s = *impl_;
  s.times = {};
  const auto timed = [&](double& time, auto&& substep) {
    const Clock::time_point start = Clock::now();
    substep();
    time += seconds(start);
  };
  timed(s.times.neighbours, [&] { s.sortAgents(context); });
  timed(s.times.density, [&] { s.updateDensity(context); });
  timed(s.times.replanning, [&] { s.planRoutes(context); });
  timed(s.times.following, [&] { s.followRoutes(context); });
  timed(s.times.groups, [&] { s.walkInGroups(context); });
  s.chooseVelocities(context);
  s.driveBodies();
  timed(s.times.movement, [&] { s.moveAgents(context); });
  timed(s.times.separation, [&] { s.separateAgents(context); });
  timed(s.times.movement, [&] { s.finish(context); });
  timed(s.times.density, [&] {
    s.updateDensity(context);
    s.noticeCrowding(context);
  });
  ++s.frame;
  s.statesValid = false;

  const size_t before = s.events.size();
  for (uint32_t slot = 0; slot < s.happened.size(); ++slot) {
    const uint8_t flags = s.agents.motion[slot].isDriven ? uint8_t{0} : s.happened[slot];
    for (int kind = 0; flags >> kind != 0; ++kind) {
      if ((flags >> kind & 1) != 0) s.events.push_back({static_cast<CrowdEventKind>(kind), s.agents.id[slot]});
    }
  }
  std::sort(s.events.begin() + static_cast<ptrdiff_t>(before), s.events.end(),
            [](const CrowdEvent& a, const CrowdEvent& b) {
              return a.agent != b.agent ? a.agent < b.agent : a.kind < b.kind;
            });
  // Those of this frame are in order; a change of the world may have left others before them.
  std::vector<CrowdEvent> delivered = std::move(s.delivered);
  delivered.clear();
  delivered.swap(s.events);
  const auto earlier = [](const CrowdEvent& a, const CrowdEvent& b) { return a.agent < b.agent; };
  if (!std::is_sorted(delivered.begin(), delivered.end(), earlier))
    std::stable_sort(delivered.begin(), delivered.end(), earlier);
  if (planner) {
    for (const CrowdEvent& event : delivered) planner(*this, event);
  }
  impl_->delivered = std::move(delivered);
}

}  // namespace wend
