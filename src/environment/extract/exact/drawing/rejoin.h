#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "environment/extract/exact/drawing/separate.h"

// Patches that were trimmed become part of the boundary again.
namespace wend::exact {

using TrimmedParts = std::map<uint32_t, std::vector<Trimmed>>;  // by patch

// The borders of the other patches, and those of the trimmed ones; where they are neighbours, cut at the same points.
std::vector<BorderSegment> rejoin(const PatchBorders& borders, std::span<const BorderSegment> others,
                                  const TrimmedParts& parts, const LayerPlan& plan, const Tolerances& tolerances,
                                  const Context& context);

}  // namespace wend::exact
