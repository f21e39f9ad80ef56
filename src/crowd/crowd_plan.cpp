#include <algorithm>

#include "base/parallel.h"
#include "crowd/crowd_impl.h"

// Global planning: who needs a route in this frame, and how it is asked for.
namespace wend {
namespace {

constexpr size_t kPlanBlock = 8;  // routes differ much in cost

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
      break;
  }
  return std::nullopt;
}

}  // namespace

PathStatus Crowd::Impl::planRoute(AgentRecord& record, uint32_t slot, CrowdWorker& worker) const {
  const CrowdProfile& profile = profiles[record.profile];
  // The disk may reach into walls by the rounding of its place.
  const double rounding = 2 * ground.unit();
  PathQuery query;
  query.from = placeOf(slot);
  query.to = record.goal;
  query.withHeights = true;
  query.radius = std::max(0.0, agents.radius[slot] - rounding);
  query.clearance = profile.clearance;
  query.side = sideOf(profile);
  PathStatus status = navigator->plan(query, worker.plan, record.route);
  if (status == PathStatus::kUnsupported && query.side) {
    query.side.reset();
    status = navigator->plan(query, worker.plan, record.route);
  }
  if (status == PathStatus::kGoalTooNear) {
    // It is enough to come near: the place beside the wall where the disk fits.
    const auto wall = navigator->nearestObstacle(query.to, true, worker.plan);
    const double missing = wall ? query.radius + rounding - wall->distance : 0;
    if (wall && wall->distance > 0 && missing < record.goalRadius) {
      const double share = missing / wall->distance;
      query.to.x += share * (query.to.x - wall->point.x);
      query.to.y += share * (query.to.y - wall->point.y);
      status = navigator->plan(query, worker.plan, record.route);
    }
  }
  if (status == PathStatus::kStartTooNear) {
    // Pushed into a place that is narrower than the disk: find the way out of it.
    const auto wall = navigator->nearestObstacle(query.from, true, worker.plan);
    query.radius = wall ? std::max(0.0, std::min(query.radius, wall->distance) - rounding) : 0;
    status = navigator->plan(query, worker.plan, record.route);
  }
  return status;
}

void Crowd::Impl::planRoutes(const Context& context) {
  due.clear();
  for (uint32_t slot = 0; slot < agents.size(); ++slot) {
    if (recordAt(slot).state == RouteState::kWanted) due.push_back(slot);
  }
  parallelBlocks(due.size(), kPlanBlock, context, [&](size_t begin, size_t end) {
    CrowdWorkers::Lease worker(workers);
    for (size_t i = begin; i < end; ++i) {
      const uint32_t slot = due[i];
      AgentRecord& record = recordAt(slot);
      const PathStatus status = planRoute(record, slot, *worker.operator->());
      record.follow = {};
      record.lostFor = 0;
      record.plannedAt = frame;
      record.state = status == PathStatus::kFound ? RouteState::kWalking : RouteState::kBlocked;
      if (status != PathStatus::kFound) {
        record.route.clear();
        happened[slot] |= uint8_t{1} << static_cast<int>(CrowdEventKind::kRouteBlocked);
      }
    }
  });
}

}  // namespace wend
