#pragma once

#include <wend/metrics.h>

// Coverage, incorrect area, overlap and what is wrong where.
namespace wend {

struct CoverageResult {
  CoverageMetrics metrics;
  std::vector<MeshDefect> defects;
  uint32_t outlines = 0;  // of the union of each layer's cells
};

// The mesh has passed checkArrays() and has the environment's layers.
Result<CoverageResult> measureCoverage(const NavMesh& mesh, const Environment& environment,
                                       const MeasureSettings& settings, const Context& context);

}  // namespace wend
