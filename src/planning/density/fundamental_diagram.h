#pragma once

#include <array>
#include <string_view>

#include <wend/density.h>

// Fundamental diagrams: walking speed as a function of density. Those that planning takes; what a recording shows is
// measured in crowd/report/analyse.cpp.
//
// Density is the covered share of the ground, 0 to 1; a person covers kPersonArea, so that 1 m2 holds density /
// kPersonArea persons.
namespace wend {

inline constexpr double kPersonArea = 0.18;  // m2: a disk of radius 0.24 m
constexpr double personsPerM2(double density) {
  return density / kPersonArea;
}

// Walking speed in m/s, falling with the density, never negative. kLinear is that of van Toll 2017 (chapter 9), 1.4 m/s
// times (1 - density); kWeidmann is Weidmann 1993 in Kladek's form; the others are fits of their authors' curves over
// persons per m2.
double speed(FundamentalDiagram diagram, double density);

// The time for a distance at this density, divided by the time without a crowd: 1 to kSlowest. Jams cost a bounded
// time, so that routes through them can still be compared.
inline constexpr double kSlowest = 20;
double slowness(FundamentalDiagram diagram, double density);

}  // namespace wend
