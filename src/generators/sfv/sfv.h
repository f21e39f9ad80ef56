#pragma once

#include <wend/generator.h>

// Space Filling Volumes (Tozour 2004): squares on a grid grow into boxes until they touch a wall or each other. No wall
// is followed and nothing is seeded again, so gaps stay beside slanted walls: an approximate baseline for `pasfv`.
// Disjoint boxes inside free space.
namespace wend::sfv {

struct Settings {
  double pitch = 0;   // metres, 0.01 to 1e5: distance of the seeds; 0 = 2 m, halved until each layer has one
  double step = 0;    // metres, 0 to 1e4: how far a side moves per round; 0 = a fourth of the pitch
  bool merge = true;  // off: boxes as they grew
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::sfv
