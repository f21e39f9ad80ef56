#pragma once

#include "environment/make/shapes.h"

// Obstacles in slots: each stays inside its own box, so none can touch another.
namespace wend::make {

struct Slot {
  Shape shape;
  Vec2 centre;  // metres
  Vec2 half;    // half the size of the box it may not leave, metres
};

// The rectangle that settle() trims.
Shape boxShape(double width, double depth);

// Scales all shapes by one factor so that they cover `blocked` m2, shifts each at random within its slot (`gap` metres
// kept free along its border), and sets the width of slot 0, which must be a boxShape, so that the sum is exact to its
// depth times half a lattice unit. `blocked` = 0 keeps the sizes.
std::vector<Ring> settle(const std::vector<Slot>& slots, double blocked, double gap, Random& random);

// The centres of a grid of columns x rows over a rectangle (metres), row by row; every slot has the same half size.
std::vector<Slot> slotGrid(double x0, double y0, double x1, double y1, int columns, int rows);

}  // namespace wend::make
