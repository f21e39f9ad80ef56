#pragma once

#include <wend/environment_file.h>

// Polygons whose loops cross, repeat or lie in each other.
namespace wend {

// Replaces polygons on which the fill rules differ by what the chosen rule makes of them. A note says where the first
// such place is, how much area is in doubt and what it was taken for. Polygons with simple loops stay as they are.
// O(n log n).
Status applyFillRule(EnvironmentDraft& draft, FillRule rule, const Context& context);

}  // namespace wend
