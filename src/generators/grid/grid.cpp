#include "generators/grid/grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "generators/patched_update.h"
#include "generators/scan_lines.h"
#include "mesh/mesh_patch.h"

namespace wend::grid {
namespace {

constexpr const char* kName = "grid";
constexpr const char* kStage = "squares";

// Of all layers together; a square takes about 300 bytes while the mesh is built.
constexpr int64_t kMostSquares = int64_t{1} << 25;

constexpr MeshTraits kTraits{.exact = false};

using AddCell = std::function<void(std::span<const Vec2> loop, std::span<const uint8_t> walls)>;

// The squares of one layer, row by row; of a raster with a margin, those inside of it.
void addSquares(std::span<const Polygon> free, const SquareRaster& raster, int64_t margin, const AddCell& add) {
  const std::vector<RowCrossing> rows = scanRows(free, raster, false);
  const std::vector<RowCrossing> columns = scanRows(free, raster, true);
  // An odd number of crossings between two centres means that the neighbour is not there, and the side may be a
  // connection's.
  const auto isBlocked = [](const std::vector<RowCrossing>& crossings, int64_t row, int64_t column) -> uint8_t {
    const auto [first, last] = std::equal_range(crossings.begin(), crossings.end(),
                                                RowCrossing{static_cast<int32_t>(row), static_cast<int32_t>(column)});
    return first != last && (last - first) % 2 == 0 ? 1 : 0;
  };
  const auto addSquare = [&](int64_t i, int64_t j) {
    const auto corner = [&](int64_t x, int64_t y) {
      return Vec2{static_cast<double>(raster.origin.x + x * raster.side),
                  static_cast<double>(raster.origin.y + y * raster.side)};
    };
    const std::array<Vec2, 4> loop{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)};
    const std::array<uint8_t, 4> walls{isBlocked(columns, i, j), isBlocked(rows, j, i + 1),
                                       isBlocked(columns, i, j + 1), isBlocked(rows, j, i)};
    add(loop, walls);
  };
  // Between an odd crossing and the next one lies free space.
  for (size_t k = 0; k + 1 < rows.size(); k += 2) {
    if (rows[k].row != rows[k + 1].row) break;
    if (rows[k].row < margin || rows[k].row >= raster.rows - margin) continue;
    const int64_t end = std::min<int64_t>(rows[k + 1].column, raster.columns - margin);
    for (int64_t i = std::max<int64_t>(rows[k].column, margin); i < end; ++i) addSquare(i, rows[k].row);
  }
}

SquareRaster rasterOf(const Environment& environment, const Settings& settings) {
  const Box box = boundingBox(environment);
  SquareRaster raster;
  raster.origin = box.min;
  raster.side = std::max<int64_t>(1, std::llround(settings.square / environment.lattice.unit));
  raster.columns = (static_cast<int64_t>(box.max.x) - box.min.x) / raster.side + 1;
  raster.rows = (static_cast<int64_t>(box.max.y) - box.min.y) / raster.side + 1;
  return raster;
}

// A range of squares, ends included.
struct Window {
  int64_t left, bottom, right, top;
};

// The squares that touch a box, and one more on each side: their neighbours get or lose portals.
Window windowOf(const SquareRaster& raster, const Box& box) {
  const auto index = [&](int64_t v, int64_t origin) {
    const int64_t off = v - origin;
    return off >= 0 ? off / raster.side : -((-off + raster.side - 1) / raster.side);
  };
  return {index(box.min.x, raster.origin.x) - 2, index(box.min.y, raster.origin.y) - 2,
          index(box.max.x, raster.origin.x) + 2, index(box.max.y, raster.origin.y) + 2};
}

// Squares in the window are taken out and made again.
void remakeWindow(MeshPatch& patch, const NavMesh& mesh, const Environment& after, LayerId layer,
                  const SquareRaster& raster, const Window& window) {
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (mesh.layerOf(cell) != layer) continue;
    const Vec2 corner = mesh.vertex(mesh.startVertex(mesh.firstSide(cell)));
    const auto i = static_cast<int64_t>(std::floor((corner.x - raster.origin.x) / static_cast<double>(raster.side)));
    const auto j = static_cast<int64_t>(std::floor((corner.y - raster.origin.y) / static_cast<double>(raster.side)));
    if (i >= window.left && i <= window.right && j >= window.bottom && j <= window.top) patch.removeCell(cell);
  }
  // Crossings beyond a raster count as on its edge, so it is one square larger.
  constexpr int64_t kMargin = 1;
  SquareRaster part = raster;
  part.origin = {static_cast<int32_t>(raster.origin.x + (window.left - kMargin) * raster.side),
                 static_cast<int32_t>(raster.origin.y + (window.bottom - kMargin) * raster.side)};
  part.columns = window.right - window.left + 1 + 2 * kMargin;
  part.rows = window.top - window.bottom + 1 + 2 * kMargin;
  addSquares(after.layers[layer].free, part, kMargin,
             [&](std::span<const Vec2> loop, std::span<const uint8_t> walls) { patch.addCell(layer, loop, walls); });
}

