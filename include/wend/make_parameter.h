#pragma once

#include <string>

// A size of a made world or scene.
namespace wend {

struct MakeParameter {
  std::string name;     // "--size" on the command line without the dashes
  std::string meaning;  // one sentence with the unit
  double defaultValue = 0;
  double min = 0;
  double max = 0;
  bool whole = true;  // must be an integer
};

}  // namespace wend
