#include "draw/palette.h"

#include <algorithm>
#include <cmath>

namespace wend {

Colour heightColour(double fraction) {
  constexpr std::array<std::array<double, 3>, 5> kStops{
      {{68, 90, 160}, {60, 140, 160}, {80, 175, 125}, {160, 200, 90}, {245, 215, 80}}};
  const double s = std::clamp(fraction, 0.0, 1.0) * (kStops.size() - 1);
  const size_t i = std::min(static_cast<size_t>(s), kStops.size() - 2);
  Colour colour{};
  for (size_t k = 0; k < 3; ++k) {
    colour[k] = static_cast<uint8_t>(kStops[i][k] + (s - static_cast<double>(i)) * (kStops[i + 1][k] - kStops[i][k]));
  }
  return colour;
}

Colour shaded(Colour colour, const std::array<Vec3, 3>& c) {
  const Vec3 u{c[1].x - c[0].x, c[1].y - c[0].y, c[1].z - c[0].z};
  const Vec3 v{c[2].x - c[0].x, c[2].y - c[0].y, c[2].z - c[0].z};
  const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const double length = std::hypot(n.x, n.y, n.z);
  if (length == 0) return colour;
  const double light = 0.72 + 0.36 * std::max(0.0, (-0.35 * n.x - 0.55 * n.y + 0.76 * n.z) / length);
  for (uint8_t& channel : colour) channel = static_cast<uint8_t>(std::min(255.0, channel * light));
  return colour;
}

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
