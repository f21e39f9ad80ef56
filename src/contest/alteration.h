#pragma once

#include <vector>

#include <wend/game/contest.h>

namespace wend {

// The least cost from every region to `goal`, infinity where no way leads; through obstructions too where `mayOpen`.
std::vector<double> costsTo(const ContestLevel& level, uint32_t goal, bool mayOpen, const AlterationCosts& costs);

// What one link costs: its length, and its conversion. Infinity if it cannot be passed.
double linkCost(const ContestLevel::Link& link, bool mayOpen, const AlterationCosts& costs);

// The link of a region that begins the cheapest way to the goal of `field` (costsTo), or kNone.
uint32_t bestLink(const ContestLevel& level, uint32_t region, const std::vector<double>& field, bool mayOpen,
                  const AlterationCosts& costs);

}  // namespace wend
