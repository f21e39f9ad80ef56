#include "crowd/simulation/speed_zones.h"

#include <algorithm>
#include <cmath>

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
  if (Status status = stairs_.prepare(); !status.ok()) return status;
  if (Status status = smoke_.prepare(); !status.ok()) return status;
  slowing_ |= stairs_.areThere() || smoke_.isThere();
  return Done{};
}

void SpeedZones::warnOfSteepFloors() const {
  constexpr double kSteep = 0.1;    // rise over run
  constexpr double kLeastArea = 1;  // m2; less is a sill
  const Environment& environment = run_.world->environment();
  double total = 0;
  double steepest = 0;
  Vec2 place;
  int32_t where = 0;
  for (LayerId layer = 0; layer < environment.layers.size(); ++layer) {
    const HeightField& field = environment.layers[layer].heights;
    for (const auto& [i, j, k] : field.triangles) {
      const Vec2 a = environment.lattice.toMetres(field.points[i]);
      const Vec2 b = environment.lattice.toMetres(field.points[j]);
      const Vec2 c = environment.lattice.toMetres(field.points[k]);
      const double doubled = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      if (!(doubled > 0)) continue;
      const double zb = field.z[j] - field.z[i];
      const double zc = field.z[k] - field.z[i];
      const Vec2 gradient{(zb * (c.y - a.y) - zc * (b.y - a.y)) / doubled,
                          (zc * (b.x - a.x) - zb * (c.x - a.x)) / doubled};
      const double slope = std::hypot(gradient.x, gradient.y);
      if (slope <= kSteep) continue;
      const Vec2 middle{(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3};
      if (!run_.world->lift(middle, layer)) continue;
      const Vec2 up{gradient.x / slope, gradient.y / slope};
      bool isSlower = true;
      for (uint32_t profile = 0; profile < run_.scenario.profiles.size(); ++profile) {
        Person walker;
        walker.profile = profile;
        walker.freeSpeed = 1;
        isSlower &= speedAt(walker, middle, layer, up, true) != walker.freeSpeed;
      }
      if (isSlower) continue;
      total += doubled / 2;
      if (slope <= steepest) continue;
      steepest = slope;
      place = middle;
      where = environment.layers[layer].id;
    }
  }
  if (total < kLeastArea) return;
  run_.warn(fmt::format(
      "{:.0f} m2 of floor are steeper than 1 : 10 (up to 1 : {:.1f}, at ({:.1f}, {:.1f}) in layer {}) and in "
      "no [[stair]], zone or region with a speed: persons walk there as fast as on the level, and times "
      "come out too short",
      total, 1 / steepest, place.x, place.y, where));
}

double SpeedZones::speedAt(const Person& person, Vec2 at, LayerId layer, Vec2 heading, bool isSteady) const {
  double factor = 1;
  for (size_t i = 0; i < zones_.size(); ++i) {
    if (run_.scenario.zones[i].speedFactor != 1 && zones_[i].contains(at, layer))
      factor *= run_.scenario.zones[i].speedFactor;
  }
  const auto& speeds = run_.scenario.profiles[person.profile].crowd.regionSpeed;
  for (size_t i = 0; i < labelled_.size() && !speeds.empty(); ++i) {
    const auto found = speeds.find(labels_[i]);
    if (found != speeds.end() && labelled_[i].contains(at, layer)) factor *= found->second;
  }
  const double speed = stairs_.speedAt(person, person.freeSpeed * factor, at, layer, heading);
  return isSteady ? speed : smoke_.speedAt(speed, at, layer);
}

double SpeedZones::walkTime(const Person& person, const Route& route, bool isSteady) const {
  constexpr double kSample = 0.5;  // m
  double seconds = 0;
  for (size_t i = 0; i + 1 < route.points.size(); ++i) {
    const Vec3 a = route.points[i];
    const Vec3 b = route.points[i + 1];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const int pieces = static_cast<int>(std::clamp(std::ceil(length / kSample), 1.0, 1000.0));
    for (int k = 0; k < pieces; ++k) {
      const double t = (k + 0.5) / pieces;
      const Vec3 at{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
      const CellId cell = run_.world->navigator.locate(at);
      const LayerId layer = cell == kNone ? static_cast<LayerId>(kNone) : run_.world->world.mesh().layerOf(cell);
      const Vec2 heading = length > 0 ? Vec2{(b.x - a.x) / length, (b.y - a.y) / length} : Vec2{};
      const double speed = cell == kNone ? person.freeSpeed : speedAt(person, {at.x, at.y}, layer, heading, isSteady);
      seconds += length / pieces / speed;
    }
  }
  return seconds;
}

void SpeedZones::adaptSpeeds() {
  if (!slowing_) return;
  for (Person& person : run_.persons) {
    const AgentState* agent = run_.crowd->find(person.id);
    if (agent == nullptr) continue;
    const double speed = speedAt(person, {agent->position.x, agent->position.y}, agent->layer, agent->heading);
    const double factor = speed / person.freeSpeed;
    if (factor == person.factor) continue;
    person.factor = factor;
    run_.crowd->setSpeed(person.id, std::clamp(speed, 0.05, 5.0));
  }
}

}  // namespace wend
