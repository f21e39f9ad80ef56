#include "serve/live_crowd.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/route_method.h"

namespace wend::serve {
namespace {

constexpr double kStands = 0.1;  // m/s; slower is standing

uint8_t stateOf(Phase phase) {
  switch (phase) {
    case Phase::kPremovement:
      return 2;
    case Phase::kInLine:
    case Phase::kWaiting:
    case Phase::kHeld:
    case Phase::kAtGate:
    case Phase::kInLift:
      return 3;
    case Phase::kArrived:
    case Phase::kFallen:
      return 4;
    case Phase::kWalking:
    case Phase::kLeaving:
      break;
  }
  return 1;
}

}  // namespace

Result<std::unique_ptr<LiveCrowd>> LiveCrowd::make(Scenario scenario, World world, std::string output,
                                                   const Context& context) {
  std::unique_ptr<LiveCrowd> crowd(new LiveCrowd());
  crowd->settings_.output = std::move(output);
  crowd->simulation_ = std::make_unique<Simulation>(scenario, crowd->settings_, context);
  if (Status status = crowd->simulation_->prepare(std::move(world)); !status.ok()) return status.error();
  if (Status status = crowd->simulation_->begin(); !status.ok()) return status.error();
  crowd->lines_ = LineCounter(scenario.lines, crowd->world().environment());
  return crowd;
}

Status LiveCrowd::advance() {
  if (over_) return Done{};
  if (Status status = simulation_->advance(); !status.ok()) {
    over_ = true;
    return status;
  }
  over_ = simulation_->isOver();
  readPersons();
  lines_.count(persons_);
  if (over_) return finish();
  return Done{};
}

Status LiveCrowd::finish() {
  if (finished_) return Done{};
  finished_ = true;
  return simulation_->finish();
}

void LiveCrowd::readPersons() {
  const SimulationRun& run = simulation_->state();
  const std::span<const AgentState> agents = run.crowd->agents();
  persons_.resize(agents.size());
  size_t next = 0;
  for (size_t i = 0; i < agents.size(); ++i) {
    const AgentState& agent = agents[i];
    FramePerson& shown = persons_[i];
    shown.id = agent.id;
    shown.position = agent.position;
    shown.velocity = agent.velocity;
    shown.heading = agent.heading;
    shown.layer = agent.layer;
    shown.radius = static_cast<float>(agent.radius);
    while (next < run.persons.size() && run.persons[next].id < agent.id) ++next;
    if (next == run.persons.size() || run.persons[next].id != agent.id) continue;
    const Person& person = run.persons[next];
    shown.profile = static_cast<uint8_t>(std::min(person.profile, 254U));
    shown.goal = person.stage < 0 ? 255 : static_cast<uint8_t>(std::min(person.stage, 254));
    shown.state = stateOf(person.phase);
  }
  std::vector<SlotTable::Change> changed;
  slots_.update(persons_, changed);
  waited_.resize(slots_.size(), 0);
  densities_.resize(slots_.size(), 0);
  // Of a person that is new in its slot nothing is known yet; one that only changed its goal keeps a little too little.
  for (const SlotTable::Change& change : changed) waited_[change.slot] = 0;
  const auto dt = static_cast<float>(run.scenario.step);
  for (size_t i = 0; i < persons_.size(); ++i) {
    FramePerson& shown = persons_[i];
    float& waited = waited_[slots_.slots()[i]];
    const double v2 = shown.velocity.x * shown.velocity.x + shown.velocity.y * shown.velocity.y;
    waited = v2 < kStands * kStands && shown.state == 1 ? waited + dt : std::max(0.0F, waited - 2 * dt);
    shown.waited = waited;
    shown.density = densities_[slots_.slots()[i]];
  }
  changes_.insert(changes_.end(), changed.begin(), changed.end());
  // The page counts only the last entry of a slot: indices of frames that no window took would be stale.
  if (changes_.size() > changed.size()) {
    std::vector<uint32_t> slots;
    for (const SlotTable::Change& change : changes_) slots.push_back(change.slot);
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    std::vector<uint32_t> personOf(slots_.size(), kNone);
    for (size_t i = 0; i < persons_.size(); ++i) personOf[slots_.slots()[i]] = static_cast<uint32_t>(i);
    changes_.clear();
    for (const uint32_t slot : slots) {
      if (slot < personOf.size() && personOf[slot] != kNone) changes_.push_back({slot, personOf[slot]});
    }
  }
}

void LiveCrowd::measured() {
  for (size_t i = 0; i < persons_.size(); ++i) densities_[slots_.slots()[i]] = persons_[i].density;
}

ChartPoint LiveCrowd::chart() const {
  ChartPoint point{time(), static_cast<uint32_t>(persons_.size()), summary().left, {}};
  for (const LineCounter::Line& line : lines_.lines()) point.crossed.push_back(line.crossed);
  return point;
}

std::vector<std::string> LiveCrowd::profileNames() const {
  std::vector<std::string> names;
  for (const ScenarioProfile& profile : simulation_->state().scenario.profiles) names.push_back(profile.crowd.name);
  return names;
}

std::vector<std::string> LiveCrowd::goalNames() const {
  std::vector<std::string> names;
  for (const ScenarioStage& stage : simulation_->state().scenario.stages) names.push_back(stage.id);
  return names;
}

std::vector<std::string> LiveCrowd::lineNames() const {
  std::vector<std::string> names;
  for (const LineCounter::Line& line : lines_.lines()) names.push_back(line.line.id);
  return names;
}

std::string LiveCrowd::whatItDoes(const Person& person, const FramePerson& shown) const {
  const SimulationRun& run = simulation_->state();
  const std::string stage =
      person.stage < 0 ? "its goal" : fmt::format("'{}'", run.scenario.stages[static_cast<size_t>(person.stage)].id);
  switch (person.phase) {
    case Phase::kPremovement:
      return fmt::format("has not begun to walk: its pre-movement time is {:.0f} s", person.premovement);
    case Phase::kInLine:
      return fmt::format("stands in the line of {}", stage);
    case Phase::kWaiting:
      return fmt::format("waits at {}", stage);
    case Phase::kHeld:
      return fmt::format("stands at {}, which is shut or full just now", stage);
    case Phase::kAtGate:
      return fmt::format("waits before a gate on its way to {}", stage);
    case Phase::kInLift:
      return fmt::format("takes the lift to {}", stage);
    case Phase::kFallen:
      return "has been brought down by smoke";
    case Phase::kArrived:
      return "has arrived at the end of its journey";
    case Phase::kLeaving:
      return fmt::format("leaves by {}", stage);
    case Phase::kWalking:
      break;
  }
  const double speed = std::hypot(shown.velocity.x, shown.velocity.y);
  if (person.everBlocked && speed < kStands) return fmt::format("stands: there is no way to {} for its radius", stage);
  if (speed >= kStands) return fmt::format("walks to {}", stage);
  if (shown.density >= 2) {
    return fmt::format("stands on its way to {}: {:.1f} persons per m2 around it leave no space", stage, shown.density);
  }
  return fmt::format("stands on its way to {}: a person or a wall is in front of it", stage);
}

std::optional<PersonView> LiveCrowd::look(uint32_t slot) {
  const uint32_t index = slots_.personAt(slot);
  if (index == kNone) return {};
  const FramePerson& shown = persons_[index];
  const Person* person = simulation_->find(shown.id);
  if (person == nullptr) return {};
  const SimulationRun& run = simulation_->state();
  PersonView view;
  view.id = shown.id;
  view.place = shown.position;
  view.radius = person->radius;
  view.speed = std::hypot(shown.velocity.x, shown.velocity.y);
  view.freeSpeed = person->freeSpeed;
  view.density = shown.density;
  view.waited = shown.waited;
  view.profile = run.scenario.profiles[person->profile].crowd.name;
  view.doing = whatItDoes(*person, shown);
  if (person->stage >= 0) view.goalName = run.scenario.stages[static_cast<size_t>(person->stage)].id;
  if (person->phase == Phase::kWalking || person->phase == Phase::kInLine) {
    view.goal = person->goal;
    PathQuery query{.from = shown.position, .to = person->goal, .radius = person->radius};
    query.method = methodOfAgents(run.world->navigator);
    query.clearance = run.scenario.profiles[person->profile].crowd.clearance;
    PlanScratch scratch;
    Route route;
    if (run.world->navigator.plan(query, scratch, route) != PathStatus::kFound) {
      query.radius = 0;
      (void)run.world->navigator.plan(query, scratch, route);
    }
    view.route = route.points;
  }
  constexpr double kNear = 3;  // m
  std::vector<std::pair<double, uint32_t>> near;
  for (size_t i = 0; i < persons_.size(); ++i) {
    const double dx = persons_[i].position.x - shown.position.x;
    const double dy = persons_[i].position.y - shown.position.y;
    if (i == index || persons_[i].layer != shown.layer || dx * dx + dy * dy > kNear * kNear) continue;
    near.emplace_back(dx * dx + dy * dy, slots_.slots()[i]);
  }
  std::sort(near.begin(), near.end());
  for (size_t i = 0; i < std::min<size_t>(near.size(), 16); ++i) view.neighbours.push_back(near[i].second);
  return view;
}

}  // namespace wend::serve
