#include "crowd/simulation/events.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace wend {
namespace {

// The points of a shape in the top view, in the shape's own numbers.
std::vector<Vec2> outlineOf(const ObstacleShape& shape) {
  std::vector<Vec2> points;
  if (const auto* polygon = std::get_if<PolygonShape>(&shape)) points = polygon->corners;
  if (const auto* segment = std::get_if<SegmentShape>(&shape)) points = {segment->from, segment->to};
  if (const auto* hull = std::get_if<ConvexShape>(&shape)) {
    // The corners of the area twice, below and above.
    for (size_t i = 0; i < hull->points.size(); i += 2) points.push_back({hull->points[i].x, hull->points[i].y});
  }
  if (std::holds_alternative<PointShape>(shape)) points = {{}, {}};
  return points;
}

// The middle of the box around an outline.
Vec2 centreOf(const std::vector<Vec2>& points) {
  if (points.empty()) return {};
  Vec2 low = points[0];
  Vec2 high = points[0];
  for (const Vec2 p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

Obstacle obstacleOf(const ScenarioEvent& event) {
  Obstacle obstacle;
  obstacle.name = event.target;
  const Loops& loops = event.area.loops;
  if (event.height > 0) {
    ConvexShape hull;
    for (const Vec2 p : loops.front()) {
      hull.points.push_back({p.x, p.y, 0});
      hull.points.push_back({p.x, p.y, event.height});
    }
    obstacle.shape = std::move(hull);
    obstacle.place.at.z = event.base;
    return obstacle;
  }
  obstacle.layers = {event.area.layer};
  if (loops.size() == 1 && loops[0].size() == 2) {
    obstacle.shape = SegmentShape{loops[0][0], loops[0][1]};
  } else if (loops.size() == 1 && loops[0].size() == 1) {
    obstacle.shape = PointShape{};
    obstacle.place.at = {loops[0][0].x, loops[0][0].y, 0};
  } else if (!loops.empty()) {
    PolygonShape polygon{loops.front(), {loops.begin() + 1, loops.end()}};
    const auto open = [](std::vector<Vec2>& loop) {
      while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    };
    open(polygon.corners);
    for (std::vector<Vec2>& loop : polygon.loops) open(loop);
    obstacle.shape = std::move(polygon);
  }
  return obstacle;
}

double lengthOf(const std::vector<Vec2>& path) {
  double sum = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) sum += std::hypot(path[i + 1].x - path[i].x, path[i + 1].y - path[i].y);
  return sum;
}

// The place after so many metres of the path.
Vec2 along(const std::vector<Vec2>& path, double metres) {
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const double piece = std::hypot(path[i + 1].x - path[i].x, path[i + 1].y - path[i].y);
    if (metres < piece) {
      const double t = metres / piece;
      return {path[i].x + t * (path[i + 1].x - path[i].x), path[i].y + t * (path[i + 1].y - path[i].y)};
    }
    metres -= piece;
  }
  return path.back();
}

// The obstacle with its centre after so many metres of the path.
Placement placeAlong(const Obstacle& obstacle, const std::vector<Vec2>& path, double metres) {
  const Vec2 centre = centreOf(outlineOf(obstacle.shape));
  const Vec2 at = along(path, metres);
  Placement place = obstacle.place;
  place.at.x = at.x - centre.x;
  place.at.y = at.y - centre.y;
  return place;
}

}  // namespace

Status Events::prepare() {
  const std::vector<ScenarioEvent>& events = run_.scenario.events;
  done_.assign(events.size(), kAhead);
  appliedAt_.assign(events.size(), -1);
  stepsDone_.assign(events.size(), -1);
  bodies_.assign(events.size(), kNone);
  passed_.prepare();
  for (const ScenarioEvent& event : events) {
    if (event.condition != EventCondition::kInside) continue;
    for (const MeasuringRegion& region : run_.scenario.regions) {
      if (region.id != event.conditionOf) continue;
      Result<PlacedArea> area =
          placeArea(region.area, run_.world->environment(), fmt::format("region '{}'", region.id));
      if (!area.ok()) return area.error();
      regions_[region.id] = *std::move(area);
    }
  }
  return Done{};
}

bool Events::isDue(const ScenarioEvent& event) const {
  if (event.time > run_.time() + 1e-9) return false;
  switch (event.condition) {
    case EventCondition::kNone:
      return true;
    case EventCondition::kPassed:
      return passed_.count(event.conditionOf) >= event.persons;
    case EventCondition::kInside: {
      const PlacedArea& area = regions_.at(event.conditionOf);
      uint64_t inside = 0;
      for (const AgentState& agent : run_.crowd->agents()) {
        if (area.contains({agent.position.x, agent.position.y}, agent.layer)) ++inside;
      }
      return inside >= event.persons;
    }
  }
  return false;
}

