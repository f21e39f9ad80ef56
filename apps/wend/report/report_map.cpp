#include "report/report_map.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "layer_path.h"

namespace wend::app {
namespace {

using Rgb = std::array<int, 3>;

constexpr double kMapWidth = 572;  // pixels of a map at most
constexpr double kMapHeight = 520;
constexpr double kLegendRow = 18;
constexpr double kMaxCells = 40'000;  // of a picture

// Viridis, seven stops: readable without colours too.
constexpr std::array<Rgb, 7> kRamp{
    {{68, 1, 84}, {68, 57, 131}, {49, 104, 142}, {33, 145, 140}, {53, 183, 121}, {144, 215, 67}, {253, 231, 37}}};

Rgb ramp(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * (kRamp.size() - 1);
  const auto i = std::min(kRamp.size() - 2, static_cast<size_t>(at));
  const double t = at - static_cast<double>(i);
  Rgb c{};
  for (size_t k = 0; k < 3; ++k) c[k] = static_cast<int>(std::lround((1 - t) * kRamp[i][k] + t * kRamp[i + 1][k]));
  return c;
}

struct Look {
  const std::vector<float>* values = nullptr;
  double top = 1;
  bool levels = false;
};

Look lookOf(const MapResult& map, MapKind kind, const MapScales& scales) {
  switch (kind) {
    case MapKind::kMeanDensity:
      return {&map.meanDensity, scales.meanDensity};
    case MapKind::kMaxDensity:
      return {&map.maxDensity, scales.maxDensity};
    case MapKind::kMeanLevel:
      return {&map.meanDensity, 0, true};
    case MapKind::kWorstLevel:
      return {&map.maxDensity, 0, true};
    case MapKind::kSpeed:
      return {&map.meanSpeed, 1.6};
    case MapKind::kLastOccupied:
      return {&map.lastOccupied, scales.duration};
  }
  return {&map.meanDensity};
}

// Runs of equal colour along a row become one rectangle: a map of 100,000 cells stays small.
std::string cells(const MapResult& map, const Look& look, const ServiceAreas& service) {
  std::string svg;
  for (uint32_t row = 0; row < map.rows; ++row) {
    for (uint32_t column = 0; column < map.columns;) {
      const auto colourAt = [&](uint32_t at) -> int {
        const float v = (*look.values)[static_cast<size_t>(row) * map.columns + at];
        if (std::isnan(v)) return -1;
        if (look.levels) {
          const Vec2 centre{map.min.x + (at + 0.5) * map.cell, map.min.y + (map.rows - row - 0.5) * map.cell};
          const ServiceColour c = levelColour(serviceLevel(v, service.at(centre, map.layer)));
          return c.red << 16 | c.green << 8 | c.blue;
        }
        // 32 steps are enough for the eye and let runs form.
        const Rgb rgb = ramp(std::round(v / look.top * 32) / 32);
        return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
      };
      const int colour = colourAt(column);
      uint32_t end = column + 1;
      while (end < map.columns && colourAt(end) == colour) ++end;
      if (colour >= 0) {
        svg += fmt::format("<path fill=\"#{:06x}\" d=\"M{} {}h{}v1h-{}z\"/>", colour, column, row, end - column,
                           end - column);
      }
      column = end;
    }
  }
  return svg;
}

// As many cells as a page can hold: blocks of cells by their mean, or their largest value.
MapResult coarser(const MapResult& map, const std::vector<float>& values, bool largest) {
  const double count = static_cast<double>(map.columns) * map.rows;
  const auto block = static_cast<uint32_t>(std::max(1.0, std::ceil(std::sqrt(count / kMaxCells))));
  MapResult out;
  out.cell = map.cell * block;
  out.columns = (map.columns + block - 1) / block;
  out.rows = (map.rows + block - 1) / block;
  // Row 0 stays at the largest y, so that the lower edge may move down.
  out.min = {map.min.x, map.min.y + map.rows * map.cell - out.rows * out.cell};
  out.layer = map.layer;
  for (uint32_t row = 0; row < out.rows; ++row) {
    for (uint32_t column = 0; column < out.columns; ++column) {
      float sum = 0;
      float most = 0;
      int seen = 0;
      for (uint32_t r = row * block; r < std::min(map.rows, (row + 1) * block); ++r) {
        for (uint32_t c = column * block; c < std::min(map.columns, (column + 1) * block); ++c) {
          const float v = values[static_cast<size_t>(r) * map.columns + c];
          if (std::isnan(v)) continue;
          sum += v;
          most = std::max(most, v);
          ++seen;
        }
      }
      out.meanDensity.push_back(seen == 0 ? NAN : largest ? most : sum / static_cast<float>(seen));
    }
  }
  return out;
}

// The tables of levels of service that hold on the layer, those of stairs and waiting areas among them.
std::vector<ServiceTable> tablesOf(const MapResult& map, const ServiceAreas& service) {
  std::vector<ServiceTable> tables;
  for (uint32_t row = 0; row < map.rows; ++row) {
    for (uint32_t column = 0; column < map.columns; ++column) {
      if (std::isnan(map.meanDensity[static_cast<size_t>(row) * map.columns + column])) continue;
      const Vec2 centre{map.min.x + (column + 0.5) * map.cell, map.min.y + (map.rows - row - 0.5) * map.cell};
      const ServiceTable table = service.at(centre, map.layer);
      if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
    }
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

// One row of colours with their limits per table; several tables, and one that is not the page's, are named.
std::string levelLegend(const std::vector<ServiceTable>& tables, ServiceTable usual, double y) {
  std::string svg;
  for (const ServiceTable table : tables) {
    if (tables.size() > 1 || table != usual) {
      svg += fmt::format("<text x=\"4\" y=\"{:.1f}\">{}:</text>", y + 10, tableName(table));
      y += kLegendRow;
    }
    const std::array<double, 5> limits = serviceLimits(table);
    for (size_t i = 0; i < 6; ++i) {
      const double x = 4 + static_cast<double>(i) * 92;
      const std::string range = i == 0   ? fmt::format("below {:g}", limits[0])
                                : i == 5 ? fmt::format("from {:g}", limits[4])
                                         : fmt::format("from {:g}", limits[i - 1]);
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{} "
          "{}</text>",
          x, y, levelHex(static_cast<ServiceLevel>(i)), x + 16, y + 10, levelLetter(static_cast<ServiceLevel>(i)),
          range);
    }
    y += kLegendRow;
  }
  return svg;
}

double legendRows(const std::vector<ServiceTable>& tables, ServiceTable usual) {
  const bool areNamed = tables.size() > 1 || (!tables.empty() && tables.front() != usual);
  return static_cast<double>(tables.size()) * (areNamed ? 2 : 1);
}

std::string rampLegend(const Look& look, const MapInfo& info, double width, double y) {
  std::string svg;
  const double length = std::min(260.0, width - 120);
  for (int i = 0; i < 32; ++i) {
    const Rgb c = ramp((i + 0.5) / 32);
    svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"10\" fill=\"#{:02x}{:02x}{:02x}\"/>",
                       20 + length * i / 32, y, length / 32 + 0.3, c[0], c[1], c[2]);
  }
  svg += fmt::format("<text x=\"4\" y=\"{0:.1f}\">0</text><text x=\"{1:.1f}\" y=\"{0:.1f}\">{2:g} {3}</text>", y + 9,
                     length + 25, look.top, info.unit);
  return svg;
}

}  // namespace

std::string levelHex(ServiceLevel level) {
  const ServiceColour c = levelColour(level);
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

MapInfo mapInfo(MapKind kind) {
  switch (kind) {
    case MapKind::kMeanDensity:
      return {"density_mean", "Mean density", "persons per m²"};
    case MapKind::kMaxDensity:
      return {"density_max", "Largest density over a window", "persons per m²"};
    case MapKind::kMeanLevel:
      return {"los_mean", "Level of service, by mean density", "persons per m²"};
    case MapKind::kWorstLevel:
      return {"los_worst", "Level of service, worst", "persons per m²"};
    case MapKind::kSpeed:
      return {"speed", "Mean speed", "m/s"};
    case MapKind::kLastOccupied:
      return {"rset", "Last time occupied", "s"};
  }
  return {"map", "Map", ""};
}

MapScales mapScales(const Analysis& analysis, ServiceTable table) {
  MapScales scales;
  for (const MapResult& map : analysis.maps) {
    for (const float v : map.meanDensity) {
      if (!std::isnan(v)) scales.meanDensity = std::max(scales.meanDensity, static_cast<double>(v));
    }
    for (const float v : map.maxDensity) {
      if (!std::isnan(v)) scales.maxDensity = std::max(scales.maxDensity, static_cast<double>(v));
    }
  }
  scales.meanDensity = std::ceil(scales.meanDensity * 2) / 2;
  scales.maxDensity = std::ceil(scales.maxDensity);
  scales.duration = std::max(1.0, analysis.duration);
  scales.table = table;
  return scales;
}

std::string mapSvg(const MapResult& whole, const Layer& layer, const Lattice& lattice, MapKind kind,
                   const MapScales& scales, const ServiceAreas& service, const std::vector<PlanMark>& marks) {
  if (whole.columns == 0) return {};
  Look look = lookOf(whole, kind, scales);
  const bool largest = kind == MapKind::kMaxDensity || kind == MapKind::kWorstLevel || kind == MapKind::kLastOccupied;
  const MapResult map = coarser(whole, *look.values, largest);
  look.values = &map.meanDensity;
  const MapInfo info = mapInfo(kind);
  const double zoom = std::min(kMapWidth / map.columns, kMapHeight / map.rows);
  const double width = std::max(568.0, zoom * map.columns + 8);
  const std::vector<ServiceTable> tables = look.levels ? tablesOf(map, service) : std::vector<ServiceTable>();
  const double more = look.levels ? kLegendRow * std::max(0.0, legendRows(tables, scales.table) - 1) : 0;
  const double height = zoom * map.rows + 86 + more;
  const std::string name = layer.name.empty() ? fmt::format("layer {}", layer.id) : layer.name;
  const std::string clip = fmt::format("walls-{}-{}", info.file, layer.id);
  const auto toCells = [&map](Vec2 m) {
    return Vec2{(m.x - map.min.x) / map.cell, map.rows - (m.y - map.min.y) / map.cell};
  };
  const std::string walls = layerPath(layer, lattice, 2, toCells);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{0}, {6}\" viewBox=\"0 0 {1:.1f} {2:.1f}\" "
      "width=\"{1:.0f}\" height=\"{2:.0f}\" font-family=\"sans-serif\" font-size=\"11\"><rect width=\"{1:.1f}\" "
      "height=\"{2:.1f}\" fill=\"#fff\"/><text x=\"4\" y=\"17\" font-size=\"13\" font-weight=\"600\">{0}, {6}</text>"
      "<clipPath id=\"{7}\"><path d=\"{8}\" clip-rule=\"evenodd\"/></clipPath><g "
      "transform=\"translate(4 26) scale({3:.4f})\" shape-rendering=\"crispEdges\"><rect width=\"{4}\" height=\"{5}\" "
      "fill=\"#e8e6e1\"/><g clip-path=\"url(#{7})\"><rect width=\"{4}\" height=\"{5}\" fill=\"#fbfaf7\"/>",
      info.title, width, height, zoom, map.columns, map.rows, escapeXml(name), clip, walls);
  svg += cells(map, look, service);
  svg += fmt::format(
      "</g></g><g transform=\"translate(4 26) scale({:.4f})\"><path d=\"{}\" fill=\"none\" stroke=\"#3a3632\" "
      "stroke-width=\"{:.3f}\"/></g>",
      zoom, walls, 1.1 / zoom);
  const auto toPicture = [&](Vec2 m) {
    const Vec2 c = toCells(m);
    return Vec2{4 + zoom * c.x, 26 + zoom * c.y};
  };
  svg += marksSvg(marks, layer.id, toPicture, width);
  svg += scaleBarSvg(zoom / map.cell, 8, height - 34 - more, 250);
  const double legend = height - 22 - more;
  svg += look.levels ? levelLegend(tables, scales.table, legend) : rampLegend(look, info, width, legend);
  return svg + "</svg>";
}

std::string mapCsv(const MapResult& map) {
  std::string csv = fmt::format(
      "# layer {}, cells of {} m, x from {}, y from {}; row 0 is at the largest y\n"
      "row,column,x,y,density_mean,density_max,seconds_above_2,seconds_above_4,speed_mean,last_occupied\n",
      map.layer, map.cell, map.min.x, map.min.y);
  for (uint32_t row = 0; row < map.rows; ++row) {
    for (uint32_t column = 0; column < map.columns; ++column) {
      const size_t i = static_cast<size_t>(row) * map.columns + column;
      if (std::isnan(map.meanDensity[i])) continue;
      const auto number = [](float v) { return std::isnan(v) ? std::string() : fmt::format("{:.4g}", v); };
      csv += fmt::format("{},{},{:.3f},{:.3f},{},{},{},{},{},{}\n", row, column, map.min.x + (column + 0.5) * map.cell,
                         map.min.y + (map.rows - row - 0.5) * map.cell, number(map.meanDensity[i]),
                         number(map.maxDensity[i]), number(map.secondsAbove2[i]), number(map.secondsAbove4[i]),
                         number(map.meanSpeed[i]), number(map.lastOccupied[i]));
    }
  }
  return csv;
}

}  // namespace wend::app
