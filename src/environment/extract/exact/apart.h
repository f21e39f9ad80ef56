#pragma once

#include "environment/extract/exact/soup.h"

// Which triangles are neighbours? Boxes tell little of long ones that lie askew.
namespace wend::exact {

// Whether the line along a side of one of two triangles keeps the other more than a distance away from it, in top view.
// Both face up.
bool areApart(const Soup& soup, const Triangle& p, const Triangle& q, double distance);

}  // namespace wend::exact
