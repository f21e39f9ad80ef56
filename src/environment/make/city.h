#pragma once

#include "environment/make/shapes.h"

// The city of 500 m x 500 m, also the ground of the big city.
namespace wend::make {

inline constexpr double kCitySize = 500;  // metres
inline constexpr int kCityBuildings = 180;

// 180 buildings with `vertices` vertices in total, which cover `blocked` m2.
std::vector<Ring> cityBuildings(int64_t vertices, double blocked, Random& random);

// Centres of the open squares that can take a tower (62.5 m x 62.5 m) or a library (62.5 m x 31.25 m), metres.
const std::vector<Vec2>& towerLots();
const std::vector<Vec2>& libraryLots();

}  // namespace wend::make
