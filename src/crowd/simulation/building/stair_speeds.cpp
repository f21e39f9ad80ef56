#include "crowd/simulation/building/stair_speeds.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr double kSlowestOnStairs = 0.05;  // m/s

}  // namespace

double slopeFactor(double slope) {
  return std::min(1.0, std::exp(-3.5 * (std::abs(slope + 0.05) - 0.05)));
}

void StairSpeeds::measure(Placed& placed) const {
  const PlacedArea& a = placed.area;
  const auto heightAt = [&](Vec2 p) {
    const std::optional<Vec3> place = run_.world->lift(p, a.layer);
    return place ? std::optional<double>(place->z) : std::nullopt;
  };
  // Mean gradient over the area: least squares of z over x and y would need no more.
  constexpr double kSlopeReach = 0.25;  // m to both sides
  Vec2 gradient;
  size_t count = 0;
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < 20; ++k) {
      const Vec2 p{a.min.x + (i + 0.5) / 20 * (a.max.x - a.min.x), a.min.y + (k + 0.5) / 20 * (a.max.y - a.min.y)};
      if (!a.contains(p)) continue;
      const auto left = heightAt({p.x - kSlopeReach, p.y});
      const auto right = heightAt({p.x + kSlopeReach, p.y});
      const auto below = heightAt({p.x, p.y - kSlopeReach});
      const auto above = heightAt({p.x, p.y + kSlopeReach});
      if (!left || !right || !below || !above) continue;
      gradient.x += (*right - *left) / (2 * kSlopeReach);
      gradient.y += (*above - *below) / (2 * kSlopeReach);
      ++count;
    }
  }
  if (count == 0) return;
  const double size = std::hypot(gradient.x, gradient.y);
  if (placed.up == Vec2{} && size / static_cast<double>(count) > 1e-3) {
    placed.up = {gradient.x / size, gradient.y / size};
  }
  if (placed.slope == 0) placed.slope = size / static_cast<double>(count);
}

Status StairSpeeds::prepare() {
  for (const ScenarioStair& stair : run_.scenario.stairs) {
    const std::string name = fmt::format("stair '{}'", stair.id);
    Result<PlacedArea> area = placeArea(stair.area, run_.world->environment(), name);
    if (!area.ok()) return area.error();
    Placed placed{&stair, std::move(area).value(), stair.up, stair.slope};
    measure(placed);
    if (placed.up == Vec2{}) {
      run_.warn(
          fmt::format("{} has no 'up' and lies on a flat floor: persons walk it at 'speed_down' both ways", name));
    }
    stairs_.push_back(std::move(placed));
  }
  return Done{};
}

double StairSpeeds::speedAt(const Person& person, double free, Vec2 at, LayerId layer, Vec2 heading) const {
  for (const Placed& placed : stairs_) {
    if (!placed.area.contains(at, layer)) continue;
    const ScenarioStair& s = *placed.stair;
    const ScenarioProfile& profile = run_.scenario.profiles[person.profile];
    const double along = heading.x * placed.up.x + heading.y * placed.up.y;
    switch (s.kind) {
      case StairKind::kStair:
        return std::max(kSlowestOnStairs,
                        free * (along > 0 ? s.speedUp * profile.stairsUp : s.speedDown * profile.stairsDown));
      case StairKind::kRamp:
        return std::max(kSlowestOnStairs, free * slopeFactor(placed.slope * along));
      case StairKind::kEscalator:
      case StairKind::kWalk:
        // Sideways the belt does not help; against it a person walks.
        return std::max(kSlowestOnStairs, along >= 0 ? s.belt * along + s.walking * free : free + s.belt * along);
    }
  }
  return free;
}

}  // namespace wend
