#include <algorithm>
#include <set>

#include "crowd/crowd_impl.h"
#include "planning/replan/replan_trigger.h"

// Routes after a change of the world: which agents keep theirs, wait for a new one, or have not noticed yet.
//
// An agent's route belongs to the version of the world that the agent knows. Its points can be followed in any version;
// cells and portals are dropped, half-edges of the axis stay until the route is planned anew or kept.
namespace wend {
namespace {

// Metres: an agent bumps into a wall that is nearer than this ahead of it on its route.
constexpr double kBumpAhead = 2;

void dropCells(Route& route) {
  route.cells.clear();
  route.portals.clear();
  route.shrunkPortals.clear();
}

}  // namespace

// Way points are portals of the mesh as it is, and costs of regions are squares of it: such agents know at once.
ReplanTrigger Crowd::Impl::noticeOf(const AgentRecord& record) const {
  const CrowdProfile& profile = profiles[record.profile];
  const bool usesPortals = profile.follow == FollowMethod::kWaypoints || profile.follow == FollowMethod::kCentres;
  return usesPortals || plansApart(record) || record.isDriven ? ReplanTrigger::kInstant : profile.notice;
}

void Crowd::Impl::forgetVersions() {
  if (versions.size() < 2) return;
  std::set<uint32_t> used;
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    AgentRecord& record = recordAt(slot);
    if (knowsNewest(record)) continue;
    record.knows = versions.known(record.knows);
    used.insert(record.knows);
  }
  versions.keep(std::vector<uint32_t>(used.begin(), used.end()));
  for (const uint32_t version : used) versions.prepare(version);
}

void Crowd::Impl::adaptRoutes(const Context& context) {
  forgetVersions();
  constexpr uint32_t newest = WorldVersions::kAlwaysNewest;
  notices.assign(agents.size(), 0);
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(workers);
    for (uint32_t slot = begin; slot < end; ++slot) {
      AgentRecord& record = recordAt(slot);
      // The disk that it saw may not be free any more.
      record.follow.diskRadius = -1;
      if (knowsNewest(record)) continue;
      if (record.state != RouteState::kWalking) {
        if (noticeOf(record) == ReplanTrigger::kInstant) record.knows = newest;
        continue;
      }
      const FollowMethod follow = profiles[record.profile].follow;
      if (plansApart(record) || follow == FollowMethod::kWaypoints || follow == FollowMethod::kCentres) {
        record.route.clear();
        record.state = RouteState::kWanted;
        record.knows = newest;
        continue;
      }
      dropCells(record.route);
      if (noticeOf(record) != ReplanTrigger::kInstant || waiting.has(record.id)) continue;
      notices[slot] = 1;
    }
  });
  noticeChanges(context);
}

// Those that are marked, and those that see a change or bump into it. A route that the change cannot concern stays.
void Crowd::Impl::noticeChanges(const Context& context) {
  if (versions.size() < 2) return;
  constexpr uint32_t newest = WorldVersions::kAlwaysNewest;
  notices.resize(agents.size(), 0);
  eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(workers);
    for (uint32_t slot = begin; slot < end; ++slot) {
      AgentRecord& record = recordAt(slot);
      if (knowsNewest(record) || waiting.has(record.id)) {
        notices[slot] = 0;
        continue;
      }
      const Vec3 at = placeOf(slot);
      const WorldChange& change = versions.change(record.knows);
      const ReplanTrigger trigger = noticeOf(record);
      const bool walks = record.state == RouteState::kWalking;
      const double radius = agents.radius[slot];
      const bool sees =
          trigger == ReplanTrigger::kSight && seesChange(versions.navigator(record.knows), navigator, change, at,
                                                         profiles[record.profile].sight, worker->plan);
      if (notices[slot] == 0 && !sees &&
          !(walks && isNextStepGone(navigator, change, at, radius, kBumpAhead, record.route, worker->plan))) {
        continue;
      }
      notices[slot] = 0;
      DensityView seen;
      PathQuery query = queryFor(record, slot, seen);
      query.to = record.target;
      if (!walks || navigator.keep(change, query, worker->plan, record.route)) {
        record.knows = newest;
      } else {
        notices[slot] = 1;
      }
    }
  });
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    if (notices[slot] != 0) waiting.add(agents.id[slot], frame);
    notices[slot] = 0;
  }
  forgetVersions();
}

PathStatus Crowd::Impl::replanAfterChange(AgentRecord& record, uint32_t slot, CrowdWorker& worker,
                                          bool& changed) const {
  DensityView seen;
  PathQuery query = queryFor(record, slot, seen);
  query.to = record.target;
  ReplanReport report;
  const PathStatus status = navigator.replan(query, versions.change(record.knows), profiles[record.profile].afterChange,
                                             worker.plan, record.route, report);
  record.knows = WorldVersions::kAlwaysNewest;
  // The route begins where the agent is, also if its path is the old one.
  changed = true;
  return status;
}

size_t Crowd::unaware() const {
  const Impl& s = *impl_;
  return static_cast<size_t>(std::count_if(s.agents.motion.begin(), s.agents.motion.end(), [&](const Motion& motion) {
    return !s.knowsNewest(s.records[motion.record]);
  }));
}

size_t Crowd::waiting() const {
  return impl_->waiting.size();
}

}  // namespace wend
