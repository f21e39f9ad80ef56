#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "planning/clearance/cell_crossings.h"
#include "planning/disk/contact.h"
#include "planning/disk/straight_ways.h"

// The tangents and arcs of a path, from the contacts that it touches.
namespace wend {

// One bend: the path arrives at `in`, turns around the centre by `sweep`, and leaves at `out`.
struct DiskBend {
  DiskContact contact;
  Vec2 in;
  Vec2 out;
  double sweep = 0;         // radians, positive counter-clockwise
  double slack = HUGE_VAL;  // how much farther than r the arc stays from walls that do not touch its centre
  // Measured before, for other paths: the straight part before the bend keeps the radius (`known`) from `fromStep` to
  // `toStep`, and the arc does (`quiet`) from there to `outStep`.
  bool known = false;
  bool quiet = false;
  uint32_t fromStep = 0;
  uint32_t toStep = 0;
  uint32_t outStep = 0;

  // Not an aggregate, so that a list of them grows without being wiped first.
  DiskBend(const DiskContact& around, Vec2 from, Vec2 to, double by, double free)
      : contact(around), in(from), out(to), sweep(by), slack(free) {}
};

// The least distance between the arc and a wall; `nearest`, if given, becomes the wall's point.
double arcClearance(const DiskBend& bend, const Wall& wall, Vec2* nearest = nullptr);

struct DiskString {
  std::vector<DiskBend> bends;
  double length = 0;
  bool clear = true;  // the path keeps the radius everywhere
  uint32_t rounds = 0;
};

enum class Laid : uint8_t {
  kTaut,
  kWound,  // it turns by more than half a turn somewhere
  kWrong,  // it passes a contact on its wrong side
};
// The bends and the length of the path that touches those contacts, the first one the start, the last one the goal;
// ways[i] leads to contact i.
Laid layString(std::span<const DiskContact> taut, std::span<const Way> ways, WayFinder& finder, DiskString& string);

// Takes out the contacts that the path passes on their wrong side.
void dropWrongTurns(std::vector<DiskContact>& taut);

}  // namespace wend
