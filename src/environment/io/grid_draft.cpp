#include "environment/io/grid_draft.h"

#include <fmt/format.h>

#include "geometry/grid_contour.h"

namespace wend {

Result<EnvironmentDraft> gridDraft(const Source& source, std::span<const uint8_t> free, uint32_t width,
                                   uint32_t height) {
  EnvironmentDraft draft = emptyDraft(source);
  const double cell = source.settings.cell;
  // All corners lie between the origin and this one.
  if (const Result<Point> far = draft.lattice.snap({width * cell, height * cell}); !far.ok()) {
    return Error{far.error().code, fmt::format("'{}': {}", source.name, far.error().message)};
  }
  if (cell < draft.lattice.unit) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("'{}': a cell of {:g} m is finer than the lattice unit of "
                                                          "{:g} m; choose larger cells or a finer unit",
                                                          source.name, cell, draft.lattice.unit)};
  }
  source.context.report("trace", 0);
  const std::optional<std::vector<Ring>> rings = traceGrid(free, width, height, source.settings.maxVertices);
  if (!rings) {
    const Intake intake(source, draft.lattice, 1);
    return Error{ErrorCode::kLimit, fmt::format("'{}': {}", source.name, intake.tooMany().message)};
  }

  Loops loops;
  loops.reserve(rings->size());
  for (const Ring& ring : *rings) {
    std::vector<Vec2>& loop = loops.emplace_back();
    loop.reserve(ring.size());
    for (const Point corner : ring) loop.push_back({corner.x * cell, corner.y * cell});
  }
  draft.layers.resize(1);
  if (!loops.empty()) draft.layers[0].walkable.push_back(std::move(loops));
  return draft;
}

}  // namespace wend
