#include <algorithm>
#include <cmath>

#include <wend/draw.h>

#include <fmt/format.h>

#include "draw/drape.h"
#include "draw/draw_clearance.h"
#include "draw/draw_corridor.h"
#include "draw/draw_overlay.h"
#include "draw/draw_settings.h"
#include "draw/page.h"
#include "draw/palette.h"

namespace wend {
namespace {

std::vector<PageLayer> pageLayers(const NavMesh& mesh) {
  std::vector<PageLayer> layers(mesh.layerCount());
  std::vector<bool> seen(mesh.layerCount());
  for (SideId side = 0; side < mesh.sideCount(); ++side) {
    const LayerId layer = mesh.layerOf(mesh.cellOf(side));
    const Vec3 p = mesh.position(mesh.startVertex(side));
    PageLayer& l = layers[layer];
    if (!seen[layer]) {
      seen[layer] = true;
      l.min = l.max = {p.x, p.y};
      l.low = l.high = p.z;
    }
    l.min = {std::min(l.min.x, p.x), std::min(l.min.y, p.y)};
    l.max = {std::max(l.max.x, p.x), std::max(l.max.y, p.y)};
    l.low = std::min(l.low, p.z);
    l.high = std::max(l.high, p.z);
  }
  for (LayerId i = 0; i < layers.size(); ++i) {
    const std::string& name = mesh.info().layerNames[i];
    const int32_t id = mesh.info().layerIds[i];
    layers[i].title = name.empty() ? fmt::format("layer {}", id) : fmt::format("{} ({})", name, id);
    // Hills between the vertices show in the oblique view.
    for (const double z : mesh.info().layerHeights[i].z) {
      layers[i].low = std::min(layers[i].low, z);
      layers[i].high = std::max(layers[i].high, z);
    }
    // A layer without cells is drawn as a point where the others are, not far away at the origin.
    if (!seen[i]) layers[i].min = layers[i].max = mesh.lattice().toMetres(mesh.vertex(0));
  }
  return layers;
}

// Draws the parts of one mesh on one page.
class MeshPicture {
 public:
  MeshPicture(const NavMesh& mesh, std::span<const Drape> drapes, Page& page, const DrawSettings& settings)
      : mesh_(mesh), drapes_(drapes), page_(page), settings_(settings), cellsOfLayer_(mesh.layerCount()) {
    if (settings.cells) colour_ = colourCells(mesh);
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) cellsOfLayer_[mesh.layerOf(cell)].push_back(cell);
  }

  void layer(LayerId layer) {
    if (!page_.oblique()) page_.ground(layer, fmt::format("fill=\"{}\"", kObstacleColour));
    cells(layer);
    sides(layer);
    if (settings_.cellIds) ids(layer);
  }

 private:
  void cells(LayerId layer) {
    const size_t colours = settings_.cells ? kCellColours.size() : 1;
    for (size_t c = 0; c < colours; ++c) {
      page_.beginPath();
      for (const CellId cell : cellsOfLayer_[layer]) {
        if (settings_.cells && colour_[cell] != c) continue;
        loop_.clear();
        for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
          addSide(layer, s);
        }
        page_.addRing(layer, loop_, true);
      }
      // The thin stroke in the fill's colour closes the hairlines between neighbours.
      const std::string_view fill = settings_.cells ? kCellColours[c] : kFreeColour;
      page_.endPath(fmt::format("fill=\"{0}\" stroke=\"{0}\" stroke-width=\"0.4\"{1}", fill,
                                page_.oblique() ? " fill-opacity=\"0.9\"" : ""));
    }
  }

  // All but its end.
  void addSide(LayerId layer, SideId s) {
    const Vec3 start = mesh_.position(mesh_.startVertex(s));
    loop_.push_back(start);
    drapes_[layer].follow(start, mesh_.position(mesh_.endVertex(s)), loop_);
  }

