#include "draw/draw_clearance.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "draw/palette.h"
#include "planning/clearance/clearance_table.h"
#include "planning/clearance/convex_cells.h"
#include "planning/clearance/portal_shrinking.h"

namespace wend {
namespace {

using Line = std::array<Vec3, 2>;

void strokes(Page& page, LayerId layer, const std::vector<Line>& lines, std::string_view style) {
  page.beginPath();
  for (const Line& line : lines) page.addRing(layer, line, false);
  page.endPath(fmt::format("fill=\"none\" {}", style));
}

class ClearancePicture {
 public:
  ClearancePicture(const NavMesh& mesh, double radius)
      : refined_(refineToConvex(mesh)),
        clearance_(refined_.mesh, std::min(radius, kReach) / mesh.lattice().unit),
        table_(refined_.mesh, radius / mesh.lattice().unit, &clearance_) {}

  void layer(LayerId layer, Page& page) {
    shrunk_.clear();
    closed_.clear();
    blocked_.clear();
    const NavMesh& mesh = refined_.mesh;
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
      if (mesh.layerOf(cell) != layer) continue;
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        if (!mesh.isWall(s) && refined_.originalSide(s) != kNone) portal(s);
      }
      crossings(cell);
    }
    strokes(page, layer, closed_, fmt::format("stroke=\"{}\" stroke-width=\"1.6\"", kClosedColour));
    strokes(page, layer, blocked_,
            fmt::format("stroke=\"{}\" stroke-width=\"1\" stroke-dasharray=\"3 3\"", kClosedColour));
    strokes(page, layer, shrunk_,
            fmt::format("stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\"", kShrunkPortalColour));
  }

 private:
  // A place on a side, with the height of the straight line between its ends.
  Vec3 lift(SideId side, Vec2 units) const {
    const NavMesh& mesh = refined_.mesh;
    const Vec3 a = mesh.position(mesh.startVertex(side));
    const Vec3 b = mesh.position(mesh.endVertex(side));
    const double size = length(sideEnd(mesh, side) - sideStart(mesh, side));
    const double t = length(units - sideStart(mesh, side)) / size;
    const Vec2 p = mesh.lattice().toMetres(units);
    return {p.x, p.y, a.z + t * (b.z - a.z)};
  }

  void portal(SideId side) {
    const NavMesh& mesh = refined_.mesh;
    // Across layers each side has its own panel.
    if (side > mesh.twin(side) && mesh.layerOf(mesh.cellOf(side)) == mesh.layerOf(mesh.neighbour(side))) return;
    uint32_t first = 0;
    const std::span<const ShrunkPortalUnits> found = table_.shrunkPortals(side, first);
    if (found.empty()) closed_.push_back({mesh.position(mesh.startVertex(side)), mesh.position(mesh.endVertex(side))});
    for (const ShrunkPortalUnits& d : found)
      shrunk_.push_back({lift(d.side, d.ends[0].place), lift(d.side, d.ends[1].place)});
  }

  void crossings(CellId cell) {
    const NavMesh& mesh = refined_.mesh;
    size_t count = 0;
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      uint32_t first = 0;
      if (!mesh.isWall(s)) count += table_.shrunkPortals(s, first).size();
    }
    if (count < 2) return;
    const ShrunkPortals::CellView view = table_.cell(cell);
    const auto middle = [&](size_t i) {
      const ShrunkPortalUnits& d = table_.shrunkPortal(view.entries[i]);
      return lift(d.side, 0.5 * (d.ends[0].place + d.ends[1].place));
    };
    for (size_t i = 0; i < view.entries.size(); ++i) {
      const size_t next = i + 1 == view.entries.size() ? 0 : i + 1;
      if (view.faces[i] != view.faces[next]) blocked_.push_back({middle(i), middle(next)});
    }
  }

  static constexpr double kReach = 2;  // metres; bounds the time to build the table

  RefinedMesh refined_;
  ClearanceTable clearance_;
  ShrunkPortals table_;
  std::vector<Line> shrunk_;
  std::vector<Line> closed_;
  std::vector<Line> blocked_;
};

}  // namespace

void drawClearance(const NavMesh& mesh, double radius, Page& page) {
  ClearancePicture picture(mesh, radius);
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) picture.layer(layer, page);
}

}  // namespace wend
