#include "draw/view_pieces.h"

#include "planning/clearance/convex_cells.h"

namespace wend {
namespace {

double cross(Vec2 o, Vec2 a, Vec2 b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

Vec2 between(Vec2 a, Vec2 b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

// What lies left of from -> to.
void cut(std::vector<Vec2>& loop, Vec2 from, Vec2 to, std::vector<Vec2>& memory) {
  memory.clear();
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 a = loop[i];
    const Vec2 b = loop[(i + 1) % loop.size()];
    const double ofA = cross(from, to, a);
    const double ofB = cross(from, to, b);
    if (ofA >= 0) memory.push_back(a);
    if ((ofA < 0) == (ofB < 0) || ofA == ofB) continue;
    memory.push_back(between(a, b, ofA / (ofA - ofB)));
  }
  loop.swap(memory);
}

// Looks from cell to convex cell within one triangle.
class Look {
 public:
  Look(const NavMesh& mesh, Vec2 eye) : mesh_(mesh), eye_(eye) {}

  void into(CellId start, uint32_t side, Vec2 a, Vec2 b, std::vector<ViewPiece>& out) {
    open_.assign(1, {start, kNone, a, b});
    while (!open_.empty()) {
      const Entry entry = open_.back();
      open_.pop_back();
      std::vector<Vec2> loop;
      for (SideId s = mesh_.firstSide(entry.cell); s != mesh_.endSide(entry.cell); ++s) {
        loop.push_back(mesh_.vertex(mesh_.startVertex(s)));
      }
      cut(loop, eye_, entry.right, memory_);
      cut(loop, entry.left, eye_, memory_);
      cut(loop, a, b, memory_);
      if (loop.size() >= 3) out.push_back({mesh_.layerOf(entry.cell), side, std::move(loop)});
      for (SideId s = mesh_.firstSide(entry.cell); s != mesh_.endSide(entry.cell); ++s) {
        if (!mesh_.isWall(s) && s != entry.by) through(s, entry, a, b);
      }
    }
  }

 private:
  struct Entry {
    CellId cell;
    SideId by;   // by which it was entered
    Vec2 right;  // the view: from the ray through `right` counter-clockwise to that through `left`
    Vec2 left;
  };

  void through(SideId s, const Entry& entry, Vec2 a, Vec2 b) {
    Vec2 c = mesh_.vertex(mesh_.startVertex(s));
    Vec2 d = mesh_.vertex(mesh_.endVertex(s));
    // Behind the far side of the triangle, or seen from behind.
    if (cross(eye_, c, d) <= 0 || (cross(a, b, c) <= 0 && cross(a, b, d) <= 0)) return;
    // The part of the portal between the rays.
    const auto keep = [&](double ofC, double ofD) {
      const double t = ofC / (ofC - ofD);
      if (ofC < 0 && ofD > 0) c = between(c, d, t);
      if (ofD < 0 && ofC > 0) d = between(c, d, t);
      return ofC > 0 || ofD > 0;
    };
    if (!keep(cross(eye_, entry.right, c), cross(eye_, entry.right, d))) return;
    if (!keep(cross(eye_, c, entry.left), cross(eye_, d, entry.left))) return;
    if (cross(eye_, c, d) > 0) open_.push_back({mesh_.neighbour(s), mesh_.twin(s), c, d});
  }

  const NavMesh& mesh_;
  Vec2 eye_;
  std::vector<Entry> open_;
  std::vector<Vec2> memory_;
};

}  // namespace

std::vector<ViewPiece> viewPieces(const NavMesh& mesh, const DrawnView& view) {
  std::vector<ViewPiece> out;
  const RefinedMesh convex = refineToConvex(mesh);
  const CellId start = Locator(convex.mesh).locate(Vec2{view.eye.x, view.eye.y}, view.layer);
  if (start == kNone) return out;
  const auto units = [&](Vec3 p) { return mesh.lattice().toUnits({p.x, p.y}); };
  const Vec2 eye = units(view.eye);
  Look look(convex.mesh, eye);
  const auto& points = view.polygon.points;
  for (uint32_t i = 0; i < points.size(); ++i) {
    const Vec2 a = units(points[i]);
    const Vec2 b = units(points[(i + 1) % points.size()]);
    // Sight lines point at the eye and have no triangle.
    if (cross(eye, a, b) > 0) look.into(start, i, a, b, out);
  }
  return out;
}

}  // namespace wend
