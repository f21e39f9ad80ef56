#include "draw/draw_corridor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <wend/corridor_map.h>

#include <fmt/format.h>

#include "draw/palette.h"
#include "generators/ecm/arc.h"
#include "mesh/cell_geometry.h"
#include "mesh/surface_index.h"

namespace wend {
namespace {

constexpr int kArcSteps = 16;
constexpr int kDiskCorners = 64;

class CorridorPicture {
 public:
  CorridorPicture(const NavMesh& mesh, Page& page) : mesh_(mesh), map_(*mesh.corridorMap()), page_(page) {
    for (const HeightField& field : mesh.info().layerHeights) surfaces_.emplace_back(field);
    cellBegin_.assign(map_.arcs.size() + 1, 0);
    for (const uint32_t arc : map_.cellArc) ++cellBegin_[arc + 1];
    for (size_t i = 1; i < cellBegin_.size(); ++i) cellBegin_[i] += cellBegin_[i - 1];
    cells_.resize(map_.cellArc.size());
    std::vector<uint32_t> next = cellBegin_;
    for (CellId cell = 0; cell < cells_.size(); ++cell) cells_[next[map_.cellArc[cell]]++] = cell;
  }

  void disks() {
    for (const CorridorMap::Vertex& vertex : map_.vertices) {
      if (vertex.clearance == 0) continue;
      std::vector<Vec3> ring;
      for (int i = 0; i < kDiskCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kDiskCorners;
        const Vec3 centre = place(vertex.p, vertex.layer);
        const double radius = vertex.clearance * map_.lattice.unit;
        ring.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle), centre.z});
      }
      page_.beginPath();
      page_.addRing(vertex.layer, ring, true);
      page_.endPath(fmt::format("fill=\"{0}\" fill-opacity=\"0.06\" stroke=\"{0}\" stroke-width=\"0.5\"", kAxisColour));
    }
  }

  void annotations() {
    page_.beginPath();
    for (const CorridorMap::BendingPoint& bp : map_.bendingPoints) {
      if (bp.clearance == 0) continue;
      const Vec3 p = place(bp.p, bp.layer);
      const std::array<Vec3, 2> left{p, place(bp.l, bp.layerL)};
      const std::array<Vec3, 2> right{p, place(bp.r, bp.layerR)};
      page_.addRing(bp.layer, left, false);
      page_.addRing(bp.layer, right, false);
    }
    page_.endPath(
        fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"0.6\" stroke-opacity=\"0.7\" "
                    "stroke-dasharray=\"3 2\"",
                    kAnnotationColour));
  }

  void axis() {
    page_.beginPath();
    for (uint32_t i = 0; i < map_.arcs.size(); ++i) {
      if (map_.arcs[i].left != kNone) arc(i);
    }
    page_.endPath(
        fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linecap=\"round\" "
                    "stroke-linejoin=\"round\"",
                    kAxisColour));
  }

  void points() {
    page_.beginGroup(fmt::format("fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.6\"", kAxisColour));
    for (const CorridorMap::Edge& edge : map_.edges) {
      for (uint32_t i = edge.first + 1; i + 1 < edge.first + edge.count; ++i) {
        page_.circle(map_.bendingPoints[i].layer, place(map_.bendingPoints[i].p, map_.bendingPoints[i].layer), 1.9, "");
      }
    }
    for (const CorridorMap::Vertex& vertex : map_.vertices) {
      page_.circle(vertex.layer, place(vertex.p, vertex.layer), 3.2, "");
    }
    page_.endGroup();
  }

 private:
  Vec3 place(Vec2 units, LayerId layer) const {
    const Vec2 metres = map_.lattice.toMetres(units);
    return {metres.x, metres.y, surfaces_[layer].at(units)};
  }

  // The layer of a point of an arc: that of the piece of its cell that contains it.
  LayerId layerAt(uint32_t arc, Vec2 p, LayerId otherwise) const {
    const std::span<const CellId> pieces(cells_.data() + cellBegin_[arc], cellBegin_[arc + 1] - cellBegin_[arc]);
    if (pieces.size() < 2) return otherwise;
    for (const CellId cell : pieces) {
      if (contains(mesh_, cell, p)) return mesh_.layerOf(cell);
    }
    return otherwise;
  }

  void arc(uint32_t i) {
    const CorridorMap::BendingPoint& from = map_.bendingPoints[i];
    const CorridorMap::BendingPoint& to = map_.bendingPoints[i + 1];
    const ecm::ArcCurve curve(map_.sites[map_.arcs[i].left], map_.sites[map_.arcs[i].right], from.p, to.p,
                              from.clearance, to.clearance);
    const bool oneCell = cellBegin_[i + 1] - cellBegin_[i] < 2;
    const int steps = curve.kind() != ecm::ArcCurve::Kind::kParabola && oneCell ? 1 : kArcSteps;
    std::vector<Vec3> piece{place(from.p, from.layer)};
    LayerId layer = from.layer;
    for (int k = 1; k <= steps; ++k) {
      const double u = curve.begin() + (curve.end() - curve.begin()) * k / steps;
      const Vec2 p = k == steps ? to.p : curve.position(u);
      const LayerId next = k == steps ? to.layer : layerAt(i, p, layer);
      piece.push_back(place(p, next));
      if (next != layer) {
        page_.addRing(layer, piece, false);
        piece.erase(piece.begin(), piece.end() - 2);
        layer = next;
      }
    }
    page_.addRing(layer, piece, false);
  }

  const NavMesh& mesh_;
  const CorridorMap& map_;
  Page& page_;
  std::vector<SurfaceIndex> surfaces_;
  std::vector<uint32_t> cellBegin_;  // per arc, into cells_
  std::vector<CellId> cells_;
};

}  // namespace

void drawCorridorMap(const NavMesh& mesh, Page& page, const DrawSettings& settings) {
  CorridorPicture picture(mesh, page);
  if (settings.disks) picture.disks();
  if (settings.annotations) picture.annotations();
  if (!settings.axis) return;
  picture.axis();
  picture.points();
}

}  // namespace wend
