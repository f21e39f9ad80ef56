#pragma once

#include <cstdint>

#include "crowd/local/local_view.h"

// The vision-based method for a chosen vector width. avoidVision() takes the widest that this machine has and that
// pays; every width gives the same bits.
namespace wend {

enum class VectorWidth : uint8_t { kBaseline, kAvx2, kAvx512 };

bool available(VectorWidth width);
// `width` must be available.
LocalChoice avoidVisionWith(VectorWidth width, const LocalView& view);

}  // namespace wend
