#pragma once

#include "environment/heights.h"

// The height of a layer at any place in O(1) expected time: a uniform grid over the triangles of its height field.
namespace wend {

// Refers to the field it was made from, which must outlive it. Immutable; at() allocates nothing and may be called from
// any thread.
using SurfaceIndex = HeightLookup;

}  // namespace wend
