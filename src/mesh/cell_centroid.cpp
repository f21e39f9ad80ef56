#include "mesh/cell_centroid.h"

#include "mesh/cell_geometry.h"

namespace wend {

Vec2 centroidOf(const NavMesh& mesh, CellId cell) {
  const SideId begin = mesh.firstSide(cell);
  const Vec2 o = startPoint(mesh, begin);
  double area = 0;
  Vec2 sum;
  for (SideId s = begin; s < mesh.endSide(cell); ++s) {
    const Vec2 a{startPoint(mesh, s).x - o.x, startPoint(mesh, s).y - o.y};
    const Vec2 b{endPoint(mesh, s).x - o.x, endPoint(mesh, s).y - o.y};
    const double doubled = a.x * b.y - a.y * b.x;
    area += doubled;
    sum = {sum.x + doubled * (a.x + b.x), sum.y + doubled * (a.y + b.y)};
  }
  if (area <= 0) return mesh.lattice().toMetres(o);
  return mesh.lattice().toMetres(Vec2{o.x + sum.x / (3 * area), o.y + sum.y / (3 * area)});
}

}  // namespace wend
