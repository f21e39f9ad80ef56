#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include <wend/next_hop_table.h>

#include "crowd/follow/follow.h"
#include "planning/table/hop_graph.h"

// Next hops for agents whose profile has RouteMethod::kTable: one row per goal cell and class of radius, made when the
// first agent needs it. An agent with a row plans nothing and stores no route, and one that is pushed aside reads the
// row of the cell it is in then.
namespace wend {

class CrowdHops {
 public:
  explicit CrowdHops(NavMesh mesh) : mesh_(std::move(mesh)) {}

  // The row of a goal, searched if it is new. One thread only.
  uint32_t row(CellId goal, double radius, const Context& context);
  size_t rowCount() const { return rowOf_.size(); }
  // Takes over from the hops of the mesh before a change the rows that the change does not concern, under the same
  // numbers; the others are stale, and searched when an agent needs them. The rows equal those of a new search.
  // `newOfOld`: see HopChange.
  void takeOver(const CrowdHops& before, std::span<const CellId> newOfOld, const Context& context);

  // An agent must ask for its row again before it is used; other agents may get the number.
  bool isStale(uint32_t row) const { return rows_[row].goal == kNone; }

  // Metres left on the graph of cells; infinity where nothing leads to the goal.
  double left(uint32_t row, CellId from) const { return rows_[row].left[from]; }

  // Towards the goal, by the vector field of the row. `centre`: aims at the middle of portals.
  FollowResult follow(uint32_t row, const FollowInput& input, Vec3 goal, bool centre) const;

 private:
  struct Row {
    CellId goal = kNone;
    std::vector<uint8_t> hop;    // local side of each cell; kNoHop8: none
    std::vector<uint16_t> wide;  // instead, for meshes with cells of many sides
    std::vector<float> left;
    SideId next(const NavMesh& mesh, CellId from) const;
  };
  const HopGraph& graphOf(uint32_t radiusClass, const Context& context);
  Row makeRow(const HopGraph& graph, CellId goal, std::span<const HopCost> cost) const;

  NavMesh mesh_;
  std::map<uint32_t, std::unique_ptr<HopGraph>> graphs_;   // by class of radius
  std::map<std::pair<uint32_t, CellId>, uint32_t> rowOf_;  // by class of radius and goal
  std::vector<Row> rows_;
  std::vector<uint32_t> stale_;  // the largest number first
};

}  // namespace wend
