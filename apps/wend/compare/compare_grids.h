#pragma once

#include "command.h"

// `wend compare --suite grids`: the 132 adaptive grids of the source's sweep and triangle meshes beside them, on
// synthetic cities, with one error measure.
namespace wend::app {

struct GridsWork {
  std::string folder;
  uint32_t cities = 3;  // with the seeds seed, seed + 1, ...
  uint64_t seed = 1;
  uint32_t pixels = 512;
};

int compareGrids(Run& run, const GridsWork& work);

}  // namespace wend::app
