#include "environment/make/city.h"

#include <algorithm>
#include <array>

#include "environment/make/scatter.h"

namespace wend::make {

namespace {

constexpr int kBlocks = 16;  // along each side
constexpr double kBlock = kCitySize / kBlocks;

struct Square {
  int column, row, columns, rows;
};
constexpr std::array<Square, 6> kTowerSquares{
    {{2, 2, 2, 2}, {7, 1, 2, 2}, {12, 1, 2, 2}, {2, 12, 2, 2}, {7, 12, 2, 2}, {12, 12, 2, 2}}};
constexpr std::array<Square, 2> kLibrarySquares{{{1, 7, 2, 1}, {13, 8, 2, 1}}};
constexpr std::array<Square, 2> kPlazas{{{5, 5, 6, 6}, {11, 4, 4, 3}}};

bool covers(const Square& s, int i, int j) {
  return i >= s.column && i < s.column + s.columns && j >= s.row && j < s.row + s.rows;
}

bool isOpen(int i, int j) {
  const auto hit = [&](const Square& s) { return covers(s, i, j); };
  return std::any_of(kTowerSquares.begin(), kTowerSquares.end(), hit) ||
         std::any_of(kLibrarySquares.begin(), kLibrarySquares.end(), hit) ||
         std::any_of(kPlazas.begin(), kPlazas.end(), hit);
}

template <typename Squares>
std::vector<Vec2> centres(const Squares& squares) {
  std::vector<Vec2> result;
  for (const Square& s : squares) {
    result.push_back({(s.column + s.columns / 2.0) * kBlock, (s.row + s.rows / 2.0) * kBlock});
  }
  return result;
}

}  // namespace

std::vector<Ring> cityBuildings(int64_t vertices, double blocked, Random& random) {
  std::vector<Slot> slots;
  const std::vector<Slot> grid = slotGrid(0, 0, kCitySize, kCitySize, kBlocks, kBlocks);
  for (int j = 0; j < kBlocks; ++j) {
    for (int i = 0; i < kBlocks; ++i) {
      if (!isOpen(i, j)) slots.push_back(grid[static_cast<size_t>(j) * kBlocks + i]);
    }
  }
  // One round building where the sum is odd: all others have an even number of vertices.
  const int round = vertices % 2 == 1 ? 9 : 0;
  const std::vector<int> counts =
      distribute(vertices - 4 - round, slots.size() - (round > 0 ? 2 : 1), 4, 160, random, 2);
  slots[0].shape = boxShape(20, 18);
  if (round > 0) slots.back().shape = regular(round, 9);
  for (size_t i = 1; i <= counts.size(); ++i) {
    const double width = random.real(14, 24);
    const double depth = random.real(14, 24);
    slots[i].shape = turned(building(counts[i - 1], width, depth, random), random.real(-0.14, 0.14));
  }
  return settle(slots, blocked, 1.5, random);
}

const std::vector<Vec2>& towerLots() {
  static const std::vector<Vec2> lots = centres(kTowerSquares);
  return lots;
}

const std::vector<Vec2>& libraryLots() {
  static const std::vector<Vec2> lots = centres(kLibrarySquares);
  return lots;
}

}  // namespace wend::make
