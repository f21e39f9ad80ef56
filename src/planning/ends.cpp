#include "planning/ends.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "planning/turn.h"

namespace wend {
namespace {

// Metres divided by the unit miss a lattice point by rounding (about 1e-7 units at the edge of the lattice); within
// this a query point is meant to be the lattice point, so that corners given in metres are exact.
constexpr double kSnap = 1e-6;

// A point on a slanted wall has no exact double. Off the mesh by less than this (0.1 micrometre on the default lattice)
// it is moved onto it.
constexpr double kNudge = 1e-3;

constexpr double kHeightTolerance = 1.0;  // metres between a query's z and the surface, as in Locator

double snap(double units) {
  const double whole = std::round(units);
  return std::abs(units - whole) <= kSnap ? whole : units;
}

// The layer a point belongs to, or kNone.
LayerId chooseLayer(const NavMesh& mesh, const Locator& locator, Vec2 units, double z, bool withHeights,
                    double& height) {
  LayerId best = kNone;
  double bestRank = 0;
  const Vec2 metres = mesh.lattice().toMetres(units);
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    std::array<CellId, 1> any{};
    if (locator.locateAll(units, layer, any) == 0) continue;
    const double at = locator.height(metres, layer);
    const double rank = withHeights ? std::abs(at - z) : at;
    if (withHeights && rank > kHeightTolerance) continue;
    if (best != kNone && rank >= bestRank) continue;
    best = layer;
    bestRank = rank;
    height = at;
  }
  return best;
}

// Adds the cells behind portals that contain the point: cells of other layers at a connection.
void addAcrossPortals(const NavMesh& mesh, QueryStamp now, StampedSet& seen, End& end) {
  for (size_t i = 0; i < end.cells.size(); ++i) {
    const CellId cell = end.cells[i];
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      if (mesh.isWall(s) || seen.has(mesh.neighbour(s), now)) continue;
      const Vec2 a = mesh.vertex(mesh.startVertex(s));
      const Vec2 b = mesh.vertex(mesh.endVertex(s));
      if (!isBetween(a, end.units, b) || turn(a, b, end.units) != 0) continue;
      seen.insert(mesh.neighbour(s), now);
      end.cells.push_back(mesh.neighbour(s));
    }
  }
}

}  // namespace

bool locateEnd(const NavMesh& mesh, const Locator& locator, Vec3 metres, bool withHeights, QueryStamp now,
               StampedSet& seen, End& end) {
  end.cells.clear();
  const Vec2 raw = mesh.lattice().toUnits({metres.x, metres.y});
  const Vec2 exact{snap(raw.x), snap(raw.y)};
  if (std::abs(exact.x) > kMaxCoordinate + 1.0 || std::abs(exact.y) > kMaxCoordinate + 1.0) return false;
  constexpr std::array<Vec2, 9> kMoves{{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};
  LayerId layer = kNone;
  for (const Vec2 move : kMoves) {
    end.units = {exact.x + kNudge * move.x, exact.y + kNudge * move.y};
    layer = chooseLayer(mesh, locator, end.units, metres.z, withHeights, end.z);
    if (layer != kNone) break;
  }
  if (layer == kNone) return false;

  end.cells.resize(std::max<size_t>(end.cells.capacity(), 8));
  size_t found = locator.locateAll(end.units, layer, end.cells);
  if (found > end.cells.size()) {
    end.cells.resize(found);
    found = locator.locateAll(end.units, layer, end.cells);
  }
  end.cells.resize(found);
  for (const CellId cell : end.cells) seen.insert(cell, now);
  addAcrossPortals(mesh, now, seen, end);
  return true;
}

}  // namespace wend
