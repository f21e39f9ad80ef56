#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/result.h>

// Whole files, read with a limit and written all or nothing.
namespace wend {

// The bytes of a regular file; an Error if it is missing, a folder, unreadable or larger than maxBytes.
Result<std::vector<std::byte>> readFile(const std::string& path, size_t maxBytes = size_t{1} << 30);

// Writes beside the target, flushes to disk and renames: on any failure (no folder, no permission, disk full) the
// target is as it was and nothing is left behind. An existing file keeps its mode, and a link stays a link to it.
Status writeFile(const std::string& path, std::string_view contents);

inline std::span<const std::byte> asBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace wend
