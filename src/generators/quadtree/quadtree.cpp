#include "generators/quadtree/quadtree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "generators/scan_lines.h"
#include "geometry/int128.h"

namespace wend::quadtree {
namespace {

constexpr const char* kName = "quadtree";
constexpr const char* kStage = "halve squares";

// Nodes looked at, of all layers together.
constexpr int64_t kMostNodes = int64_t{1} << 26;

struct Square {
  int64_t x = 0;  // lower left; lattice units
  int64_t y = 0;
  int64_t side = 0;
};

struct Wall {
  Point a;
  Point b;
  uint32_t entered = 0;  // quarters of the square at hand
};

// Whether the wall's line enters the open square.
bool lineEnters(const Wall& wall, const Square& square) {
  // The corners lie on both sides of the line if its middle is nearer to it than half of the square's width across; all
  // doubled.
  const int64_t dx = static_cast<int64_t>(wall.b.x) - wall.a.x;
  const int64_t dy = static_cast<int64_t>(wall.b.y) - wall.a.y;
  const int64_t x = 2 * (square.x - wall.a.x) + square.side;
  const int64_t y = 2 * (square.y - wall.a.y) + square.side;
  const Int128 away = static_cast<Int128>(dx) * y - static_cast<Int128>(dy) * x;
  const Int128 width = static_cast<Int128>(std::abs(dx) + std::abs(dy)) * square.side;
  return -width < away && away < width;
}

// Whether the wall enters the open square: they have no separating line.
bool enters(const Wall& wall, const Square& square) {
  if (std::max(wall.a.x, wall.b.x) <= square.x || std::min(wall.a.x, wall.b.x) >= square.x + square.side) return false;
  if (std::max(wall.a.y, wall.b.y) <= square.y || std::min(wall.a.y, wall.b.y) >= square.y + square.side) return false;
  return lineEnters(wall, square);
}

// From the lower left, row by row.
std::array<Square, 4> quartersOf(const Square& square) {
  const int64_t half = square.side / 2;
  const int64_t x = square.x + half;
  const int64_t y = square.y + half;
  return {Square{square.x, square.y, half}, {x, square.y, half}, {square.x, y, half}, {x, y, half}};
}

// Of a square that the wall enters: which of its quarters it enters, one bit each.
uint32_t quartersEntered(const Wall& wall, const std::array<Square, 4>& quarters) {
  const Square& last = quarters[3];  // from the middle on
  const uint32_t columns =
      (std::min(wall.a.x, wall.b.x) < last.x ? 0b0101U : 0) | (std::max(wall.a.x, wall.b.x) > last.x ? 0b1010U : 0);
  const uint32_t rows =
      (std::min(wall.a.y, wall.b.y) < last.y ? 0b0011U : 0) | (std::max(wall.a.y, wall.b.y) > last.y ? 0b1100U : 0);
  uint32_t entered = columns & rows;
  if (std::has_single_bit(entered)) return entered;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((entered >> i & 1U) != 0 && !lineEnters(wall, quarters[i])) entered ^= 1U << i;
  }
  return entered;
}

class Halving {
 public:
  Halving(const Square& root, int64_t smallest, MeshBuilder& builder, const Context& context)
      : root_(root), smallest_(smallest), builder_(builder), context_(context) {}

  // `rows` are the walls on the centre lines of the smallest squares. False if it was cancelled or became too much.
  bool run(LayerId layer, std::span<const Wall> walls, std::span<const RowCrossing> rows) {
    layer_ = layer;
    rows_ = rows;
    walls_.clear();
    std::copy_if(walls.begin(), walls.end(), std::back_inserter(walls_),
                 [&](const Wall& wall) { return enters(wall, root_); });
    return halve(root_, 0);
  }
  bool tooMany() const { return nodes_ > kMostNodes; }

