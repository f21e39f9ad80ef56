#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/navmesh.h>
#include <wend/route.h>
#include <wend/world.h>

// Shortest paths on a mesh, found once and stored: for each cell and goal, the side by which a shortest path leaves the
// cell. A query is one array read. A. Akaydin, U. Gudukbay: Adaptive grids (2013), for any mesh.
namespace wend {

// The cost of walking from the centre of one cell to that of a neighbour.
enum class HopMetric : uint8_t {
  kManhattan,  // |dx| + |dy|
  kEuclid,     // the straight distance, walls ignored
  kShortest,  // the straight distance if nothing is between; else over the nearer end of the portal (SND in the source)
};
const char* metricName(HopMetric metric);

enum class HopSearch : uint8_t {
  kDijkstra,       // one tree per goal: O(n log n) each, in parallel
  kFloydWarshall,  // all pairs at once: O(n^3), at most kMaxFloydWarshall cells; for comparison
};
inline constexpr uint32_t kMaxFloydWarshall = 4096;

struct NextHopSettings {
  HopMetric metric = HopMetric::kShortest;
  HopSearch search = HopSearch::kDijkstra;
  std::vector<CellId> goals;  // empty: every cell is a goal
  // Metres, 0 to 100. Portals that a disk cannot pass because walls begin at their ends are closed. Necessary, not
  // sufficient: walls farther off are not looked at.
  double radius = 0;
  size_t maxBytes = size_t{1} << 30;  // a larger table is an error: give goals
};

// What update() did.
struct NextHopUpdate {
  uint32_t kept = 0;      // goal trees that were taken over
  uint32_t searched = 0;  // goal trees that were searched anew
};

// A value: immutable, cheap to copy, safe to read from any number of threads.
//
// Costs are whole numbers of a sixteenth of a lattice unit, so sums have no rounding and every search finds the same
// ones. A hop goes to the neighbour with the least cost left; of equals the one with the lower id, then the lower side.
// The cost left falls with each hop, so following hops never runs in a circle.
class NextHopTable {
 public:
  NextHopTable() = default;
  // Errors: kInvalidSettings for goals that are no cells or settings out of range, kLimit above maxBytes.
  static Result<NextHopTable> build(const NavMesh& mesh, const NextHopSettings& settings = {},
                                    const Context& context = {});

  uint32_t cellCount() const { return cells_; }
  uint32_t goalCount() const { return goals_; }
  // The row of a goal, or kNone if the cell is no goal of this table. O(1) for all pairs, else O(log goals).
  uint32_t rowOf(CellId goal) const;
  CellId goalOf(uint32_t row) const { return goalCells_ == nullptr ? row : (*goalCells_)[row]; }
  // The local number of the side by which to leave a cell: 0 for its first side; kNone in the goal's own cell and where
  // nothing leads to it. O(1).
  uint32_t hop(CellId from, uint32_t row) const {
    const size_t at = static_cast<size_t>(row) * cells_ + from;
    switch (width_) {
      case 1:
        return narrow<uint8_t>(at);
      case 2:
        return narrow<uint16_t>(at);
      default:
        return narrow<uint32_t>(at);
    }
  }
  // The side of the mesh, or kNone. `mesh` is the one that the table was built from.
  SideId next(const NavMesh& mesh, CellId from, uint32_t row) const {
    const uint32_t local = hop(from, row);
    return local == kNone ? kNone : mesh.firstSide(from) + local;
  }
  // The cells from one to the goal of a row, both included; empty if nothing leads there.
  std::vector<CellId> path(const NavMesh& mesh, CellId from, uint32_t row) const;

  HopMetric metric() const { return metric_; }
  double radius() const { return radius_; }
  uint32_t entryBytes() const { return width_; }  // 1, 2 or 4: by the largest number of sides of a cell
  size_t memory() const;
  uint64_t hash() const;

  // The table of a mesh that was made from this one's by a change. `newOfOld` gives for each old cell its new id, or
  // kNone if it is gone; a cell that is kept has the same polygon. In place of a goal that is gone come the new cells
  // that overlap it. Only goal trees that lost a parent edge, or that a new cell or edge may make shorter, are searched
  // anew; the result is that of build() on the new mesh with these goals. kEmpty if no goal is left.
  Result<NextHopTable> update(const NavMesh& before, const NavMesh& after, std::span<const CellId> newOfOld,
                              const Context& context = {}, NextHopUpdate* report = nullptr) const;
  // The same after World::apply(): `before` is the world that the table was built from.
  Result<NextHopTable> update(const World& before, const WorldUpdate& update, const Context& context = {},
                              NextHopUpdate* report = nullptr) const;

  // As bytes, and back. The mesh must be the one that the table was built from: kUnsupported for another one, kFormat
  // for what is damaged.
  std::string serialise(const NavMesh& mesh) const;
  static Result<NextHopTable> parse(std::span<const std::byte> bytes, const NavMesh& mesh, std::string_view name);

 private:
  friend class NextHopBuilder;
  template <typename Entry>
  uint32_t narrow(size_t at) const {
    const Entry entry = reinterpret_cast<const Entry*>(entries_->data())[at];
    return entry == static_cast<Entry>(~Entry{0}) ? kNone : entry;
  }

  uint32_t cells_ = 0;
  uint32_t goals_ = 0;
  uint32_t width_ = 1;
  HopMetric metric_ = HopMetric::kShortest;
  double radius_ = 0;
  std::shared_ptr<const std::vector<CellId>> goalCells_;  // ascending; null: all cells
  std::shared_ptr<const std::vector<uint32_t>> entries_;  // row by row; as wide as width_ says
};

// A world and its table in one .wend file: the table follows the world, and loadWorld() reads the world as before.
// Saving the world again without the table drops the table.
Status saveWorldWithTable(const World& world, const NextHopTable& table, const std::string& path);
// The table of a .wend file. kEmpty if the file has none.
Result<NextHopTable> loadTable(const std::string& path, const World& world);

// --- The vector field -----------------------------------------------------------------------------------------------

enum class FieldRule : uint8_t {
  kCoverage,  // straight out where the portal is ahead, else towards its nearer end: agents keep apart
  kCentre,    // towards the middle of the portal: for comparison; agents queue up on one point
};

// The direction to walk, a unit vector; zero at the goal and where nothing leads to it. `position` and `goal` are
// metres and lie in the cells `from` and the goal of the row. `radius` is kept from the ends of the portal; a portal
// shorter than twice the radius is passed in the middle. O(1); nothing is stored per place.
Vec2 fieldDirection(const NavMesh& mesh, const NextHopTable& table, CellId from, Vec2 position, uint32_t row, Vec2 goal,
                    double radius = 0, FieldRule rule = FieldRule::kCoverage);
// The route of a point that follows the field: from portal to portal, each crossed at its place nearest to the one
// before. Empty if nothing leads to the goal.
Route fieldRoute(const NavMesh& mesh, const NextHopTable& table, CellId from, Vec2 position, uint32_t row, Vec2 goal,
                 double radius = 0);
// The same towards the other side of one portal.
Vec2 portalDirection(const NavMesh& mesh, SideId portal, Vec2 position, double radius, FieldRule rule);

}  // namespace wend
