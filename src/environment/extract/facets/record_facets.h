#pragma once

#include "environment/extract/facets/facets.h"
#include "environment/extract/record.h"

namespace wend::extraction {

// Which facet each triangle of the scene belongs to, for a record.
void recordFacets(const Soup& soup, const Facets& facets, size_t sceneTriangles, Record& record);

}  // namespace wend::extraction
