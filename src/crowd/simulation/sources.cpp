#include "crowd/simulation/sources.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/scenario/distribution.h"
#include "crowd/simulation/placement.h"

namespace wend {
namespace {

// Persons that wait outside a full source are tried at most this many per step.
constexpr uint64_t kMaxAtOnce = 2000;
constexpr int kTriesAtStart = 300;
constexpr int kTriesLater = 40;

std::string choice(std::span<const Weighted> options, Random& random) {
  std::vector<double> weights;
  for (const Weighted& option : options) weights.push_back(option.second);
  return options[drawIndex(weights, random)].first;
}

}  // namespace

Status Sources::prepare() {
  for (const ScenarioSource& source : run_.scenario.sources) {
    Area drawn = source.area;
    if (!source.points.empty()) drawn.loops = {source.points};
    Result<PlacedArea> area = placeArea(drawn, run_.world->environment(), fmt::format("source '{}'", source.id));
    if (!area.ok()) return area.error();
    for (const Vec2 p : source.points) {
      if (!run_.world->lift(p, area->layer)) {
        return Error{ErrorCode::kNotOnMesh,
                     fmt::format("the point ({:g}, {:g}) of source '{}' is inside a wall or outside the world; move it",
                                 p.x, p.y, source.id)};
      }
    }
    const Result<double> free =
        source.points.empty() ? walkableArea(*area, run_.world->environment()) : Result<double>(1.0);
    if (!free.ok()) return free.error();
    if (*free <= 0) {
      return Error{
          ErrorCode::kNotOnMesh,
          fmt::format("the area of source '{}' does not overlap the walkable space of layer {}; no person can enter",
                      source.id, source.area.layer)};
    }
    counts_.push_back(source.density > 0 ? static_cast<uint64_t>(std::llround(source.density * *free)) : source.count);
    areas_.push_back(std::move(area).value());
  }
  states_.resize(run_.scenario.sources.size());
  alarm_.assign(run_.scenario.sources.size(), -1);
  hasAlarm_.assign(run_.scenario.sources.size(), 0);
  for (const ScenarioEvent& event : run_.scenario.events) {
    if (event.action != EventAction::kAlarm) continue;
    for (size_t i = 0; i < run_.scenario.sources.size(); ++i) {
      if (event.target == "all" || event.target == run_.scenario.sources[i].id) hasAlarm_[i] = 1;
    }
  }
  return Done{};
}

// `member` is the place in its group, of groups with named members.
Result<Person> Sources::drawPerson(size_t source, uint64_t number, uint64_t member) const {
  const ScenarioSource& s = run_.scenario.sources[source];
  Random random(run_.scenario.seed, (static_cast<uint64_t>(source) << 40) + number);
  Person person;
  person.source = static_cast<uint32_t>(source);
  if (!s.members.empty()) {
    person.profile = run_.profileIndex.at(s.members[member]);
  } else if (!s.profiles.empty()) {
    person.profile = run_.profileIndex.at(choice(s.profiles, random));
  }
  person.journey = run_.journeyIndex.at(choice(s.journeys, random));
  const ScenarioProfile& profile = run_.scenario.profiles[person.profile];
  const std::optional<double> radius = draw(profile.radius, random);
  const std::optional<double> speed = draw(profile.freeSpeed, random);
  const std::optional<double> premovement = draw(s.premovement ? *s.premovement : profile.premovement, random);
  if (!radius || !speed || !premovement) {
    const char* key = !radius ? "radius" : !speed ? "free_speed" : "premovement";
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("'{}' of profile '{}' hits its range from min to max in none of 1000 draws; widen it", key,
                             profile.crowd.name)};
  }
  person.radius = *radius;
  person.freeSpeed = *speed;
  person.premovement = *premovement;
  return person;
}

std::vector<Person> Sources::drawPersons(size_t source, uint64_t count, std::optional<Error>& error) {
  std::vector<Person> drawn;
  const SourceState& state = states_[source];
  const size_t inGroup = std::max<size_t>(1, run_.scenario.sources[source].members.size());
  const size_t first = inGroup - state.groupLeft % inGroup;
  for (uint64_t i = 0; i < count; ++i) {
    Result<Person> person = drawPerson(source, state.entered + state.refused + i, (first + i) % inGroup);
    if (!person.ok()) {
      error = person.error();
      return {};
    }
    drawn.push_back(*person);
  }
  return drawn;
}

