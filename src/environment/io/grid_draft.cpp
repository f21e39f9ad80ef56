#include "environment/io/grid_draft.h"

#include <algorithm>

#include <fmt/format.h>

#include "geometry/grid_contour.h"

namespace wend {
namespace {

// A picture of some kilobytes can hold millions of dots, each a hole. Plans have far fewer corners than bytes.
constexpr size_t kVerticesAlways = 250'000;
constexpr size_t kVerticesPerByte = 64;

// The limit of the settings, if it is not the default; else one that grows with the file.
size_t mostVertices(const Source& source) {
  const size_t most = source.settings.maxVertices;
  if (most != ReadSettings{}.maxVertices) return most;
  return std::min(most, kVerticesAlways + kVerticesPerByte * source.text.size());
}

}  // namespace

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
  const std::optional<std::vector<Ring>> rings = traceGrid(free, width, height, mostVertices(source));
  if (!rings) {
    return Error{
        ErrorCode::kLimit,
        fmt::format("'{}': its free cells have more than {} corners, which is the limit for a file of {} bytes; "
                    "smooth it, or set --max-vertices if you trust it",
                    source.name, mostVertices(source), source.text.size())};
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
