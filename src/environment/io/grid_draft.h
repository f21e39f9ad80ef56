#pragma once

#include <cstdint>
#include <span>

#include "environment/io/formats.h"

namespace wend {

// One layer from the free squares of a grid (see traceGrid), each settings.cell metres wide, with a corner in the
// origin.
Result<EnvironmentDraft> gridDraft(const Source& source, std::span<const uint8_t> free, uint32_t width,
                                   uint32_t height);

}  // namespace wend
