#include "crowd/simulation/speed_zones.h"

#include <algorithm>

#include <fmt/format.h>

namespace wend {
namespace {

PlacedArea regionArea(const Region& region, const Lattice& lattice, LayerId layer) {
  PlacedArea area;
  area.layer = layer;
  area.min = {kForever, kForever};
  area.max = {-kForever, -kForever};
  const auto add = [&](const Ring& ring) {
    std::vector<Vec2>& loop = area.loops.emplace_back();
    for (const Point p : ring) {
      const Vec2 m = lattice.toMetres(p);
      loop.push_back(m);
      area.min = {std::min(area.min.x, m.x), std::min(area.min.y, m.y)};
      area.max = {std::max(area.max.x, m.x), std::max(area.max.y, m.y)};
    }
  };
  for (const Polygon& polygon : region.area) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  return area;
}

}  // namespace

Status SpeedZones::prepare() {
  for (const ScenarioZone& zone : run_.scenario.zones) {
    Result<PlacedArea> area = placeArea(zone.area, run_.world->environment(), fmt::format("zone '{}'", zone.id));
    if (!area.ok()) return area.error();
    zones_.push_back(std::move(area).value());
    slowing_ |= zone.speedFactor != 1;
  }
  for (const ScenarioProfile& profile : run_.scenario.profiles) slowing_ |= !profile.crowd.regionSpeed.empty();
  for (LayerId layer = 0; layer < run_.world->environment().layers.size(); ++layer) {
    for (const Region& region : run_.world->environment().layers[layer].regions) {
      labelled_.push_back(regionArea(region, run_.world->environment().lattice, layer));
      labels_.push_back(region.label);
    }
  }
  return Done{};
}

void SpeedZones::adaptSpeeds() {
  if (!slowing_) return;
  for (Person& person : run_.persons) {
    const AgentState* agent = run_.crowd->find(person.id);
    if (agent == nullptr) continue;
    const Vec2 at{agent->position.x, agent->position.y};
    double factor = 1;
    for (size_t i = 0; i < zones_.size(); ++i) {
      if (run_.scenario.zones[i].speedFactor != 1 && zones_[i].contains(at, agent->layer))
        factor *= run_.scenario.zones[i].speedFactor;
    }
    const auto& speeds = run_.scenario.profiles[person.profile].crowd.regionSpeed;
    if (!speeds.empty()) {
      for (size_t i = 0; i < labelled_.size(); ++i) {
        const auto found = speeds.find(labels_[i]);
        if (found != speeds.end() && labelled_[i].contains(at, agent->layer)) factor *= found->second;
      }
    }
    if (factor == person.factor) continue;
    person.factor = factor;
    run_.crowd->setSpeed(person.id, std::clamp(person.freeSpeed * factor, 0.05, 5.0));
  }
}

}  // namespace wend
