#include <numeric>
#include <utility>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/join_cells.h"
#include "mesh/surface_index.h"
#include "mesh/validator/check_arrays.h"
#include "mesh/validator/check_steps.h"

namespace wend {
namespace {

constexpr const char* kStage = "build mesh";
constexpr size_t kVertexBlock = 256;  // vertices per task

// One vertex per fan: the corners that meet across shared sides. Returns the first side of each fan.
std::vector<SideId> numberFans(MeshArrays& arrays) {
  const auto sides = static_cast<uint32_t>(arrays.sideCell.size());
  const auto next = [&](SideId s) {
    const CellId cell = arrays.sideCell[s];
    return s + 1 == arrays.cellBegin[cell + 1] ? arrays.cellBegin[cell] : s + 1;
  };
  const auto previous = [&](SideId s) {
    const CellId cell = arrays.sideCell[s];
    return s == arrays.cellBegin[cell] ? arrays.cellBegin[cell + 1] - 1 : s - 1;
  };
  arrays.sideVertex.assign(sides, kNone);
  std::vector<SideId> firstOf;
  for (SideId s = 0; s < sides; ++s) {
    if (arrays.sideVertex[s] != kNone) continue;
    const auto vertex = static_cast<VertexId>(firstOf.size());
    firstOf.push_back(s);
    SideId t = s;
    do {
      arrays.sideVertex[t] = vertex;
      t = arrays.sideTwin[previous(t)];
    } while (t != kNone && t != s);
    if (t == s) continue;
    for (t = arrays.sideTwin[s]; t != kNone; t = arrays.sideTwin[next(t)]) arrays.sideVertex[next(t)] = vertex;
  }
  return firstOf;
}

void setVertices(MeshArrays& arrays, const Environment& environment, const Welding& welding,
                 std::span<const SidePiece> pieces, const Context& context) {
  const std::vector<SideId> firstOf = numberFans(arrays);
  std::vector<SurfaceIndex> surfaces;
  surfaces.reserve(environment.layers.size());
  for (const Layer& layer : environment.layers) surfaces.emplace_back(layer.heights);
  arrays.vertices.resize(firstOf.size());
  arrays.heights.resize(firstOf.size());
  parallelBlocks(firstOf.size(), kVertexBlock, context, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      const SidePiece& piece = pieces[firstOf[i]];
      arrays.vertices[i] = welding.positions[piece.a];
      arrays.heights[i] = surfaces[arrays.cellLayer[piece.cell]].at(arrays.vertices[i]);
    }
  });
}

MeshArrays assemble(const Environment& environment, JoinedCells joined, const Context& context) {
  MeshArrays arrays;
  arrays.lattice = environment.lattice;
  const std::vector<SidePiece>& pieces = joined.pieces;
  arrays.cellLayer = std::move(joined.layers);
  arrays.cellBegin.assign(arrays.cellLayer.size() + 1, 0);
  arrays.sideCell.reserve(pieces.size());
  arrays.sideTwin.reserve(pieces.size());
  for (const SidePiece& piece : pieces) {
    ++arrays.cellBegin[piece.cell + 1];
    arrays.sideCell.push_back(piece.cell);
    arrays.sideTwin.push_back(piece.twin);
  }
  for (size_t i = 1; i < arrays.cellBegin.size(); ++i) arrays.cellBegin[i] += arrays.cellBegin[i - 1];
  setVertices(arrays, environment, joined.welding, pieces, context);
  for (const Layer& layer : environment.layers) {
    arrays.layerIds.push_back(layer.id);
    arrays.layerNames.push_back(layer.name);
    arrays.layerHeights.push_back(layer.heights);
  }
  return arrays;
}

// Ids in range, twins mutual over the same vertices. Overlapping cells are left to checkMesh().
bool isJoined(const NavMesh& mesh) {
  if (!checkArrays(mesh, 1).empty()) return false;
  FaultList faults(mesh, 1);
  checkTwins(mesh, faults);
  return faults.size() == 0;
}

}  // namespace

MeshBuilder::MeshBuilder(const Environment& environment, double tolerance)
    : environment_(environment), tolerance_(tolerance) {}

void MeshBuilder::reserve(size_t cells, size_t sides) {
  points_.reserve(sides);
  begin_.reserve(cells + 1);
  layers_.reserve(cells);
}

void MeshBuilder::addCell(LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> walls) {
  if (!walls.empty()) {
    walls_.resize(points_.size(), 0);
    walls_.insert(walls_.end(), walls.begin(), walls.end());
  }
  points_.insert(points_.end(), loop.begin(), loop.end());
  begin_.push_back(static_cast<uint32_t>(points_.size()));
  layers_.push_back(layer);
}

void MeshBuilder::addCell(LayerId layer, std::span<const Point> loop) {
  for (const Point p : loop) points_.push_back(toVec2(p));
  begin_.push_back(static_cast<uint32_t>(points_.size()));
  layers_.push_back(layer);
}

Result<NavMesh> MeshBuilder::build(const std::string& generator, uint64_t settingsHash, const MeshTraits& traits,
                                   const Context& context, std::vector<uint32_t>* kept) {
  LooseCells loose{std::exchange(points_, {}), std::exchange(begin_, {0}), std::exchange(layers_, {}),
                   std::exchange(walls_, {})};
  const size_t given = loose.layers.size();
  std::vector<uint32_t> connections(environment_.connections.size());
  std::iota(connections.begin(), connections.end(), 0U);
  Result<JoinedCells> joined =
      joinCells(environment_, std::move(loose), connections, traits.disjoint, tolerance_, context);
  if (!joined.ok()) return joined.error();
  if (joined->layers.size() < given) {
    context.note(
        fmt::format("{} cells narrower than {} units were dropped.", given - joined->layers.size(), tolerance_));
  }
  if (kept != nullptr) *kept = std::move(joined->source);
  MeshArrays arrays;
  uint64_t environmentHash = 0;
  Topology environmentTopology;
  parallelFor(3, context, [&](size_t i) {
    if (i == 0) arrays = assemble(environment_, std::move(*joined), context);
    if (i == 1) environmentHash = hash(environment_);
    if (i == 2) environmentTopology = topology(environment_);
  });
  if (context.cancelled()) {
    return Error{ErrorCode::kCancelled, "The mesh was not built because the caller cancelled it."};
  }
  context.report(kStage, 0.8);
  arrays.generator = generator;
  arrays.settingsHash = settingsHash;
  arrays.traits = traits;
  arrays.environmentHash = environmentHash;
  arrays.environment = environmentTopology;
  NavMesh mesh(std::move(arrays));
  WEND_ASSERT(isJoined(mesh), "a mesh that was built has ids in range and mutual twins");
  context.report(kStage, 1);
  return mesh;
}

}  // namespace wend
