#pragma once

#include "command.h"

// `wend compare --suite volumes`: the ways to fill the free space of scenes with volumes, measured alike.
namespace wend::app {

struct VolumesWork {
  std::string folder;
  std::vector<std::string> scenes;  // files; none: scenes that wend makes
  double seconds = 0;               // that one run may take; it is cancelled then
};

int compareVolumes(Run& run, const VolumesWork& work);

}  // namespace wend::app
