#include "planning/region/weighted_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "planning/clearance/distances.h"
#include "planning/corridor/route_cells.h"
#include "planning/open_list.h"
#include "planning/scratch_memory.h"
#include "planning/stamped.h"

namespace wend {
namespace {

// Counter-clockwise from the right.
struct Step {
  int x;
  int y;
};
constexpr size_t kGrain = 256;  // squares
constexpr std::array<Step, 8> kSteps{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

Vec2 centreOf(int64_t x, int64_t y) {
  return {(static_cast<double>(x) + 0.5) * WeightedGrid::kSquare,
          (static_cast<double>(y) + 0.5) * WeightedGrid::kSquare};
}
int64_t indexOf(double metres) {
  return static_cast<int64_t>(std::floor(metres / WeightedGrid::kSquare));
}

// The length of the shortest walk over squares: what no way over them undercuts.
double octile(Vec2 a, Vec2 b) {
  const double dx = std::abs(a.x - b.x);
  const double dy = std::abs(a.y - b.y);
  return std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy);
}

}  // namespace

struct WeightedGrid::Memory final : ScratchMemory {
  struct Node {
    double g;
    uint32_t parent;  // square, kNone for the start
  };
  OpenList open;
  StampedArray<Node> nodes;  // squares, then the goal
  QueryStamp stamp;
  std::vector<uint32_t> way;
  std::vector<CellVisit> visits;

  static Memory& of(PlanScratch& scratch) { return ScratchMemory::of<Memory>(scratch, ScratchMemory::kWeightedGrid); }
};

// An end of a query and the squares it can be joined to in a straight line.
struct WeightedGrid::End {
  Vec2 at;
  CellId cell = kNone;
  LayerId layer = 0;
  uint32_t count = 0;
  std::array<uint32_t, 16> squares{};
  std::span<const uint32_t> all() const { return {squares.data(), count}; }
};

WeightedGrid::WeightedGrid(Navigator navigator, const RegionField& regions, double radius, const Context& context)
    : navigator_(std::move(navigator)), locator_(navigator_.mesh()), radius_(radius) {
  makeAnew(regions, context);
}

void WeightedGrid::makeAnew(const RegionField& regions, const Context& context) {
  const NavMesh& mesh = navigator_.mesh();
  std::vector<Vec2> low(mesh.layerCount(), {HUGE_VAL, HUGE_VAL});
  std::vector<Vec2> high(mesh.layerCount(), {-HUGE_VAL, -HUGE_VAL});
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    const LayerId layer = mesh.layerOf(cell);
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      const Vec2 p = mesh.lattice().toMetres(mesh.vertex(mesh.startVertex(s)));
      low[layer] = {std::min(low[layer].x, p.x), std::min(low[layer].y, p.y)};
      high[layer] = {std::max(high[layer].x, p.x), std::max(high[layer].y, p.y)};
    }
  }
  layers_.assign(mesh.layerCount(), {});
  squares_.clear();
  joined_.clear();
  open_ = 0;
  double all = 0;
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    if (!(low[layer].x < high[layer].x)) continue;
    all += (high[layer].x - low[layer].x + 2) * (high[layer].y - low[layer].y + 2);
    if (all > static_cast<double>(kMostSquares)) {
      layers_.assign(mesh.layerCount(), {});
      squares_.clear();
      return;
    }
    Index& index = layers_[layer];
    index.x = indexOf(low[layer].x);
    index.y = indexOf(low[layer].y);
    index.width = static_cast<uint32_t>(indexOf(high[layer].x) - index.x + 1);
    index.height = static_cast<uint32_t>(indexOf(high[layer].y) - index.y + 1);
    index.begin = static_cast<uint32_t>(squares_.size());
    for (uint32_t row = 0; row < index.height; ++row) {
      for (uint32_t column = 0; column < index.width; ++column) {
        const Vec2 at = centreOf(index.x + column, index.y + row);
        squares_.push_back({at, regions.at(at, layer), layer, false});
      }
    }
  }
  joined_.resize(squares_.size());
  std::vector<uint32_t> every(squares_.size());
  std::iota(every.begin(), every.end(), 0U);
  findOpen(every, context);
  join(every, context);
}

void WeightedGrid::findOpen(std::span<const uint32_t> squares, const Context& context) {
  for (const uint32_t id : squares) open_ -= squares_[id].isOpen ? 1 : 0;
  parallelBlocks(squares.size(), kGrain, context, [&](size_t begin, size_t end) {
    PlanScratch scratch;
    for (size_t i = begin; i < end; ++i) {
      Square& square = squares_[squares[i]];
      const CellId cell = locator_.locate(square.at, square.layer);
      square.isOpen = cell != kNone && !(navigator_.freeDisk(cell, square.at, scratch).clearance < radius_);
    }
  });
  for (const uint32_t id : squares) open_ += squares_[id].isOpen ? 1 : 0;
}

