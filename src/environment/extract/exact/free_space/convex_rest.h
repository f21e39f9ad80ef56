#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/polygons/cut.h"
#include "environment/extract/tolerances.h"

// Whether convex pieces cover a convex floor together: cheaper than cutting them out of it, and most small floors under
// furniture are covered.
namespace wend::exact {

class ConvexRest {
 public:
  // A new floor. What is no single convex ring of a few corners is not looked at: nothing covers it then.
  void begin(const Rings& outline);
  // Some places of the floor are under this piece.
  void add(const Convex& piece);
  // False if a place is under none of the pieces that were added.
  bool mayBeCovered() const { return open_ == 0 && corners_.size() >= 3; }
  // Whether nothing wider than a few hundredths of a unit is left of the floor without these pieces: far less than what
  // counts as a sliver. Takes no more than some thousand steps, and answers false if that does not decide.
  bool isCoveredBy(std::span<const Convex> pieces);

 private:
  struct Polygon {
    uint32_t count = 0;
    std::array<Vec2, 12> p;
  };
  // Keeps what lies beyond a piece.
  bool takeAway(const Convex& piece, const Polygon& from);

  std::vector<Point> corners_;
  std::vector<Vec2> places_;  // those under no piece come first
  size_t open_ = 0;
  std::vector<Polygon> rest_;
  std::vector<Polygon> next_;
};

}  // namespace wend::exact
