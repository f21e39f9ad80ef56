#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <wend/navmesh.h>

#include "base/versions.h"
#include "geometry/extent.h"

// The arrays of a mesh that edits change, and the versions of it.
namespace wend {

struct LiveArrays {
  uint64_t state = 0;
  std::vector<Vec2> vertices;
  std::vector<double> heights;
  std::vector<uint32_t> cellBegin;
  std::vector<LayerId> cellLayer;
  std::vector<VertexId> sideVertex;
  std::vector<SideId> sideTwin;
  std::vector<CellId> sideCell;
  std::vector<SideId> vertexSide;  // a side that starts in each vertex
  std::vector<Extent> extents;     // of each BlockLog::kBlock cells
  uint32_t joined = 0;             // sides that have a twin

  explicit LiveArrays() = default;
  explicit LiveArrays(const NavMesh& mesh);
  Extent extentOf(size_t block) const;
  void copyAll(const LiveArrays& other);
  bool follow(const LiveArrays& other, const BlockLog& log, bool forward);
};

// Cells that may touch the box, ascending: of a mesh that a draft became, those of blocks of cells that do; else all.
std::vector<CellId> cellsNear(const NavMesh& mesh, const Box& box);

// Where two versions of a mesh may differ, in blocks of BlockLog::kBlock, ascending.
struct MeshDifference {
  std::vector<uint32_t> sides;  // their vertex, twin or cell
  std::vector<uint32_t> cells;  // their sides or layer
};
// Nothing if they are not known to be versions of one mesh. O(what differs).
std::optional<MeshDifference> differenceBetween(const NavMesh& one, const NavMesh& other);

// A version of a mesh to be changed. Reads what is written.
class MeshDraft {
 public:
  // Of a mesh that publish() made, in O(what changed since older versions); of any other one, a copy.
  explicit MeshDraft(const NavMesh& mesh);

  // The changed mesh. `info` is that of the mesh, without arrays. The draft is empty afterwards.
  NavMesh publish(MeshArrays info);

  LoggedArray<Vec2> vertices() { return {arrays_->vertices, log_, 0}; }
  LoggedArray<double> heights() { return {arrays_->heights, log_, 1}; }
  LoggedArray<uint32_t> cellBegin() { return {arrays_->cellBegin, log_, 2}; }
  LoggedArray<LayerId> cellLayer() { return {arrays_->cellLayer, log_, 3}; }
  LoggedArray<VertexId> sideVertex() { return {arrays_->sideVertex, log_, 4}; }
  LoggedArray<CellId> sideCell() { return {arrays_->sideCell, log_, 6}; }
  LoggedArray<SideId> vertexSide() { return {arrays_->vertexSide, log_, 7}; }

  const LiveArrays& arrays() const { return *arrays_; }
  void setTwin(SideId side, SideId twin);
  // New sides have no twin.
  void resizeSides(size_t sides);
  SideId next(SideId side) const;
  SideId previous(SideId side) const;

 private:
  std::shared_ptr<Versions<LiveArrays>> versions_;
  std::unique_ptr<LiveArrays> arrays_;
  BlockLog log_;
};

}  // namespace wend
