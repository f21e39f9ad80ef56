#include <cmath>

#include <wend/image/navigable_grid.h>

#include <fmt/format.h>

#include "geometry/grid_contour.h"

namespace wend {

Status checkGrid(const NavigableGrid& grid) {
  if (grid.width == 0 || grid.height == 0) {
    return Error{ErrorCode::kEmpty, "the picture has no pixels"};
  }
  if (grid.width > kMaxGridSide || grid.height > kMaxGridSide) {
    return Error{ErrorCode::kLimit, fmt::format("{} x {} pixels are more than {} x {}; cut the picture into parts",
                                                grid.width, grid.height, kMaxGridSide, kMaxGridSide)};
  }
  if (grid.free.size() != static_cast<size_t>(grid.width) * grid.height) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} x {} pixels need {} values, not {}", grid.width, grid.height,
                             static_cast<size_t>(grid.width) * grid.height, grid.free.size())};
  }
  if (!(grid.pixel > 0) || !std::isfinite(grid.pixel) || !std::isfinite(grid.origin.x) ||
      !std::isfinite(grid.origin.y)) {
    return Error{ErrorCode::kInvalidSettings, "a pixel must be larger than 0 m and its place a finite number"};
  }
  return Done{};
}

Result<Environment> gridEnvironment(const NavigableGrid& grid, const Lattice& lattice, const Context& context) {
  if (const Status status = checkGrid(grid); !status.ok()) return status.error();
  if (grid.pixel < lattice.unit) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("a pixel of {:g} m is finer than the lattice unit of {:g} m; choose a finer unit",
                             grid.pixel, lattice.unit)};
  }
  const Vec2 far{grid.origin.x + grid.width * grid.pixel, grid.origin.y + grid.height * grid.pixel};
  for (const Vec2 corner : {grid.origin, far}) {
    if (const Result<Point> snapped = lattice.snap(corner); !snapped.ok()) return snapped.error();
  }
  // The contour counts rows from the bottom.
  std::vector<uint8_t> fromBottom(grid.free.size());
  for (uint32_t row = 0; row < grid.height; ++row) {
    std::copy_n(grid.free.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(row) * grid.width), grid.width,
                fromBottom.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(grid.height - 1 - row) * grid.width));
  }
  context.report("trace", 0);
  const std::optional<std::vector<Ring>> rings =
      traceGrid(fromBottom, grid.width, grid.height, std::numeric_limits<size_t>::max());
  EnvironmentDraft draft;
  draft.lattice = lattice;
  draft.name = "grid";
  draft.layers.resize(1);
  Loops loops;
  loops.reserve(rings->size());
  for (const Ring& ring : *rings) {
    std::vector<Vec2>& loop = loops.emplace_back();
    loop.reserve(ring.size());
    for (const Point p : ring) loop.push_back({grid.origin.x + p.x * grid.pixel, grid.origin.y + p.y * grid.pixel});
  }
  if (!loops.empty()) draft.layers[0].walkable.push_back(std::move(loops));
  return buildEnvironment(draft, context);
}

}  // namespace wend
