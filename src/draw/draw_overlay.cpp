#include "draw/draw_overlay.h"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "draw/palette.h"

namespace wend {

void drawView(const DrawnView& drawn, Page& page) {
  const VisibilityPolygon& view = drawn.polygon;
  const LayerId layer = drawn.layer;
  if (view.points.size() < 3) return;
  page.beginPath();
  page.addRing(layer, view.points, true);
  page.endPath(fmt::format("fill=\"{}\" fill-opacity=\"0.35\" stroke=\"none\"", kViewColour));
  for (const bool window : {true, false}) {
    page.beginPath();
    for (size_t i = 0; i < view.points.size(); ++i) {
      if ((view.window[i] != 0) != window) continue;
      const std::array<Vec3, 2> side{view.points[i], view.points[(i + 1) % view.points.size()]};
      page.addRing(layer, side, false);
    }
    page.endPath(fmt::format("fill=\"none\" stroke=\"{}\" stroke-linecap=\"round\" {}", kViewEdgeColour,
                             window ? "stroke-width=\"0.8\" stroke-dasharray=\"4 3\"" : "stroke-width=\"2.2\""));
  }
  page.circle(layer, drawn.eye, 5, fmt::format("fill=\"{}\" stroke=\"#fff\" stroke-width=\"1.2\"", kViewEdgeColour));
}

void drawCorridor(const NavMesh& mesh, const Corridor& corridor, Page& page) {
  const Locator locator(mesh);
  const auto lifted = [&](Vec2 units, LayerId layer) {
    const Vec2 p = mesh.lattice().toMetres(units);
    return Vec3{p.x, p.y, locator.height(p, layer)};
  };
  const auto& points = corridor.points;
  const std::string fill = fmt::format("fill=\"{}\" fill-opacity=\"0.35\" stroke=\"none\"", kCorridorColour);
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    page.beginPath();
    for (size_t i = 0; i + 1 < points.size(); ++i) {
      const CorridorMap::BendingPoint& a = points[i];
      const CorridorMap::BendingPoint& b = points[i + 1];
      if (a.layer != layer && b.layer != layer) continue;
      if (a.p == b.p) {
        // A turn into another edge: the disk around the vertex.
        constexpr int kCorners = 64;
        std::vector<Vec3> circle;
        for (int k = 0; k < kCorners; ++k) {
          const double angle = 2 * std::numbers::pi * k / kCorners;
          circle.push_back(
              lifted({a.p.x + a.clearance * std::cos(angle), a.p.y + a.clearance * std::sin(angle)}, layer));
        }
        page.addRing(layer, circle, true);
        continue;
      }
      const std::array<Vec3, 6> cell{lifted(a.p, layer), lifted(a.r, layer), lifted(b.r, layer),
                                     lifted(b.p, layer), lifted(b.l, layer), lifted(a.l, layer)};
      page.addRing(layer, cell, true);
    }
    page.endPath(fill);
    page.beginPath();
    for (size_t i = 0; i + 1 < points.size(); ++i) {
      if (points[i].layer != layer) continue;
      const std::array<Vec3, 2> axis{lifted(points[i].p, layer), lifted(points[i + 1].p, layer)};
      page.addRing(layer, axis, false);
    }
    page.endPath(fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"", kCorridorColour));
  }
}

}  // namespace wend
