#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navigation_graph.h>
#include <wend/navmesh.h>
#include <wend/result.h>

// Terrain by traversal methods (Hale 2011, section 5.4): which cells one can drive, walk or swim in, where the terrain
// changes, and how that may be crossed.
namespace wend {

// A way to move, and the labels of the environment on which it works. "" is ground without a label.
struct TraversalMethod {
  std::string name;                 // "drive"
  std::vector<std::string> labels;  // {"asphalt", "road"}
};

// A special way across a boundary, from cells of one method to cells of another: "hop" from drive to walk.
struct TraverseType {
  std::string name;
  std::string from;  // methods
  std::string to;
  double cost = 0;  // metres that it counts as, >= 0
  bool bothWays = true;
};

// How an agent moves: the methods it has, with their cost per metre, and the boundaries it can cross.
struct Traversal {
  struct Use {
    std::string method;
    double cost = 1;  // per metre, > 0
  };
  std::vector<Use> methods;
  std::vector<TraverseType> crossings;
};

// The methods of each cell of a mesh. A cell belongs to the labels at its centroid; meshes of `pasfv` and `wavefront`
// have no cell on two classes, so there that holds for all of it. A place with several labels has the methods of all.
class TerrainMap {
 public:
  // kInvalidSettings for a method without name or label, or two of one name, or more than 32.
  static Result<TerrainMap> of(const NavMesh& mesh, const Environment& environment,
                               std::vector<TraversalMethod> methods);

  const std::vector<TraversalMethod>& methods() const { return methods_; }
  uint32_t methodsOf(CellId cell) const { return masks_[cell]; }  // bit i: methods()[i]
  // A portal whose two cells have other methods. Other portals are gateways.
  bool isBoundary(SideId portal) const;

  // The costs that make NavigationGraph::plan() move that way: cells without one of its methods are closed; a portal is
  // open if some method works on both of its sides, or a crossing leads across it. Of several methods in a cell the
  // cheapest counts. kInvalidSettings for an unknown method or a cost out of range.
  Result<GraphCosts> costsOf(const Traversal& traversal) const;

 private:
  TerrainMap(NavMesh mesh, std::vector<TraversalMethod> methods);
  Result<uint32_t> bitOf(const std::string& method) const;
  NavMesh mesh_;
  std::vector<TraversalMethod> methods_;
  std::vector<uint32_t> masks_;
};

}  // namespace wend
