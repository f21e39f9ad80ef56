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

Result<StagePlaces> StagePlaces::make(const ScenarioStage& stage, const ScenarioWorld& world) {
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
  if (stage.kind == StageKind::kWaypoint && stage.area.loops.empty() && !stage.area.everywhere) {
    const std::optional<Vec3> place = world.lift(stage.at, layer);
    if (!place && !stage.mirror) return unwalkable(stage, "the place", stage.at);
    places.point_ = place.value_or(Vec3{stage.at.x, stage.at.y, 0});
    return places;
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

}  // namespace wend
