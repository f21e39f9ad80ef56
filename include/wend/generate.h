#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/navmesh.h>

// From an environment to a mesh, by any method of the registry.
namespace wend {

struct GeneratorOption {
  std::string name;     // "order": --order on the command line
  std::string meaning;  // one sentence, with the unit and what goes wrong outside the range
  std::string defaultValue;
  std::vector<std::string> choices;  // empty: a number
  double min = 0;                    // range of a number
  double max = 0;
};

struct GeneratorInfo {
  std::string name;     // "hertel-mehlhorn"
  std::string meaning;  // one sentence
  std::string source;   // the paper
  MeshTraits traits;
  std::vector<GeneratorOption> options;
  std::string missing;  // what this build lacks to run it, "the Recast library"; empty if nothing
};

// Every generator, sorted by name.
const std::vector<GeneratorInfo>& generators();
const GeneratorInfo* findGenerator(std::string_view name);

struct GenerateSettings {
  std::string generator = "ecm";
  std::vector<std::pair<std::string, std::string>> options;  // those not named keep their default
  uint64_t seed = 1;                                         // for methods that draw random numbers
};

// The mesh, already checked against what the generator promises where that is cheap. Same input, same bytes.
Result<NavMesh> generate(const Environment& environment, const GenerateSettings& settings = {},
                         const Context& context = {});

}  // namespace wend
