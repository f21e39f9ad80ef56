#pragma once

#include <array>
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

std::string mapSvg(const MapResult& map, const Layer& layer, const Lattice& lattice, MapKind kind, ServiceLevels levels,
                   double duration);
std::string mapCsv(const MapResult& map);

// Colours of the levels A to F.
inline constexpr std::array<std::string_view, 6> kLevelColours{"#2b6cb0", "#37b6b0", "#3fae49",
                                                               "#f4d03f", "#ef8a1d", "#d1242f"};

}  // namespace wend::app
