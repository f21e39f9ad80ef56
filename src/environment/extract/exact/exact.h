#pragma once

#include <wend/extract.h>

// The exact method: no voxels, no sampling. After every walkable facet has lost what geometry within head room covers,
// two free pieces that overlap in top view are at least the head room apart; so overlap decides layers, and everything
// else is one kind of link between facing boundary edges.
namespace wend::exact {

// The settings are valid.
Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context);

}  // namespace wend::exact
