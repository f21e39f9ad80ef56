#include <algorithm>

#include <wend/draw.h>

#include <fmt/format.h>

#include "draw/drape.h"
#include "draw/draw_settings.h"
#include "draw/page.h"
#include "draw/palette.h"
#include "environment/heights.h"

namespace wend {
namespace {

// Triangles of height fields are drawn up to this many; beyond it the borders must do.
constexpr size_t kMaxRelief = 200'000;

// A layer with its heights at hand.
struct DrawnLayer {
  const Environment& environment;
  const Layer& layer;
  Drape drape;

  std::vector<Vec3> lift(const std::vector<Point>& line, bool closed) const {
    std::vector<Vec3> out;
    out.reserve(line.size());
    for (const Point p : line) {
      const Vec3 here = drape.lift(toVec2(p));
      if (!out.empty()) drape.follow(Vec3(out.back()), here, out);
      out.push_back(here);
    }
    if (closed && !out.empty()) drape.follow(Vec3(out.back()), Vec3(out.front()), out);
    return out;
  }
};

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

void addPolygons(Page& page, const DrawnLayer& drawn, size_t index, std::span<const Polygon> polygons) {
  for (const Polygon& polygon : polygons) {
    page.addRing(index, drawn.lift(polygon.outer, true), true);
    for (const Ring& hole : polygon.holes) page.addRing(index, drawn.lift(hole, true), true);
  }
}

// The height field itself, coloured by height and shaded by slope, from the back to the front.
void addRelief(Page& page, const DrawnLayer& drawn, size_t index, double low, double high) {
  const HeightField& field = drawn.layer.heights;
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < field.triangles.size(); ++i) {
    if (soundTriangle(field, i)) order.push_back(i);
  }
  const auto back = [&](uint32_t i) {
    int64_t y = 0;
    for (const uint32_t id : field.triangles[i]) y += field.points[id].y;
    return y;
  };
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return back(a) > back(b); });
  for (const uint32_t i : order) {
    std::array<Vec3, 3> corners;
    double z = 0;
    for (size_t k = 0; k < 3; ++k) {
      const uint32_t id = field.triangles[i][k];
      const Vec2 m = drawn.environment.lattice.toMetres(field.points[id]);
      corners[k] = {m.x, m.y, field.z[id]};
      z += field.z[id] / 3;
    }
    const Colour colour = shaded(heightColour((z - low) / std::max(high - low, 1e-9)), corners);
    page.beginPath();
    page.addRing(index, corners, true);
    const std::string hex = fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
    page.endPath(fmt::format("fill=\"{0}\" stroke=\"{0}\" stroke-width=\"0.6\"", hex));
  }
}

}  // namespace

Result<std::string> drawEnvironment(const Environment& environment, const DrawSettings& settings) {
  if (const Status status = checkDrawSettings(settings); !status.ok()) return status.error();
  if (environment.layers.empty()) return Error{ErrorCode::kEmpty, "nothing to draw: the environment has no layer"};
  std::vector<PageLayer> layers;
  for (const Layer& layer : environment.layers) layers.push_back(pageLayer(environment, layer));
  Page page(environment.name.empty() ? "environment" : environment.name, std::move(layers), settings);

  size_t triangles = 0;
  double low = page.layers()[0].low;
  double high = page.layers()[0].high;
  for (const PageLayer& layer : page.layers()) {
    low = std::min(low, layer.low);
    high = std::max(high, layer.high);
  }
  for (const Layer& layer : environment.layers) triangles += layer.heights.triangles.size();
  for (const size_t i : drawingOrder(page.layers())) {
    const Layer& layer = environment.layers[i];
    const bool relief = page.oblique() && !layer.heights.flat() && triangles <= kMaxRelief;
    const DrawnLayer drawn{environment, layer, Drape(layer.heights, environment.lattice, page)};
    if (!page.oblique()) page.ground(i, fmt::format("fill=\"{}\"", kObstacleColour));
    if (relief) addRelief(page, drawn, i, low, high);
    page.beginPath();
    addPolygons(page, drawn, i, layer.free);
    // Beside coloured hills, level floors are coloured by height too.
    const Colour level = heightColour((layer.heights.base - low) / std::max(high - low, 1e-9));
    const std::string fill = relief ? std::string("none")
                             : page.oblique() && triangles > 0
                                 ? fmt::format("#{:02x}{:02x}{:02x}", level[0], level[1], level[2])
                                 : std::string(kFreeColour);
    page.endPath(fmt::format("fill=\"{}\" fill-rule=\"evenodd\" stroke=\"{}\" stroke-width=\"1\"{}", fill, kWallColour,
                             page.oblique() ? " fill-opacity=\"0.85\"" : ""));
    for (size_t r = 0; r < layer.regions.size() && !(page.oblique() && triangles > 0); ++r) {
      page.beginPath();
      addPolygons(page, drawn, i, layer.regions[r].area);
      page.endPath(
          fmt::format("fill=\"{}\" fill-opacity=\"0.6\" fill-rule=\"evenodd\"", kCellColours[r % kCellColours.size()]));
    }
    if (!settings.connections) continue;
    page.beginPath();
    for (const Connection& connection : environment.connections) {
      if (connection.layerA != i && connection.layerB != i) continue;
      page.addRing(i, drawn.lift(connection.line, false), false);
    }
    page.endPath(fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"3\"", kConnectionColour));
  }
  return page.finish();
}

}  // namespace wend
