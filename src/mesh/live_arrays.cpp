#include "mesh/live_arrays.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wend {
namespace {

// The arrays of a mesh that a draft became: its owner tells.
Versions<LiveArrays>::Known arraysOf(const NavMesh& mesh) {
  return Versions<LiveArrays>::find(mesh.owner());
}

// Room for more, so that edits rarely move an array.
template <typename Element, typename Range>
void assignWithRoom(std::vector<Element>& to, const Range& from) {
  if (to.capacity() < from.size()) to.reserve(from.size() + from.size() / 8 + 256);
  to.assign(from.begin(), from.end());
}

}  // namespace

LiveArrays::LiveArrays(const NavMesh& mesh) {
  const NavMesh::Views& views = mesh.views();
  assignWithRoom(vertices, views.vertices);
  assignWithRoom(heights, views.heights);
  assignWithRoom(cellBegin, views.cellBegin);
  assignWithRoom(cellLayer, views.cellLayer);
  assignWithRoom(sideVertex, views.sideVertex);
  assignWithRoom(sideTwin, views.sideTwin);
  assignWithRoom(sideCell, views.sideCell);
  vertexSide.assign(vertices.size(), kNone);
  for (SideId s = 0; s < sideVertex.size(); ++s) {
    vertexSide[sideVertex[s]] = s;
    joined += sideTwin[s] == kNone ? 0 : 1;
  }
  extents.resize((cellLayer.size() + BlockLog::kBlock - 1) / BlockLog::kBlock);
  for (size_t i = 0; i < extents.size(); ++i) extents[i] = extentOf(i);
}

Extent LiveArrays::extentOf(size_t block) const {
  Extent extent;
  const size_t end = std::min<size_t>((block + 1) * BlockLog::kBlock, cellLayer.size());
  for (SideId s = cellBegin[block * BlockLog::kBlock]; s < cellBegin[end]; ++s) extent.add(vertices[sideVertex[s]]);
  return extent;
}

void LiveArrays::copyAll(const LiveArrays& other) {
  assignWithRoom(vertices, other.vertices);
  assignWithRoom(heights, other.heights);
  assignWithRoom(cellBegin, other.cellBegin);
  assignWithRoom(cellLayer, other.cellLayer);
  assignWithRoom(sideVertex, other.sideVertex);
  assignWithRoom(sideTwin, other.sideTwin);
  assignWithRoom(sideCell, other.sideCell);
  assignWithRoom(vertexSide, other.vertexSide);
  assignWithRoom(extents, other.extents);
  joined = other.joined;
}

bool LiveArrays::follow(const LiveArrays& other, const BlockLog& log, bool) {
  log.copy(0, other.vertices, vertices);
  log.copy(1, other.heights, heights);
  log.copy(2, other.cellBegin, cellBegin);
  log.copy(3, other.cellLayer, cellLayer);
  log.copy(4, other.sideVertex, sideVertex);
  log.copy(5, other.sideTwin, sideTwin);
  log.copy(6, other.sideCell, sideCell);
  log.copy(7, other.vertexSide, vertexSide);
  log.copy(8, other.extents, extents);
  joined = other.joined;
  return true;
}

std::vector<CellId> cellsNear(const NavMesh& mesh, const Box& box) {
  std::vector<CellId> cells;
  const auto known = arraysOf(mesh);
  if (known.value == nullptr) {
    cells.resize(mesh.cellCount());
    std::iota(cells.begin(), cells.end(), 0U);
    return cells;
  }
  const Extent extent(box);
  for (size_t block = 0; block < known.value->extents.size(); ++block) {
    if (!known.value->extents[block].meets(extent)) continue;
    const size_t end = std::min<size_t>((block + 1) * BlockLog::kBlock, mesh.cellCount());
    for (size_t cell = block * BlockLog::kBlock; cell < end; ++cell) cells.push_back(static_cast<CellId>(cell));
  }
  return cells;
}

std::optional<MeshDifference> differenceBetween(const NavMesh& one, const NavMesh& other) {
  const auto a = arraysOf(one);
  const auto b = arraysOf(other);
  std::vector<std::shared_ptr<const BlockLog>> logs;
  if (a.value == nullptr || b.value == nullptr || a.versions != b.versions ||
      !a.versions->logsBetween(*a.value, *b.value, logs)) {
    return std::nullopt;
  }
  return MeshDifference{BlockLog::unionOf(logs, {4, 5, 6}), BlockLog::unionOf(logs, {2, 3})};
}

MeshDraft::MeshDraft(const NavMesh& mesh) {
  const auto known = arraysOf(mesh);
  if (known.value != nullptr) {
    versions_ = known.versions;
    arrays_ = versions_->draft(*known.value);
    return;
  }
  versions_ = Versions<LiveArrays>::make();
  arrays_ = std::make_unique<LiveArrays>(mesh);
  arrays_->state = Versions<LiveArrays>::nextState();
}

NavMesh MeshDraft::publish(MeshArrays info) {
  // Cells that are new or moved have their layer written.
  LoggedArray<Extent> extents(arrays_->extents, log_, 8);
  extents.resize((arrays_->cellLayer.size() + BlockLog::kBlock - 1) / BlockLog::kBlock, {});
  std::vector<uint32_t> blocks = log_.blocks(3);
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  for (const uint32_t block : blocks) {
    if (block < extents.size()) extents.set(block, arrays_->extentOf(block));
  }
  std::shared_ptr<const LiveArrays> arrays = versions_->publish(std::move(arrays_), std::exchange(log_, {}));
  const LiveArrays& a = *arrays;
  const NavMesh::Views views{a.vertices, a.heights, a.cellBegin, a.cellLayer, a.sideVertex, a.sideTwin, a.sideCell};
  return NavMesh(std::move(info), views, std::move(arrays));
}

void MeshDraft::setTwin(SideId side, SideId twin) {
  SideId& now = LoggedArray<SideId>(arrays_->sideTwin, log_, 5).edit(side);
  arrays_->joined -= now == kNone ? 0 : 1;
  arrays_->joined += twin == kNone ? 0 : 1;
  now = twin;
}

void MeshDraft::resizeSides(size_t sides) {
  for (size_t s = sides; s < arrays_->sideTwin.size(); ++s) setTwin(static_cast<SideId>(s), kNone);
  LoggedArray<SideId>(arrays_->sideTwin, log_, 5).resize(sides, kNone);
  sideVertex().resize(sides, kNone);
  sideCell().resize(sides, kNone);
}

SideId MeshDraft::next(SideId side) const {
  const CellId cell = arrays_->sideCell[side];
  return side + 1 == arrays_->cellBegin[cell + 1] ? arrays_->cellBegin[cell] : side + 1;
}

SideId MeshDraft::previous(SideId side) const {
  const CellId cell = arrays_->sideCell[side];
  return side == arrays_->cellBegin[cell] ? arrays_->cellBegin[cell + 1] - 1 : side - 1;
}

}  // namespace wend