// The grid begins at the lower left corner of the world: where that moves, all squares do.
Result<MeshUpdate> update(const NavMesh& mesh, const Environment& before, const Environment& after,
                          const ChangedArea& changed, const Settings& settings, const Context& context) {
  const SquareRaster raster = rasterOf(after, settings);
  if (rasterOf(before, settings).origin != raster.origin) {
    return Error{ErrorCode::kUnsupported, "the lower left corner of the world has moved, and the grid with it"};
  }
  std::map<LayerId, Box> boxes;
  for (const ChangedArea::Box& part : changed.boxes) boxes[part.layer].add(part.box);
  MeshPatch patch(mesh, after, changed.facts.get());
  for (const auto& [layer, box] : boxes) {
    if (!box.empty()) remakeWindow(patch, mesh, after, layer, raster, windowOf(raster, box));
  }
  Result<PatchedMesh> patched = patch.build(context);
  if (!patched.ok()) return patched.error();
  if (patched->mesh.empty()) return Error{ErrorCode::kUnsupported, "no square is left"};
  return updateInPlace(std::move(*patched));
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(square);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  // Only to learn what is wrong with the polygons, and where: the scan trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  context.report(kStage, 0);
  const SquareRaster raster = rasterOf(environment, settings);
  const double squares =
      environment.lattice.area(topology(environment).doubledArea) / (settings.square * settings.square);
  if (squares > static_cast<double>(kMostSquares) || raster.columns > kMostSquares || raster.rows > kMostSquares) {
    return Error{ErrorCode::kLimit,
                 fmt::format("A grid of squares of {} m would have more than {} cells; choose larger "
                             "squares.",
                             settings.square, kMostSquares)};
  }
  MeshBuilder builder(environment);
  for (LayerId id = 0; id < environment.layers.size(); ++id) {
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "The grid was cancelled by the caller."};
    addSquares(environment.layers[id].free, raster, 0,
               [&](std::span<const Vec2> loop, std::span<const uint8_t> walls) { builder.addCell(id, loop, walls); });
  }
  context.report(kStage, 1);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The grid was cancelled by the caller."};
  return builder.build(kName, settings.hash(), kTraits, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Equal squares whose centres are free, each with up to four neighbours: approximate.";
  generator.info.source =
      "W. van Toll et al., A comparative study of navigation meshes, Motion in Games (2016): the baseline";
  generator.info.traits = kTraits;
  generator.info.options = {{"square",
                             "Side of the squares, in metres; small ones take memory with the square of their number.",
                             "1",
                             {},
                             0.001,
                             1000}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("square")}, context);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues& options, uint64_t, const Context& context) {
    return update(mesh, before, after, changed, Settings{options.number("square")}, context);
  };
  return generator;
}

}  // namespace wend::grid
