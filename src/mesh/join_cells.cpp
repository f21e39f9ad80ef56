#include "mesh/join_cells.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "geometry/predicates.h"
#include "mesh/exact_cuts.h"
#include "mesh/folds.h"
#include "mesh/near_cuts.h"

namespace wend {
namespace {

constexpr const char* kJoinStage = "build mesh";

Error cancelledError() {
  return {ErrorCode::kCancelled, "The mesh was not built because the caller cancelled it."};
}

std::string place(const Environment& environment, Vec2 units) {
  const Vec2 metres = environment.lattice.toMetres(units);
  return fmt::format("({:.4f}, {:.4f}) m", metres.x, metres.y);
}

std::string layerText(const Environment& environment, LayerId layer) {
  return fmt::format("layer {}", environment.layers[layer].id);
}

// --- cells ----------------------------------------------------------------------------------------------------------

struct Corner {
  uint32_t position;
  uint32_t wall;  // whether the side that starts here is one
  bool operator==(const Corner& other) const { return position == other.position; }
};

// Loops of positions, cleaned of what welding has made equal.
struct CellLoops {
  std::vector<uint32_t> begin{0};
  std::vector<Corner> corners;
  std::vector<LayerId> layers;
  std::vector<uint32_t> source;  // which of the given cells it was
};

// Whether a corner equals one of the two before it.
bool hasRepeats(std::span<const Corner> loop) {
  Corner last = loop[loop.size() - 1];
  Corner secondLast = loop[loop.size() - 2];
  for (const Corner corner : loop) {
    if (corner == last || corner == secondLast) return true;
    secondLast = last;
    last = corner;
  }
  return false;
}

// Drops repeated corners and spikes (a, b, a), which appear where fractional corners were welded.
// Of equal corners, the side of the last one is left. Returns what is left of the loop.
std::span<Corner> shrink(std::span<Corner> loop) {
  if (!hasRepeats(loop)) return loop;
  size_t first = 0;
  size_t end = 0;
  for (const Corner corner : loop) {
    if (end > 0 && loop[end - 1] == corner) {
      loop[end - 1].wall = corner.wall;
    } else if (end >= 2 && loop[end - 2] == corner) {
      --end;
      loop[end - 1].wall = corner.wall;
    } else {
      loop[end++] = corner;
    }
  }
  while (end - first >= 2) {
    if (loop[first] == loop[end - 1] || loop[first] == loop[end - 2]) {
      --end;
    } else if (loop[first + 1] == loop[end - 1]) {
      ++first;
    } else {
      break;
    }
  }
  return loop.subspan(first, end - first);
}

Int128 doubledAreaOf(const Welding& welding, std::span<const Corner> loop) {
  const auto at = [&](Corner corner) {
    const Vec2 p = welding.positions[corner.position];
    return Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)};
  };
  Int128 sum = 0;
  for (size_t i = 2; i < loop.size(); ++i) sum += cross(at(loop[0]), at(loop[i - 1]), at(loop[i]));
  return sum;
}

double roundedArea(const Welding& welding, std::span<const Corner> loop) {
  const Vec2 o = welding.positions[loop[0].position];
  double sum = 0;
  for (size_t i = 2; i < loop.size(); ++i) {
    const Vec2 p = welding.positions[loop[i - 1].position];
    const Vec2 q = welding.positions[loop[i].position];
    sum += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
  }
  return sum;
}

Error loopError(const Environment& environment, LayerId layer, size_t cell, Vec2 at, std::string_view what) {
  return {ErrorCode::kInvalidGeometry, fmt::format("Cell {} of {} at {} {}; check the environment with validate().",
                                                   cell, layerText(environment, layer), place(environment, at), what)};
}

double perimeter(const Welding& welding, std::span<const Corner> loop) {
  double sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 p = welding.positions[loop[i].position];
    const Vec2 q = welding.positions[loop[i + 1 == loop.size() ? 0 : i + 1].position];
    sum += std::hypot(q.x - p.x, q.y - p.y);
  }
  return sum;
}

