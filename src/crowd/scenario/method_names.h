#pragma once

#include <array>
#include <string_view>

// The methods as a scenario names them, in the order of their enumerations in <wend/crowd.h>.
namespace wend {

inline constexpr std::array<std::string_view, 6> kRouteNames{"short", "medial", "left", "right", "side", "weighted"};
inline constexpr std::array<std::string_view, 3> kFollowNames{"irm", "miran", "waypoints"};
inline constexpr std::array<std::string_view, 8> kAvoidNames{"vision", "karamouzas",   "predictive", "power_law",
                                                             "orca",   "social_force", "speed",      "none"};
inline constexpr std::array<std::string_view, 7> kDiagramNames{"linear",       "weidmann", "fruin",  "older",
                                                               "tanaboriboon", "sarkar",   "virkler"};

}  // namespace wend
