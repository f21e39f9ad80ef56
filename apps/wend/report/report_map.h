#pragma once

#include <string>

#include <wend/analysis.h>

// Maps of a report: values per cell as a picture inside an SVG, under the walls.
namespace wend::app {

enum class MapKind : uint8_t { kMeanDensity, kMaxDensity, kMeanLevel, kWorstLevel, kSpeed, kLastOccupied };

struct MapInfo {
  std::string_view file;  // "density_mean"
  std::string_view title;
  std::string_view unit;
};
MapInfo mapInfo(MapKind kind);

std::string mapSvg(const MapResult& map, const Layer& layer, const Lattice& lattice, MapKind kind, ServiceTable table,
                   double duration);
std::string mapCsv(const MapResult& map);

// The colour of a level of service as "#rrggbb".
std::string levelHex(ServiceLevel level);

}  // namespace wend::app
