#pragma once

#include <vector>

#include <wend/metrics.h>

// Hale's metrics of the graph of cells and gateways (his word for portals). All portals between two cells are one
// gateway, at the side of the longest of them and its twin.
namespace wend {

class RegionGraph {
 public:
  // The mesh must outlive it; its twins are mutual.
  explicit RegionGraph(const NavMesh& mesh);

  const NavMesh& mesh() const { return mesh_; }
  Vec2 centroid(CellId cell) const { return centroids_[cell]; }  // metres
  // Of the gateway at this side, metres; 0 for walls and for other sides.
  double width(SideId side) const { return widths_[side]; }
  // Length of the way from the centroid of a cell over the middle of a gateway to the neighbour's, metres.
  double length(SideId side) const { return lengths_[side]; }

  // Portals from a cell to all others; kNone where there is no way. Returns the farthest cell, the smallest of equals.
  CellId distances(CellId from, std::vector<uint32_t>& out) const;
  // Lengths over centroids and portal middles; infinite where there is no way. With `residual` given, a gateway is
  // as wide as that says, closed at 0. `entry` gets the side by which each cell is entered.
  void lengths(CellId from, std::span<const double> residual, std::vector<double>& out,
               std::vector<SideId>* entry = nullptr) const;

 private:
  double sideLength(SideId side) const;  // metres
  const NavMesh& mesh_;
  std::vector<Vec2> centroids_;
  std::vector<double> widths_;  // per side
  std::vector<double> lengths_;
};

GraphMetrics measureHaleGraph(const NavMesh& mesh, uint32_t searches, const Context& context);

// The largest flow from one cell to another when each gateway carries its width, metres. O(cells^2 portals) at worst.
double maximumFlow(const RegionGraph& graph, CellId from, CellId to);

}  // namespace wend
