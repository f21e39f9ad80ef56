#include "environment/io/formats.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/text_cursor.h"

namespace wend {

std::string stemOf(std::string_view name) {
  std::string stem = std::filesystem::path(name).stem().string();
  return isPlainText(stem) ? stem : std::string("world");
}

EnvironmentDraft emptyDraft(const Source& source) {
  EnvironmentDraft draft;
  draft.lattice.unit = source.settings.unit;
  draft.name = stemOf(source.name);
  return draft;
}

Result<Vec2> Intake::accept(Vec2 raw) {
  if (!count()) return tooMany();
  const Vec2 metres{raw.x * scale_, raw.y * scale_};
  const Result<Point> snapped = lattice_.snap(metres);
  if (!snapped.ok()) return snapped.error();
  return metres;
}

Error Intake::tooMany() const {
  return {ErrorCode::kLimit, fmt::format("more than {} vertices; set --max-vertices if you trust the file", limit_)};
}

}  // namespace wend
