#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <wend/navmesh.h>

// The density of the crowd in each part of a mesh, and its cost in planning. W. van Toll, A. Cook, R. Geraerts:
// Real-time density-based crowd simulation (2012); van Toll 2017, chapter 9.
//
// A density cell is an edge of the medial axis with all its cells, or a cell of a mesh without medial axis; cells of
// layers above each other are different ones. Its density is the covered share of its area: an agent counts with its
// disk, for the cell its centre is in.
namespace wend {

// Walking speed against density.
enum class FundamentalDiagram : uint8_t { kLinear, kWeidmann, kFruin, kOlder, kTanaboriboon, kSarkar, kVirkler };
const char* methodName(FundamentalDiagram diagram);

class DensityMap {
 public:
  explicit DensityMap(const NavMesh& mesh);
  // The map of the mesh after an edit. `source`: per cell, the cell of this map's mesh that it was, or kNone
  // (UpdateReport::cellSource). Density cells that are what they were keep what covers them; the others are empty, and
  // marked in `changed`, which has an entry for each density cell before.
  DensityMap next(const NavMesh& mesh, std::span<const CellId> source, std::vector<uint8_t>& changed) const;

  size_t size() const { return areas_.size(); }
  // The density cell that a cell of the mesh belongs to.
  uint32_t cellOf(CellId cell) const { return cellOf_[cell]; }
  double area(uint32_t cell) const { return areas_[cell]; }  // m2

  // Areas are whole numbers of 1e-8 m2, so that sums are exact in any order.
  using Covered = int64_t;
  static Covered areaOf(double radius);  // metres
  // Any number of threads may call these two at once, in any order; negative to take away.
  void add(uint32_t cell, Covered area);
  void move(uint32_t from, uint32_t to, Covered area);
  void clear();
  Covered covered(uint32_t cell) const { return covered_[cell]; }

  // 0 to 1. Sums beyond the area stay in memory, so that taking away leaves what was there before. 0 for a cell
  // smaller than kLeastArea.
  double density(uint32_t cell) const { return densityWithout(cell, 0); }
  // The density without that much covered area: an agent does not count itself.
  double densityWithout(uint32_t cell, Covered area) const;

  // Computes slowness() of every cell once for all planners of a step; a change of the map makes it stale. No other
  // thread may use the map meanwhile.
  void prepare(FundamentalDiagram diagram);
  // Per cell, or null if the map has changed since.
  const double* prepared(FundamentalDiagram diagram) const {
    const Prepared& known = prepared_[static_cast<size_t>(diagram)];
    return known.isFresh && !changed_ ? known.slowness.data() : nullptr;
  }

  static constexpr double kLeastArea = 0.05;  // m2

 private:
  DensityMap() = default;
  size_t numberCells(const NavMesh& mesh);

  std::vector<uint32_t> cellOf_;
  std::vector<double> areas_;
  std::vector<Covered> covered_;
  struct Prepared {
    bool isFresh = false;
    std::vector<double> slowness;
  };
  bool changed_ = false;              // since the last prepare()
  std::array<Prepared, 7> prepared_;  // by diagram
};

// The densities as one agent takes them into account when it plans. The map must not change meanwhile.
struct DensityView {
  const DensityMap* map = nullptr;
  FundamentalDiagram diagram = FundamentalDiagram::kLinear;
  double weight = 1;                                      // >= 0; of the time lost by density
  double view = std::numeric_limits<double>::infinity();  // metres along the route; beyond, the world counts as empty
  double hysteresis = 0.05;  // the old route is kept unless the new one is better by this share
  uint32_t ownCell = kNone;  // the density cell in which the agent itself is counted
  DensityMap::Covered own = 0;
  uint32_t avoided = kNone;  // a density cell taken for full
};

}  // namespace wend
