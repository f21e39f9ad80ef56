#include <wend/file.h>
#include <wend/volume/prism_grid.h>
#include <wend/world.h>

#include <fmt/format.h>

#include "base/file_section.h"

namespace wend {

Status attachPrisms(const PrismGrid& grid, const std::string& path) {
  constexpr size_t kMaxFile = size_t{1} << 32;
  const Result<std::vector<std::byte>> bytes = readFile(path, kMaxFile);
  if (!bytes.ok()) return bytes.error();
  if (!isWorldFile(*bytes)) {
    return Error{ErrorCode::kFormat, fmt::format("'{}' is not a .wend file; prisms are stored with a world", path)};
  }
  std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  putSection(text, kPrismSection, serialisePrisms(grid));
  return writeFile(path, text);
}

}  // namespace wend
