#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "geometry/snap_round.h"

// Finds the side of some rings that lies next to the left of a point.
namespace wend {

// A sweep upwards over rings whose sides meet in common ends only. Between its lowest and its highest vertices a ring
// is a chain of sides one above the other, and chains keep their order as long as they last: each is sorted in once,
// however many sides it has. O(n + c log c) for n sides in c chains, and O(log c) for each point.
class RingSweep {
 public:
  // The sides of all rings, one ring after the other; ring r begins at ringBegin[r], and the last entry is the end.
  RingSweep(std::span<const Segment> sides, std::span<const uint32_t> ringBegin);
  RingSweep(const RingSweep&) = delete;
  RingSweep& operator=(const RingSweep&) = delete;

  // The side that a ray from p to the left, just above the level of p, comes to first; kNone if there is none. Sides
  // through p itself are not seen. No point may be lower than the one before.
  uint32_t leftOf(Point p);

 private:
  // Where the level passes through them, from left to right.
  struct Order {
    using is_transparent = void;
    const RingSweep* sweep;
    bool operator()(uint32_t p, uint32_t q) const;
    bool operator()(uint32_t chain, Point p) const;
    bool operator()(Point p, uint32_t chain) const;
  };

  void addChains(uint32_t begin, uint32_t end);
  void addChain(uint32_t begin);
  void climbTo(int32_t y);
  void removeBelow(int32_t y);
  // The side of a chain at the level.
  uint32_t sideOf(uint32_t chain) const {
    uint32_t& at = at_[chain];
    while (high(upwards_[at]).y <= level_) ++at;
    return upwards_[at];
  }
  Point low(uint32_t side) const { return sides_[side].a.y < sides_[side].b.y ? sides_[side].a : sides_[side].b; }
  Point high(uint32_t side) const { return sides_[side].a.y < sides_[side].b.y ? sides_[side].b : sides_[side].a; }

  std::span<const Segment> sides_;
  std::vector<uint32_t> upwards_;     // the sides of each chain
  mutable std::vector<uint32_t> at_;  // of each chain, in upwards_: the side that the level passed through last
  std::vector<uint64_t> starts_;      // chains by their lowest level, the highest first
  std::vector<uint64_t> ends_;        // by their highest level, the highest first
  int32_t level_ = 0;
  std::multiset<uint32_t, Order> active_;
  std::vector<std::multiset<uint32_t, Order>::iterator> place_;  // of each chain among the active ones
};

}  // namespace wend