  template <typename Wanted>
  void strokes(LayerId layer, Wanted&& wanted, const std::string& style) {
    page_.beginPath();
    for (const CellId cell : cellsOfLayer_[layer]) {
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        if (!wanted(s)) continue;
        loop_.clear();
        addSide(layer, s);
        loop_.push_back(mesh_.position(mesh_.endVertex(s)));
        page_.addRing(layer, loop_, false);
      }
    }
    page_.endPath(style);
  }

  void sides(LayerId layer) {
    const auto crosses = [&](SideId s) { return !mesh_.isWall(s) && mesh_.layerOf(mesh_.neighbour(s)) != layer; };
    if (settings_.portals) {
      strokes(
          layer, [&](SideId s) { return !mesh_.isWall(s) && s < mesh_.twin(s) && !crosses(s); },
          fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"0.7\"", kPortalColour));
    }
    strokes(
        layer, [&](SideId s) { return mesh_.isWall(s); },
        fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\" stroke-linecap=\"round\"", kWallColour));
    if (settings_.connections) {
      strokes(layer, crosses, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"3\"", kConnectionColour));
    }
  }

  void ids(LayerId layer) {
    page_.beginGroup("fill=\"#333\"");
    for (const CellId cell : cellsOfLayer_[layer]) {
      Vec3 sum{};
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        const Vec3 p = mesh_.position(mesh_.startVertex(s));
        sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
      }
      const double n = mesh_.sideCount(cell);
      page_.text(page_.pixel(layer, {sum.x / n, sum.y / n, sum.z / n}), 8, "middle", std::to_string(cell));
    }
    page_.endGroup();
  }

  const NavMesh& mesh_;
  std::span<const Drape> drapes_;  // of each layer
  Page& page_;
  const DrawSettings& settings_;
  std::vector<std::vector<CellId>> cellsOfLayer_;
  std::vector<uint8_t> colour_;
  std::vector<Vec3> loop_;
};

