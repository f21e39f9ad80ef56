#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/environment.h>

// Synthetic worlds that stand in for the environments of the literature, each with the truth it was built from.
namespace wend {

struct MakeParameter {
  std::string name;     // "--size" on the command line without the dashes
  std::string meaning;  // one sentence with the unit
  double defaultValue = 0;
  double min = 0;
  double max = 0;
  bool whole = true;  // must be an integer
};

struct WorldKind {
  std::string name;       // "maze"
  std::string meaning;    // one sentence
  std::string standsFor;  // the environment of the source and its published figures
  std::vector<MakeParameter> parameters;
};

// All families, in the order of `wend make --list`.
const std::vector<WorldKind>& worldKinds();

struct MakeSettings {
  std::string kind;
  std::vector<std::pair<std::string, double>> parameters;  // those not named keep their default
  uint64_t seed = 1;
  Lattice lattice;
};

// The world, with `truth` set. Same settings, same bytes.
Result<Environment> makeWorld(const MakeSettings& settings, const Context& context = {});

}  // namespace wend
