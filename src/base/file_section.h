#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Sections that follow the contents of a file: each begins at a multiple of eight and ends with its length and a mark
// of eight bytes. A reader that does not know a section ignores it.
namespace wend {

inline constexpr std::string_view kHopSection = "WENDhops";
inline constexpr std::string_view kPrismSection = "WENDprsm";

// The section with this mark, or nothing. A length that does not fit the file ends the search.
std::optional<std::span<const std::byte>> findSection(std::span<const std::byte> file, std::string_view mark);

// Appends a section, in place of one with the same mark.
void putSection(std::string& file, std::string_view mark, std::string_view section);

}  // namespace wend