// What is left of one cell's loop after welding, at least three corners; nothing if it has collapsed.
Result<std::span<Corner>> cleanLoop(const Environment& environment, const Welding& welding, LayerId layer, size_t cell,
                                    std::span<const Vec2> given, std::span<Corner> loop, double tolerance) {
  const Vec2 at = welding.positions[loop.front().position];
  if (welding.allWhole || std::all_of(given.begin(), given.end(), [](Vec2 p) { return isOnLattice(p); })) {
    for (size_t i = 0; i < loop.size(); ++i) {
      if (loop[i] == loop[i + 1 == loop.size() ? 0 : i + 1]) {
        return loopError(environment, layer, cell, at, "repeats a corner");
      }
    }
    if (doubledAreaOf(welding, loop) > 0) return loop;
  } else {
    loop = shrink(loop);
    if (loop.size() < 3) return std::span<Corner>();
    const double area = roundedArea(welding, loop);
    if (area > 0) return loop;
    if (-area <= tolerance * perimeter(welding, loop)) return std::span<Corner>();
  }
  return loopError(environment, layer, cell, at, "is not counter-clockwise or has no area");
}

Result<CellLoops> cleanLoops(const Environment& environment, const Welding& welding, std::span<const Vec2> points,
                             std::span<const uint32_t> begin, std::span<const LayerId> layers,
                             std::span<const uint8_t> walls, double tolerance) {
  CellLoops out;
  out.begin.reserve(begin.size());
  out.layers.reserve(layers.size());
  out.source.reserve(layers.size());
  out.corners.reserve(begin.back());
  for (size_t i = 0; i < begin.back(); ++i) {
    out.corners.push_back({welding.position[i], i < walls.size() ? walls[i] : uint32_t{0}});
  }
  // Each loop is cleaned where it lies, and then moved up to the one before it.
  auto end = out.corners.begin();
  for (size_t cell = 0; cell < layers.size(); ++cell) {
    const size_t size = begin[cell + 1] - begin[cell];
    const Result<std::span<Corner>> loop =
        cleanLoop(environment, welding, layers[cell], cell, points.subspan(begin[cell], size),
                  std::span(out.corners).subspan(begin[cell], size), tolerance);
    if (!loop.ok()) return loop.error();
    if (loop->empty()) continue;
    end = std::copy(loop->begin(), loop->end(), end);
    out.begin.push_back(static_cast<uint32_t>(end - out.corners.begin()));
    out.layers.push_back(layers[cell]);
    out.source.push_back(static_cast<uint32_t>(cell));
  }
  out.corners.erase(end, out.corners.end());
  return out;
}

// --- sides ----------------------------------------------------------------------------------------------------------

std::vector<SidePiece> wholeSides(const CellLoops& cells) {
  std::vector<SidePiece> pieces;
  pieces.reserve(cells.corners.size());
  for (uint32_t cell = 0; cell < cells.layers.size(); ++cell) {
    for (uint32_t i = cells.begin[cell]; i < cells.begin[cell + 1]; ++i) {
      const uint32_t next = i + 1 == cells.begin[cell + 1] ? cells.begin[cell] : i + 1;
      const uint32_t domain = cells.corners[i].wall != 0 ? kNone : cells.layers[cell];
      pieces.push_back({cells.corners[i].position, cells.corners[next].position, domain, cell, kNone});
    }
  }
  return pieces;
}

