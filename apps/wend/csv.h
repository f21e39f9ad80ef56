#pragma once

#include <string>
#include <string_view>

namespace wend::app {

// The text as one field of a CSV row: in quotes where it contains commas, quotes or line ends.
std::string csvField(std::string_view text);

}  // namespace wend::app