Status Events::apply() {
  wanted_.clear();
  starting_.clear();
  for (size_t i = 0; i < run_.scenario.events.size(); ++i) {
    if (done_[i] != kAhead || !isDue(run_.scenario.events[i])) continue;
    done_[i] = kApplied;
    appliedAt_[i] = run_.time();
    run_.lastArrival = run_.time();
    if (Status status = apply(i); !status.ok()) return status;
  }
  moveObstacles();
  if (!wanted_.empty()) {
    if (Status status = changeWorld(); !status.ok()) return status;
  }
  return starting_.empty() ? Status(Done{}) : startBodies();
}

void Events::warnOfPending() {
  for (size_t i = 0; i < done_.size(); ++i) {
    const ScenarioEvent& event = run_.scenario.events[i];
    if (done_[i] == kAhead) {
      run_.warn(fmt::format("the event '{}' of '{}' never came: the run ended before it was due",
                            actionName(event.action), event.target));
    }
  }
}

bool Events::areDone() const {
  for (size_t i = 0; i < done_.size(); ++i) {
    // What waits for a condition may never come.
    if (done_[i] == kMoving) return false;
    if (done_[i] == kAhead && run_.scenario.events[i].condition == EventCondition::kNone) return false;
  }
  return true;
}

bool Events::isDoor(const std::string& id) const {
  return std::any_of(run_.scenario.doors.begin(), run_.scenario.doors.end(),
                     [&](const ScenarioDoor& door) { return door.id == id; });
}

Status Events::apply(size_t index) {
  const ScenarioEvent& event = run_.scenario.events[index];
  const auto stage = run_.stageIndex.find(event.target);
  switch (event.action) {
    case EventAction::kOpen:
    case EventAction::kClose: {
      const bool open = event.action == EventAction::kOpen;
      if (stage != run_.stageIndex.end()) stages_.setOpen(stage->second, open);
      if (!isDoor(event.target) || stages_.setGate(event.target, open)) break;
      want(index, {SetDoor{event.target, open}}, true);
      return Done{};
    }
    case EventAction::kInsert:
      return insertObstacle(index);
    case EventAction::kMove:
      done_[index] = kMoving;
      if (!event.asBody) break;
      if (const std::optional<ObstacleId> id = run_.world->world.findObstacle(event.target)) {
        starting_.push_back(index);
        want(index, {RemoveObstacle{*id}}, true);
        return Done{};
      }
      done_[index] = kApplied;
      break;
    case EventAction::kRemove:
      for (size_t i = 0; i < bodies_.size(); ++i) {
        if (bodies_[i] == kNone || run_.scenario.events[i].target != event.target) continue;
        run_.crowd->removeBody(bodies_[i]);
        bodies_[i] = kNone;
        done_[i] = kApplied;
      }
      if (const std::optional<ObstacleId> id = run_.world->world.findObstacle(event.target)) {
        want(index, {RemoveObstacle{*id}}, true);
        return Done{};
      }
      break;
    case EventAction::kActivate:
    case EventAction::kDeactivate:
      stages_.setActive(stage->second, event.action == EventAction::kActivate);
      break;
    case EventAction::kPop:
      stages_.popQueue(stage->second, event.count);
      break;
    case EventAction::kSetRate:
      sources_.setRate(event.target, event.rate);
      break;
    case EventAction::kSetJourney:
      for (size_t i = 0; i < run_.scenario.sources.size(); ++i) {
        if (run_.scenario.sources[i].id != event.target && event.target != "all") continue;
        run_.scenario.sources[i].journeys = {{event.journey, 1.0}};
        for (Person& person : run_.persons) {
          if (person.source != i || person.phase == Phase::kLeaving) continue;
          stages_.changeJourney(person, run_.journeyIndex.at(event.journey));
          if (Status status = run_.write(person); !status.ok()) return status;
        }
      }
      break;
    case EventAction::kAlarm:
      sources_.soundAlarm(event.target);
      break;
  }
  return record(actionName(event.action), event.target);
}

Status Events::refuse(size_t index, const std::string& why) {
  const ScenarioEvent& event = run_.scenario.events[index];
  done_[index] = kRefused;
  run_.warn(fmt::format("event '{}' of '{}' at {:g} s is refused: {}", actionName(event.action), event.target,
                        run_.time(), why));
  return record(fmt::format("refused-{}", actionName(event.action)), event.target);
}

