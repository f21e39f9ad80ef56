#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "environment/extract/exact/drawing/separate.h"

// Patches that were trimmed become part of the boundary again.
namespace wend::exact {

using TrimmedParts = std::map<uint32_t, std::vector<Trimmed>>;  // by patch

// The seams of the other patches, and those of the trimmed ones; where they are neighbours, cut at the same points.
std::vector<Seam> rejoin(const Seams& seams, std::span<const Seam> others, const TrimmedParts& parts,
                         const LayerPlan& plan, const Tolerances& tolerances);

}  // namespace wend::exact