uint32_t WeightedGrid::idAt(int64_t x, int64_t y, LayerId layer) const {
  const Index& index = layers_[layer];
  const int64_t column = x - index.x;
  const int64_t row = y - index.y;
  if (column < 0 || row < 0 || column >= index.width || row >= index.height) return kNone;
  const auto id = static_cast<uint32_t>(index.begin + row * index.width + column);
  return squares_[id].isOpen ? id : kNone;
}

uint32_t WeightedGrid::squareAt(Vec2 metres, LayerId layer) const {
  return layer < layers_.size() ? idAt(indexOf(metres.x), indexOf(metres.y), layer) : kNone;
}

void WeightedGrid::join(std::span<const uint32_t> squares, const Context& context) {
  const NavMesh& mesh = navigator_.mesh();
  parallelBlocks(squares.size(), kGrain, context, [&](size_t begin, size_t end) {
    PlanScratch scratch;
    for (size_t i = begin; i < end; ++i) {
      const Square& from = squares_[squares[i]];
      Joined& joined = joined_[squares[i]];
      joined = {};
      if (!from.isOpen) continue;
      const CellId cell = locator_.locate(from.at, from.layer);
      const int64_t x = indexOf(from.at.x);
      const int64_t y = indexOf(from.at.y);
      for (const Step& step : kSteps) {
        const StraightWay way =
            navigator_.straightWay(cell, from.at, centreOf(x + step.x, y + step.y), radius_, scratch);
        if (way.clearance < 0 || way.cell == kNone) continue;
        const uint32_t to = idAt(x + step.x, y + step.y, mesh.layerOf(way.cell));
        if (to != kNone) joined.ids[joined.count++] = to;
      }
    }
  });
}

