#include "mesh/mesh_patch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "environment/edit/boundary_change.h"
#include "geometry/int128.h"
#include "mesh/live_arrays.h"
#include "mesh/place_cells.h"

namespace wend {

MeshPatch::MeshPatch(const NavMesh& mesh, const Environment& after, const EditFacts* facts, double tolerance)
    : mesh_(mesh), after_(after), facts_(facts), tolerance_(tolerance), removed_(mesh.cellCount(), 0) {}

void MeshPatch::addCell(LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> walls) {
  added_.walls.resize(added_.points.size(), 0);
  added_.walls.insert(added_.walls.end(), walls.begin(), walls.end());
  added_.points.insert(added_.points.end(), loop.begin(), loop.end());
  added_.begin.push_back(static_cast<uint32_t>(added_.points.size()));
  added_.layers.push_back(layer);
}

// The cells beside first, so that the new corners are welded to theirs. Their sides that face a removed cell are open,
// all others are known.
LooseCells MeshPatch::looseCells() const {
  LooseCells loose;
  for (const CellId cell : beside_) {
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      loose.points.push_back(mesh_.vertex(mesh_.startVertex(s)));
      const bool open = !mesh_.isWall(s) && isRemoved(mesh_.neighbour(s));
      loose.walls.push_back(open ? 0 : 1);
    }
    loose.begin.push_back(static_cast<uint32_t>(loose.points.size()));
    loose.layers.push_back(mesh_.layerOf(cell));
  }
  const auto offset = static_cast<uint32_t>(loose.points.size());
  loose.points.insert(loose.points.end(), added_.points.begin(), added_.points.end());
  loose.walls.insert(loose.walls.end(), added_.walls.begin(), added_.walls.end());
  for (size_t i = 1; i < added_.begin.size(); ++i) loose.begin.push_back(offset + added_.begin[i]);
  loose.layers.insert(loose.layers.end(), added_.layers.begin(), added_.layers.end());
  return loose;
}

std::vector<uint32_t> MeshPatch::connectionsNear(const LooseCells& loose) const {
  Vec2 low{1e300, 1e300};
  Vec2 high{-1e300, -1e300};
  for (const Vec2 p : loose.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  std::vector<uint32_t> near;
  for (uint32_t c = 0; c < after_.connections.size(); ++c) {
    const Box box = boundingBox(std::span<const Point>(after_.connections[c].line));
    if (box.min.x <= high.x + 1 && box.max.x >= low.x - 1 && box.min.y <= high.y + 1 && box.max.y >= low.y - 1) {
      near.push_back(c);
    }
  }
  return near;
}

// Pieces of a cell beside: one for each known side, one or more for the others.
bool MeshPatch::matchBeside(const JoinedCells& joined, uint32_t index, uint32_t& piece,
                            std::vector<SideId>& oldOfPiece) const {
  const CellId cell = beside_[index];
  const std::vector<SidePiece>& pieces = joined.pieces;
  const std::vector<Vec2>& positions = joined.welding.positions;
  for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
    const Vec2 from = mesh_.vertex(mesh_.startVertex(s));
    const Vec2 to = mesh_.vertex(mesh_.endVertex(s));
    const bool open = !mesh_.isWall(s) && isRemoved(mesh_.neighbour(s));
    if (piece >= pieces.size() || pieces[piece].cell != index || positions[pieces[piece].a] != from) return false;
    while (open && piece < pieces.size() && pieces[piece].cell == index && positions[pieces[piece].b] != to) ++piece;
    if (piece >= pieces.size() || pieces[piece].cell != index || positions[pieces[piece].b] != to) return false;
    if (!open) oldOfPiece[piece] = s;
    ++piece;
  }
  return piece == pieces.size() || pieces[piece].cell != index;
}

bool MeshPatch::matchBeside(const JoinedCells& joined, std::vector<SideId>& oldOfPiece) const {
  oldOfPiece.assign(joined.pieces.size(), kNone);
  uint32_t piece = 0;
  for (uint32_t i = 0; i < beside_.size(); ++i) {
    if (i >= joined.source.size() || joined.source[i] != i) return false;
    if (!matchBeside(joined, i, piece, oldOfPiece)) return false;
  }
  return true;
}

