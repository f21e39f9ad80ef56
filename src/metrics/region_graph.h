#pragma once

#include <vector>

#include <wend/metrics.h>

// The graph of cells and portals, and what Hale measures on it.
namespace wend {

class RegionGraph {
 public:
  // The mesh must outlive it; its twins are mutual.
  explicit RegionGraph(const NavMesh& mesh);

  const NavMesh& mesh() const { return mesh_; }
  Vec2 centroid(CellId cell) const { return centroids_[cell]; }  // metres
  double width(SideId side) const;                               // of a portal, metres
  // Length of the way from the centroid of a cell over the middle of the portal to the neighbour's.
  double length(SideId side) const;

  // Portals from a cell to all others; kNone where there is no way. Returns the farthest cell, the smallest of equals.
  CellId distances(CellId from, std::vector<uint32_t>& out) const;
  // Lengths over centroids and portal middles; infinite where there is no way. Portals of at most `least` metres, by
  // `residual`, are closed. `entry` gets the side by which each cell is entered.
  void lengths(CellId from, std::span<const double> residual, std::vector<double>& out,
               std::vector<SideId>* entry = nullptr) const;

 private:
  const NavMesh& mesh_;
  std::vector<Vec2> centroids_;
};

GraphMetrics measureGraph(const NavMesh& mesh, uint32_t searches, const Context& context);

// The largest flow from one cell to another when each portal carries its width, metres. O(cells^2 portals) at worst.
double maximumFlow(const RegionGraph& graph, CellId from, CellId to);

}  // namespace wend
