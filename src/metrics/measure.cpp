#include <algorithm>
#include <cmath>

#include <wend/metrics.h>

#include <fmt/format.h>

#include "mesh/cell_geometry.h"
#include "mesh/validator/check_arrays.h"
#include "metrics/complexity.h"
#include "metrics/coverage.h"
#include "metrics/hale_graph.h"
#include "metrics/hale_shape.h"

namespace wend {
namespace {

Error invalid(const char* field, double value, double min, double max) {
  return {ErrorCode::kInvalidSettings,
          fmt::format("the setting {} is {:g}; it must lie between {:g} and {:g}", field, value, min, max)};
}

Status checkSettings(const MeasureSettings& s) {
  const auto within = [](double value, double min, double max) { return value >= min && value <= max; };
  if (!within(s.mapping, 0, 1000)) return invalid("mapping", s.mapping, 0, 1000);
  if (!within(s.objectArea, 1e-4, 1e8)) return invalid("objectArea", s.objectArea, 1e-4, 1e8);
  if (!within(s.groupFactor, 1e-3, 1e6)) return invalid("groupFactor", s.groupFactor, 1e-3, 1e6);
  if (!within(s.areaGroups, 2, 10000)) return invalid("areaGroups", s.areaGroups, 2, 10000);
  if (!within(s.adjacency, 0, 1e9)) return invalid("adjacency", s.adjacency, 0, 1e9);
  if (!within(s.searches, 2, 1e6)) return invalid("searches", s.searches, 2, 1e6);
  return Done{};
}

Status checkInput(const NavMesh& mesh, const Environment& environment) {
  const std::vector<MeshFault> faults = checkArrays(mesh, 1);
  if (!faults.empty()) return Error{ErrorCode::kFormat, "the mesh cannot be measured: " + faults[0].message};
  if (mesh.lattice() != environment.lattice || mesh.layerCount() != environment.layers.size()) {
    return Error{
        ErrorCode::kInvalidGeometry,
        fmt::format("the mesh has {} layers on a lattice of {} m, the environment {} on one of {} m; measure it "
                    "against the environment it was made from",
                    mesh.layerCount(), mesh.lattice().unit, environment.layers.size(), environment.lattice.unit)};
  }
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s) && mesh.twin(mesh.twin(s)) != s) {
      return Error{ErrorCode::kFormat,
                   fmt::format("the mesh cannot be measured: the twin of side {} has another twin", s)};
    }
  }
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    if (mesh.sideCount(c) >= 3 && cellArea(mesh, c) > 0) continue;
    const Vec2 place = mesh.lattice().toMetres(startPoint(mesh, mesh.firstSide(c)));
    return Error{ErrorCode::kInvalidGeometry,
                 fmt::format("cell {} at ({:g}, {:g}) is not counter-clockwise or has no area; wend check says more", c,
                             place.x, place.y)};
  }
  return Done{};
}

ConnectivityMetrics connectivityOf(const NavMesh& mesh, const Environment& environment, uint32_t outlines) {
  const Topology found = topology(mesh);
  const Topology known = topology(environment);
  ConnectivityMetrics m{found.components, found.boundaries, found.genus,
                        known.components, known.boundaries, known.genus};
  if (!mesh.info().traits.disjoint) m.boundaries = outlines;
  return m;
}

}  // namespace

Statistics statisticsOf(std::span<const double> values) {
  Statistics s;
  s.count = values.size();
  if (values.empty()) return s;
  s.min = *std::min_element(values.begin(), values.end());
  s.max = *std::max_element(values.begin(), values.end());
  for (const double v : values) s.total += v;
  const auto n = static_cast<double>(values.size());
  s.mean = s.total / n;
  double squares = 0;
  for (const double v : values) squares += (v - s.mean) * (v - s.mean);
  s.deviation = std::sqrt(squares / n);
  return s;
}

const char* defectName(DefectKind kind) {
  switch (kind) {
    case DefectKind::kMissing:
      return "missing";
    case DefectKind::kIncorrect:
      return "incorrect";
    case DefectKind::kOverlap:
      return "overlap";
    case DefectKind::kLostAdjacency:
      return "lost-adjacency";
  }
  return "unknown";
}

Result<MeshMetrics> measureMesh(const NavMesh& mesh, const Environment& environment, const MeasureSettings& settings,
                                const Context& context) {
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  if (const Status status = checkInput(mesh, environment); !status.ok()) return status.error();
  Result<CoverageResult> coverage = measureCoverage(mesh, environment, settings, context);
  if (!coverage.ok()) return coverage.error();
  context.report("shape", 0);
  Result<ShapeMetrics> shape = measureHaleShape(mesh, environment, settings);
  if (!shape.ok()) return shape.error();
  context.report("graph", 0);
  MeshMetrics metrics;
  metrics.coverage = coverage->metrics;
  metrics.defects = std::move(coverage->defects);
  metrics.connectivity = connectivityOf(mesh, environment, coverage->outlines);
  metrics.complexity = measureComplexity(mesh);
  metrics.shape = std::move(shape).value();
  metrics.graph = measureHaleGraph(mesh, settings.searches, context);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "measuring was cancelled"};
  return metrics;
}

}  // namespace wend