Status Events::record(const std::string& action, const std::string& target) {
  if (!run_.recorder) return Done{};
  return run_.recorder->event({run_.recordedFrame(), action, target});
}

Status Events::recordWorld() {
  if (!run_.recorder) return Done{};
  return run_.recorder->world(run_.recordedFrame() + (run_.step == 0 ? 0 : 1), run_.world->environment());
}

Status Events::insertObstacle(size_t index) {
  const ScenarioEvent& event = run_.scenario.events[index];
  const Result<PlacedArea> area =
      placeArea(event.area, run_.world->environment(), fmt::format("obstacle '{}'", event.target));
  if (!area.ok()) return refuse(index, area.error().message);
  std::vector<AgentId> under;
  for (const AgentState& agent : run_.crowd->agents()) {
    const Vec2 at{agent.position.x, agent.position.y};
    if (agent.layer == area->layer && (area->contains(at) || area->edgeDistance(at) < agent.radius))
      under.push_back(agent.id);
  }
  if (!under.empty() && event.policy == InsertPolicy::kRefuse) return refuse(index, "persons stand there");
  if (event.policy == InsertPolicy::kRemove) {
    if (!under.empty()) {
      run_.warn(fmt::format("obstacle '{}' removed the {} persons that stood under it; they count as left",
                            event.target, under.size()));
    }
    for (const AgentId id : under) {
      if (Person* person = run_.find(id)) stages_.leave(*person, "removed");
    }
  }
  std::vector<Edit> edits;
  if (const std::optional<ObstacleId> old = run_.world->world.findObstacle(event.target)) {
    edits.push_back(RemoveObstacle{*old});
  }
  edits.push_back(AddObstacle{obstacleOf(event)});
  want(index, std::move(edits), true);
  return Done{};
}

void Events::moveObstacles() {
  for (size_t i = 0; i < done_.size(); ++i) {
    if (done_[i] != kMoving) continue;
    const ScenarioEvent& event = run_.scenario.events[i];
    if (event.asBody) {
      moveBody(i);
      continue;
    }
    const std::optional<ObstacleId> id = run_.world->world.findObstacle(event.target);
    if (!id) {
      // Removed on its way, or not there yet: there is nothing to move.
      done_[i] = kApplied;
      continue;
    }
    const double walked = run_.time() - appliedAt_[i];
    const auto step = static_cast<int64_t>(std::floor(walked / event.every + 1e-9));
    if (step == stepsDone_[i]) continue;
    stepsDone_[i] = step;
    const double length = lengthOf(event.path);
    const double metres = event.speed > 0 ? event.speed * static_cast<double>(step) * event.every : length;
    const Obstacle& obstacle = *run_.world->world.find(*id);
    run_.lastArrival = run_.time();
    want(i, {MoveObstacle{*id, placeAlong(obstacle, event.path, std::min(metres, length))}}, false);
    if (metres >= length) done_[i] = kApplied;
  }
}

// The obstacle as the last event that inserted it gave it.
const Obstacle* Events::lastInserted(const std::string& target) {
  const ScenarioEvent* last = nullptr;
  double when = -1;
  for (size_t i = 0; i < done_.size(); ++i) {
    const ScenarioEvent& event = run_.scenario.events[i];
    if (event.action != EventAction::kInsert || event.target != target || done_[i] != kApplied) continue;
    if (appliedAt_[i] < when) continue;
    when = appliedAt_[i];
    last = &event;
  }
  if (last == nullptr) return nullptr;
  inserted_ = obstacleOf(*last);
  return &inserted_;
}

// To where it is after the next step; at the end of its path it becomes an obstacle again.
void Events::moveBody(size_t index) {
  if (bodies_[index] == kNone) return;
  const ScenarioEvent& event = run_.scenario.events[index];
  const Obstacle* obstacle = lastInserted(event.target);
  const double length = lengthOf(event.path);
  const double walked = event.speed * (run_.time() - appliedAt_[index]);
  run_.lastArrival = run_.time();
  if (obstacle != nullptr && walked < length - 1e-9) {
    const double next = std::min(length, walked + event.speed * run_.scenario.step);
    run_.crowd->moveBody(bodies_[index], placeAlong(*obstacle, event.path, next));
    return;
  }
  run_.crowd->removeBody(bodies_[index]);
  bodies_[index] = kNone;
  done_[index] = kApplied;
  if (obstacle == nullptr) return;
  Obstacle standing = *obstacle;
  standing.place = placeAlong(standing, event.path, length);
  want(index, {AddObstacle{standing}}, false);
}

