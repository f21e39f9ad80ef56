#include "draw/draw_overlay.h"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "draw/palette.h"
#include "draw/view_pieces.h"

namespace wend {

namespace {

// Whether p lies on the segment ab, within what rounding leaves.
bool isOn(Vec2 a, Vec2 b, Vec2 p) {
  constexpr double kNear = 0.1;  // lattice units; far below a pixel
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (!(length > kNear)) return false;
  const double along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;
  const double beside = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length;
  return std::abs(beside) < kNear && along > -kNear && along < length + kNear;
}

}  // namespace

void drawView(const NavMesh& mesh, const DrawnView& drawn, Page& page) {
  const VisibilityPolygon& view = drawn.polygon;
  const std::vector<ViewPiece> pieces = viewPieces(mesh, drawn);
  const Locator locator(mesh);
  const auto lifted = [&](Vec2 units, LayerId layer) {
    const Vec2 p = mesh.lattice().toMetres(units);
    return Vec3{p.x, p.y, locator.height(p, layer)};
  };
  std::vector<Vec3> ring;
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    page.beginPath();
    for (const ViewPiece& piece : pieces) {
      if (piece.layer != layer) continue;
      ring.clear();
      for (const Vec2 p : piece.loop) ring.push_back(lifted(p, layer));
      page.addRing(layer, ring, true);
    }
    page.endPath(fmt::format("fill=\"{}\" fill-opacity=\"0.35\" stroke=\"none\"", kViewColour));
  }
  // The outline, in the layers of the pieces along it.
  const auto corner = [&](size_t i) {
    const Vec3 p = view.points[i % view.points.size()];
    return mesh.lattice().toUnits({p.x, p.y});
  };
  for (const bool window : {true, false}) {
    page.beginPath();
    for (size_t i = 0; i < view.points.size(); ++i) {
      if ((view.window[i] != 0) != window) continue;
      for (const ViewPiece& piece : pieces) {
        if (!window && piece.side != i) continue;
        for (size_t k = 0; k < piece.loop.size(); ++k) {
          const Vec2 a = piece.loop[k];
          const Vec2 b = piece.loop[(k + 1) % piece.loop.size()];
          if (!isOn(corner(i), corner(i + 1), a) || !isOn(corner(i), corner(i + 1), b)) continue;
          const std::array<Vec3, 2> side{lifted(a, piece.layer), lifted(b, piece.layer)};
          page.addRing(piece.layer, side, false);
        }
      }
    }
    page.endPath(fmt::format("fill=\"none\" stroke=\"{}\" stroke-linecap=\"round\" {}", kViewEdgeColour,
                             window ? "stroke-width=\"0.8\" stroke-dasharray=\"4 3\"" : "stroke-width=\"2.2\""));
  }
  page.circle(drawn.layer, drawn.eye, 5,
              fmt::format("fill=\"{}\" stroke=\"#fff\" stroke-width=\"1.2\"", kViewEdgeColour));
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