Status MeshPatch::checkSums(const PatchedMesh& patched, uint32_t joinedSides) const {
  // Relative: areas of cells with corners off the lattice are rounded.
  constexpr double kRoundedArea = 1e-9;
  const NavMesh& mesh = patched.mesh;
  const Topology& wanted = mesh.info().environment;
  double added = 0;
  double removed = 0;
  for (const CellId cell : gone_) removed += cellArea(mesh_, cell);
  for (const CellId cell : patched.cells) added += cellArea(mesh, cell);
  const Int128 change = toInt128(wanted.doubledArea) - toInt128(mesh_.info().environment.doubledArea);
  const double square = mesh_.lattice().unit * mesh_.lattice().unit;
  const double off = std::abs(added - removed - 0.5 * static_cast<double>(change) * square);
  const int64_t edges = static_cast<int64_t>(mesh.sideCount()) - joinedSides / 2;
  const int64_t euler = static_cast<int64_t>(mesh.vertexCount()) - edges + mesh.cellCount();
  if (off <= kRoundedArea * (added + removed) + square && euler == wanted.euler()) return Done{};
  return Error{ErrorCode::kInternal,
               fmt::format("the new cells are off by {:.9g} m2, or their Euler number {} is not {}", off, euler,
                           wanted.euler())};
}

void MeshPatch::findBeside() {
  std::sort(gone_.begin(), gone_.end());
  beside_.clear();
  for (const CellId cell : gone_) {
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      if (!mesh_.isWall(s) && !isRemoved(mesh_.neighbour(s))) beside_.push_back(mesh_.neighbour(s));
    }
  }
  std::sort(beside_.begin(), beside_.end());
  beside_.erase(std::unique(beside_.begin(), beside_.end()), beside_.end());
}

LateHash MeshPatch::hashOfEnvironment() const {
  if (facts_ == nullptr || !facts_->environment) return hash(after_);
  return LateHash([environment = facts_->environment] { return hash(*environment); });
}

Result<PatchedMesh> MeshPatch::build(const Context& context) {
  findBeside();
  LooseCells loose = looseCells();
  const std::vector<uint32_t> connections = connectionsNear(loose);
  Result<JoinedCells> joined =
      joinCells(after_, std::move(loose), connections, mesh_.info().traits.disjoint, tolerance_, context);
  if (!joined.ok()) return joined.error();
  std::vector<SideId> oldOfPiece;
  if (!matchBeside(*joined, oldOfPiece)) {
    return Error{ErrorCode::kInvalidGeometry, "the new cells do not fit the cells beside them"};
  }
  MeshDraft draft(mesh_);
  const LiveBase* base = facts_ != nullptr && facts_->after ? &facts_->after->base() : nullptr;
  const JoinedPatch patch{mesh_, after_, base, gone_, beside_, *joined, oldOfPiece};
  CellPlacer placer(patch, draft);
  placer.run();

  PatchedMesh out;
  out.gone = gone_;
  out.cells = placer.added();
  for (size_t i = beside_.size(); i < joined->source.size(); ++i) {
    out.given.push_back(joined->source[i] - static_cast<uint32_t>(beside_.size()));
  }
  out.removed = static_cast<uint32_t>(gone_.size());
  out.added = static_cast<uint32_t>(out.cells.size());
  out.source.resize(draft.arrays().cellLayer.size());
  std::iota(out.source.begin(), out.source.end(), CellId{0});
  for (const CellPlacer::Moved& move : placer.moved()) {
    out.source[move.to] = move.from;
    out.moved.emplace_back(move.from, move.to);
  }
  for (const CellId cell : out.cells) out.source[cell] = kNone;

  const MeshArrays& info = mesh_.info();
  MeshArrays small;
  small.lattice = info.lattice;
  small.generator = info.generator;
  small.settingsHash = info.settingsHash;
  small.traits = info.traits;
  small.traits.exact = info.traits.exact && keepsExact_;
  small.layerIds = info.layerIds;
  small.layerNames = info.layerNames;
  small.layerHeights = info.layerHeights;
  small.environmentHash = hashOfEnvironment();
  const bool known = facts_ != nullptr && facts_->topology;
  small.environment = known ? *facts_->topology : topology(after_);
  const uint32_t joinedSides = draft.arrays().joined;
  out.mesh = draft.publish(std::move(small));
  if (!out.mesh.info().traits.exact || !info.traits.disjoint) return out;
  if (const Status status = checkSums(out, joinedSides); !status.ok()) return status.error();
  return out;
}

}  // namespace wend
