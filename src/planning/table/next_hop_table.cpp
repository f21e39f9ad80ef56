#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include <wend/next_hop_table.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "mesh/separate_cells.h"
#include "planning/table/next_hop_builder.h"

namespace wend {
namespace {

constexpr const char* kStage = "next hops";

Error invalid(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}
Error cancelled() {
  return {ErrorCode::kCancelled, "the table of next hops was cancelled by the caller"};
}

Status checkSettings(const NavMesh& mesh, const NextHopSettings& settings) {
  if (mesh.empty()) return Error{ErrorCode::kEmpty, "a table of next hops needs a mesh with at least one cell"};
  if (const Status status = checkCellsAreJoined(mesh, "a table of next hops"); !status.ok()) return status;
  if (!(settings.radius >= 0 && settings.radius <= 100)) {
    return invalid(fmt::format("the radius of the table is {}; it must be from 0 to 100 m", settings.radius));
  }
  for (const CellId goal : settings.goals) {
    if (goal >= mesh.cellCount()) {
      return invalid(fmt::format("the goal {} is not a cell; the mesh has {}", goal, mesh.cellCount()));
    }
  }
  if (settings.search == HopSearch::kFloydWarshall && mesh.cellCount() > kMaxFloydWarshall) {
    return Error{ErrorCode::kLimit, fmt::format("Floyd and Warshall's search takes at most {} cells, not {}; use "
                                                "Dijkstra's",
                                                kMaxFloydWarshall, mesh.cellCount())};
  }
  return Done{};
}

// All pairs: cost[i * n + j] is what is left from i to j.
std::vector<HopCost> floydWarshall(const HopGraph& graph, const Context& context) {
  const NavMesh& mesh = graph.mesh();
  const size_t n = mesh.cellCount();
  std::vector<HopCost> cost(n * n, kNoHop);
  for (size_t i = 0; i < n; ++i) cost[i * n + i] = 0;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (graph.cost(s) == kNoHop) continue;
    HopCost& edge = cost[mesh.cellOf(s) * n + mesh.neighbour(s)];
    edge = std::min(edge, graph.cost(s));
  }
  for (size_t k = 0; k < n && !context.cancelled(); ++k) {
    parallelBlocks(n, 64, context, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const HopCost first = cost[i * n + k];
        if (first == kNoHop || i == k) continue;
        for (size_t j = 0; j < n; ++j) {
          const HopCost second = cost[k * n + j];
          if (second != kNoHop && first + second < cost[i * n + j]) cost[i * n + j] = first + second;
        }
      }
    });
  }
  return cost;
}

Result<NextHopTable> buildTable(const NavMesh& mesh, const NextHopSettings& settings, const Context& context) {
  if (const Status status = checkSettings(mesh, settings); !status.ok()) return status.error();
  std::vector<CellId> goals = settings.goals;
  std::sort(goals.begin(), goals.end());
  goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
  Result<NextHopBuilder> builder =
      NextHopBuilder::make(mesh, std::move(goals), settings.metric, settings.radius, settings.maxBytes);
  if (!builder.ok()) return builder.error();
  context.report(kStage, 0);
  const HopGraph graph(mesh, settings.metric, settings.radius, context);
  if (settings.search == HopSearch::kFloydWarshall) {
    const std::vector<HopCost> cost = floydWarshall(graph, context);
    const size_t n = mesh.cellCount();
    for (uint32_t row = 0; row < builder->rows(); ++row) {
      builder->setRow(graph, row, std::span(cost).subspan(builder->goalOf(row) * n, n));
    }
  } else {
    parallelBlocks(builder->rows(), 8, context, [&](size_t begin, size_t end) {
      HopSearchMemory memory;
      for (size_t row = begin; row < end && !context.cancelled(); ++row) {
        searchFrom(graph, builder->goalOf(static_cast<uint32_t>(row)), memory);
        builder->setRow(graph, static_cast<uint32_t>(row), memory.cost);
      }
    });
  }
  if (context.cancelled()) return cancelled();
  context.report(kStage, 1);
  return std::move(*builder).finish();
}

}  // namespace

const char* metricName(HopMetric metric) {
  switch (metric) {
    case HopMetric::kManhattan:
      return "manhattan";
    case HopMetric::kEuclid:
      return "euclid";
    case HopMetric::kShortest:
      return "shortest";
  }
  return "unknown";
}

uint32_t entryBytesFor(const NavMesh& mesh) {
  uint32_t most = 0;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) most = std::max(most, mesh.sideCount(cell));
  // The largest value means none.
  return most <= 0xff ? 1 : most <= 0xffff ? 2 : 4;
}

