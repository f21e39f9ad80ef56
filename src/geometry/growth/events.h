#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/growth/advance.h"

// Growth by events (Wavefront, Hale 2011, chapter 7): instead of many small steps, a region jumps to the places where
// something may happen to it, the nearest first.
namespace wend::growth {

enum class EventKind : uint8_t {
  kParallel,  // a wall or region side parallel to the region's side: its nearest point
  kVertex,    // a wall that slopes towards the side: its nearest end
  kSplit,     // a wall that slopes away from the side: its nearest point, where the region's corner meets it
  kSplitEnd,  // an end of such a wall, so that the region tries at once to run along all of it
};

struct GrowthEvent {
  Vec2 place;           // lattice units
  double distance = 0;  // from the seed; the key
  Side4 bin = kTop;     // the quarter around the seed in which the edge lies
  uint32_t edge = 0;    // walls, then sides of regions; breaks ties
  EventKind kind = EventKind::kParallel;
};

struct EventCounts {
  uint64_t classified = 0;  // edges looked at
  uint64_t events = 0;
  uint64_t jumps = 0;  // events that moved a side
};

// The events around a seed, sorted. Edges that face away from it are dropped; each other edge belongs to the first
// quarter (top, bottom, right, left) that holds its nearest point or one of its ends.
std::vector<GrowthEvent> eventsAround(const GrowthSpace& space, Vec2 seed, std::span<const uint32_t> walls,
                                      std::span<const uint32_t> regions, EventCounts& counts);

// Grows one region by its events. With `indexed`, events are made for a window around the region that doubles while a
// side of it is not stopped; otherwise for the whole space, as in the source: O(n log n) for each region.
StoppedSides growByEvents(GrowthSpace& space, Grower& grower, Region& region, bool indexed, EventCounts& counts);

}  // namespace wend::growth
