#include "crowd/simulation/building/smoke.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr double kClear = 3;            // m; a longer visibility does not slow
constexpr double kLossPerMetre = 0.34;  // m/s
constexpr double kSlowest = 0.2;        // m/s

}  // namespace

Status Smoke::prepare() {
  for (const ScenarioSmoke& smoke : run_.scenario.smoke) {
    Result<PlacedArea> area = placeArea(smoke.area, run_.world->environment(), fmt::format("smoke '{}'", smoke.id));
    if (!area.ok()) return area.error();
    areas_.push_back(std::move(area).value());
  }
  return Done{};
}

Smoke::Now Smoke::now(const ScenarioSmoke& smoke) const {
  const double time = run_.time();
  const auto next = std::upper_bound(smoke.rows.begin(), smoke.rows.end(), time,
                                     [](double t, const ScenarioSmoke::Row& row) { return t < row.time; });
  if (next == smoke.rows.begin()) return {};
  const ScenarioSmoke::Row& a = *(next - 1);
  if (next == smoke.rows.end()) return {a.visibility, a.dose};
  const double t = (time - a.time) / (next->time - a.time);
  return {a.visibility + t * (next->visibility - a.visibility), a.dose + t * (next->dose - a.dose)};
}

// The thickest of several, and all doses together.
Smoke::Now Smoke::at(Vec2 place, LayerId layer) const {
  Now all;
  for (size_t i = 0; i < areas_.size(); ++i) {
    if (!areas_[i].contains(place, layer)) continue;
    const Now one = now(run_.scenario.smoke[i]);
    all.visibility = std::min(all.visibility, one.visibility);
    all.dose += one.dose;
  }
  return all;
}

double Smoke::speedAt(double free, Vec2 place, LayerId layer) const {
  if (areas_.empty()) return free;
  const double visibility = at(place, layer).visibility;
  if (visibility >= kClear) return free;
  return std::min(free, std::max(kSlowest, free - kLossPerMetre * (kClear - visibility)));
}

void Smoke::breathe() {
  if (areas_.empty()) return;
  for (Person& person : run_.persons) {
    if (person.phase == Phase::kLeaving || person.phase == Phase::kFallen) continue;
    const AgentState* agent = run_.crowd->find(person.id);
    if (agent == nullptr) continue;
    person.fed += at({agent->position.x, agent->position.y}, agent->layer).dose * run_.scenario.step;
    run_.summary.largestDose = std::max(run_.summary.largestDose, person.fed);
    if (person.fed < run_.scenario.profiles[person.profile].fedLimit) continue;
    if (person.phase != Phase::kArrived) ++run_.summary.fallen;
    person.phase = Phase::kFallen;
    run_.crowd->stop(person.id);
    run_.lastArrival = run_.time();
    run_.warn("smoke brought persons down: their fractional effective dose reached the limit of their profile");
    run_.writeOrFail(person);
  }
}

}  // namespace wend
