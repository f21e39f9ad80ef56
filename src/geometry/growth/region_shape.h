#pragma once

#include <optional>
#include <span>
#include <vector>

#include "geometry/growth/growth_space.h"

// The exact shape of a region: its sides, its corners, whether a place is inside.
namespace wend::growth {

// A corner: on the lattice, or where a wall meets a lattice line. Reduced, so that equal corners are equal numbers.
struct Corner {
  int64_t x = 0;
  int64_t y = 0;
  int64_t denominator = 1;
  bool operator==(const Corner&) const = default;
  Vec2 toVec2() const;  // rounded once
};

struct OutlineEdge {
  Corner start;
  int64_t dx = 0;  // its direction
  int64_t dy = 0;
  uint32_t wall = kNone;  // the wall that it lies on, if it is slanted
};

// Cuts by the limits and contacts of a region, but for the half-plane numbered `except`: sides are 0 to 3, contacts
// follow. Returns whether more than a point is left.
bool cutByRegion(LineClip& clip, const Limits& limit, std::span<const uint32_t> contacts, std::span<const Wall> walls,
                 int except);

// The side of a box cut by contacts.
Chord chordOf(Side4 side, const Limits& limit, std::span<const uint32_t> contacts, std::span<const Wall> walls);

// What a wall covers of a line on which a region ends with a side; nothing if it lies elsewhere or faces away.
std::optional<Chord> coveredBy(const Wall& wall, Side4 side, int64_t line);

// Drops contacts that no longer bound the region, moves limits that do not bound it to its extent (rounded outwards),
// and computes the sides. Returns whether a contact was dropped.
bool refresh(Region& region, std::span<const Wall> walls);

// Counter-clockwise, without sides of length 0.
std::vector<OutlineEdge> outlineOf(const Region& region, std::span<const Wall> walls);

double areaOf(std::span<const OutlineEdge> outline);  // square lattice units

}  // namespace wend::growth