// Positions of connection points follow those of the cells' corners in the welding.
std::vector<ConnectionEdge> connectionEdgesOf(const Environment& environment, std::span<const uint32_t> connections,
                                              const Welding& welding, size_t firstPoint) {
  std::vector<ConnectionEdge> connectionEdges;
  const auto layers = static_cast<uint32_t>(environment.layers.size());
  size_t point = firstPoint;
  for (const uint32_t c : connections) {
    const Connection& connection = environment.connections[c];
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      const uint32_t a = welding.position[point + i];
      const uint32_t b = welding.position[point + i + 1];
      if (a == b) continue;
      connectionEdges.push_back({a, b, connection.layerA, layers + c});
      connectionEdges.push_back({b, a, connection.layerB, layers + c});
    }
    point += connection.line.size();
  }
  return connectionEdges;
}

Error overlapError(const Environment& environment, const Welding& welding, std::span<const SidePiece> pieces,
                   const std::vector<LayerId>& layers, SameWay clash) {
  const SidePiece& piece = pieces[clash.piece];
  return {ErrorCode::kInvalidGeometry,
          fmt::format("Cells {} and {} of {} overlap along the side from {} to {}; check the environment with "
                      "validate(), or report the generator if it is valid.",
                      piece.cell, pieces[clash.other].cell, layerText(environment, layers[piece.cell]),
                      place(environment, welding.positions[piece.a]), place(environment, welding.positions[piece.b]))};
}

// Cells that have folded up have no pieces left.
void dropFolded(CellLoops& cells, std::span<SidePiece> pieces) {
  std::vector<uint32_t> moved(cells.layers.size(), kNone);
  for (const SidePiece& piece : pieces) moved[piece.cell] = 0;
  uint32_t count = 0;
  for (uint32_t cell = 0; cell < moved.size(); ++cell) {
    if (moved[cell] == kNone) continue;
    cells.layers[count] = cells.layers[cell];
    cells.source[count] = cells.source[cell];
    moved[cell] = count++;
  }
  cells.layers.resize(count);
  cells.source.resize(count);
  for (SidePiece& piece : pieces) piece.cell = moved[piece.cell];
}

// Every side cut into pieces with exactly one twin or none. Cells that fold up are dropped.
Result<std::vector<SidePiece>> cutSides(const Environment& environment, const Welding& welding, CellLoops& cells,
                                        std::span<const ConnectionEdge> connectionEdges, bool disjoint,
                                        double tolerance, const Context& context) {
  std::vector<SidePiece> pieces = wholeSides(cells);
  const size_t positions = welding.positions.size();
  std::vector<uint32_t> loose = looseOf(pieces);
  const auto cutAt = [&](std::vector<Cut> cuts) {
    if (cuts.empty()) return;
    applyCuts(pieces, std::move(cuts));
    loose = looseOf(pieces);
  };
  const auto enter = [&](const ConnectionMeetings& met) {
    for (const ConnectionMeetings::Within& piece : met.within) pieces[piece.piece].domain = piece.domain;
  };
  std::optional<SameWay> clash;
  enterConnections(pieces, loose, connectionEdges, positions);
  clash = pairOpposite(pieces, loose);
  if (clash && disjoint) return overlapError(environment, welding, pieces, cells.layers, *clash);
  if (context.cancelled()) return cancelledError();
  context.report(kJoinStage, 0.4);

  std::erase_if(loose, [&](uint32_t piece) { return !pieces[piece].isLoose(); });
  ConnectionMeetings met = meetConnections(pieces, loose, connectionEdges, welding);
  if (!met.cuts.empty()) {
    cutAt(std::move(met.cuts));
    met = meetConnections(pieces, loose, connectionEdges, welding);
  }
  enter(met);
  if (!welding.allWhole) {
    cutAt(nearCutsAtConnections(pieces, loose, connectionEdges, welding, tolerance));
    // Cutting at the ends of connections may have left pieces with both ends on the lattice.
    enterConnections(pieces, loose, connectionEdges, positions);
    enter(meetConnections(pieces, loose, connectionEdges, welding));
    nearlyEnterConnections(pieces, loose, connectionEdges, welding, tolerance);
  }
  ExactCuts exact = cutsAtOpposite(pieces, loose, welding);
  if (exact.clash && disjoint) return overlapError(environment, welding, pieces, cells.layers, *exact.clash);
  cutAt(std::move(exact.cuts));
  if (context.cancelled()) return cancelledError();
  bool folded = false;
  if (!welding.allWhole && !loose.empty()) {
    cutAt(nearCutsAtOpposite(pieces, loose, welding, tolerance));
    folded = dropLooseFolds(pieces);
    if (folded) loose = looseOf(pieces);
  }
  clash = pairOpposite(pieces, loose);
  if (clash && disjoint) return overlapError(environment, welding, pieces, cells.layers, *clash);
  if (!welding.allWhole && closeFolds(pieces)) folded = true;
  if (folded) dropFolded(cells, pieces);
  context.report(kJoinStage, 0.6);
  return pieces;
}