 private:
  // The walls that enter the square are the last ones, from `first` on.
  bool halve(const Square& square, size_t first) {
    if (++nodes_ > kMostNodes || ((nodes_ & 0xfffU) == 0 && context_.cancelled())) return false;
    const size_t last = walls_.size();
    if (first == last) {
      if (isFree(square)) addCell(square);
      return true;
    }
    if (square.side <= smallest_) return true;
    const std::array<Square, 4> quarters = quartersOf(square);
    for (size_t i = first; i < last; ++i) walls_[i].entered = quartersEntered(walls_[i], quarters);
    for (uint32_t quarter = 0; quarter < 4; ++quarter) {
      for (size_t i = first; i < last; ++i) {
        if ((walls_[i].entered >> quarter & 1U) == 0) continue;
        const Wall wall = walls_[i];
        walls_.push_back(wall);
      }
      if (!halve(quarters[quarter], last)) return false;
      walls_.resize(last);
    }
    return true;
  }

  // No wall enters it, so it is as free as the smallest square in its lower left corner.
  bool isFree(const Square& square) const {
    const RowCrossing place{static_cast<int32_t>((square.y - root_.y) / smallest_),
                            static_cast<int32_t>((square.x - root_.x) / smallest_)};
    return (std::upper_bound(rows_.begin(), rows_.end(), place) - rows_.begin()) % 2 == 1;
  }

  void addCell(const Square& square) {
    const auto x = static_cast<double>(square.x);
    const auto y = static_cast<double>(square.y);
    const auto side = static_cast<double>(square.side);
    const std::array<Vec2, 4> loop{Vec2{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
    builder_.addCell(layer_, std::span<const Vec2>(loop));
  }

  Square root_;
  int64_t smallest_;
  MeshBuilder& builder_;
  const Context& context_;
  LayerId layer_ = 0;
  std::span<const RowCrossing> rows_;
  std::vector<Wall> walls_;
  int64_t nodes_ = 0;
};

std::vector<Wall> wallsOf(const Layer& layer) {
  std::vector<Wall> walls;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) walls.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
  };
  for (const Polygon& polygon : layer.free) {
    add(polygon.outer);
    for (const Ring& ring : polygon.holes) add(ring);
  }
  return walls;
}

// At most how often walls meet the centre lines of rows this high.
int64_t crossingsOf(std::span<const Wall> walls, int64_t side) {
  int64_t count = 0;
  for (const Wall& wall : walls) {
    count += std::abs(static_cast<int64_t>(wall.b.y) - wall.a.y) / side + 1;
  }
  return count;
}

constexpr MeshTraits kTraits{.exact = false};

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(smallest);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  // Only to learn what is wrong with the polygons, and where: the scan trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  context.report(kStage, 0);
  const Error tooMany{ErrorCode::kLimit, fmt::format("Squares down to {} m would be more than {}; choose larger ones.",
                                                     settings.smallest, kMostNodes)};
  const Box box = boundingBox(environment);
  const int64_t smallest = std::max<int64_t>(1, std::llround(settings.smallest / environment.lattice.unit));
  const int64_t extent =
      std::max(static_cast<int64_t>(box.max.x) - box.min.x, static_cast<int64_t>(box.max.y) - box.min.y);
  Square root{box.min.x, box.min.y, smallest};
  while (root.side < extent) root.side *= 2;
  const int64_t across = std::min<int64_t>(root.side / smallest, std::numeric_limits<int32_t>::max());
  const SquareRaster raster{box.min, smallest, across, across};
  MeshBuilder builder(environment);
  Halving halving(root, smallest, builder, context);
  for (LayerId id = 0; id < environment.layers.size(); ++id) {
    const std::vector<Wall> walls = wallsOf(environment.layers[id]);
    if (crossingsOf(walls, smallest) > kMostNodes) return tooMany;
    if (halving.run(id, walls, scanRows(environment.layers[id].free, raster, false))) continue;
    if (halving.tooMany()) return tooMany;
    break;
  }
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The quadtree was cancelled by the caller."};
  context.report(kStage, 1);
  return builder.build(kName, settings.hash(), kTraits, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Squares of different sizes that no wall enters: approximate, never outside the free space.";
  generator.info.source =
      "H. Samet, The quadtree and related hierarchical data structures, ACM Computing Surveys 16 "
      "(1984) 187-260";
  generator.info.traits = kTraits;
  generator.info.options = {{"smallest",
                             "Side of the smallest squares, in metres; smaller ones cover more and take memory.",
                             "0.25",
                             {},
                             0.001,
                             1000}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("smallest")}, context);
  };
  return generator;
}

}  // namespace wend::quadtree
