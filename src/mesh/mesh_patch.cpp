#include "mesh/mesh_patch.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "geometry/int128.h"
#include "mesh/surface_index.h"

namespace wend {

// The arrays while they are put together. Sides of cells that stay are known by their old ids, those that were joined
// again by their piece.
struct MeshPatch::Assembly {
  JoinedCells joined;
  std::vector<SideId> sideOfOld;    // per side of the old mesh
  std::vector<SideId> sideOfPiece;  // per piece
  std::vector<SideId> oldOfPiece;   // per piece of a cell beside: the old side, if its twin stays or it is a wall
  std::vector<CellId> source;       // per cell
  std::vector<uint32_t> given;      // per new cell
  uint32_t twins = 0;               // sides that have one
  MeshArrays arrays;
};

MeshPatch::MeshPatch(const NavMesh& mesh, const Environment& after, double tolerance)
    : mesh_(mesh), after_(after), tolerance_(tolerance), removed_(mesh.cellCount(), 0) {}

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
bool MeshPatch::placeBeside(Assembly& a, uint32_t index, uint32_t& piece) const {
  const CellId cell = beside_[index];
  const std::vector<SidePiece>& pieces = a.joined.pieces;
  const std::vector<Vec2>& positions = a.joined.welding.positions;
  for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
    const Vec2 from = mesh_.vertex(mesh_.startVertex(s));
    const Vec2 to = mesh_.vertex(mesh_.endVertex(s));
    const bool open = !mesh_.isWall(s) && isRemoved(mesh_.neighbour(s));
    if (piece >= pieces.size() || pieces[piece].cell != index || positions[pieces[piece].a] != from) return false;
    while (open && piece < pieces.size() && pieces[piece].cell == index && positions[pieces[piece].b] != to) ++piece;
    if (piece >= pieces.size() || pieces[piece].cell != index || positions[pieces[piece].b] != to) return false;
    if (!open) a.oldOfPiece[piece] = s;
    ++piece;
  }
  return piece == pieces.size() || pieces[piece].cell != index;
}

bool MeshPatch::placeCells(Assembly& a) const {
  const std::vector<SidePiece>& pieces = a.joined.pieces;
  const auto beside = static_cast<uint32_t>(beside_.size());
  for (uint32_t i = 0; i < beside; ++i) {
    if (i >= a.joined.source.size() || a.joined.source[i] != i) return false;
  }
  a.oldOfPiece.assign(pieces.size(), kNone);
  a.sideOfPiece.assign(pieces.size(), kNone);
  a.sideOfOld.assign(mesh_.sideCount(), kNone);
  MeshArrays& arrays = a.arrays;
  arrays.cellBegin = {0};
  arrays.cellBegin.reserve(mesh_.cellCount() + a.joined.layers.size() + 1);
  arrays.cellLayer.reserve(mesh_.cellCount() + a.joined.layers.size());
  a.source.reserve(mesh_.cellCount() + a.joined.layers.size());
  SideId next = 0;
  uint32_t piece = 0;
  uint32_t index = 0;
  const auto finish = [&](LayerId layer, CellId source) {
    arrays.cellBegin.push_back(next);
    arrays.cellLayer.push_back(layer);
    a.source.push_back(source);
  };
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
    if (isRemoved(cell)) continue;
    if (index < beside && beside_[index] == cell) {
      const uint32_t first = piece;
      if (!placeBeside(a, index, piece)) return false;
      for (uint32_t p = first; p < piece; ++p) {
        if (a.oldOfPiece[p] != kNone) a.sideOfOld[a.oldOfPiece[p]] = next;
        a.sideOfPiece[p] = next++;
      }
      ++index;
    } else {
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) a.sideOfOld[s] = next++;
    }
    finish(mesh_.layerOf(cell), cell);
  }
  for (uint32_t cell = beside; cell < a.joined.layers.size(); ++cell) {
    while (piece < pieces.size() && pieces[piece].cell == cell) a.sideOfPiece[piece++] = next++;
    finish(a.joined.layers[cell], kNone);
    a.given.push_back(a.joined.source[cell] - beside);
  }
  return piece == pieces.size();
}

