#pragma once

#include <string>

#include <fmt/core.h>

// fmt::format_to for strings, compiled once: the library's own template would be compiled anew in every file that
// writes text, two seconds each.
#include "base/append_text.h"

namespace wend {

void appendTextArguments(std::string& out, fmt::string_view format, fmt::format_args arguments);

template <typename... Arguments>
void appendText(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  appendTextArguments(out, format, fmt::make_format_args(arguments...));
}

}  // namespace wend
