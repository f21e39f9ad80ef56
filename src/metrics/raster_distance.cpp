#include <algorithm>
#include <cmath>
#include <queue>

#include <wend/image/grid_study.h>

#include <fmt/format.h>

#include "planning/table/hop_graph.h"

namespace wend {
namespace {

constexpr double kPerUnit = 16;  // of HopCost

std::vector<double> flood(const NavigableGrid& grid, uint32_t start) {
  std::vector<double> distance(grid.free.size(), HUGE_VAL);
  using Item = std::pair<double, uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  distance[start] = 0;
  open.emplace(0.0, start);
  const auto isFree = [&](int64_t row, int64_t column) {
    return row >= 0 && column >= 0 && row < grid.height && column < grid.width &&
           grid.isFree(static_cast<uint32_t>(row), static_cast<uint32_t>(column));
  };
  while (!open.empty()) {
    const auto [way, at] = open.top();
    open.pop();
    if (way > distance[at]) continue;
    const int64_t row = at / grid.width;
    const int64_t column = at % grid.width;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || !isFree(row + dy, column + dx)) continue;
        const bool diagonal = dx != 0 && dy != 0;
        if (diagonal && (!isFree(row, column + dx) || !isFree(row + dy, column))) continue;
        const double further = way + (diagonal ? std::sqrt(2.0) : 1.0);
        const auto other = static_cast<uint32_t>((row + dy) * grid.width + column + dx);
        if (further >= distance[other]) continue;
        distance[other] = further;
        open.emplace(further, other);
      }
    }
  }
  return distance;
}

}  // namespace

Result<RasterDistances> RasterDistances::make(const NavigableGrid& grid) {
  if (const Status status = checkGrid(grid); !status.ok()) return status.error();
  RasterDistances result;
  result.grid_ = grid;
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < grid.free.size(); ++i) {
    if (grid.free[i] == 0) continue;
    // From the pixel in the middle, or the lower right one of the four there.
    const double distance = std::hypot(static_cast<double>(i % grid.width) - grid.width / 2,
                                       static_cast<double>(i / grid.width) - grid.height / 2);
    if (distance >= least) continue;
    least = distance;
    result.middle_ = i;
  }
  if (least == HUGE_VAL) return Error{ErrorCode::kEmpty, "the picture has no free pixel"};
  result.distances_ = flood(grid, result.middle_);
  return result;
}

std::vector<double> RasterDistances::over(const NavMesh& mesh, HopMetric metric, bool offset,
                                          const Context& context) const {
  const Locator locator(mesh);
  const HopGraph graph(mesh, metric, 0, context);
  const auto placeOf = [&](uint32_t i) {
    return Vec2{grid_.origin.x + (i % grid_.width + 0.5) * grid_.pixel,
                grid_.origin.y + (grid_.height - 1 - i / grid_.width + 0.5) * grid_.pixel};
  };
  const auto toCentre = [&](Vec2 metres, CellId cell) {
    const Vec2 centre = mesh.lattice().toMetres(graph.centre(cell));
    return std::hypot(centre.x - metres.x, centre.y - metres.y) / grid_.pixel;
  };
  std::vector<double> found(grid_.free.size(), HUGE_VAL);
  const CellId goal = locator.locate(placeOf(middle_), 0);
  if (goal == kNone) return found;
  HopSearchMemory memory;
  searchFrom(graph, goal, memory);
  const double scale = mesh.lattice().unit / kPerUnit / grid_.pixel;
  const double end = offset ? toCentre(placeOf(middle_), goal) : 0;
  for (uint32_t i = 0; i < grid_.free.size(); ++i) {
    if (!std::isfinite(distances_[i])) continue;
    const CellId cell = locator.locate(placeOf(i), 0);
    if (cell == kNone || memory.cost[cell] == kNoHop) continue;
    found[i] = static_cast<double>(memory.cost[cell]) * scale + (offset ? toCentre(placeOf(i), cell) + end : 0);
  }
  return found;
}

RasterError RasterDistances::compare(const NavMesh& mesh, HopMetric metric, bool offset, const Context& context) const {
  const std::vector<double> found = over(mesh, metric, offset, context);
  RasterError result;
  double sum = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!std::isfinite(distances_[i])) continue;
    if (!std::isfinite(found[i])) {
      ++result.missed;
      continue;
    }
    ++result.compared;
    sum += (found[i] - distances_[i]) * (found[i] - distances_[i]);
  }
  result.error = sum / static_cast<double>(found.size());
  if (result.compared > 0) result.navigableError = sum / static_cast<double>(result.compared);
  return result;
}

std::vector<std::pair<std::string, GridSettings>> gridSweep() {
  std::vector<std::pair<std::string, GridSettings>> seedings;
  const auto add = [&](std::string name, GridSeeds seeds, uint32_t number) {
    GridSettings settings;
    settings.seeds = seeds;
    if (seeds == GridSeeds::kRandom) settings.count = number;
    if (seeds == GridSeeds::kSampled) settings.period = number;
    seedings.emplace_back(std::move(name), settings);
  };
  add("Sng", GridSeeds::kSingle, 0);
  add("Bor", GridSeeds::kBorder, 0);
  for (const uint32_t count : {10U, 50U, 100U, 500U}) add(fmt::format("R{}", count), GridSeeds::kRandom, count);
  for (const uint32_t period : {8U, 16U, 32U, 64U, 128U}) add(fmt::format("S{}", period), GridSeeds::kSampled, period);
  std::vector<std::pair<std::string, GridSettings>> all;
  for (const auto& [seeding, base] : seedings) {
    for (const auto& [container, value] : {std::pair("queue", GridContainer::kQueue),
                                           {"stack", GridContainer::kStack},
                                           {"min-heap", GridContainer::kMinHeap},
                                           {"max-heap", GridContainer::kMaxHeap}}) {
      for (const char* expander : {"1d", "1d-memory", "2d"}) {
        GridSettings settings = base;
        settings.container = value;
        settings.memory = std::string_view(expander) == "1d-memory";
        if (std::string_view(expander) == "2d") settings.expander = GridExpander::kAllSides;
        all.emplace_back(fmt::format("{} {} {}", seeding, container, expander), settings);
      }
    }
  }
  return all;
}

}  // namespace wend
