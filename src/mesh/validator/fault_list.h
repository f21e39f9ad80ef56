#pragma once

#include <utility>
#include <vector>

#include <wend/mesh_builder.h>
#include <wend/navmesh.h>

#include <fmt/format.h>

// What the steps of checkMesh() share.
namespace wend {

// Lattice units. Corners that are not whole numbers have been welded and cut by MeshBuilder, each step moving them by
// up to its tolerance; a corner, its two neighbours and the line it should lie on add up to this.
inline constexpr double kOffLattice = 4 * MeshBuilder::kDoubleTolerance;

// Collects faults up to a limit.
class FaultList {
 public:
  FaultList(const NavMesh& mesh, size_t limit) : mesh_(mesh), limit_(limit) {}

  bool full() const { return faults_.size() >= limit_; }
  size_t size() const { return faults_.size(); }
  size_t room() const { return limit_ - faults_.size(); }
  template <typename... Values>
  void add(MeshFaultKind kind, CellId cell, Vec2 units, fmt::format_string<Values...> text, Values&&... values) {
    if (full()) return;
    faults_.push_back(
        {kind, cell, mesh_.lattice().toMetres(units), fmt::format(text, std::forward<Values>(values)...)});
  }
  std::vector<MeshFault> take() { return std::move(faults_); }

 private:
  const NavMesh& mesh_;
  size_t limit_;
  std::vector<MeshFault> faults_;
};

}  // namespace wend
