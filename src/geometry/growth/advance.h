#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/growth/growth_space.h"

// How one side of a region moves: the exact form of growth with contour following (Hale 2011, chapter 4).
namespace wend::growth {

struct GrowthRules {
  bool follow = true;  // off: a side stops at every wall, so regions stay boxes
  bool snap = true;    // off: a side that meets something stays where it was, up to one step short of it
};

struct GrowthCounts {
  uint64_t steps = 0;     // tries to move a side
  uint64_t tests = 0;     // exact tests of a strip against a wall or a region
  uint64_t contacts = 0;  // walls followed
  GrowthCounts& operator+=(const GrowthCounts& other);
};

// The version of the region's contacts at which each side was stopped; kNone if it was not. A side stays stopped while
// the contacts stay.
using StoppedSides = std::array<uint32_t, 4>;
inline constexpr StoppedSides kNoneStopped{kNone, kNone, kNone, kNone};

// Grows the regions of a space. Invariants, before and after each call: regions are convex, disjoint and inside free
// space; a slanted side of a region lies on a part of one wall; limits are lattice lines.
class Grower {
 public:
  Grower(GrowthSpace& space, const GrowthRules& rules) : space_(space), rules_(rules) {}

  enum class Move : uint8_t {
    kWhole,     // by the whole step
    kPart,      // up to what stopped it
    kStopped,   // not at all: it stays stopped until the region's contacts change
    kInactive,  // the side has shrunk to a point; other sides may give it length again
  };

  // Moves a side by up to `step` units. Walls in the strip ahead are followed where the region's corner slides onto
  // them; otherwise they stop it, and so do other regions, and the end of a wall that is followed. `self` is the
  // region's number, or kNone if it is not in the space yet.
  // What may stop it are the candidates of the last look().
  Move advance(Region& region, Side4 side, int64_t step, uint32_t self);

  // Collects what lies in a window, for all advances until the next look().
  void look(const Box& window);
  const Box& window() const { return window_; }
  std::span<const uint32_t> walls() const { return walls_; }      // the candidates
  std::span<const uint32_t> regions() const { return regions_; }  // likewise
  // Whether the collected candidates cover the place.
  bool covers(const Limits& limit) const;

  const GrowthCounts& counts() const { return counts_; }
  GrowthCounts& counts() { return counts_; }

 private:
  struct Strip;
  struct Hit;
  bool meetsNear(const Strip& strip, const Wall& wall) const;
  bool hitBy(const Strip& strip, uint32_t wall, Hit& hit);
  bool isFollowable(const Strip& strip, const Hit& hit) const;
  uint32_t nextWall(const Strip& strip, uint32_t followed, Point tip) const;
  bool followAll(Strip& strip);  // walls: shortens the strip, adds contacts; false if nothing is left
  bool stopAtRegions(Strip& strip, uint32_t self);

  GrowthSpace& space_;
  GrowthRules rules_;
  GrowthCounts counts_;
  Box window_;
  std::vector<uint32_t> walls_;
  std::vector<uint32_t> regions_;
};

}  // namespace wend::growth
