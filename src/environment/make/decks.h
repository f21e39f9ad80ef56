#pragma once

#include "environment/make/construction.h"

// Decks above each other, joined by ramps along their outer walls.
namespace wend::make {

// The library of the comparison study (edition 1) or of the ECM chapters (2); also part of the big city.
Environment makeLibrary(int edition, uint64_t seed);

inline constexpr double kLibraryWidth = 59.5;  // metres
inline constexpr double kLibraryDepth = 23.9;

}  // namespace wend::make
