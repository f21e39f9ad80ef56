#pragma once

#include <vector>

#include <wend/navmesh.h>

// The same mesh with its reflex cells cut into convex ones, for algorithms that need convex cells. (NEOGEN may leave
// small concavities.)
namespace wend {

struct RefinedMesh {
  NavMesh mesh;
  std::vector<CellId> cellOf;  // the given mesh's cell per refined cell; empty if nothing had to be cut
  std::vector<SideId> sideOf;  // the given mesh's side per refined side, kNone on a cut
  CellId original(CellId cell) const { return cell == kNone || cellOf.empty() ? cell : cellOf[cell]; }
  SideId originalSide(SideId side) const { return sideOf.empty() ? side : sideOf[side]; }
};

// Cuts by ears, exactly. O(n) for convex cells, O(k^2) per reflex cell of k sides, O(k^3) at worst.
RefinedMesh refineToConvex(const NavMesh& mesh);

}  // namespace wend
