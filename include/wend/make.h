#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/environment.h>
#include <wend/make_parameter.h>

// Synthetic worlds that stand in for the environments of the literature, each with the truth it was built from.
namespace wend {

struct EnvironmentKind {
  std::string name;       // "maze"
  std::string meaning;    // one sentence
  std::string standsFor;  // the environment of the source and its published figures
  std::vector<MakeParameter> parameters;
};

// All families, in the order of `wend make --list`.
const std::vector<EnvironmentKind>& environmentKinds();

struct MakeSettings {
  std::string kind;
  std::vector<std::pair<std::string, double>> parameters;  // those not named keep their default
  uint64_t seed = 1;
  Lattice lattice;
};

// The world, with `truth` set. Same settings, same bytes.
Result<Environment> makeEnvironment(const MakeSettings& settings, const Context& context = {});

}  // namespace wend