void MeshPatch::joinSides(Assembly& a) const {
  MeshArrays& arrays = a.arrays;
  const SideId count = arrays.cellBegin.back();
  arrays.sideCell.resize(count);
  for (CellId cell = 0; cell < arrays.cellLayer.size(); ++cell) {
    for (SideId s = arrays.cellBegin[cell]; s < arrays.cellBegin[cell + 1]; ++s) arrays.sideCell[s] = cell;
  }
  arrays.sideTwin.assign(count, kNone);
  arrays.sideVertex.assign(count, kNone);
  for (SideId s = 0; s < mesh_.sideCount(); ++s) {
    const SideId side = a.sideOfOld[s];
    if (side == kNone) continue;
    arrays.sideVertex[side] = mesh_.startVertex(s);
    const SideId twin = mesh_.twin(s);
    if (twin == kNone) continue;
    arrays.sideTwin[side] = a.sideOfOld[twin];
    ++a.twins;
  }
  for (uint32_t p = 0; p < a.joined.pieces.size(); ++p) {
    const uint32_t twin = a.joined.pieces[p].twin;
    if (a.oldOfPiece[p] != kNone || twin == kNone) continue;
    arrays.sideTwin[a.sideOfPiece[p]] = a.sideOfPiece[twin];
    ++a.twins;
  }
}

// Around every corner that was joined again the fan gets a new number; all others keep their vertex.
void MeshPatch::numberVertices(Assembly& a) const {
  MeshArrays& arrays = a.arrays;
  const auto next = [&](SideId s) {
    const CellId cell = arrays.sideCell[s];
    return s + 1 == arrays.cellBegin[cell + 1] ? arrays.cellBegin[cell] : s + 1;
  };
  const auto previous = [&](SideId s) {
    const CellId cell = arrays.sideCell[s];
    return s == arrays.cellBegin[cell] ? arrays.cellBegin[cell + 1] - 1 : s - 1;
  };
  const uint32_t old = mesh_.vertexCount();
  struct Fresh {
    Vec2 p;
    double height;
  };
  std::vector<Fresh> fresh;
  std::vector<std::unique_ptr<SurfaceIndex>> surfaces(after_.layers.size());
  const auto heightAt = [&](LayerId layer, Vec2 p) {
    const HeightField& field = after_.layers[layer].heights;
    if (field.flat()) return field.base;
    if (!surfaces[layer]) surfaces[layer] = std::make_unique<SurfaceIndex>(field);
    return surfaces[layer]->at(p);
  };
  for (uint32_t piece = 0; piece < a.joined.pieces.size(); ++piece) {
    const SideId first = a.sideOfPiece[piece];
    if (arrays.sideVertex[first] != kNone && arrays.sideVertex[first] >= old) continue;
    const auto vertex = static_cast<VertexId>(old + fresh.size());
    const Vec2 p = a.joined.welding.positions[a.joined.pieces[piece].a];
    VertexId before = kNone;
    const auto take = [&](SideId s) {
      if (arrays.sideVertex[s] != kNone && arrays.sideVertex[s] < old) before = std::min(before, arrays.sideVertex[s]);
      arrays.sideVertex[s] = vertex;
    };
    SideId t = first;
    do {
      take(t);
      t = arrays.sideTwin[previous(t)];
    } while (t != kNone && t != first);
    if (t == kNone) {
      for (t = arrays.sideTwin[first]; t != kNone; t = arrays.sideTwin[next(t)]) take(next(t));
    }
    const bool same = before != kNone && mesh_.vertex(before) == p;
    fresh.push_back({p, same ? mesh_.views().heights[before] : heightAt(arrays.cellLayer[arrays.sideCell[first]], p)});
  }
  // Without the vertices that nothing refers to any more.
  std::vector<VertexId> moved(old + fresh.size(), kNone);
  for (const VertexId v : arrays.sideVertex) moved[v] = 0;
  VertexId count = 0;
  arrays.vertices.reserve(moved.size());
  arrays.heights.reserve(moved.size());
  for (VertexId v = 0; v < moved.size(); ++v) {
    if (moved[v] == kNone) continue;
    moved[v] = count++;
    arrays.vertices.push_back(v < old ? mesh_.vertex(v) : fresh[v - old].p);
    arrays.heights.push_back(v < old ? mesh_.views().heights[v] : fresh[v - old].height);
  }
  for (VertexId& v : arrays.sideVertex) v = moved[v];
}