// By the number of the first member, so that it does not depend on when there is space.
uint32_t Sources::drawGroupSize(size_t source, uint64_t number) const {
  const ScenarioSource& s = run_.scenario.sources[source];
  if (!s.members.empty()) return static_cast<uint32_t>(s.members.size());
  Random random(run_.scenario.seed, (static_cast<uint64_t>(source) << 40) + (uint64_t{5} << 37) + number);
  return static_cast<uint32_t>(drawIndex(s.groupSize, random)) + 1;
}

Status Sources::enter(double from, double to) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (Status status = enterFrom(i, from, to); !status.ok()) return status;
  }
  return Done{};
}

Status Sources::enterFrom(size_t index, double from, double to) {
  const ScenarioSource& source = run_.scenario.sources[index];
  SourceState& state = states_[index];
  const bool atStart = !state.placed && from >= source.start - 1e-9;
  if (atStart) {
    state.placed = true;
    state.arrived += std::min(counts_[index], source.limit);
  }
  arrivals(source, state, from, to, run_.scenario.seed, index);
  const uint64_t due = state.arrived - state.entered - state.refused;
  // A full pool lets persons in as others leave.
  const uint64_t most = run_.scenario.poolMax;
  const uint64_t room = most == 0 ? due : most - std::min<uint64_t>(most, run_.crowd->size());
  const uint64_t pending = std::min(due, room);
  if (pending == 0) return Done{};

  std::optional<Error> error;
  std::vector<Person> drawn = drawPersons(index, atStart ? pending : std::min(pending, kMaxAtOnce), error);
  if (error) return std::move(*error);
  std::vector<double> radii;
  for (const Person& person : drawn) radii.push_back(person.radius);
  const PlacedArea& area = areas_[index];
  OccupiedPlaces occupied(*std::max_element(radii.begin(), radii.end()));
  constexpr double kMargin = 5;  // more than two of the largest disks
  for (const AgentState& agent : run_.crowd->agents()) {
    const Vec3 p = agent.position;
    if (p.x < area.min.x - kMargin || p.x > area.max.x + kMargin || p.y < area.min.y - kMargin ||
        p.y > area.max.y + kMargin) {
      continue;
    }
    occupied.add(p, agent.radius);
  }
  std::vector<uint8_t> joins(drawn.size(), 0);
  std::vector<uint32_t> sizes(drawn.size(), 0);
  uint32_t left = state.groupLeft;
  for (size_t i = 0; i < drawn.size(); ++i) {
    joins[i] = left > 0 ? 1 : 0;
    if (left == 0) {
      left = sizes[i] = drawGroupSize(index, state.entered + state.refused + i);
    }
    --left;
  }
  Random random(run_.scenario.seed, (static_cast<uint64_t>(index) << 40) + (uint64_t{3} << 38) + state.draws++);
  const Placing placing{
      *run_.world, area, source.points, source.placement, source.gap, atStart ? kTriesAtStart : kTriesLater, joins};
  const std::vector<Vec3> places = placePersons(placing, radii, occupied, random, run_.scratch);
  if (places.empty() && atStart && run_.crowd->size() == 0) {
    return Error{ErrorCode::kNotOnMesh,
                 fmt::format("no person of radius {:g} m fits into source '{}': it lies in walls or is too narrow",
                             radii[0], source.id)};
  }
  for (size_t i = 0; i < places.size(); ++i) {
    if (state.groupLeft == 0) {
      state.groupLeft = sizes[i];
      state.group = state.groupLeft > 1 ? nextGroup_++ : kNone;
      state.groupJourney = drawn[i].journey;
      state.groupLeader = kNone;
    }
    --state.groupLeft;
    drawn[i].group = state.group;
    if (state.group != kNone) drawn[i].journey = state.groupJourney;
    ++state.entered;
    drawn[i].leader = state.groupLeader;
    if (Status status = addPerson(drawn[i], places[i]); !status.ok()) return status;
    state.groupLeader = run_.persons.back().leader;
  }
  if (places.size() == drawn.size()) return Done{};
  const uint64_t waiting = state.arrived - state.entered - state.refused;
  if (source.onFull == OnFull::kError) {
    return Error{ErrorCode::kLimit,
                 fmt::format("source '{}' is full at {:g} s: {} persons find no place; enlarge it or send fewer",
                             source.id, from, waiting)};
  }
  if (source.onFull == OnFull::kDrop) {
    state.refused += waiting;
    state.groupLeft = 0;
    run_.summary.refused += waiting;
  } else if (atStart) {
    run_.warn(fmt::format("source '{}' has places for {} of {} persons; the others enter as soon as a place is free",
                          source.id, places.size(), drawn.size()));
  }
  return Done{};
}

