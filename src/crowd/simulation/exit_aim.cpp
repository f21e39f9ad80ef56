#include <cmath>

#include "crowd/simulation/stages.h"

// An exit is an area, not a point. A person that sees it aims at the place of it that is nearest from where it is now,
// not at the one that was nearest when it set out. Otherwise all persons that come around a corner aim at the end of
// the exit next to that corner, and a wide exit is used as a narrow one.
namespace wend {
namespace {

constexpr double kEvery = 1;      // s between looks
constexpr double kNearer = 0.25;  // m; less is not worth another route

}  // namespace

void Stages::aimAnew() {
  const auto every = static_cast<uint64_t>(std::max(1.0, std::round(kEvery / run_.scenario.step)));
  for (Person& person : run_.persons) {
    if (person.phase != Phase::kWalking || person.stage < 0 || (run_.step + person.id) % every != 0) continue;
    const auto stage = static_cast<uint32_t>(person.stage);
    const ScenarioStage& s = run_.scenario.stages[stage];
    if (s.kind != StageKind::kExit || s.aimAtCentre) continue;
    // Each goal is a row of the table of next hops.
    if (run_.scenario.profiles[person.profile].crowd.route == RouteMethod::kTable) continue;
    const AgentState* agent = run_.crowd->find(person.id);
    if (agent == nullptr || agent->layer != run_.world->layerIndex(s.layer)) continue;
    const Vec3 from = agent->position;
    const Vec3 goal = stages_.places[stage].nearest(from, person.radius);
    const double present = std::hypot(person.goal.x - from.x, person.goal.y - from.y);
    if (std::hypot(goal.x - from.x, goal.y - from.y) > present - kNearer) continue;
    const StraightWay way = run_.world->navigator.straightWay(agent->cell, {from.x, from.y}, {goal.x, goal.y},
                                                              0.9 * person.radius, run_.scratch);
    if (way.clearance < 0.9 * person.radius || way.cell == kNone) continue;
    aim(person, goal, kExitReach);
  }
}

}  // namespace wend
