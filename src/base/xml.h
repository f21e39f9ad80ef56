#pragma once

#include <string>
#include <string_view>

namespace wend {

// The text with &, <, > and quotes made safe for XML; control characters, which XML 1.0 forbids, become spaces.
std::string escapeXml(std::string_view text);

}  // namespace wend
