#pragma once

#include <vector>

#include <wend/navmesh.h>

// One number per corner of a triangle: the width of the crossing around it. Kallmann, Shortest paths with arbitrary
// clearance from navigation meshes (2010); Dynamic and robust local clearance triangulations (2014).
namespace wend {

// On a mesh made by generator `lct` a disk that stands in open space can go from one place to another if and only if
// some chain of portals has every step passable. On other triangle meshes, and beside the connections of layers, the
// answer may be yes where it is no, never the reverse. Immutable; 8 bytes per side. O(n) expected to build.
class LocalClearance {
 public:
  // An error (kUnsupported) unless every cell is a triangle.
  static Result<LocalClearance> of(const NavMesh& mesh);

  // The width of the crossing from one portal of a cell to another; metres. Symmetric.
  double width(const NavMesh& mesh, SideId entry, SideId exit) const {
    return widths_[exit == mesh.nextSide(entry) ? exit : entry];
  }
  // True if a disk fits through; radius in metres.
  bool passes(const NavMesh& mesh, SideId entry, SideId exit, double radius) const {
    return width(mesh, entry, exit) >= 2 * radius;
  }

 private:
  std::vector<double> widths_;  // per side: around the corner where it starts
};

}  // namespace wend
