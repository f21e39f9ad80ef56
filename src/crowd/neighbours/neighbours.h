#pragma once

#include "crowd/agents.h"
#include "crowd/neighbours/neighbour_grid.h"
#include "crowd/neighbours/neighbour_lanes.h"

// The neighbours of an agent: those in straight sight over walkable ground. Never through a wall or a floor, but across
// connections between layers.
namespace wend {

// A corridor that joins its ends: positions are taken modulo the period. Lattice units; 0 = none.
struct PeriodicStrip {
  int64_t from = 0;
  int64_t period = 0;
};

class Neighbours {
 public:
  Neighbours(const Ground& ground, const Agents& agents, const NeighbourGrid& grid, PeriodicStrip strip,
             float largestRadius, float contactReach)
      : ground_(ground),
        agents_(agents),
        grid_(grid),
        strip_(strip),
        lanes_(neighbourLanes()),
        isFlat_(ground.mesh().layerCount() == 1),
        unit_(static_cast<float>(ground.unit())),
        largestRadius_(largestRadius),
        contactReach_(contactReach) {}

  // Position of j minus that of i, metres; across the border if that is shorter.
  Vec2f between(uint32_t i, uint32_t j) const {
    int64_t dx = static_cast<int64_t>(agents_.x[j]) - agents_.x[i];
    if (strip_.period > 0) {
      if (2 * dx > strip_.period) dx -= strip_.period;
      if (2 * dx < -strip_.period) dx += strip_.period;
    }
    const int64_t dy = static_cast<int64_t>(agents_.y[j]) - agents_.y[i];
    return {static_cast<float>(dx) * unit_, static_cast<float>(dy) * unit_};
  }
  // Whether i and j can walk straight to each other. Symmetric. O(1) in open space, else O(cells between them).
  bool see(uint32_t i, uint32_t j, float squaredDistance) const;
  // `view`: the nearest agents for avoidance, within kViewRange, not behind the agent unless they touch it. `contacts`:
  // the nearest whose rims come within contactReach, in any direction. `reach` is the radius of the first search,
  // metres; 0: guessed from the number of agents nearby. It becomes the radius that the next step should try. The
  // result does not depend on it.
  void find(uint32_t i, float& reach, NeighbourList& view, ContactList& contacts) const;

  static constexpr float kViewRange = 10;   // metres
  static constexpr float kBehind = -0.25F;  // metres: this far back still counts as in front

 private:
  struct Search;
  float guess(uint32_t i) const;
  bool isIn(const OpenDisk& disk, Point p) const;
  void scan(Search& search, int32_t x) const;
  void look(Search& search) const;
  void dropBeyondBorder(Candidates& candidates, uint32_t from, int32_t x) const;
  void dropHidden(uint32_t i, Candidates& candidates, uint32_t from) const;
  void keepNearest(Candidates& candidates, uint32_t most) const;
  void order(Candidates& candidates, std::array<uint8_t, Candidates::kCapacity>& order) const;
  bool choose(uint32_t i, bool early, Candidates& candidates, std::span<uint32_t> slots, uint32_t& count) const;

  const Ground& ground_;
  const Agents& agents_;
  const NeighbourGrid& grid_;
  PeriodicStrip strip_;
  const NeighbourLanes& lanes_;
  bool isFlat_;
  float unit_;
  float largestRadius_;
  float contactReach_;
};

}  // namespace wend