Status Sources::addPerson(Person person, Vec3 place) {
  AgentStart start;
  start.at = place;
  start.goal = place;
  start.radius = person.radius;
  start.speed = person.freeSpeed;
  start.profile = person.profile;
  const Result<AgentId> id = run_.crowd->add(start);
  if (!id.ok()) return id.error();
  run_.crowd->stop(*id);
  person.id = *id;
  if (person.leader == kNone) person.leader = *id;
  person.entry = place;
  person.anchor = {place.x, place.y};
  person.anchorTime = run_.time();
  person.spawnTime = run_.time();
  // Seen first in the next recorded frame.
  person.spawnFrame =
      run_.step == 0 ? 0 : static_cast<int64_t>((run_.step + run_.scenario.output.every) / run_.scenario.output.every);
  ++run_.summary.persons;
  run_.persons.push_back(person);
  return run_.write(run_.persons.back());
}

void Sources::beginWalking() {
  for (Person& person : run_.persons) {
    if (person.phase != Phase::kPremovement) continue;
    double due = person.spawnTime + person.premovement;
    if (hasAlarm_[person.source] != 0)
      due = alarm_[person.source] < 0 ? kForever : alarm_[person.source] + person.premovement;
    if (run_.time() < due - 1e-9) continue;
    person.startTime = run_.time();
    person.anchorTime = run_.time();
    stages_.goOn(person);
    run_.writeOrFail(person);
  }
}

void Sources::setRate(const std::string& target, double rate) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (run_.scenario.sources[i].id == target) states_[i].setRate = rate;
  }
}

void Sources::soundAlarm(const std::string& target) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if ((run_.scenario.sources[i].id == target || target == "all") && alarm_[i] < 0) alarm_[i] = run_.time();
  }
}

bool Sources::areExhausted() const {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (!isExhausted(run_.scenario.sources[i], states_[i], run_.time())) return false;
  }
  return true;
}

bool Sources::areDone() const {
  return areExhausted() && std::all_of(states_.begin(), states_.end(),
                                       [](const SourceState& s) { return s.arrived <= s.entered + s.refused; });
}

void Sources::save(StateWriter& out) const {
  out.array(states_);
  out.array(alarm_);
  out.add(nextGroup_);
}

bool Sources::load(StateReader& in) {
  in.array(states_);
  in.array(alarm_);
  in.get(nextGroup_);
  if (!in.ok || states_.size() != run_.scenario.sources.size() || alarm_.size() != states_.size()) return false;
  for (size_t i = 0; i < states_.size(); ++i) {
    if (!isSound(i)) return false;
  }
  return true;
}

bool Sources::isSound(size_t source) const {
  const SourceState& s = states_[source];
  if (!isTruthValue(s.placed) || std::isnan(alarm_[source])) return false;
  // Persons that are due are drawn at once at the start of a source, so a count decides about memory.
  if (!s.placed && (s.arrived != 0 || s.entered != 0 || s.refused != 0)) return false;
  if (s.entered > s.arrived || s.refused > s.arrived - s.entered) return false;
  const ScenarioSource& described = run_.scenario.sources[source];
  const size_t largestGroup = std::max<size_t>({1, described.members.size(), described.groupSize.size()});
  return s.groupLeft <= largestGroup && s.groupJourney < std::max<size_t>(1, run_.scenario.journeys.size()) &&
         std::abs(s.fluid) < 1e15 && areNumbers({s.nextTime, s.setRate}) && s.setRate < 1e9;
}

}  // namespace wend