Status MeshPatch::checkSums(const Assembly& a, const NavMesh& patched) const {
  // Relative: areas of cells with corners off the lattice are rounded.
  constexpr double kRoundedArea = 1e-9;
  const Topology& wanted = patched.info().environment;
  double added = 0;
  double removed = 0;
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) removed += isRemoved(cell) ? cellArea(mesh_, cell) : 0;
  for (auto cell = static_cast<CellId>(patched.cellCount() - a.given.size()); cell < patched.cellCount(); ++cell) {
    added += cellArea(patched, cell);
  }
  const Int128 change = toInt128(wanted.doubledArea) - toInt128(mesh_.info().environment.doubledArea);
  const double square = mesh_.lattice().unit * mesh_.lattice().unit;
  const double off = std::abs(added - removed - 0.5 * static_cast<double>(change) * square);
  const int64_t edges = static_cast<int64_t>(patched.sideCount()) - a.twins / 2;
  const int64_t euler = static_cast<int64_t>(patched.vertexCount()) - edges + patched.cellCount();
  if (off <= kRoundedArea * (added + removed) + square && euler == wanted.euler()) return Done{};
  return Error{ErrorCode::kInternal,
               fmt::format("the new cells are off by {:.9g} m2, or their Euler number {} is not {}", off, euler,
                           wanted.euler())};
}

Result<PatchedMesh> MeshPatch::build(const Context& context) {
  std::vector<uint8_t> isBeside(mesh_.cellCount(), 0);
  PatchedMesh out;
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
    if (!isRemoved(cell)) continue;
    ++out.removed;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      if (!mesh_.isWall(s) && !isRemoved(mesh_.neighbour(s))) isBeside[mesh_.neighbour(s)] = 1;
    }
  }
  beside_.clear();
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
    if (isBeside[cell] != 0) beside_.push_back(cell);
  }
  Assembly assembly;
  LooseCells loose = looseCells();
  const std::vector<uint32_t> connections = connectionsNear(loose);
  Result<JoinedCells> joined =
      joinCells(after_, std::move(loose), connections, mesh_.info().traits.disjoint, tolerance_, context);
  if (!joined.ok()) return joined.error();
  assembly.joined = std::move(joined).value();
  if (!placeCells(assembly)) {
    return Error{ErrorCode::kInvalidGeometry, "the new cells do not fit the cells beside them"};
  }
  joinSides(assembly);
  numberVertices(assembly);

  const MeshArrays& info = mesh_.info();
  MeshArrays& arrays = assembly.arrays;
  arrays.lattice = info.lattice;
  arrays.generator = info.generator;
  arrays.settingsHash = info.settingsHash;
  arrays.traits = info.traits;
  arrays.traits.exact = info.traits.exact && keepsExact_;
  arrays.layerIds = info.layerIds;
  arrays.layerNames = info.layerNames;
  arrays.layerHeights = info.layerHeights;
  arrays.environmentHash = hash(after_);
  arrays.environment = topology(after_);
  out.added = static_cast<uint32_t>(assembly.given.size());
  out.source = std::move(assembly.source);
  out.given = assembly.given;
  out.mesh = NavMesh(std::move(arrays));
  if (!out.mesh.info().traits.exact || !info.traits.disjoint) return out;
  if (const Status status = checkSums(assembly, out.mesh); !status.ok()) return status.error();
  return out;
}

}  // namespace wend
