#include <cmath>

#include "base/random.h"
#include "environment/make/cell_plan.h"
#include "environment/make/recipe.h"
#include "geometry/int128.h"

// A floor plan on a grid of 10 x 10 rooms: around each of the 81 inner corners stands one piece of wall or a solid
// core, and every wall between two rooms has its door in the middle.
namespace wend::make {

namespace {

constexpr int kColumns = 10;
constexpr int kRows = 10;
constexpr double kWidth = 120;
constexpr double kDepth = 80;
constexpr double kRoomWidth = kWidth / kColumns;
constexpr double kRoomDepth = kDepth / kRows;
constexpr double kWall = 0.4;
constexpr double kDoor = 1.2;
constexpr double kArea = 8370.68;

enum class Piece : uint8_t { kCore, kAngle, kTee, kCross };

// 24 * 4 + 18 * 6 + 29 * 8 + 10 * 12 = 556 vertices; the outer wall has the other four.
std::vector<Piece> pieces(Random& random) {
  std::vector<Piece> list;
  list.insert(list.end(), 24, Piece::kCore);
  list.insert(list.end(), 18, Piece::kAngle);
  list.insert(list.end(), 29, Piece::kTee);
  list.insert(list.end(), 10, Piece::kCross);
  random.shuffle(list);
  return list;
}

// Arms of a piece as a bit set: east, north, west, south.
unsigned armsOf(Piece piece, Random& random) {
  const auto turn = static_cast<unsigned>(random.below(4));
  const unsigned arms = piece == Piece::kAngle ? 0b0011U : piece == Piece::kTee ? 0b0111U : 0b1111U;
  return ((arms << turn) | (arms >> (4 - turn))) & 0b1111U;
}

void drawWalls(CellPlan& plan, double x, double y, unsigned arms) {
  const double along = kRoomWidth / 2 - kDoor / 2;
  const double across = kRoomDepth / 2 - kDoor / 2;
  const double half = kWall / 2;
  plan.block(rect(x - half, y - half, x + half, y + half));
  if ((arms & 1U) != 0) plan.block(rect(x, y - half, x + along, y + half));
  if ((arms & 2U) != 0) plan.block(rect(x - half, y, x + half, y + across));
  if ((arms & 4U) != 0) plan.block(rect(x - along, y - half, x, y + half));
  if ((arms & 8U) != 0) plan.block(rect(x - half, y - across, x + half, y));
}

struct Core {
  double x, y, width;
};

Result<Environment> university(const Recipe& recipe) {
  Random random(recipe.seed());
  CellPlan plan;
  plan.free(rect(0, 0, kWidth, kDepth));
  const std::vector<Piece> kinds = pieces(random);
  std::vector<Core> cores;
  double coreWidth = 0;
  for (int j = 1; j < kRows; ++j) {
    for (int i = 1; i < kColumns; ++i) {
      const Piece piece = kinds[static_cast<size_t>(j - 1) * (kColumns - 1) + (i - 1)];
      if (piece != Piece::kCore) {
        drawWalls(plan, i * kRoomWidth, j * kRoomDepth, armsOf(piece, random));
        continue;
      }
      cores.push_back({i * kRoomWidth, j * kRoomDepth, std::round(random.real(6.0, 8.5) * 100) / 100});
      coreWidth += cores.back().width;
    }
  }
  // All cores have one depth; the first one's width takes up what rounding left.
  const Int128 walls = plan.trace().doubledArea;
  const double excess = static_cast<double>(walls) / 2 - kArea * kMetre * kMetre;
  const int32_t depth = units(excess / kMetre / kMetre / coreWidth) / 2 * 2;
  double rest = excess;
  for (size_t k = cores.size(); k-- > 0;) {
    const Core& core = cores[k];
    const auto width = k > 0 ? units(core.width) : static_cast<int32_t>(std::lround(rest / depth));
    const Point centre = point(core.x, core.y);
    const int32_t x0 = centre.x - width / 2;
    plan.block({x0, centre.y - depth / 2, x0 + width, centre.y + depth / 2});
    rest -= static_cast<double>(width) * depth;
  }
  CellPlan::Traced traced = plan.trace();
  Construction world("university");
  world.addFloors(world.addLayer("floor", 0), std::move(traced.polygons), traced.doubledArea);
  return std::move(world).finish(1, 1 + (kColumns - 1) * (kRows - 1));
}

}  // namespace

std::vector<Entry> universityWorlds() {
  return {{{"university",
            "A floor plan of 10 x 10 rooms with doors and solid cores, 120 m x 80 m.",
            "University of the comparison study: n 560, 8,370.68 m2, 82 boundaries. All reproduced; the plan is ours.",
            {}},
           university}};
}

}  // namespace wend::make
