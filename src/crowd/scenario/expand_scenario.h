#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <wend/result.h>

#include "crowd/scenario/toml_document.h"

// Includes and parameters of a scenario file: `include = ["common.toml"]`, `[parameters]` and `"${width / 2}"`. After
// expansion a scenario is plain TOML that needs no other file, which is what a recording keeps.
namespace wend {

struct ExpandedScenario {
  TomlValue root;
  std::vector<std::string> included;  // files; a line above kLinesPerFile belongs to one of them
  bool isChanged = false;             // false: the text of the file is already plain
  std::set<std::string> unused;       // parameters that nothing reads
};

inline constexpr int kLinesPerFile = kMaxTomlLines;
inline constexpr size_t kMaxIncluded = 50;

// `set` replaces parameters by name; the file must have them. Paths are relative to the file that names them. An Error
// with file and line for an unknown parameter, a wrong expression, a file that includes itself.
Result<ExpandedScenario> expandScenario(TomlValue root, std::string_view name, std::string_view folder,
                                        const std::map<std::string, std::string>& set);

// The tree as TOML: one line per key of the root.
std::string formatToml(const TomlValue& root);

}  // namespace wend
