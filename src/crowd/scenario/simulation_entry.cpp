#include <fmt/format.h>

#include "crowd/scenario/distribution.h"
#include "crowd/scenario/placement.h"
#include "crowd/scenario/simulation.h"

// How persons enter.
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

// `member` is the place in its group, of groups with named members.
Result<Person> Simulation::drawPerson(size_t source, uint64_t number, uint64_t member) const {
  const ScenarioSource& s = scenario_.sources[source];
  Random random(scenario_.seed, (static_cast<uint64_t>(source) << 40) + number);
  Person person;
  person.source = static_cast<uint32_t>(source);
  if (!s.members.empty()) {
    person.profile = profileIndex_.at(s.members[member]);
  } else if (!s.profiles.empty()) {
    person.profile = profileIndex_.at(choice(s.profiles, random));
  }
  person.journey = journeyIndex_.at(choice(s.journeys, random));
  const ScenarioProfile& profile = scenario_.profiles[person.profile];
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

std::vector<Person> Simulation::drawPersons(size_t source, uint64_t count, std::optional<Error>& error) {
  std::vector<Person> drawn;
  const SourceState& state = sources_[source];
  const size_t inGroup = std::max<size_t>(1, scenario_.sources[source].members.size());
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

// By the number of the first member, so that it does not depend on when there is room.
uint32_t Simulation::drawGroupSize(size_t source, uint64_t number) const {
  const ScenarioSource& s = scenario_.sources[source];
  if (!s.members.empty()) return static_cast<uint32_t>(s.members.size());
  Random random(scenario_.seed, (static_cast<uint64_t>(source) << 40) + (uint64_t{5} << 37) + number);
  return static_cast<uint32_t>(drawIndex(s.groupSize, random)) + 1;
}

Status Simulation::enter(double from, double to) {
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (Status status = enterFrom(i, from, to); !status.ok()) return status;
  }
  return Done{};
}

Status Simulation::enterFrom(size_t index, double from, double to) {
  const ScenarioSource& source = scenario_.sources[index];
  SourceState& state = sources_[index];
  const bool atStart = !state.placed && from >= source.start - 1e-9;
  if (atStart) {
    state.placed = true;
    state.arrived += std::min(sourceCounts_[index], source.limit);
  }
  arrivals(source, state, from, to, scenario_.seed, index);
  const uint64_t pending = state.arrived - state.entered - state.refused;
  if (pending == 0) return Done{};

  std::optional<Error> error;
  std::vector<Person> drawn = drawPersons(index, atStart ? pending : std::min(pending, kMaxAtOnce), error);
  if (error) return std::move(*error);
  std::vector<double> radii;
  for (const Person& person : drawn) radii.push_back(person.radius);
  const PlacedArea& area = sourceAreas_[index];
  OccupiedPlaces occupied(*std::max_element(radii.begin(), radii.end()));
  constexpr double kMargin = 5;  // more than two of the largest bodies
  for (const AgentState& agent : crowd_->agents()) {
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
  Random random(scenario_.seed, (static_cast<uint64_t>(index) << 40) + (uint64_t{3} << 38) + state.draws++);
  const Placing placing{
      *world_, area, source.points, source.placement, source.gap, atStart ? kTriesAtStart : kTriesLater, joins};
  const std::vector<Vec3> places = placePersons(placing, radii, occupied, random, scratch_);
  if (places.empty() && atStart && crowd_->size() == 0) {
    return Error{ErrorCode::kNotOnMesh,
                 fmt::format("nobody of radius {:g} m fits into source '{}': it lies in walls or is too narrow",
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
    state.groupLeader = persons_.back().leader;
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
    summary_.refused += waiting;
  } else if (atStart) {
    context_.note(fmt::format("source '{}' has room for {} of {} persons; the others enter as soon as there is room",
                              source.id, places.size(), drawn.size()));
  }
  return Done{};
}

Status Simulation::addPerson(Person person, Vec3 place) {
  AgentStart start;
  start.at = place;
  start.goal = place;
  start.radius = person.radius;
  start.speed = person.freeSpeed;
  start.profile = person.profile;
  start.group = person.group;
  const Result<AgentId> id = crowd_->add(start);
  if (!id.ok()) return id.error();
  crowd_->stop(*id);
  person.id = *id;
  if (person.leader == kNone) person.leader = *id;
  person.entry = place;
  person.anchor = {place.x, place.y};
  person.anchorTime = time();
  person.spawnTime = time();
  // Seen first in the next recorded frame.
  person.spawnFrame = step_ == 0 ? 0 : static_cast<int64_t>((step_ + scenario_.output.every) / scenario_.output.every);
  ++summary_.persons;
  persons_.push_back(person);
  return write(persons_.back());
}

void Simulation::beginWalking() {
  for (Person& person : persons_) {
    if (person.phase != Phase::kPremovement) continue;
    double due = person.spawnTime + person.premovement;
    if (hasAlarm_[person.source] != 0)
      due = alarm_[person.source] < 0 ? kForever : alarm_[person.source] + person.premovement;
    if (time() < due - 1e-9) continue;
    person.startTime = time();
    person.anchorTime = time();
    goOn(person);
    if (Status status = write(person); !status.ok() && !failure_) failure_ = status.error();
  }
}

}  // namespace wend