Result<NextHopBuilder> NextHopBuilder::make(const NavMesh& mesh, std::vector<CellId> goals, HopMetric metric,
                                            double radius, size_t maxBytes) {
  NextHopBuilder builder;
  NextHopTable& table = builder.table_;
  table.cells_ = mesh.cellCount();
  table.goals_ = goals.empty() ? mesh.cellCount() : static_cast<uint32_t>(goals.size());
  table.width_ = entryBytesFor(mesh);
  table.metric_ = metric;
  table.radius_ = radius;
  const size_t bytes = static_cast<size_t>(table.cells_) * table.goals_ * table.width_;
  if (bytes > maxBytes) {
    return Error{ErrorCode::kLimit,
                 fmt::format("next hops from {} cells to {} goals take {} bytes, more than the limit of {}; give fewer "
                             "goals or raise the limit",
                             table.cells_, table.goals_, bytes, maxBytes)};
  }
  if (!goals.empty()) table.goalCells_ = std::make_shared<const std::vector<CellId>>(std::move(goals));
  // All bits set mean that nothing leads to the goal.
  builder.entries_.assign((bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t), ~uint32_t{0});
  return builder;
}

void NextHopBuilder::set(const NavMesh& mesh, uint32_t row, CellId cell, SideId side) {
  if (side == kNone) return;
  const uint32_t local = side - mesh.firstSide(cell);
  const size_t at = static_cast<size_t>(row) * table_.cells_ + cell;
  auto* bytes = reinterpret_cast<uint8_t*>(entries_.data());
  switch (table_.width_) {
    case 1:
      bytes[at] = static_cast<uint8_t>(local);
      break;
    case 2:
      reinterpret_cast<uint16_t*>(bytes)[at] = static_cast<uint16_t>(local);
      break;
    default:
      entries_[at] = local;
  }
}

void NextHopBuilder::setRow(const HopGraph& graph, uint32_t row, std::span<const HopCost> cost) {
  for (CellId cell = 0; cell < table_.cells_; ++cell) set(graph.mesh(), row, cell, bestHop(graph, cell, cost));
}

NextHopTable NextHopBuilder::finish() && {
  table_.entries_ = std::make_shared<const std::vector<uint32_t>>(std::move(entries_));
  return std::move(table_);
}

NextHopTable NextHopBuilder::assemble(uint32_t cells, std::vector<CellId> goals, uint32_t width, HopMetric metric,
                                      double radius, std::vector<uint32_t> entries) {
  NextHopTable table;
  table.cells_ = cells;
  table.goals_ = goals.empty() ? cells : static_cast<uint32_t>(goals.size());
  table.width_ = width;
  table.metric_ = metric;
  table.radius_ = radius;
  if (!goals.empty()) table.goalCells_ = std::make_shared<const std::vector<CellId>>(std::move(goals));
  table.entries_ = std::make_shared<const std::vector<uint32_t>>(std::move(entries));
  return table;
}

std::span<const CellId> NextHopBuilder::goalCells(const NextHopTable& table) {
  return table.goalCells_ == nullptr ? std::span<const CellId>() : std::span<const CellId>(*table.goalCells_);
}
std::span<const uint32_t> NextHopBuilder::entries(const NextHopTable& table) {
  return table.entries_ == nullptr ? std::span<const uint32_t>() : std::span<const uint32_t>(*table.entries_);
}

Result<NextHopTable> NextHopTable::build(const NavMesh& mesh, const NextHopSettings& settings, const Context& context) {
  try {
    return buildTable(mesh, settings, context);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the table of next hops; give fewer goals"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the table of next hops failed: {}", exception.what())};
  }
}

uint32_t NextHopTable::rowOf(CellId goal) const {
  if (goalCells_ == nullptr) return goal < cells_ ? goal : kNone;
  const auto at = std::lower_bound(goalCells_->begin(), goalCells_->end(), goal);
  return at == goalCells_->end() || *at != goal ? kNone : static_cast<uint32_t>(at - goalCells_->begin());
}

std::vector<CellId> NextHopTable::path(const NavMesh& mesh, CellId from, uint32_t row) const {
  std::vector<CellId> cells{from};
  // A table from a file may be wrong; a path visits no cell twice.
  while (cells.back() != goalOf(row) && cells.size() <= cells_) {
    const SideId side = next(mesh, cells.back(), row);
    if (side == kNone || mesh.isWall(side)) return {};
    cells.push_back(mesh.neighbour(side));
  }
  return cells.back() == goalOf(row) ? cells : std::vector<CellId>{};
}

size_t NextHopTable::memory() const {
  return (entries_ == nullptr ? 0 : entries_->size() * sizeof(uint32_t)) +
         (goalCells_ == nullptr ? 0 : goalCells_->size() * sizeof(CellId));
}

uint64_t NextHopTable::hash() const {
  Hash sum;
  sum.add(cells_);
  sum.add(goals_);
  sum.add(width_);
  sum.add(metric_);
  sum.add(radius_);
  sum.array(NextHopBuilder::goalCells(*this));
  sum.array(NextHopBuilder::entries(*this));
  return sum.value();
}

}  // namespace wend
