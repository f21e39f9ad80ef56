#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <wend/navmesh.h>

// Colours of pictures.
namespace wend {

inline constexpr std::string_view kObstacleColour = "#8d8880";
inline constexpr std::string_view kFreeColour = "#f6f3ec";
inline constexpr std::string_view kWallColour = "#3a3632";
inline constexpr std::string_view kPortalColour = "#5b7fa6";
inline constexpr std::string_view kConnectionColour = "#e07b00";
inline constexpr std::string_view kStartColour = "#1a9641";
inline constexpr std::string_view kRouteColour = "#c8102e";
inline constexpr std::string_view kAxisColour = "#6a1b7a";
inline constexpr std::string_view kAnnotationColour = "#00695c";
inline constexpr std::string_view kCorridorColour = "#6a51a3";
inline constexpr std::string_view kShrunkPortalColour = "#1a7f37";
inline constexpr std::string_view kClosedColour = "#d1242f";
inline constexpr std::string_view kViewColour = "#ffd54a";
inline constexpr std::string_view kViewEdgeColour = "#b26a00";

inline constexpr std::array<std::string_view, 12> kCellColours{"#a6cee3", "#b2df8a", "#fdd49e", "#cab2d6",
                                                               "#fbb4ae", "#b3e2cd", "#fff2ae", "#decbe4",
                                                               "#c6dbef", "#e6f5c9", "#fddaec", "#bfe6ef"};

using Colour = std::array<uint8_t, 3>;

// From the lowest (0, blue) over green to the highest (1, yellow).
Colour heightColour(double fraction);
// Darker where the face looks away from the light in the south-west above.
Colour shaded(Colour colour, const std::array<Vec3, 3>& corners);

// A colour per cell such that neighbours differ wherever the palette allows it; depends on the mesh alone.
std::vector<uint8_t> colourCells(const NavMesh& mesh);

}  // namespace wend