void WeightedGrid::follow(Navigator navigator, const RegionField& regions, std::span<const Area> changed,
                          const Context& context) {
  navigator_ = std::move(navigator);
  locator_ = locator_.next(navigator_.mesh());
  // A way to the next square, and the disk around it.
  const double reach = radius_ + 2 * kSquare;
  std::vector<uint32_t> near;
  for (LayerId layer = 0; layer < layers_.size(); ++layer) {
    const Index& index = layers_[layer];
    for (const Area& area : changed) {
      for (int64_t y = indexOf(area.min.y - reach); y <= indexOf(area.max.y + reach); ++y) {
        for (int64_t x = indexOf(area.min.x - reach); x <= indexOf(area.max.x + reach); ++x) {
          const int64_t column = x - index.x;
          const int64_t row = y - index.y;
          if (column >= 0 && row >= 0 && column < index.width && row < index.height) {
            near.push_back(static_cast<uint32_t>(index.begin + row * index.width + column));
          } else if (locator_.locate(centreOf(x, y), layer) != kNone) {
            // The layer has become larger than it was.
            return makeAnew(regions, context);
          }
        }
      }
    }
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  findOpen(near, context);
  join(near, context);
}

bool WeightedGrid::findEnd(const Place& place, double radius, PlanScratch& scratch, End& end) const {
  end.at = place.top();
  end.cell = locator_.locate(place);
  if (end.cell == kNone) return false;
  const NavMesh& mesh = navigator_.mesh();
  end.layer = mesh.layerOf(end.cell);
  const double enough = std::min(radius, navigator_.freeDisk(end.cell, end.at, scratch).clearance) * (1 - 1e-6);
  const int64_t x = indexOf(place.x - 0.5 * kSquare);
  const int64_t y = indexOf(place.y - 0.5 * kSquare);
  for (int64_t row = y - 1; row <= y + 2; ++row) {
    for (int64_t column = x - 1; column <= x + 2; ++column) {
      const StraightWay way = navigator_.straightWay(end.cell, end.at, centreOf(column, row), enough, scratch);
      if (way.clearance < 0 || way.cell == kNone) continue;
      const uint32_t id = idAt(column, row, mesh.layerOf(way.cell));
      if (id != kNone) end.squares[end.count++] = id;
    }
  }
  return true;
}

PathStatus WeightedGrid::plan(const PathQuery& query, const RegionCosts& costs, PlanScratch& scratch,
                              Route& route) const {
  route.clear();
  scratch.expanded = 0;
  for (const double v : {query.from.x, query.from.y, query.to.x, query.to.y, query.radius}) {
    if (!std::isfinite(v)) return PathStatus::kBadQuery;
  }
  End start;
  End goal;
  if (!findEnd(query.from, query.radius, scratch, start)) return PathStatus::kStartOffMesh;
  if (!findEnd(query.to, query.radius, scratch, goal)) return PathStatus::kGoalOffMesh;
  Memory& m = Memory::of(scratch);
  if (m.stamp.advance()) m.nodes.wipe();
  m.nodes.grow(squares_.size() + 1);
  m.open.clear();
  const auto goalNode = static_cast<uint32_t>(squares_.size());
  const auto costOf = [&](uint32_t square) { return costs.of(squares_[square].label); };
  const auto reach = [&](uint32_t node, double g, Vec2 at, uint32_t parent) {
    const Memory::Node* known = m.nodes.find(node, m.stamp);
    if (!(g < HUGE_VAL) || (known != nullptr && known->g <= g)) return;
    m.nodes.set(node, {g, parent}, m.stamp);
    // The last piece to the goal goes straight, not over squares.
    const double h = node == goalNode ? 0 : costs.least() * length(at - goal.at);
    m.open.push({g + h, g, node, 0, 0});
  };
  // An agent that stands in a forbidden region may leave it.
  const auto costAt = [&](const End& end) {
    const double cost = costs.at(end.at, end.layer);
    return std::isfinite(cost) ? cost : 1;
  };
  const double startCost = costAt(start);
  const double goalCost = costAt(goal);
  for (const uint32_t square : start.all()) {
    const Vec2 at = squares_[square].at;
    reach(square, 0.5 * (startCost + costOf(square)) * length(at - start.at), at, kNone);
  }
  constexpr double kBeside = 3;  // metres: nearer ends need no squares between them
  if (length(goal.at - start.at) <= kBeside) {
    const StraightWay way = navigator_.straightWay(start.cell, start.at, goal.at, query.radius, scratch);
    if (way.clearance >= 0 && way.cell == goal.cell) {
      reach(goalNode, costs.along(start.layer, start.at, goal.at), goal.at, kNone);
    }
  }
  while (!m.open.empty()) {
    const OpenEntry top = m.open.pop();
    const Memory::Node node = *m.nodes.find(top.side, m.stamp);
    if (top.g > node.g) continue;
    if (top.side == goalNode) {
      m.way.clear();
      for (uint32_t at = node.parent; at != kNone; at = m.nodes.find(at, m.stamp)->parent) m.way.push_back(at);
      std::reverse(m.way.begin(), m.way.end());
      write(query, start, m.way, m, route);
      return PathStatus::kFound;
    }
    ++scratch.expanded;
    const Square& here = squares_[top.side];
    if (std::find(goal.all().begin(), goal.all().end(), top.side) != goal.all().end()) {
      reach(goalNode, node.g + 0.5 * (costOf(top.side) + goalCost) * length(goal.at - here.at), goal.at, top.side);
    }
    for (const uint32_t next : joined(top.side)) {
      const double way = octile(here.at, squares_[next].at);
      reach(next, node.g + 0.5 * (costOf(top.side) + costOf(next)) * way, squares_[next].at, top.side);
    }
  }
  return PathStatus::kUnreachable;
}

void WeightedGrid::write(const PathQuery& query, const End& start, std::span<const uint32_t> way, Memory& m,
                         Route& route) const {
  const NavMesh& mesh = navigator_.mesh();
  const Lattice& lattice = mesh.lattice();
  CellWalk walk(mesh, m.visits, route);
  walk.start(start.cell, lattice.toUnits(start.at));
  const auto add = [&](Vec2 at) {
    // Rounding along a wall: the square's own cell is near.
    (void)walk.to(lattice.toUnits(at));
    if (!route.points.empty()) {
      const Vec3 last = route.points.back();
      route.length += std::hypot(at.x - last.x, at.y - last.y);
    }
    route.points.push_back({at.x, at.y, locator_.height(at, mesh.layerOf(walk.cell()))});
  };
  add(start.at);
  for (size_t i = 0; i < way.size(); ++i) {
    const Vec2 at = squares_[way[i]].at;
    // Of squares in a row the last is enough.
    if (i > 0 && i + 1 < way.size()) {
      const Vec2 in = at - squares_[way[i - 1]].at;
      const Vec2 out = squares_[way[i + 1]].at - at;
      if (in == out) continue;
    }
    add(at);
  }
  add({query.to.x, query.to.y});
  route.clearance = query.radius;
}

}  // namespace wend
