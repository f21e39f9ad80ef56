#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wend {

// RFC 4648, with padding.
std::string encodeBase64(std::string_view bytes);

// Reads both alphabets of RFC 4648 up to the first padding. Nothing if another character occurs.
std::optional<std::vector<std::byte>> decodeBase64(std::string_view text);

}  // namespace wend