// Where a segment of a route meets a portal, in top view; the middle where they are parallel.
Vec3 crossing(const NavMesh& mesh, SideId side, Vec3 a, Vec3 b) {
  const Vec3 p = mesh.position(mesh.startVertex(side));
  const Vec3 q = mesh.position(mesh.endVertex(side));
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double denominator = dx * (q.y - p.y) - dy * (q.x - p.x);
  double t = 0.5;
  if (std::abs(denominator) > 1e-12) t = (dx * (a.y - p.y) - dy * (a.x - p.x)) / denominator;
  t = std::clamp(t, 0.0, 1.0);
  return {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
}

// How much longer the way from a to b is over the portal.
double detour(const NavMesh& mesh, SideId side, Vec3 a, Vec3 b) {
  const Vec3 c = crossing(mesh, side, a, b);
  return std::hypot(c.x - a.x, c.y - a.y) + std::hypot(b.x - c.x, b.y - c.y) - std::hypot(b.x - a.x, b.y - a.y);
}

// The end of the segment, from `corner` on, that comes nearest to the portal.
size_t nearestSegment(const NavMesh& mesh, SideId side, std::span<const Vec3> points, size_t corner) {
  size_t best = corner;
  for (size_t i = corner; i < points.size(); ++i) {
    if (detour(mesh, side, points[i - 1], points[i]) < detour(mesh, side, points[best - 1], points[best])) best = i;
  }
  return best;
}

// Whether the segment ab of a route passes the portal in top view (touching counts).
bool passes(const NavMesh& mesh, SideId side, Vec3 a, Vec3 b) {
  return detour(mesh, side, a, b) <= 1e-6 * (1.0 + std::hypot(b.x - a.x, b.y - a.y));
}

// The route piece by piece, each in the panel of the layer it runs through.
void drawRoute(const NavMesh& mesh, const Route& route, std::span<const Drape> drapes, Page& page) {
  if (route.points.size() < 2 || route.cells.empty()) return;
  const std::string style =
      fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                  kRouteColour);
  std::vector<Vec3> piece{route.points.front()};
  LayerId layer = mesh.layerOf(route.cells.front());
  const auto flush = [&] {
    std::vector<Vec3> line{piece.front()};
    for (size_t i = 1; i < piece.size(); ++i) {
      drapes[layer].follow(piece[i - 1], piece[i], line);
      line.push_back(piece[i]);
    }
    page.beginPath();
    page.addRing(layer, line, false);
    page.endPath(style);
  };
  size_t corner = 1;
  for (size_t i = 0; i < route.portals.size() && i + 1 < route.cells.size(); ++i) {
    // A route on a medial axis passes near the portals of its corridor, not all through them: only where it changes
    // layer matters.
    if (mesh.corridorMap() != nullptr) {
      if (mesh.layerOf(route.cells[i + 1]) == layer) continue;
      const size_t nearest = nearestSegment(mesh, route.portals[i], route.points, corner);
      while (corner < nearest) piece.push_back(route.points[corner++]);
    }
    // Walk the polyline up to the segment that passes this portal.
    while (mesh.corridorMap() == nullptr && corner + 1 < route.points.size() &&
           !passes(mesh, route.portals[i], route.points[corner - 1], route.points[corner])) {
      piece.push_back(route.points[corner++]);
    }
    const LayerId next = mesh.layerOf(route.cells[i + 1]);
    if (next == layer) continue;
    const Vec3 place = crossing(mesh, route.portals[i], route.points[corner - 1], route.points[corner]);
    piece.push_back(place);
    flush();
    piece.assign(1, place);
    layer = next;
  }
  for (; corner < route.points.size(); ++corner) piece.push_back(route.points[corner]);
  flush();
  const auto end = [](std::string_view colour) {
    return fmt::format("fill=\"{}\" stroke=\"#fff\" stroke-width=\"1.2\"", colour);
  };
  page.circle(mesh.layerOf(route.cells.front()), route.points.front(), 5, end(kStartColour));
  page.circle(layer, route.points.back(), 5, end(kRouteColour));
}

}  // namespace

Result<std::string> drawMesh(const NavMesh& mesh, std::span<const Route> routes, const DrawSettings& settings) {
  return drawMesh(mesh, MeshOverlay{{}, {}, routes}, settings);
}

Result<std::string> drawMesh(const NavMesh& mesh, const MeshOverlay& overlay, const DrawSettings& settings) {
  if (const Status status = checkDrawSettings(settings); !status.ok()) return status.error();
  if (mesh.empty()) return Error{ErrorCode::kEmpty, "nothing to draw: the mesh has no cell"};
  if ((settings.axis || settings.annotations || settings.disks) && mesh.corridorMap() == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the mesh by '{}' has no medial axis to draw; bake it with --generator ecm",
                             mesh.info().generator)};
  }
  Page page(fmt::format("{}: {} cells, {} portals", mesh.info().generator, mesh.cellCount(), mesh.portalCount()),
            pageLayers(mesh), settings);
  std::vector<Drape> drapes;
  drapes.reserve(mesh.layerCount());
  for (const HeightField& field : mesh.info().layerHeights) drapes.emplace_back(field, mesh.lattice(), page);
  MeshPicture picture(mesh, drapes, page, settings);
  for (const size_t layer : drawingOrder(page.layers())) picture.layer(static_cast<LayerId>(layer));
  if (mesh.corridorMap() != nullptr) drawCorridorMap(mesh, page, settings);
  if (settings.clearance > 0 && mesh.info().traits.disjoint) drawClearance(mesh, settings.clearance, page);
  for (const Corridor& corridor : overlay.corridors) drawCorridor(mesh, corridor, page);
  for (const DrawnView& view : overlay.views) drawView(mesh, view, page);
  for (const Route& route : overlay.routes) drawRoute(mesh, route, drapes, page);
  return page.finish();
}

}  // namespace wend
