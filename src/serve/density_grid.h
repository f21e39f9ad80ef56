#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "serve/crowd_frame.h"

// Persons per m2 of walkable floor, in squares of at least a metre per layer, each averaged with the eight around it.
// For display only: reports measure Voronoi cells.
namespace wend::serve {

class DensityGrid {
 public:
  DensityGrid() = default;
  // O(squares): looks at the floor under each square once.
  DensityGrid(const NavMesh& mesh, const Locator& locator);

  // Counts the persons and writes the density of each into it.
  void measure(std::span<FramePerson> persons);
  // u32 kind = 3, u32 layers, u32 columns, u32 rows, f32 min x, f32 min y, f32 side, u32 0; then u8 per square of 1/32
  // person per m2; 255 where there is no floor.
  Bytes encode() const;

  double densityAt(Vec2 metres, LayerId layer) const;
  static constexpr size_t kMaxSquares = size_t{1} << 20;  // of all layers

 private:
  size_t squareOf(Vec2 metres, LayerId layer) const;

  Vec2 min_;
  double side_ = 1;
  uint32_t columns_ = 0;
  uint32_t rows_ = 0;
  uint32_t layers_ = 0;
  std::vector<float> floor_;     // m2 of each square and the eight around it
  std::vector<uint8_t> isOpen_;  // of each square
  std::vector<float> count_;
  std::vector<float> density_;
};

}  // namespace wend::serve
