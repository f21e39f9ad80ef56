#include "crowd/simulation/next_stage.h"

#include <algorithm>
#include <cmath>

#include "crowd/route_method.h"
#include "crowd/scenario/distribution.h"

namespace wend {
namespace {

// Persons per second and metre that an exit is assumed to let out: what necks of 1 to 2.4 m pass with the default model
// (1.4 to 1.6). A smaller one overrates queues and sends too many to far exits.
constexpr double kSpecificFlow = 1.5;
// An exit is clearly faster if it takes less than this share of the time.
constexpr double kFaster = 0.85;
constexpr double kDistanceStep = 0.5;  // m; persons ahead are counted in steps of this
constexpr size_t kDistanceSteps = 1024;
constexpr double kInfluence = 10;  // m; others are seen within this

std::pair<int64_t, int64_t> squareOf(Vec3 at) {
  return {static_cast<int64_t>(std::floor(at.x / kInfluence)), static_cast<int64_t>(std::floor(at.y / kInfluence))};
}

}  // namespace

void NextStage::prepare() {
  queueAhead_.resize(run_.scenario.stages.size());
  for (const ScenarioJourney& journey : run_.scenario.journeys) transitions_.emplace_back(journey.next.size());
}

Vec3 NextStage::placeOf(const Person& person, Vec3 from, uint32_t stage) {
  const ScenarioStage& s = run_.scenario.stages[stage];
  const StagePlaces& places = stages_.places[stage];
  switch (s.kind) {
    case StageKind::kExit:
      return s.aimAtCentre ? places.centre(person.radius) : places.nearest(from, person.radius);
    case StageKind::kQueue:
      return places.line()[std::min(stages_.state[stage].line.size(), places.line().size() - 1)];
    case StageKind::kWaiting:
      return places.slots().empty() ? places.nearest(from, person.radius) : places.slots().front();
    case StageKind::kWaypoint:
    case StageKind::kLift:
      return places.point();
  }
  return places.point();
}

double NextStage::pathLength(const Person& person, Vec3 from, uint32_t stage) {
  const Vec3 to = placeOf(person, from, stage);
  return overPassages_ ? overPassages_(person, from, to) : directLength(person, from, to);
}

double NextStage::directLength(const Person& person, Vec3 from, Vec3 to) {
  PathQuery query;
  query.from = from;
  query.to = to;
  query.radius = person.radius;
  const Navigator& navigator = run_.navigatorOf(person);
  query.method = methodOfAgents(navigator);
  PathStatus status = navigator.plan(query, run_.scratch, run_.route);
  // Pressed against a wall by rounding: with a smaller radius.
  if (status == PathStatus::kStartTooNear || status == PathStatus::kGoalTooNear) {
    query.radius = person.radius * 0.9;
    status = navigator.plan(query, run_.scratch, run_.route);
  }
  return status == PathStatus::kFound ? run_.route.length : kForever;
}

void NextStage::countQueues() {
  if (queuesCounted_ == run_.step) return;
  queuesCounted_ = run_.step;
  for (std::vector<uint32_t>& counts : queueAhead_) counts.assign(kDistanceSteps, 0);
  for (const Person& person : run_.persons) {
    if ((person.phase != Phase::kWalking && person.phase != Phase::kHeld) || person.stage < 0) continue;
    // Along the route: a person above or behind a wall is far away, however near it is in top view.
    double d = person.phase == Phase::kHeld ? 0 : run_.crowd->routeLeft(person.id);
    if (d < 0) {
      // It has no route yet: it was sent off in this step.
      const AgentState* agent = run_.crowd->find(person.id);
      if (agent == nullptr) continue;
      d = std::max(person.routeLength,
                   std::hypot(agent->position.x - person.goal.x, agent->position.y - person.goal.y));
    }
    ++queueAhead_[static_cast<size_t>(person.stage)]
                 [std::min(kDistanceSteps - 1, static_cast<size_t>(d / kDistanceStep))];
  }
}

// Seconds to get out: the path at free speed, or the queue of the persons that are nearer along their routes, the
// longer of both. The weight of the profile counts the queue more, less or not at all.
double NextStage::estimate(const Person& person, Vec3 from, uint32_t stage) {
  const double d = pathLength(person, from, stage);
  if (d == kForever) return d;
  // Over gates and lifts the length is by time already.
  const double way = walkTime_ && !overPassages_ ? walkTime_(person, run_.route) : d / person.freeSpeed;
  countQueues();
  uint64_t ahead = 0;
  const size_t bins = std::min(kDistanceSteps, static_cast<size_t>(d / kDistanceStep) + 1);
  for (size_t i = 0; i < bins; ++i) ahead += queueAhead_[stage][i];
  double flow = kSpecificFlow * std::max(0.4, stages_.places[stage].width());
  flow = std::min(flow, run_.scenario.stages[stage].maxFlow);
  const double queue = static_cast<double>(ahead) / flow;
  const double weight = run_.scenario.profiles[person.profile].crowd.densityWeight;
  return way + weight * std::max(0.0, queue - way);
}

// Collects the persons on their way at the start of the step, in squares as wide as the view. All choices of a step see
// the same persons, in any order.
void NextStage::lookAround() {
  if (othersSeen_ == run_.step) return;
  othersSeen_ = run_.step;
  others_.clear();
  for (const AgentState& agent : run_.crowd->agents()) {
    const Person* person = run_.find(agent.id);
    if (person == nullptr || person->phase != Phase::kWalking || person->stage < 0) continue;
    others_[squareOf(agent.position)].push_back({agent.position, agent.layer, static_cast<uint32_t>(person->stage)});
  }
}

// Persons near a place that head for the stage.
double NextStage::othersTo(uint32_t stage, const AgentState& agent) {
  double count = 0;
  const auto [column, row] = squareOf(agent.position);
  for (int64_t dx = -1; dx <= 1; ++dx) {
    for (int64_t dy = -1; dy <= 1; ++dy) {
      const auto square = others_.find({column + dx, row + dy});
      if (square == others_.end()) continue;
      for (const SeenPerson& other : square->second) {
        const double d = std::hypot(other.at.x - agent.position.x, other.at.y - agent.position.y);
        count += other.stage == stage && other.layer == agent.layer && d <= kInfluence ? 1 : 0;
      }
    }
  }
  return count;
}

uint32_t NextStage::choose(Person& person, const Transition& transition, TransitionState& state) {
  std::vector<uint32_t> options;
  std::vector<double> weights;
  for (int pass = 0; pass < 2 && options.empty(); ++pass) {
    for (size_t i = 0; i < transition.to.size(); ++i) {
      const uint32_t stage = run_.stageIndex.at(transition.to[i]);
      const bool shut =
          run_.scenario.stages[stage].kind == StageKind::kExit &&
          (!stages_.state[stage].open || stages_.state[stage].passed >= run_.scenario.stages[stage].capacity);
      // With all exits shut a person waits at the one that it would choose.
      if (pass == 0 && shut) continue;
      options.push_back(stage);
      weights.push_back(transition.weights.empty() ? 1.0 : transition.weights[i]);
    }
  }
  if (options.size() == 1) return options[0];
  // Groups stay together: members go where the first of them goes.
  if (person.leader != person.id) {
    const Person* leader = run_.find(person.leader);
    if (leader != nullptr && leader->journey == person.journey && leader->stage >= 0 &&
        std::find(options.begin(), options.end(), static_cast<uint32_t>(leader->stage)) != options.end()) {
      return static_cast<uint32_t>(leader->stage);
    }
  }
  const AgentState* agent = run_.crowd->find(person.id);
  const Vec3 from = agent == nullptr ? person.entry : agent->position;
  const auto least = [&](const auto& cost) {
    size_t best = 0;
    double lowest = kForever;
    for (size_t i = 0; i < options.size(); ++i) {
      const double c = cost(options[i]);
      if (c < lowest) {
        lowest = c;
        best = i;
      }
    }
    return options[best];
  };
  switch (transition.rule) {
    case NextRule::kFixed:
      return options[0];
    case NextRule::kPopular:
      if (agent != nullptr) {
        lookAround();
        for (size_t i = 0; i < options.size(); ++i) weights[i] *= 1 + othersTo(options[i], *agent);
      }
      [[fallthrough]];
    case NextRule::kRandom: {
      Random random(run_.scenario.seed,
                    (uint64_t{1} << 62) + (static_cast<uint64_t>(person.id) << 20) + person.choices);
      return options[drawIndex(weights, random)];
    }
    case NextRule::kRoundRobin: {
      state.served.resize(run_.scenario.stages.size(), 0);
      size_t best = 0;
      for (size_t i = 1; i < options.size(); ++i) {
        if ((state.served[options[i]] + 1) / weights[i] < (state.served[options[best]] + 1) / weights[best]) best = i;
      }
      ++state.served[options[best]];
      return options[best];
    }
    case NextRule::kLeastTargeted:
      return least(
          [&](uint32_t s) { return static_cast<double>(stages_.state[s].targeted + stages_.state[s].line.size()); });
    case NextRule::kNearest:
      return least([&](uint32_t s) { return pathLength(person, from, s); });
    case NextRule::kFastest:
      return least([&](uint32_t s) { return estimate(person, from, s); });
  }
  return options[0];
}

int32_t NextStage::after(Person& person) {
  const ScenarioJourney& journey = run_.scenario.journeys[person.journey];
  ++person.choices;
  if (journey.next.empty()) {
    // The place in the list, so that a stage may be listed twice.
    ++person.transition;
    if (static_cast<size_t>(person.transition) >= journey.stages.size()) return -1;
    return static_cast<int32_t>(run_.stageIndex.at(journey.stages[static_cast<size_t>(person.transition)]));
  }
  const std::string from = person.stage < 0 ? "start" : run_.scenario.stages[static_cast<size_t>(person.stage)].id;
  for (size_t i = 0; i < journey.next.size(); ++i) {
    if (journey.next[i].from != from) continue;
    person.transition = static_cast<int32_t>(i);
    return static_cast<int32_t>(choose(person, journey.next[i], transitions_[person.journey][i]));
  }
  person.transition = -1;
  if (person.stage < 0) return static_cast<int32_t>(run_.stageIndex.at(journey.stages[0]));
  const auto at = std::find(journey.stages.begin(), journey.stages.end(), from);
  if (at == journey.stages.end() || at + 1 == journey.stages.end()) return -1;
  return static_cast<int32_t>(run_.stageIndex.at(*(at + 1)));
}

uint32_t NextStage::again(Person& person) {
  const auto index = static_cast<size_t>(person.transition);
  return choose(person, run_.scenario.journeys[person.journey].next[index], transitions_[person.journey][index]);
}

uint32_t NextStage::nearest(Person& person) {
  Transition transition = run_.scenario.journeys[person.journey].next[static_cast<size_t>(person.transition)];
  transition.rule = NextRule::kNearest;
  TransitionState none;
  return choose(person, transition, none);
}

bool NextStage::isClearlyFaster(const Person& person, Vec3 from, uint32_t stage, uint32_t than) {
  return estimate(person, from, stage) <= kFaster * estimate(person, from, than);
}

void NextStage::save(StateWriter& out) const {
  for (const std::vector<TransitionState>& journey : transitions_) {
    for (const TransitionState& t : journey) out.array(t.served);
  }
}

void NextStage::load(StateReader& in) {
  for (std::vector<TransitionState>& journey : transitions_) {
    for (TransitionState& t : journey) in.array(t.served);
  }
}

}  // namespace wend
