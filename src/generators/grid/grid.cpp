#include "generators/grid/grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "generators/scan_lines.h"

namespace wend::grid {
namespace {

constexpr const char* kName = "grid";
constexpr const char* kStage = "squares";

// Of all layers together; a square takes about 300 bytes while the mesh is built.
constexpr int64_t kMostSquares = int64_t{1} << 25;

MeshTraits traits() {
  MeshTraits traits;
  traits.exact = false;
  return traits;
}

// Adds the squares of one layer, row by row.
void addSquares(MeshBuilder& builder, LayerId layer, std::span<const Polygon> free, const SquareRaster& raster) {
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
    builder.addCell(layer, std::span<const Vec2>(loop), walls);
  };
  // Between an odd crossing and the next one lies free space.
  for (size_t k = 0; k + 1 < rows.size(); k += 2) {
    if (rows[k].row != rows[k + 1].row) break;
    for (int64_t i = rows[k].column; i < rows[k + 1].column; ++i) addSquare(i, rows[k].row);
  }
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
  const Box box = boundingBox(environment);
  SquareRaster raster;
  raster.origin = box.min;
  raster.side = std::max<int64_t>(1, std::llround(settings.square / environment.lattice.unit));
  raster.columns = (static_cast<int64_t>(box.max.x) - box.min.x) / raster.side + 1;
  raster.rows = (static_cast<int64_t>(box.max.y) - box.min.y) / raster.side + 1;
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
    addSquares(builder, id, environment.layers[id].free, raster);
  }
  context.report(kStage, 1);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The grid was cancelled by the caller."};
  return builder.build(kName, settings.hash(), traits(), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Equal squares whose centres are free, each with up to four neighbours: approximate.";
  generator.info.source =
      "W. van Toll et al., A comparative study of navigation meshes, Motion in Games (2016): the baseline";
  generator.info.traits = traits();
  generator.info.options = {{"square",
                             "Side of the squares, in metres; small ones take memory with the square of their number.",
                             "1",
                             {},
                             0.001,
                             1000}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("square")}, context);
  };
  return generator;
}

}  // namespace wend::grid
