#include "contest/alteration.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace wend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

size_t openDegree(const ContestLevel& level, uint32_t region) {
  return static_cast<size_t>(std::count_if(level.linksOf[region].begin(), level.linksOf[region].end(),
                                           [&](uint32_t l) { return level.links[l].state == LinkState::kOpen; }));
}

}  // namespace

double linkCost(const ContestLevel::Link& link, bool mayOpen, const AlterationCosts& costs) {
  if (link.state == LinkState::kOpen) return link.length;
  if (!mayOpen) return kInfinity;
  return link.length + (link.state == LinkState::kGap ? costs.bridge : costs.open);
}

std::vector<double> costsTo(const ContestLevel& level, uint32_t goal, bool mayOpen, const AlterationCosts& costs) {
  std::vector<double> cost(level.places.size(), kInfinity);
  using Open = std::pair<double, uint32_t>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  cost[goal] = 0;
  open.emplace(0.0, goal);
  while (!open.empty()) {
    const auto [here, region] = open.top();
    open.pop();
    if (here > cost[region]) continue;
    for (const uint32_t l : level.linksOf[region]) {
      const double next = here + linkCost(level.links[l], mayOpen, costs);
      const uint32_t other = level.links[l].across(region);
      if (next >= cost[other]) continue;
      cost[other] = next;
      open.emplace(next, other);
    }
  }
  return cost;
}

uint32_t bestLink(const ContestLevel& level, uint32_t region, const std::vector<double>& field, bool mayOpen,
                  const AlterationCosts& costs) {
  uint32_t best = kNone;
  double least = kInfinity;
  for (const uint32_t l : level.linksOf[region]) {
    const double cost = linkCost(level.links[l], mayOpen, costs) + field[level.links[l].across(region)];
    if (cost < least) {
      least = cost;
      best = l;
    }
  }
  return best;
}

std::vector<uint32_t> planAlteringRoute(const ContestLevel& level, uint32_t start, uint32_t goal, bool mayOpen,
                                        const AlterationCosts& costs) {
  if (start >= level.places.size() || goal >= level.places.size()) return {};
  const std::vector<double> field = costsTo(level, goal, mayOpen, costs);
  if (field[start] == kInfinity) return {};
  std::vector<uint32_t> route{start};
  while (route.back() != goal) {
    const uint32_t link = bestLink(level, route.back(), field, mayOpen, costs);
    if (link == kNone || route.size() > level.places.size()) return {};
    route.push_back(level.links[link].across(route.back()));
  }
  return route;
}

uint32_t chooseRegionToBlock(const ContestLevel& level, uint32_t protectedRegion, uint32_t origin, uint8_t guardedHalf,
                             uint32_t defender) {
  const std::vector<uint32_t> way = planAlteringRoute(level, protectedRegion, origin, false);
  if (way.empty() || defender >= level.places.size()) return kNone;
  const std::vector<double> near = costsTo(level, defender, false, {});
  uint32_t best = kNone;
  for (const uint32_t region : way) {
    if (region == protectedRegion || region == origin || level.half[region] != guardedHalf) continue;
    if (best == kNone ||
        std::pair{openDegree(level, region), near[region]} < std::pair{openDegree(level, best), near[best]}) {
      best = region;
    }
  }
  return best;
}

}  // namespace wend
