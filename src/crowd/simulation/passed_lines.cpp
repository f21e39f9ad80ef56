#include "crowd/simulation/passed_lines.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"

namespace wend {

void PassedLines::prepare() {
  lines_.clear();
  for (const MeasuringLine& line : run_.scenario.lines) {
    const bool wanted =
        std::any_of(run_.scenario.events.begin(), run_.scenario.events.end(), [&](const ScenarioEvent& event) {
          return event.condition == EventCondition::kPassed && event.conditionOf == line.id;
        });
    if (wanted) lines_.push_back({&line, run_.world->layerIndex(line.layer), {}});
  }
}

void PassedLines::remember() {
  last_.clear();
  for (const AgentState& agent : run_.crowd->agents()) {
    last_.push_back({agent.id, {agent.position.x, agent.position.y}});
  }
}

void PassedLines::update() {
  if (lines_.empty()) return;
  size_t next = 0;
  for (const AgentState& agent : run_.crowd->agents()) {
    while (next < last_.size() && last_[next].id < agent.id) ++next;
    if (next == last_.size()) break;
    if (last_[next].id != agent.id) continue;
    const Vec2 a = last_[next].at;
    const Vec2 b{agent.position.x, agent.position.y};
    for (Watched& watched : lines_) {
      if (agent.layer != watched.layer) continue;
      const Vec2 from = watched.line->from;
      const Vec2 to = watched.line->to;
      // A move that ends on the line crosses it; one that starts on the line does not.
      const int before = orient(from, to, a);
      const int after = orient(from, to, b);
      if (before == 0 || before == after || orient(a, b, from) * orient(a, b, to) > 0) continue;
      const auto place = std::lower_bound(watched.passed.begin(), watched.passed.end(), agent.id);
      if (place == watched.passed.end() || *place != agent.id) watched.passed.insert(place, agent.id);
    }
  }
  remember();
}

uint64_t PassedLines::count(const std::string& line) const {
  for (const Watched& watched : lines_) {
    if (watched.line->id == line) return watched.passed.size();
  }
  return 0;
}

void PassedLines::save(StateWriter& out) const {
  for (const Watched& watched : lines_) out.array(watched.passed);
  std::vector<AgentId> ids;
  std::vector<double> places;
  for (const Last& last : last_) {
    ids.push_back(last.id);
    places.insert(places.end(), {last.at.x, last.at.y});
  }
  out.array(ids);
  out.array(places);
}

bool PassedLines::load(StateReader& in) {
  for (Watched& watched : lines_) {
    in.array(watched.passed);
    if (!std::is_sorted(watched.passed.begin(), watched.passed.end())) return false;
  }
  std::vector<AgentId> ids;
  std::vector<double> places;
  in.array(ids);
  in.array(places);
  // The exact predicates want coordinates of the world.
  const auto isPlace = [&](double metres) { return std::abs(metres) <= run_.world->environment().lattice.reach(); };
  if (!in.ok || places.size() != 2 * ids.size() || !std::all_of(places.begin(), places.end(), isPlace)) return false;
  last_.clear();
  for (size_t i = 0; i < ids.size(); ++i) last_.push_back({ids[i], {places[2 * i], places[2 * i + 1]}});
  return true;
}

}  // namespace wend
