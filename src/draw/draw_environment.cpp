#include <algorithm>

#include <wend/draw.h>

#include <fmt/format.h>

#include "draw/draw_settings.h"
#include "draw/page.h"
#include "draw/palette.h"

namespace wend {
namespace {

std::vector<Vec3> lift(const Environment& environment, const Layer& layer, const std::vector<Point>& line) {
  std::vector<Vec3> out;
  out.reserve(line.size());
  for (const Point p : line) {
    const Vec2 m = environment.lattice.toMetres(p);
    out.push_back({m.x, m.y, layer.heights.at(toVec2(p))});
  }
  return out;
}

PageLayer pageLayer(const Environment& environment, const Layer& layer) {
  const Box box = boundingBox(layer.free);
  PageLayer out;
  out.title = layer.name.empty() ? fmt::format("layer {}", layer.id) : fmt::format("{} ({})", layer.name, layer.id);
  if (!box.empty()) {
    out.min = environment.lattice.toMetres(box.min);
    out.max = environment.lattice.toMetres(box.max);
  }
  out.low = out.high = layer.heights.flat() ? layer.heights.base : layer.heights.z.front();
  for (const double z : layer.heights.z) {
    out.low = std::min(out.low, z);
    out.high = std::max(out.high, z);
  }
  return out;
}

void addPolygons(Page& page, const Environment& environment, size_t index, std::span<const Polygon> polygons) {
  const Layer& layer = environment.layers[index];
  for (const Polygon& polygon : polygons) {
    page.addRing(index, lift(environment, layer, polygon.outer), true);
    for (const Ring& hole : polygon.holes) page.addRing(index, lift(environment, layer, hole), true);
  }
}

}  // namespace

Result<std::string> drawEnvironment(const Environment& environment, const DrawSettings& settings) {
  if (const Status status = checkDrawSettings(settings); !status.ok()) return status.error();
  if (environment.layers.empty()) return Error{ErrorCode::kEmpty, "nothing to draw: the environment has no layer"};
  std::vector<PageLayer> layers;
  for (const Layer& layer : environment.layers) layers.push_back(pageLayer(environment, layer));
  Page page(environment.name.empty() ? "environment" : environment.name, std::move(layers), settings);

  for (const size_t i : drawingOrder(page.layers())) {
    const Layer& layer = environment.layers[i];
    if (!page.oblique()) page.ground(i, fmt::format("fill=\"{}\"", kObstacleColour));
    page.beginPath();
    addPolygons(page, environment, i, layer.free);
    page.endPath(fmt::format("fill=\"{}\" fill-rule=\"evenodd\" stroke=\"{}\" stroke-width=\"1\"{}", kFreeColour,
                             kWallColour, page.oblique() ? " fill-opacity=\"0.85\"" : ""));
    for (size_t r = 0; r < layer.regions.size(); ++r) {
      page.beginPath();
      addPolygons(page, environment, i, layer.regions[r].area);
      page.endPath(
          fmt::format("fill=\"{}\" fill-opacity=\"0.6\" fill-rule=\"evenodd\"", kCellColours[r % kCellColours.size()]));
    }
    if (!settings.connections) continue;
    page.beginPath();
    for (const Connection& connection : environment.connections) {
      if (connection.layerA != i && connection.layerB != i) continue;
      page.addRing(i, lift(environment, layer, connection.line), false);
    }
    page.endPath(fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"3\"", kConnectionColour));
  }
  return page.finish();
}

}  // namespace wend
