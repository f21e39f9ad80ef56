#include "crowd/simulation/stage_places.h"

#include <fmt/format.h>

namespace wend {
namespace {

constexpr double kSamples = 300;    // places per stage, about
constexpr double kAimDepth = 0.75;  // metres inside an exit that persons head for, where it is that deep

Error unwalkable(const ScenarioStage& stage, std::string_view what, Vec2 at) {
  return {ErrorCode::kNotOnMesh,
          fmt::format("{} of stage '{}' at ({:g}, {:g}) is not on the walkable space of layer {}; move it inside", what,
                      stage.id, at.x, at.y, stage.layer)};
}

double squared(Vec3 a, Vec3 b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

}  // namespace

Result<StagePlaces> StagePlaces::make(const ScenarioStage& stage, const ScenarioWorld& world,
                                      std::optional<Vec2> lobby) {
  StagePlaces places;
  const LayerId layer = world.layerIndex(stage.layer);
  if (layer == static_cast<LayerId>(kNone)) {
    return Error{
        ErrorCode::kInvalidSettings,
        fmt::format("stage '{}' is in layer {}, which the environment does not have; wend info lists its layers",
                    stage.id, stage.layer)};
  }
  for (const Vec2 slot : stage.slots) {
    const std::optional<Vec3> place = world.lift(slot, layer);
    if (!place) return unwalkable(stage, "a slot", slot);
    places.slots_.push_back(*place);
  }
  places.line_ = places.slots_;
  if (stage.kind == StageKind::kQueue) places.extendLine(world, layer);
  if (stage.kind == StageKind::kWaypoint && stage.area.loops.empty() && !stage.area.everywhere) {
    const std::optional<Vec3> place = world.lift(stage.at, layer);
    if (!place && !stage.mirror) return unwalkable(stage, "the place", stage.at);
    places.point_ = place.value_or(Vec3{stage.at.x, stage.at.y, 0});
    return places;
  }
  if (lobby) {
    const std::optional<Vec3> place = world.lift(*lobby, layer);
    if (!place) return unwalkable(stage, "the lobby of the lift", *lobby);
    places.point_ = *place;
  }
  if (stage.area.loops.empty() && !stage.area.everywhere) return places;
  Result<PlacedArea> area = placeArea(stage.area, world.environment(), fmt::format("stage '{}'", stage.id));
  if (!area.ok()) return area.error();
  places.area_ = std::move(area).value();
  if (places.area_.everywhere) return places;
  const PlacedArea& a = places.area_;
  PlanScratch scratch;
  const double box = (a.max.x - a.min.x) * (a.max.y - a.min.y);
  double spacing = std::clamp(std::sqrt(box / kSamples), 0.05, 10.0);
  // An area that barely overlaps the walkable space is sampled more densely.
  for (int attempt = 0; attempt < 4 && places.samples_.empty(); ++attempt, spacing /= 4) {
    const double from = 0.5 * spacing;
    for (double y = a.min.y + from; y < a.max.y; y += spacing) {
      for (double x = a.min.x + from; x < a.max.x; x += spacing) {
        if (!a.contains({x, y})) continue;
        const std::optional<Vec3> place = world.lift({x, y}, layer);
        if (!place) continue;
        const double clearance = world.clearance(*place, scratch);
        if (clearance <= 0.02) continue;
        places.samples_.push_back({*place, clearance, a.edgeDistance({x, y})});
      }
    }
  }
  if (places.samples_.empty()) {
    return Error{ErrorCode::kNotOnMesh,
                 fmt::format("the area of stage '{}' does not overlap the walkable space of layer {}; draw it so that "
                             "persons can stand in it",
                             stage.id, stage.layer)};
  }
  double deepest = 0;
  for (const Sample& sample : places.samples_) {
    places.width_ = std::max(places.width_, 2 * sample.clearance);
    deepest = std::max(deepest, sample.depth);
  }
  places.aimDepth_ = std::min(kAimDepth, 0.5 * deepest);
  return places;
}

// Place after place behind the last slot, straight on where there is space, else by the smallest turn, never nearer to
// another place of the line than a person is wide.
void StagePlaces::extendLine(const ScenarioWorld& world, LayerId layer) {
  constexpr size_t kMostPlaces = 400;
  constexpr double kClear = 0.3;  // m to walls
  const size_t given = slots_.size();
  double spacing = 0.6;
  double direction = 0;
  bool isKnown = false;
  if (given >= 2) {
    const Vec3 a = slots_[given - 2];
    const Vec3 b = slots_[given - 1];
    spacing = std::clamp(std::hypot(b.x - a.x, b.y - a.y), 0.45, 1.5);
    direction = std::atan2(b.y - a.y, b.x - a.x);
    isKnown = true;
  }
  PlanScratch scratch;
  while (line_.size() < kMostPlaces) {
    bool found = false;
    // 0, 30, -30, 60, ... degrees; a first place may lie anywhere around a single slot.
    const int turns = isKnown ? 9 : 12;
    for (int i = 0; i < turns && !found; ++i) {
      const double turn = (i % 2 == 1 ? 1 : -1) * std::ceil(i / 2.0) * 3.14159265358979 / 6;
      const Vec3 last = line_.back();
      const Vec2 at{last.x + spacing * std::cos(direction + turn), last.y + spacing * std::sin(direction + turn)};
      const std::optional<Vec3> place = world.lift(at, layer);
      const auto middle = world.lift({(at.x + last.x) / 2, (at.y + last.y) / 2}, layer);
      if (!place || !middle || world.clearance(*place, scratch) < kClear || world.clearance(*middle, scratch) < 0.2) {
        continue;
      }
      const bool crowded = std::any_of(line_.begin(), line_.end(),
                                       [&](Vec3 other) { return squared(other, *place) < 0.81 * spacing * spacing; });
      if (crowded) continue;
      line_.push_back(*place);
      direction += turn;
      isKnown = found = true;
    }
    if (!found) return;
  }
}

Vec3 StagePlaces::nearest(Vec3 from, double radius) const {
  // Those with room first, then the roomiest.
  const Sample* best = nullptr;
  const Sample* roomiest = &samples_.front();
  for (const Sample& sample : samples_) {
    if (sample.clearance > roomiest->clearance) roomiest = &sample;
    if (sample.clearance < radius || sample.depth < aimDepth_) continue;
    if (best == nullptr || squared(sample.place, from) < squared(best->place, from)) best = &sample;
  }
  return best == nullptr ? roomiest->place : best->place;
}

Vec3 StagePlaces::centre(double radius) const {
  Vec3 middle;
  for (const Sample& sample : samples_) {
    middle.x += sample.place.x / static_cast<double>(samples_.size());
    middle.y += sample.place.y / static_cast<double>(samples_.size());
  }
  return nearest(middle, radius);
}

Vec3 StagePlaces::random(double radius, Random& random) const {
  std::vector<const Sample*> fitting;
  for (const Sample& sample : samples_) {
    if (sample.clearance >= radius) fitting.push_back(&sample);
  }
  if (fitting.empty()) return nearest(samples_.front().place, radius);
  return fitting[random.below(fitting.size())]->place;
}

Vec3 StagePlaces::randomNear(Vec3 place, double within, double radius, Random& random) const {
  std::vector<const Sample*> fitting;
  for (const Sample& sample : samples_) {
    if (sample.clearance >= radius && squared(sample.place, place) <= within * within) fitting.push_back(&sample);
  }
  return fitting.empty() ? this->random(radius, random) : fitting[random.below(fitting.size())]->place;
}

}  // namespace wend
