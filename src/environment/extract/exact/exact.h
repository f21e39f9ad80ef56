#pragma once

#include <wend/extract.h>

#include "environment/extract/record.h"

// The exact method: no voxels, no sampling. After every walkable facet has lost what geometry within head room covers,
// two free pieces that overlap in top view are at least the head room apart; so overlap decides layers, and everything
// else is one kind of link between facing boundary edges.
namespace wend::exact {

// Which facets are cut to their free space: those that a kept component may hold, or all of them, for tests.
// The environment is the same.
enum class Look : uint8_t { kWanted, kAll };

// The settings are valid. `record` may be null.
Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context,
                           Look look = Look::kWanted, extraction::Record* record = nullptr);

}  // namespace wend::exact
