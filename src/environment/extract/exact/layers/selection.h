#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/layers/links.h"

// Component selection: which linked patches form a component, and which components are kept.
namespace wend::exact {

struct Selection {
  std::vector<uint32_t> component;  // of each patch, kNone if it is not wanted
  uint32_t components = 0;
  uint32_t droppedComponents = 0;
  double droppedArea = 0;   // m2
  uint32_t detached = 0;    // components that neither hold a seed point nor are the largest
  double detachedArea = 0;  // m2
};

// Keeps the components that hold a seed point, or those of at least the smallest area; of these the largest alone if
// the settings drop detached components. Risers that do not join a floor below to a floor above are removed first.
// Error: a seed point over nothing (kNotOnMesh).
Result<Selection> select(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                         const ExtractSettings& settings, const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
