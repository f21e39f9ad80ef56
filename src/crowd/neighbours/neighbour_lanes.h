#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "crowd/local/vision.h"
#include "crowd/vec2f.h"

// The two inner loops of the neighbour search, one lane of a vector register per agent: which
// agents are near enough, and in which order of distance. Whole numbers, comparisons and single IEEE operations: every
// vector width gives the same bits.
namespace wend {

// Agents are read in whole registers; arrays that are read so have this many entries more.
inline constexpr uint32_t kScanPadding = 16;

// Others that may count, in the order in which they were found.
struct Candidates {
  static constexpr uint32_t kCapacity = 64;  // ranked in one go
  uint32_t count = 0;
  bool cut = false;  // farther ones were dropped, because the list was full
  // Whole registers are written behind the last one.
  alignas(64) std::array<float, 2 * kCapacity + kScanPadding> squares;  // of the distance, square metres
  alignas(64) std::array<uint32_t, 2 * kCapacity + kScanPadding> slots;
};

// Slots begin to end.
struct SlotRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// The agents that are searched, by slot, with kScanPadding entries more than there are agents.
struct Crowded {
  const int32_t* x = nullptr;  // lattice
  const int32_t* y = nullptr;
  const float* radius = nullptr;  // metres
};

// The agent that looks, and the limits of its view.
struct Lookout {
  uint32_t self = 0;  // slot
  int32_t x = 0;      // lattice
  int32_t y = 0;
  float unit = 0;    // metres
  Vec2f facing;      // unit vector or 0: no direction
  float behind = 0;  // metres along it; agents farther back are not in view unless they touch
  float radius = 0;
  float contactReach = 0;  // metres between rims
  float limit = 0;         // square metres; agents farther away are not in view
};

struct NeighbourLanes {
  // Adds the agents of the ranges that are in view or in contact. The ranges have at most kCapacity slots together.
  void (*look)(const Lookout& from, const Crowded& crowd, std::span<const SlotRange> ranges, Candidates& view,
               Candidates& contacts);
  // order[k] becomes the index of the candidate with the k-th least square. False if two are equal: then the order is
  // undefined. At most kCapacity candidates.
  bool (*rank)(Candidates& candidates, std::array<uint8_t, Candidates::kCapacity>& order);
};

// `width` must be available(). Without: the widest that this machine has and that pays.
const NeighbourLanes& neighbourLanes(VectorWidth width);
const NeighbourLanes& neighbourLanes();

}  // namespace wend
