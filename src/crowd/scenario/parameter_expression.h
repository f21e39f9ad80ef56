#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include <wend/result.h>

#include "crowd/scenario/toml_document.h"

namespace wend {

// The value of what stands between "${" and "}": a parameter by its name, or a number from + - * / and brackets over
// parameters and numbers. Whole numbers stay whole under + - *. An Error without place for anything else. The names
// that it reads are added to `used`.
Result<TomlValue> parameterValue(std::string_view text, const std::map<std::string, TomlValue>& parameters,
                                 std::set<std::string>& used);

}  // namespace wend
