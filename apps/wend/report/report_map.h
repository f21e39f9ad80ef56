#pragma once

#include <string>

#include <wend/analysis.h>

#include "crowd/report/service_areas.h"
#include "report/plan_marks.h"

// Maps of a report: values per cell as a picture inside an SVG, under the walls.
namespace wend::app {

enum class MapKind : uint8_t { kMeanDensity, kMaxDensity, kMeanLevel, kWorstLevel, kSpeed, kLastOccupied };

struct MapInfo {
  std::string_view file;  // "density_mean"
  std::string_view title;
  std::string_view unit;
};
MapInfo mapInfo(MapKind kind);

// What the maps of all layers share, so that colours mean the same on every floor.
struct MapScales {
  double meanDensity = 0.5;  // persons per m2 at the end of the scale
  double maxDensity = 1;
  double duration = 1;  // s
  ServiceTable table = ServiceTable::kFruin;
};
MapScales mapScales(const Analysis& analysis, ServiceTable table);

// Values are drawn inside the walls only. Levels of service go by the table that holds at each place.
std::string mapSvg(const MapResult& map, const Layer& layer, const Lattice& lattice, MapKind kind,
                   const MapScales& scales, const ServiceAreas& service, const std::vector<PlanMark>& marks);
std::string mapCsv(const MapResult& map);

// The colour of a level of service as "#rrggbb".
std::string levelHex(ServiceLevel level);

}  // namespace wend::app
