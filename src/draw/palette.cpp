#include "draw/palette.h"

namespace wend {

std::vector<uint8_t> colourCells(const NavMesh& mesh) {
  constexpr uint8_t kUncoloured = 0xff;
  std::vector<uint8_t> colour(mesh.cellCount(), kUncoloured);
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    uint32_t taken = 0;
    for (SideId side = mesh.firstSide(cell); side < mesh.endSide(cell); ++side) {
      const CellId other = mesh.neighbour(side);
      if (other != kNone && colour[other] != kUncoloured) taken |= 1U << colour[other];
    }
    // Start at a place that varies with the id, so that the whole palette is used.
    const uint32_t start = (cell * 2654435761U) >> 16;
    for (uint32_t i = 0; i < kCellColours.size(); ++i) {
      const auto candidate = static_cast<uint8_t>((start + i) % kCellColours.size());
      if (i + 1 == kCellColours.size() || (taken >> candidate & 1U) == 0) {
        colour[cell] = candidate;
        break;
      }
    }
  }
  return colour;
}

}  // namespace wend
