#include "crowd/crowd_hops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/parallel.h"
#include "planning/clearance/distances.h"
#include "planning/table/hop_change.h"
#include "planning/table/next_hop_builder.h"

namespace wend {
namespace {

constexpr double kRadiusStep = 0.1;      // metres; agents of one class share rows
constexpr double kRelaxation = 0.5;      // s; agents slow down over the distance that they walk in this time
constexpr double kFloorTolerance = 1.0;  // m; floors are farther apart
constexpr uint8_t kNone8 = 0xff;
constexpr uint16_t kNone16 = 0xffff;
constexpr double kPerUnit = 16;  // of HopCost

}  // namespace

SideId CrowdHops::Row::next(const NavMesh& mesh, CellId from) const {
  if (wide.empty()) return hop[from] == kNone8 ? kNone : mesh.firstSide(from) + hop[from];
  return wide[from] == kNone16 ? kNone : mesh.firstSide(from) + wide[from];
}

const HopGraph& CrowdHops::graphOf(uint32_t radiusClass, const Context& context) {
  std::unique_ptr<HopGraph>& graph = graphs_[radiusClass];
  if (graph == nullptr) {
    graph = std::make_unique<HopGraph>(mesh_, HopMetric::kShortest, radiusClass * kRadiusStep, context);
  }
  return *graph;
}

CrowdHops::Row CrowdHops::makeRow(const HopGraph& graph, CellId goal, std::span<const HopCost> costs) const {
  Row row;
  row.goal = goal;
  row.left.resize(mesh_.cellCount());
  const bool wide = entryBytesFor(mesh_) > 1;
  if (wide) {
    row.wide.assign(mesh_.cellCount(), kNone16);
  } else {
    row.hop.assign(mesh_.cellCount(), kNone8);
  }
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
    const HopCost cost = costs[cell];
    row.left[cell] = cost == kNoHop ? std::numeric_limits<float>::infinity()
                                    : static_cast<float>(static_cast<double>(cost) / kPerUnit * mesh_.lattice().unit);
    const SideId side = bestHop(graph, cell, costs);
    if (side == kNone) continue;
    const uint32_t local = side - mesh_.firstSide(cell);
    if (wide) {
      row.wide[cell] = static_cast<uint16_t>(std::min<uint32_t>(local, kNone16));
    } else {
      row.hop[cell] = static_cast<uint8_t>(local);
    }
  }
  return row;
}

uint32_t CrowdHops::row(CellId goal, double radius, const Context& context) {
  // The class below the radius: a row that closes too little lets an agent try, one that closes too much strands it.
  const auto radiusClass = static_cast<uint32_t>(std::floor(radius / kRadiusStep + 1e-6));
  const auto known = rowOf_.find({radiusClass, goal});
  if (known != rowOf_.end()) return known->second;
  const HopGraph& graph = graphOf(radiusClass, context);
  HopSearchMemory memory;
  searchFrom(graph, goal, memory);
  if (stale_.empty()) {
    stale_.push_back(static_cast<uint32_t>(rows_.size()));
    rows_.emplace_back();
  }
  const uint32_t number = stale_.back();
  stale_.pop_back();
  rows_[number] = makeRow(graph, goal, memory.cost);
  rowOf_.emplace(std::pair{radiusClass, goal}, number);
  return number;
}

void CrowdHops::takeOver(const CrowdHops& before, std::span<const CellId> newOfOld, const Context& context) {
  rows_.resize(before.rows_.size());
  for (const auto& [radiusClass, oldGraph] : before.graphs_) {
    const HopGraph& graph = graphOf(radiusClass, context);
    const HopChange change(*oldGraph, graph, newOfOld);
    std::vector<uint32_t> candidates;
    for (const auto& [key, index] : before.rowOf_) {
      if (key.first == radiusClass && newOfOld[key.second] != kNone) candidates.push_back(index);
    }
    std::vector<std::optional<Row>> kept(candidates.size());
    parallelBlocks(candidates.size(), 1, context, [&](size_t begin, size_t end) {
      HopChange::Memory memory;
      for (size_t i = begin; i < end; ++i) {
        const Row& old = before.rows_[candidates[i]];
        const auto hop = [&](CellId cell) { return old.next(before.mesh_, cell); };
        if (change.keeps(old.goal, hop, memory)) kept[i] = makeRow(graph, newOfOld[old.goal], memory.cost);
      }
    });
    for (size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      rowOf_.emplace(std::pair{radiusClass, kept[i]->goal}, candidates[i]);
      rows_[candidates[i]] = std::move(*kept[i]);
    }
  }
  for (auto row = static_cast<uint32_t>(rows_.size()); row-- > 0;) {
    if (isStale(row)) stale_.push_back(row);
  }
}

FollowResult CrowdHops::follow(uint32_t index, const FollowInput& input, Vec3 goal, bool centre) const {
  const Row& row = rows_[index];
  FollowResult result;
  const Vec2 at{input.position.x, input.position.y};
  const Vec2 way = Vec2{goal.x, goal.y} - at;
  const double straight = length(way);
  const SideId side = row.next(mesh_, input.cell);
  const bool inGoalCell = input.cell == row.goal;
  const bool isNext = inGoalCell || (side != kNone && mesh_.neighbour(side) == row.goal);
  result.distanceToGoal = inGoalCell ? straight : std::max<double>(straight, row.left[input.cell]);
  if (isNext && straight <= std::max(input.goalRadius, input.radius) &&
      std::abs(input.position.z - goal.z) <= kFloorTolerance + straight) {
    result.status = FollowStatus::kArrived;
    return result;
  }
  if (!inGoalCell && side == kNone) {
    result.status = FollowStatus::kLost;
    return result;
  }
  const Vec2 direction =
      inGoalCell ? (straight > 0 ? (1 / straight) * way : Vec2{})
                 : portalDirection(mesh_, side, at, input.radius, centre ? FieldRule::kCentre : FieldRule::kCoverage);
  result.preferred = std::min(input.speed, result.distanceToGoal / kRelaxation) * direction;
  return result;
}

}  // namespace wend
