#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wend/make_parameter.h>
#include <wend/result.h>

// Named kinds with named sizes, as users give them.
namespace wend {

using GivenParameters = std::vector<std::pair<std::string, double>>;

// The three names nearest to what was typed, for a message.
std::string nearestNames(std::string_view typed, std::span<const std::string> names);

// Every given parameter is known, within its range, whole if it must be, and given once. `owner` stands in messages:
// "world 'maze'".
Status checkParameters(std::string_view owner, std::span<const MakeParameter> known, const GivenParameters& given);

// What was given, or the default; 0 for an unknown name.
double parameterValue(std::span<const MakeParameter> known, const GivenParameters& given, std::string_view name);

}  // namespace wend
