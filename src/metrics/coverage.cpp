#include "metrics/coverage.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "environment/boundary.h"
#include "geometry/int128.h"
#include "mesh/cell_geometry.h"
#include "metrics/cover_count.h"
#include "metrics/overhangs.h"

namespace wend {
namespace {

// Rounding moves a corner by half the diagonal of a fine square, so a side sweeps this much per fine unit of its
// length.
constexpr double kRounding = 0.70711;

// Lattice units around a vertex of a mesh.
void addAround(Box& box, Vec2 p) {
  box.add(Point{static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
  box.add(Point{static_cast<int32_t>(std::ceil(p.x)), static_cast<int32_t>(std::ceil(p.y))});
}

// Twin sides over the same ground cancel each other, so only the outline of the cells is left to look at.
bool cancels(const NavMesh& mesh, SideId side) {
  if (mesh.isWall(side)) return false;
  const SideId twin = mesh.twin(side);
  return mesh.twin(twin) == side && mesh.layerOf(mesh.cellOf(twin)) == mesh.layerOf(mesh.cellOf(side)) &&
         startPoint(mesh, side) == endPoint(mesh, twin) && endPoint(mesh, side) == startPoint(mesh, twin);
}

// One layer's covered and free space, on its fine lattice.
struct LayerCover {
  FineLattice lattice;
  CoverCount cover;
  double bound = 0;         // fine units squared
  bool offLattice = false;  // some corner was rounded
};

struct Sums {
  Int128 free = 0;
  Int128 mapped = 0;
  Int128 overhangs = 0;  // mapped parts of cells of other layers
  Int128 covered = 0;
  Int128 incorrect = 0;
};

Sums sumsOf(const CoverCount& cover) {
  Sums sums;
  for (uint32_t t = 0; t < cover.cells.size(); ++t) {
    const Int128 area = cover.doubledArea(t);
    if (cover.free[t] == 0) {
      sums.incorrect += cover.cells[t] * area;
      continue;
    }
    sums.free += area;
    sums.mapped += cover.cells[t] * area;
    sums.overhangs += cover.overhangs[t] * area;
    if (cover.covered(t)) sums.covered += area;
  }
  return sums;
}

class CoverageMeasure {
 public:
  CoverageMeasure(const NavMesh& mesh, const Environment& environment, const MeasureSettings& settings,
                  const Context& context)
      : mesh_(mesh),
        environment_(environment),
        settings_(settings),
        context_(context),
        boundary_(environment.layers, environment.connections),
        twin_(glue(boundary_, environment.connections)) {}

  Result<CoverageResult> run() {
    sortSides();
    const auto layers = static_cast<LayerId>(environment_.layers.size());
    overhangs_.resize(layers);
    for (LayerId layer = 0; layer < layers; ++layer) {
      context_.report("coverage", static_cast<double>(layer) / layers);
      Result<LayerCover> cover = coverLayer(layer, {});
      if (!cover.ok()) return cover.error();
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "measuring was cancelled"};
      result_.outlines += countOutlines(cover->cover);
      const Sums sums = sumsOf(cover->cover);
      const double square = squareMetres(cover->lattice);
      add(result_.metrics.freeArea, sums.free, square);
      add(result_.metrics.mappedArea, sums.mapped, square);
      covered_.push_back(static_cast<double>(sums.covered) * square);
      add(result_.metrics.incorrect, sums.incorrect, square);
      result_.metrics.bound += cover->bound * 2 * square;
      addLost(layer, *cover);
      addPieces(layer, *cover, DefectKind::kOverlap);
      addPieces(layer, *cover, DefectKind::kIncorrect);
      addPieces(layer, *cover, DefectKind::kMissing);
      if (sums.incorrect > 0 && layers > 1) collectOverhangs(layer, *cover);
    }
    for (LayerId layer = 0; layer < layers && layers > 1; ++layer) {
      if (const Status status = host(layer); !status.ok()) return status.error();
    }
    finish();
    return std::move(result_);
  }

 private:
  double squareMetres(const FineLattice& lattice) const {
    const double side = environment_.lattice.unit / lattice.scale();
    return 0.5 * side * side;
  }
  static void add(double& sum, Int128 doubled, double square) { sum += static_cast<double>(doubled) * square; }

  void sortSides() {
    sides_.resize(environment_.layers.size());
    for (SideId s = 0; s < mesh_.sideCount(); ++s) {
      if (!cancels(mesh_, s)) sides_[mesh_.layerOf(mesh_.cellOf(s))].push_back(s);
    }
    edges_.resize(environment_.layers.size());
    for (uint32_t e = 0; e < boundary_.edgeCount(); ++e) edges_[boundary_.ring(e).layer].push_back(e);
  }

  Box boxOf(LayerId layer) const {
    Box box = boundingBox(environment_.layers[layer].free);
    for (const SideId s : sides_[layer]) addAround(box, startPoint(mesh_, s));
    return box;
  }

  Result<LayerCover> coverLayer(LayerId layer, std::span<const std::vector<Vec2>> overhangLoops) const {
    Box box = boxOf(layer);
    for (const auto& loop : overhangLoops) {
      for (const Vec2 p : loop) addAround(box, p);
    }
    LayerCover result{FineLattice(box), {}, 0, false};
    const FineLattice& fine = result.lattice;
    std::vector<CoverSegment> segments;
    const auto push = [&](Vec2 a, Vec2 b, CoverSource source, uint32_t cell) {
      if (!isWhole(a) || !isWhole(b)) {
        result.offLattice = true;
        result.bound += kRounding * (std::hypot(b.x - a.x, b.y - a.y) * fine.scale() + 1);
      }
      segments.push_back({fine.round(a), fine.round(b), source, cell});
    };
    for (const SideId s : sides_[layer]) {
      const bool passage = !mesh_.isWall(s) && mesh_.layerOf(mesh_.neighbour(s)) != layer;
      push(startPoint(mesh_, s), endPoint(mesh_, s), passage ? CoverSource::kPassage : CoverSource::kWall,
           mesh_.cellOf(s));
    }
    for (const uint32_t e : edges_[layer]) {
      push(toVec2(boundary_.start(e)), toVec2(boundary_.end(e)),
           twin_[e] == kNone ? CoverSource::kFree : CoverSource::kOpen, kNone);
    }
    for (const auto& loop : overhangLoops) {
      for (size_t i = 0; i < loop.size(); ++i) {
        push(loop[i], loop[i + 1 == loop.size() ? 0 : i + 1], CoverSource::kOverhang, kNone);
      }
    }
    Result<CoverCount> cover = countCover(segments, context_);
    if (!cover.ok()) return cover.error();
    result.cover = std::move(cover).value();
    result.bound += result.cover.bend;
    return result;
  }

  static bool isDefect(const CoverCount& cover, uint32_t t, DefectKind kind) {
    const int32_t all = cover.cells[t] + cover.overhangs[t];
    switch (kind) {
      case DefectKind::kMissing:
        return cover.free[t] != 0 && all <= 0;
      case DefectKind::kIncorrect:
        return cover.free[t] == 0 && cover.cells[t] > 0;
      case DefectKind::kOverlap:
        return cover.free[t] != 0 && all > 1;
      case DefectKind::kLostAdjacency:
        break;
    }
    return false;
  }

  // Connected pieces of one kind. Where corners were rounded, slivers as thin as the rounding are none.
  void addPieces(LayerId layer, const LayerCover& in, DefectKind kind) {
    const CoverCount& cover = in.cover;
    const auto& triangles = cover.triangulation.triangles;
    std::vector<bool> seen(triangles.size(), false);
    std::vector<uint32_t> stack;
    for (uint32_t first = 0; first < triangles.size(); ++first) {
      if (seen[first] || !isDefect(cover, first, kind)) continue;
      Int128 sum = 0;
      double rim = 0;
      uint32_t largest = first;
      seen[first] = true;
      stack.push_back(first);
      while (!stack.empty()) {
        const uint32_t t = stack.back();
        stack.pop_back();
        const Int128 area = cover.doubledArea(t);
        sum += area;
        if (area > cover.doubledArea(largest)) largest = t;
        for (size_t i = 0; i < 3; ++i) {
          const uint32_t n = triangles[t].n[i];
          if (n != kNone && isDefect(cover, n, kind)) {
            if (!seen[n]) stack.push_back(n);
            seen[n] = true;
            continue;
          }
          const Point a = cover.triangulation.points[triangles[t].v[(i + 1) % 3]];
          const Point b = cover.triangulation.points[triangles[t].v[(i + 2) % 3]];
          rim += std::hypot(static_cast<double>(b.x) - a.x, static_cast<double>(b.y) - a.y);
        }
      }
      if (in.offLattice && static_cast<double>(sum) <= 4 * rim) continue;
      addDefect(kind, layer, centre(in, largest), static_cast<double>(sum) * squareMetres(in.lattice));
    }
  }

  static Vec2 centre(const LayerCover& in, uint32_t t) {
    Vec2 sum;
    for (const uint32_t v : in.cover.triangulation.triangles[t].v) {
      const Point p = in.cover.triangulation.points[v];
      sum = {sum.x + p.x, sum.y + p.y};
    }
    return in.lattice.units(Vec2{sum.x / 3, sum.y / 3});
  }

  const Locator& locator() {
    if (!locator_) locator_.emplace(mesh_);
    return *locator_;
  }

  void addDefect(DefectKind kind, LayerId layer, Vec2 units, double size) {
    defects_.push_back({kind, layer, kNone, environment_.lattice.toMetres(units), size});
    // Kept small: the largest count.
    if (defects_.size() > 16 * settings_.defects + 4096) shrinkDefects();
  }

  void shrinkDefects() {
    std::stable_sort(defects_.begin(), defects_.end(), [](const MeshDefect& a, const MeshDefect& b) {
      return a.size > b.size || (a.size == b.size && a.kind < b.kind);
    });
    if (defects_.size() > 4 * settings_.defects) defects_.resize(4 * settings_.defects);
  }

  void addLost(LayerId layer, const LayerCover& in) {
    for (const LostPortal& piece : in.cover.lost) {
      const Vec2 a = in.lattice.units(piece.a);
      const Vec2 b = in.lattice.units(piece.b);
      const double length = std::hypot(b.x - a.x, b.y - a.y) * environment_.lattice.unit;
      addDefect(DefectKind::kLostAdjacency, layer, {(a.x + b.x) / 2, (a.y + b.y) / 2}, length);
      defects_.back().cell = piece.cell;
    }
  }

  // What of this layer's cells lies beyond its free space may lie on another layer.
  void collectOverhangs(LayerId layer, const LayerCover& in) {
    std::vector<CellId> under(64);
    for (uint32_t t = 0; t < in.cover.cells.size(); ++t) {
      if (!isDefect(in.cover, t, DefectKind::kIncorrect)) continue;
      std::array<Vec2, 3> triangle;
      for (size_t i = 0; i < 3; ++i) {
        triangle[i] = in.lattice.units(in.cover.triangulation.points[in.cover.triangulation.triangles[t].v[i]]);
      }
      const size_t found = std::min(under.size(), locator().locateAll(centre(in, t), layer, under));
      std::vector<Overhang> pieces;
      for (size_t i = 0; i < found; ++i) addOverhangs(mesh_, under[i], triangle, pieces);
      for (Overhang& piece : pieces) overhangs_[layer].push_back(std::move(piece));
    }
  }

  // Overhangs on the free space of a layer: they are not incorrect, and cover what its own cells may leave out.
  Status host(LayerId layer) {
    const LayerSurface surface(environment_.layers[layer].heights);
    const Box box = boundingBox(environment_.layers[layer].free);
    std::vector<std::vector<Vec2>> loops;
    for (LayerId home = 0; home < overhangs_.size(); ++home) {
      if (home == layer) continue;
      for (const Overhang& overhang : overhangs_[home]) {
        if (mayMeet(overhang, box)) surface.mapOverhang(overhang, settings_.mapping, loops);
      }
    }
    if (loops.empty()) return Done{};
    const Result<LayerCover> together = coverLayer(layer, loops);
    if (!together.ok()) return together.error();
    const double square = squareMetres(together->lattice);
    const Sums sums = sumsOf(together->cover);
    const double overhangs = static_cast<double>(sums.overhangs) * square;
    result_.metrics.mappedArea += overhangs;
    result_.metrics.incorrect -= overhangs;
    covered_[layer] = static_cast<double>(sums.covered) * square;
    result_.metrics.bound += together->bound * 2 * square;
    std::erase_if(defects_, [&](const MeshDefect& d) { return d.kind == DefectKind::kMissing && d.layer == layer; });
    addPieces(layer, *together, DefectKind::kMissing);
    return Done{};
  }

  static bool mayMeet(const Overhang& overhang, const Box& box) {
    const auto all = [&](auto&& outside) {
      return std::all_of(overhang.corners.begin(), overhang.corners.end(), outside);
    };
    return !all([&](Vec2 p) { return p.x <= box.min.x; }) && !all([&](Vec2 p) { return p.x >= box.max.x; }) &&
           !all([&](Vec2 p) { return p.y <= box.min.y; }) && !all([&](Vec2 p) { return p.y >= box.max.y; });
  }

  // Whether a place beyond a layer's free space lies on another layer within reach.
  bool isHosted(const MeshDefect& defect, CellId cell) const {
    const Vec2 units = environment_.lattice.toUnits(defect.place);
    const Point p{static_cast<int32_t>(std::nearbyint(units.x)), static_cast<int32_t>(std::nearbyint(units.y))};
    double z = 0;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) z += mesh_.position(mesh_.startVertex(s)).z;
    z /= mesh_.sideCount(cell);
    for (LayerId other = 0; other < environment_.layers.size(); ++other) {
      if (other == defect.layer || locate(environment_.layers[other].free, p) != Side::kInside) continue;
      if (std::abs(environment_.layers[other].heights.at(units) - z) <= settings_.mapping) return true;
    }
    return false;
  }

  void finish() {
    CoverageMetrics& m = result_.metrics;
    m.incorrect = std::max(m.incorrect, 0.0);
    for (const double covered : covered_) m.covered += covered;
    m.regionArea = m.mappedArea + m.incorrect;
    m.overlap = std::max(m.mappedArea - m.covered, 0.0);
    shrinkDefects();
    std::stable_sort(defects_.begin(), defects_.end(), [](const MeshDefect& a, const MeshDefect& b) {
      return a.kind != b.kind ? a.kind < b.kind : a.size > b.size;
    });
    for (MeshDefect& defect : defects_) {
      if (result_.defects.size() >= settings_.defects) break;
      if (defect.kind == DefectKind::kIncorrect || defect.kind == DefectKind::kOverlap) {
        defect.cell = locator().locate(defect.place, defect.layer);
        const bool hosted =
            defect.kind == DefectKind::kIncorrect && defect.cell != kNone && isHosted(defect, defect.cell);
        if (hosted) continue;
      }
      result_.defects.push_back(defect);
    }
  }

  const NavMesh& mesh_;
  const Environment& environment_;
  const MeasureSettings& settings_;
  const Context& context_;
  const Boundary boundary_;
  const std::vector<uint32_t> twin_;
  std::vector<std::vector<SideId>> sides_;        // per layer: those that do not cancel
  std::vector<std::vector<uint32_t>> edges_;      // per layer: of the boundary
  std::vector<std::vector<Overhang>> overhangs_;  // per layer they come from
  std::vector<double> covered_;                   // m2, per layer
  std::vector<MeshDefect> defects_;
  std::optional<Locator> locator_;
  CoverageResult result_;
};

}  // namespace

Result<CoverageResult> measureCoverage(const NavMesh& mesh, const Environment& environment,
                                       const MeasureSettings& settings, const Context& context) {
  return CoverageMeasure(mesh, environment, settings, context).run();
}

}  // namespace wend
