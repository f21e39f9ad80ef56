#include "generators/quadtree/quadtree.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/delaunay/delaunay.h"
#include "mesh/mesh_builder.h"

namespace wend::quadtree {
namespace {

constexpr const char* kName = "quadtree";
constexpr const char* kStage = "halve squares";

// Nodes looked at, of all layers together.
constexpr size_t kMostNodes = size_t{1} << 26;

struct Square {
  int64_t x = 0;  // lower left; lattice units
  int64_t y = 0;
  int64_t side = 0;
};

struct Wall {
  Point a;
  Point b;
};

// Whether the wall enters the open square: they have no separating line.
bool enters(const Wall& wall, const Square& square) {
  const int64_t right = square.x + square.side;
  const int64_t top = square.y + square.side;
  if (std::max(wall.a.x, wall.b.x) <= square.x || std::min(wall.a.x, wall.b.x) >= right) return false;
  if (std::max(wall.a.y, wall.b.y) <= square.y || std::min(wall.a.y, wall.b.y) >= top) return false;
  const auto isLeft = [&](int64_t x, int64_t y) {
    const Int128 cross = static_cast<Int128>(static_cast<int64_t>(wall.b.x) - wall.a.x) * (y - wall.a.y) -
                         static_cast<Int128>(static_cast<int64_t>(wall.b.y) - wall.a.y) * (x - wall.a.x);
    return cross > 0 ? 1 : (cross < 0 ? -1 : 0);
  };
  const std::array<int, 4> sides{isLeft(square.x, square.y), isLeft(right, square.y), isLeft(right, top),
                                 isLeft(square.x, top)};
  return *std::min_element(sides.begin(), sides.end()) < 0 && *std::max_element(sides.begin(), sides.end()) > 0;
}

class Halving {
 public:
  Halving(const Locator& locator, int64_t smallest, MeshBuilder& builder, const Context& context)
      : locator_(locator), smallest_(smallest), builder_(builder), context_(context) {}

  // False if it was cancelled or became too much.
  bool run(LayerId layer, const Square& root, std::vector<Wall> walls) {
    layer_ = layer;
    std::erase_if(walls, [&](const Wall& wall) { return !enters(wall, root); });
    return halve(root, walls);
  }
  bool tooMany() const { return nodes_ > kMostNodes; }

 private:
  bool halve(const Square& square, const std::vector<Wall>& walls) {
    if (++nodes_ > kMostNodes || ((nodes_ & 0xfffU) == 0 && context_.cancelled())) return false;
    if (walls.empty()) {
      if (isFree(square)) addCell(square);
      return true;
    }
    if (square.side <= smallest_) return true;
    const int64_t half = square.side / 2;
    std::vector<Wall> inside;
    for (const int64_t y : {square.y, square.y + half}) {
      for (const int64_t x : {square.x, square.x + half}) {
        const Square child{x, y, half};
        inside.clear();
        std::copy_if(walls.begin(), walls.end(), std::back_inserter(inside),
                     [&](const Wall& wall) { return enters(wall, child); });
        if (!halve(child, inside)) return false;
      }
    }
    return true;
  }

  bool isFree(const Square& square) const {
    const double half = static_cast<double>(square.side) / 2;
    std::array<CellId, 1> cell;
    return locator_.locateAll({static_cast<double>(square.x) + half, static_cast<double>(square.y) + half}, layer_,
                              cell) > 0;
  }

  void addCell(const Square& square) {
    const auto x = static_cast<double>(square.x);
    const auto y = static_cast<double>(square.y);
    const auto side = static_cast<double>(square.side);
    const std::array<Vec2, 4> loop{Vec2{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
    builder_.addCell(layer_, std::span<const Vec2>(loop));
  }

  const Locator& locator_;
  int64_t smallest_;
  MeshBuilder& builder_;
  const Context& context_;
  LayerId layer_ = 0;
  size_t nodes_ = 0;
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

MeshTraits traits() {
  MeshTraits traits;
  traits.exact = false;
  return traits;
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(smallest);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto triangles = delaunay::generate(environment, {}, context);
  if (!triangles.ok()) return triangles.error();
  const Locator locator(*triangles);
  context.report(kStage, 0);
  const Box box = boundingBox(environment);
  const int64_t smallest = std::max<int64_t>(1, std::llround(settings.smallest / environment.lattice.unit));
  const int64_t extent =
      std::max(static_cast<int64_t>(box.max.x) - box.min.x, static_cast<int64_t>(box.max.y) - box.min.y);
  Square root{box.min.x, box.min.y, smallest};
  while (root.side < extent) root.side *= 2;
  MeshBuilder builder(environment);
  Halving halving(locator, smallest, builder, context);
  for (LayerId id = 0; id < environment.layers.size(); ++id) {
    if (halving.run(id, root, wallsOf(environment.layers[id]))) continue;
    if (halving.tooMany()) {
      return Error{ErrorCode::kLimit, fmt::format("Squares down to {} m would be more than {}; choose larger ones.",
                                                  settings.smallest, kMostNodes)};
    }
    break;
  }
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The quadtree was cancelled by the caller."};
  context.report(kStage, 1);
  return builder.build(kName, settings.hash(), traits(), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Squares of different sizes that no wall enters: approximate, never outside the free space.";
  generator.info.source =
      "H. Samet, The quadtree and related hierarchical data structures, ACM Computing Surveys 16 "
      "(1984) 187-260";
  generator.info.traits = traits();
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
