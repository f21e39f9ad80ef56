#pragma once

#include <cstdint>

// Contacts between the borders of two patches, before it is known which of them are links.
namespace wend::exact {

// Along an edge.
struct Interval {
  double from, to;
};

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
