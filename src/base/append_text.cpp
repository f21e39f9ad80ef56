#include "base/append_text.h"

#include <iterator>

#include <fmt/format.h>

namespace wend {

void appendTextArguments(std::string& out, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(out), format, arguments);
}

}  // namespace wend
