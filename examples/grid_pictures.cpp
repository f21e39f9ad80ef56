// Pictures of an adaptive grid: the clusters after five calls each, the finished grid with its graph, and the maps of
// distances to the middle, over pixels and over the mesh.
//   grid_pictures FOLDER
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <wend/wend.h>

namespace {

using namespace wend;

std::string rectangle(const GridCluster& box, uint32_t id, bool filled) {
  char text[200];
  std::snprintf(text, sizeof(text),
                "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"hsl(%u,55%%,%u%%)\" stroke=\"#333\" "
                "stroke-width=\"0.3\"/>\n",
                box.left, box.top, box.width(), box.height(), id * 137U % 360U, filled ? 72U : 88U);
  return text;
}

std::string page(const AdaptiveGrid& grid, const NavigableGrid& mask, bool graph) {
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(mask.width) + " " +
                    std::to_string(mask.height) + "\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  // Blocked pixels, row by row.
  for (uint32_t row = 0; row < mask.height; ++row) {
    for (uint32_t from = 0; from < mask.width;) {
      uint32_t to = from;
      while (to < mask.width && !mask.isFree(row, to)) ++to;
      if (to > from) {
        svg += "<rect x=\"" + std::to_string(from) + "\" y=\"" + std::to_string(row) + "\" width=\"" +
               std::to_string(to - from) + "\" height=\"1.02\" fill=\"#555\"/>\n";
      }
      from = to + 1;
    }
  }
  for (uint32_t i = 0; i < grid.clusters.size(); ++i) svg += rectangle(grid.clusters[i], i, !graph);
  if (graph) {
    const auto centre = [&](uint32_t i) {
      const GridCluster& box = grid.clusters[i];
      return Vec2{(box.left + box.right + 1) / 2.0, (box.top + box.bottom + 1) / 2.0};
    };
    for (const GridPassage& p : passagesOf(grid)) {
      const Vec2 a = centre(p.from);
      const Vec2 b = centre(p.to);
      char text[160];
      std::snprintf(text, sizeof(text),
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#b00\" stroke-width=\"0.5\"/>\n",
                    a.x, a.y, b.x, b.y);
      svg += text;
    }
  }
  return svg + "</svg>\n";
}

// Bands of 16 pixels, so that lines of equal distance show.
Status writeMap(const std::string& path, const NavigableGrid& grid, const std::vector<double>& map) {
  std::vector<uint8_t> grey(map.size(), 0);
  for (size_t i = 0; i < map.size(); ++i) {
    if (std::isfinite(map[i])) grey[i] = static_cast<uint8_t>(80 + static_cast<int>(map[i] / 16) % 8 * 22);
  }
  const Result<std::string> bytes = encodePng(grid.width, grid.height, grey);
  if (!bytes.ok()) return bytes.error();
  return writeFile(path, *bytes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const auto city = makeRangeCity({.pixels = 256, .blocks = 3, .buildings = 8});
  if (!city.ok()) return std::puts(city.error().message.c_str()), 1;
  const NavigableGrid& mask = city->truth;
  GridSettings settings;
  settings.period = 32;
  settings.memory = true;
  const auto grown = growGrid(mask, settings);
  settings.stopAfter = 5;
  const auto begun = growGrid(mask, settings);
  const auto environment = gridEnvironment(mask);
  if (!grown.ok() || !begun.ok() || !environment.ok()) return 1;
  const auto mesh =
      generate(*environment, {"adaptive-grid", {{"pixel", "1"}, {"seed-period", "32"}, {"expander-memory", "on"}}, 1});
  const auto truth = RasterDistances::make(mask);
  if (!mesh.ok() || !truth.ok()) return 1;
  const bool written =
      writeFile(folder + "/grid_five_calls.svg", page(*begun, mask, false)).ok() &&
      writeFile(folder + "/grid_graph.svg", page(*grown, mask, true)).ok() &&
      writeMap(folder + "/grid_distances_pixels.png", mask, truth->distances()).ok() &&
      writeMap(folder + "/grid_distances_mesh.png", mask, truth->over(*mesh, HopMetric::kShortest)).ok();
  std::printf("%zu clusters, %zu after five calls\n", grown->clusters.size(), begun->clusters.size());
  return written ? 0 : 1;
}