// Where the obstacles stood is free now.
Status Events::startBodies() {
  for (const size_t index : starting_) {
    const ScenarioEvent& event = run_.scenario.events[index];
    if (done_[index] != kMoving) continue;
    const Obstacle* obstacle = lastInserted(event.target);
    if (obstacle == nullptr) continue;
    BodyStart start;
    start.outline = outlineOf(obstacle->shape);
    start.place = placeAlong(*obstacle, event.path, 0);
    start.layer = run_.world->layerIndex(obstacle->layers.empty() ? event.area.layer : obstacle->layers.front());
    const Result<BodyId> body = run_.crowd->addBody(start);
    if (!body.ok()) {
      if (Status status = refuse(index, body.error().message); !status.ok()) return status;
      wanted_.clear();
      want(index, {AddObstacle{*obstacle}}, false);
      if (Status status = changeWorld(); !status.ok()) return status;
      continue;
    }
    bodies_[index] = *body;
    moveBody(index);
  }
  return Done{};
}

// All changes of the step at once; if that fails, one by one without those that cannot be done.
Status Events::changeWorld() {
  // First the persons that an obstacle removes, so that the crowd does not push them out of it.
  run_.removeLeaving();
  std::vector<Edit> all;
  for (const Wanted& wanted : wanted_) all.insert(all.end(), wanted.edits.begin(), wanted.edits.end());
  bool changed = false;
  Result<WorldUpdate> update = run_.world->world.apply(all, run_.context);
  if (!update.ok() && update.error().code == ErrorCode::kCancelled) return update.error();
  const bool together = update.ok();
  if (together) {
    if (Status status = adopt(*update, changed); !status.ok()) return status;
  }
  for (const Wanted& wanted : wanted_) {
    if (!together) {
      update = run_.world->world.apply(wanted.edits, run_.context);
      if (!update.ok() && update.error().code == ErrorCode::kCancelled) return update.error();
      Status status = update.ok() ? adopt(*update, changed) : refuse(wanted.event, update.error().message);
      if (!status.ok()) return status;
    }
    if (!update.ok() || !wanted.isRecorded) continue;
    const ScenarioEvent& event = run_.scenario.events[wanted.event];
    if (Status status = record(actionName(event.action), event.target); !status.ok()) return status;
  }
  if (!changed) return Done{};
  if (Status status = stages_.place(); !status.ok()) return status;
  return recordWorld();
}

Status Events::take(const World& world) {
  if (Status status = run_.setWorld(world); !status.ok()) return status;
  if (Status status = stages_.place(); !status.ok()) return status;
  if (Status status = run_.crowd->setNavigator(run_.world->navigator, run_.context); !status.ok()) return status;
  if (Status status = run_.closeStairs(); !status.ok()) return status;
  return recordWorld();
}

Status Events::adopt(const WorldUpdate& update, bool& changed) {
  if (Status status = run_.setWorld(update.world); !status.ok()) return status;
  changed = changed || update.report.mesh != MeshChange::kNone;
  if (Status status = run_.crowd->apply(update, run_.world->navigator, run_.context); !status.ok()) return status;
  return run_.closeStairs();
}

void Events::save(StateWriter& out) const {
  out.array(done_);
  out.array(appliedAt_);
  out.array(stepsDone_);
  out.array(bodies_);
  passed_.save(out);
}

bool Events::load(StateReader& in) {
  const size_t count = done_.size();
  in.array(done_);
  in.array(appliedAt_);
  in.array(stepsDone_);
  in.array(bodies_);
  if (!in.ok || done_.size() != count || appliedAt_.size() != count || stepsDone_.size() != count ||
      bodies_.size() != count) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if (done_[i] > kRefused || !std::isfinite(appliedAt_[i])) return false;
  }
  if (!passed_.load(in)) return false;
  // The order in which they came.
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return appliedAt_[a] < appliedAt_[b]; });
  for (const size_t i : order) {
    const ScenarioEvent& event = run_.scenario.events[i];
    if (done_[i] != kApplied || event.action != EventAction::kSetJourney) continue;
    for (ScenarioSource& source : run_.scenario.sources) {
      if (source.id == event.target || event.target == "all") source.journeys = {{event.journey, 1.0}};
    }
  }
  return true;
}

}  // namespace wend
