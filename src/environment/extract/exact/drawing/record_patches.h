#pragma once

#include <functional>
#include <optional>

#include "environment/extract/exact/free_space/patches.h"
#include "environment/extract/facets/facets.h"
#include "environment/extract/record.h"

// Patches as triangles in metres, for a record.
namespace wend::exact {

// Adds the patches that have a fate. O(corners).
void recordPatches(const extraction::Soup& soup, const extraction::Facets& facets, const Patches& patches, double unit,
                   const std::function<std::optional<extraction::Fate>(uint32_t patch)>& fateOf, const Context& context,
                   extraction::Record& record);

}  // namespace wend::exact
