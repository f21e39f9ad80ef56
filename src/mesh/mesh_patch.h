#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <wend/mesh_builder.h>
#include <wend/navmesh.h>

#include "mesh/join_cells.h"

// Replaces some cells of a mesh by others: how a mesh follows an edit of its environment.
namespace wend {

struct EditFacts;  // environment/edit/boundary_change.h

struct PatchedMesh {
  NavMesh mesh;
  std::vector<CellId> source;                    // per cell: the cell it was before, kNone for a new one
  std::vector<CellId> gone;                      // cells of the old mesh that were removed, ascending
  std::vector<CellId> cells;                     // the new cells
  std::vector<uint32_t> given;                   // per new cell: which call of addCell() gave it
  std::vector<std::pair<CellId, CellId>> moved;  // cells that stay and have another number: before and now
  uint32_t removed = 0;
  uint32_t added = 0;
};

class MeshPatch {
 public:
  // `after` is the environment of the mesh to come; it must have the layers of the mesh. All must outlive the patch.
  // `facts`: what is known of the edit, or null.
  MeshPatch(const NavMesh& mesh, const Environment& after, const EditFacts* facts,
            double tolerance = MeshBuilder::kDoubleTolerance);

  void removeCell(CellId cell) {
    if (removed_[cell] == 0) gone_.push_back(cell);
    removed_[cell] = 1;
  }
  bool isRemoved(CellId cell) const { return removed_[cell] != 0; }
  // As in MeshBuilder.
  void addCell(LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> walls = {});
  // The mesh to come does not promise to be exact, though this one does.
  void dropExact() { keepsExact_ = false; }
  size_t addedCount() const { return added_.layers.size(); }

  // The new cells must fill the place of the removed ones as far as it is free in `after`, and what has become free.
  // Only they and the cells beside them are joined again. A cell beside them may get more corners, never others.
  // kInvalidGeometry as in MeshBuilder, also if the new cells do not fit the cells beside them. Of a mesh that promises
  // to be exact, area and Euler's number are compared with those of `after` (kInternal): the change of the area with
  // the new and the removed cells, so that nothing large hides a small hole.
  //
  // Most cells keep their number (CellPlacer). Where the mesh is itself the result of a patch, and a version before it
  // is not read any more, the cost is that of what changed; else the arrays are copied.
  Result<PatchedMesh> build(const Context& context = {});

 private:
  LooseCells looseCells() const;
  std::vector<uint32_t> connectionsNear(const LooseCells& loose) const;
  void findBeside();
  bool matchBeside(const JoinedCells& joined, std::vector<SideId>& oldOfPiece) const;
  bool matchBeside(const JoinedCells& joined, uint32_t index, uint32_t& piece, std::vector<SideId>& oldOfPiece) const;
  LateHash hashOfEnvironment() const;
  Status checkSums(const PatchedMesh& patched, uint32_t joinedSides) const;

  const NavMesh& mesh_;
  const Environment& after_;
  const EditFacts* facts_;
  double tolerance_;
  bool keepsExact_ = true;
  std::vector<uint8_t> removed_;
  std::vector<CellId> gone_;    // the removed cells
  std::vector<CellId> beside_;  // cells that stay and have a removed neighbour, ascending
  LooseCells added_;
};

}  // namespace wend
