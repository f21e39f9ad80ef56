#pragma once

#include <array>
#include <string_view>

#include <wend/density.h>

// Fundamental diagrams: how fast a crowd walks at a density.
//
// Density is the covered share of the ground, 0 to 1; a person covers kBodyArea, so that 1 m2 holds density / kBodyArea
// persons.
namespace wend {

inline constexpr double kBodyArea = 0.18;  // m2: a disk of radius 0.24 m
constexpr double personsPerM2(double density) {
  return density / kBodyArea;
}

// Walking speed in m/s, falling with the density, never negative. kLinear is that of van Toll 2017 (chapter 9), 1.4 m/s
// times (1 - density); kWeidmann is Weidmann 1993 in Kladek's form; the others are fits of their authors' curves over
// persons per m2.
double speed(FundamentalDiagram diagram, double density);

// The time a crowd of this density needs for a way, over the time without crowd: 1 to kSlowest. Jams cost a bounded
// time, so that routes through them can still be compared.
inline constexpr double kSlowest = 20;
double slowness(FundamentalDiagram diagram, double density);

}  // namespace wend
