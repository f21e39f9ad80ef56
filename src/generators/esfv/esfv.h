#pragma once

#include <wend/generator.h>

// Extruded Space Filling Volumes: boxes of `sfv` with a level bottom that grow on surfaces with heights. A box stands
// on the surface below its seed and grows only while the surface under it stays within `rise` of that height, so ramps
// are claimed in short pieces or not at all. The baseline for volumes over stairs and ramps (Hale 2011, section 4.3).
// Disjoint boxes inside free space, approximate.
namespace wend::esfv {

struct Settings {
  double pitch = 0;   // metres, 0.01 to 1e5: distance of the seeds; 0 = 2 m, halved until each layer has one
  double step = 0.1;  // metres, 0.001 to 1e4: how far a side moves per turn
  double rise = 0.2;  // metres, 0 to 1000: how much the surface below one box may differ in height
  bool merge = true;  // off: boxes as they grew. Only boxes of level ground are joined
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::esfv
