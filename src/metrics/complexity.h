#pragma once

#include <wend/metrics.h>

// The size of the graph and of the regions.
namespace wend {

ComplexityMetrics measureComplexity(const NavMesh& mesh);

}  // namespace wend