// --- what addCell() was given ---------------------------------------------------------------------------------------

Status checkInput(const Environment& environment, std::span<const Vec2> points, std::span<const uint32_t> begin,
                  std::span<const LayerId> layers) {
  for (size_t cell = 0; cell < layers.size(); ++cell) {
    if (layers[cell] >= environment.layers.size()) {
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("Cell {} names layer {}, but the environment has only {}; use an index into its layers.",
                               cell, layers[cell], environment.layers.size())};
    }
    const auto loop = points.subspan(begin[cell], begin[cell + 1] - begin[cell]);
    if (loop.size() < 3) {
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("Cell {} of {} has {} corners; a cell needs at least three.", cell,
                               layerText(environment, layers[cell]), loop.size())};
    }
    for (const Vec2 p : loop) {
      if (std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate) continue;
      return Error{ErrorCode::kOutsideLattice,
                   fmt::format("Cell {} of {} has a corner beyond the lattice; choose a coarser unit.", cell,
                               layerText(environment, layers[cell]))};
    }
  }
  for (size_t c = 0; c < environment.connections.size(); ++c) {
    const Connection& connection = environment.connections[c];
    if (connection.layerA >= environment.layers.size() || connection.layerB >= environment.layers.size()) {
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("Connection {} names a layer that does not exist; check the environment with "
                               "validate().",
                               c)};
    }
  }
  return Done{};
}

}  // namespace

Result<JoinedCells> joinCells(const Environment& environment, LooseCells loose, std::span<const uint32_t> connections,
                              bool disjoint, double tolerance, const Context& context) {
  context.report(kJoinStage, 0);
  // Half of the ids stay free for the pieces that cutting adds.
  if (loose.points.size() > kNone / 2) {
    return Error{ErrorCode::kLimit, fmt::format("The cells have {} sides; a mesh holds at most {}. Split the world.",
                                                loose.points.size(), kNone / 2)};
  }
  if (Status status = checkInput(environment, loose.points, loose.begin, loose.layers); !status.ok()) {
    return status.error();
  }
  const size_t cornerCount = loose.points.size();
  for (const uint32_t c : connections) {
    for (const Point p : environment.connections[c].line) loose.points.push_back(toVec2(p));
  }
  JoinedCells joined;
  joined.welding = weld(loose.points, tolerance);
  auto cells = cleanLoops(environment, joined.welding, loose.points, loose.begin, loose.layers, loose.walls, tolerance);
  if (!cells.ok()) return cells.error();
  if (context.cancelled()) return cancelledError();
  context.report(kJoinStage, 0.2);

  const std::vector<ConnectionEdge> connectionEdges =
      connectionEdgesOf(environment, connections, joined.welding, cornerCount);
  auto pieces = cutSides(environment, joined.welding, *cells, connectionEdges, disjoint, tolerance, context);
  if (!pieces.ok()) return pieces.error();
  joined.pieces = std::move(pieces).value();
  joined.layers = std::move(cells->layers);
  joined.source = std::move(cells->source);
  return joined;
}

}  // namespace wend
