#include "crowd/report/service_areas.h"

namespace wend {

ServiceAreas::ServiceAreas(const Scenario* scenario, const Environment& environment) {
  if (scenario == nullptr) return;
  everywhere_ = scenario->output.los;
  const auto add = [&](const Area& area, ServiceTable table) {
    Result<PlacedArea> placed = placeArea(area, environment, "an area");
    if (placed.ok() && table != everywhere_) areas_.push_back({std::move(placed).value(), area.layer, table});
  };
  for (const ScenarioStair& stair : scenario->stairs) {
    if (stair.kind == StairKind::kStair) add(stair.area, ServiceTable::kStairs);
  }
  for (const MeasuringRegion& region : scenario->regions) {
    if (region.los) add(region.area, *region.los);
  }
}

ServiceTable ServiceAreas::at(Vec2 metres, int32_t layer) const {
  for (const Part& part : areas_) {
    if (part.layer == layer && part.area.contains(metres)) return part.table;
  }
  return everywhere_;
}

}  // namespace wend
