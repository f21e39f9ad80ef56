#include <algorithm>
#include <atomic>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "base/parallel.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"
#include "planning/table/hop_change.h"
#include "planning/table/next_hop_builder.h"

// A table after a change of the mesh.
namespace wend {
namespace {

bool liesRightOf(const NavMesh& mesh, CellId cell, Vec2 from, Vec2 along) {
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    if (cross(along, startPoint(mesh, s) - from) > 0) return false;
  }
  return true;
}

// Whether the line along a side of one cell has this cell on its left and the other one on its right.
bool isSeparatedBy(const NavMesh& mesh, CellId cell, const NavMesh& other, CellId otherCell) {
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 a = startPoint(mesh, s);
    const Vec2 along = endPoint(mesh, s) - a;
    if (liesRightOf(other, otherCell, a, along) && liesRightOf(mesh, cell, a, -1 * along)) return true;
  }
  return false;
}

// The cells of the new mesh that stand for the goals: those that are kept, and in place of one that is gone the new
// cells that overlap it. Whatever part of a goal can still be walked on is in a goal then. Cells that are not convex
// may count as overlapping though they only lie near.
std::vector<CellId> goalsAfter(std::span<const CellId> goals, const NavMesh& before, const NavMesh& after,
                               std::span<const CellId> newOfOld) {
  std::vector<CellId> result;
  std::vector<CellId> gone;
  for (const CellId goal : goals) {
    if (newOfOld[goal] == kNone) {
      gone.push_back(goal);
    } else {
      result.push_back(newOfOld[goal]);
    }
  }
  if (!gone.empty()) {
    std::vector<uint8_t> isKept(after.cellCount(), 0);
    for (const CellId cell : newOfOld) {
      if (cell != kNone) isKept[cell] = 1;
    }
    for (CellId cell = 0; cell < after.cellCount(); ++cell) {
      if (isKept[cell] != 0) continue;
      const bool isGoal = std::any_of(gone.begin(), gone.end(), [&](CellId goal) {
        return before.layerOf(goal) == after.layerOf(cell) && !isSeparatedBy(before, goal, after, cell) &&
               !isSeparatedBy(after, cell, before, goal);
      });
      if (isGoal) result.push_back(cell);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

Status checkMap(const NextHopTable& table, const NavMesh& before, const NavMesh& after,
                std::span<const CellId> newOfOld) {
  const bool fits = before.cellCount() == table.cellCount() && newOfOld.size() == before.cellCount();
  std::vector<uint8_t> used(after.cellCount(), 0);
  const bool once = fits && std::all_of(newOfOld.begin(), newOfOld.end(), [&](CellId c) {
                      return c == kNone || (c < after.cellCount() && used[c]++ == 0);
                    });
  if (once && !after.empty()) return Done{};
  return Error{ErrorCode::kInvalidSettings,
               "the old mesh is not the table's, or the list of new cells does not fit the two meshes; build the table "
               "anew"};
}

}  // namespace

Result<NextHopTable> NextHopTable::update(const NavMesh& before, const NavMesh& after, std::span<const CellId> newOfOld,
                                          const Context& context, NextHopUpdate* report) const {
  try {
    if (const Status status = checkMap(*this, before, after, newOfOld); !status.ok()) return status.error();
    std::vector<CellId> goals;
    if (goalCells_ != nullptr) {
      goals = goalsAfter(*goalCells_, before, after, newOfOld);
      if (goals.empty()) return Error{ErrorCode::kEmpty, "the change removed every goal of the table"};
    }
    // The limit prevents unintended huge tables; this one exists already.
    const size_t most = std::max(NextHopSettings{}.maxBytes, 2 * memory());
    Result<NextHopBuilder> builder = NextHopBuilder::make(after, std::move(goals), metric_, radius_, most);
    if (!builder.ok()) return builder.error();
    const HopGraph old(before, metric_, radius_, context);
    const HopGraph now(after, metric_, radius_, context);
    const HopChange change(old, now, newOfOld);
    std::atomic<uint32_t> kept{0};
    parallelBlocks(builder->rows(), 8, context, [&](size_t begin, size_t end) {
      HopChange::Memory memory;
      for (size_t i = begin; i < end && !context.cancelled(); ++i) {
        const auto row = static_cast<uint32_t>(i);
        const CellId oldGoal = change.oldOf(builder->goalOf(row));
        const uint32_t oldRow = oldGoal == kNone ? kNone : rowOf(oldGoal);
        if (oldRow != kNone && change.keeps(
                                   oldGoal, [&](CellId cell) { return next(before, cell, oldRow); }, memory)) {
          builder->setRow(now, row, memory.cost);
          kept.fetch_add(1, std::memory_order_relaxed);
          continue;
        }
        searchFrom(now, builder->goalOf(row), memory.search);
        builder->setRow(now, row, memory.search.cost);
      }
    });
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "the update of the table was cancelled by the caller"};
    if (report != nullptr) *report = {kept.load(), builder->rows() - kept.load()};
    return std::move(*builder).finish();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the table of next hops; give fewer goals"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the update of the table failed: {}", exception.what())};
  }
}

Result<NextHopTable> NextHopTable::update(const World& before, const WorldUpdate& update, const Context& context,
                                          NextHopUpdate* report) const {
  const NavMesh& mesh = update.world.mesh();
  if (update.report.mesh == MeshChange::kNone) {
    if (report != nullptr) *report = {goals_, 0};
    return *this;
  }
  return this->update(before.mesh(), mesh,
                      newCellsOfOld(before.mesh().cellCount(), mesh.cellCount(), update.report.cellSource), context,
                      report);
}

}  // namespace wend
