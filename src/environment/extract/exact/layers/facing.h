#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

// Contacts between the borders of two patches, before it is known which of them are links.
namespace wend::exact {

// Along an edge.
struct Interval {
  double from, to;
};

// Takes one interval out of others that are apart and in order.
inline void without(std::vector<Interval>& from, const Interval& taken) {
  const auto meets = [&](const Interval& interval) { return taken.to > interval.from && taken.from < interval.to; };
  const auto first = std::find_if(from.begin(), from.end(), meets);
  if (first == from.end()) return;
  const auto last = std::find_if_not(first + 1, from.end(), meets);
  const Interval before{first->from, taken.from};
  const Interval after{taken.to, (last - 1)->to};
  const auto at = from.erase(first, last);
  const auto rest = after.from < after.to ? from.insert(at, after) : at;
  if (before.from < before.to) from.insert(rest, before);
}

// Two edges that face each other, in the frame of the first: t along it, lateral to its right, away from its patch.
struct Facing {
  double length;                // of e
  double ux, uy;                // direction of e
  double from, to;              // t where they face each other
  double lateralAt, lateralBy;  // lateral distance of g at t: at + by t
  double lowE, slopeE;          // height of e at t
  double lowG, slopeG;          // height of g at t
  double gFrom, gTo;            // t of g's end and start

  double lateral(double t) const { return lateralAt + lateralBy * t; }
  double heightE(double t) const { return lowE + slopeE * t; }
  double heightG(double t) const { return lowG + slopeG * t; }
};

// The part of edge e, from its start, along which edge g faces it.
struct RawLink {
  uint32_t e, g;
  double from, to;
  Facing facing;
};

}  // namespace wend::exact
