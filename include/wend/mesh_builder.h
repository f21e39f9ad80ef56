#pragma once

#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

// From single cells to a NavMesh: the last step of every generator ("cutSides" in the literature on baselines).
namespace wend {

class MeshBuilder {
 public:
  // Lattice units: within this, vertices that are not whole numbers are the same (1e-3 unit = 0.1 micrometre).
  static constexpr double kDoubleTolerance = 1e-3;

  // A generator with more exact corners may give a smaller tolerance.
  explicit MeshBuilder(const Environment& environment, double tolerance = kDoubleTolerance);

  void reserve(size_t cells, size_t sides);
  // A counter-clockwise loop in one layer, at least three points, lattice units. Whole numbers are exact; others are
  // matched to each other within the tolerance. What breaks these rules is reported by build().
  //
  // `walls`, if given, has one entry per corner: 1 if the side that starts there is known to be a wall. It is matched
  // with nothing then, however near other sides are (at the tip of a needle, both of its walls are).
  void addCell(LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> walls = {});
  void addCell(LayerId layer, std::span<const Point> loop);
  size_t cellCount() const { return layers_.size(); }

  // Cuts each side at every end of an overlapping opposite side (in its layer, or across a connection in the other
  // layer), pairs opposite pieces, makes one vertex per fan, sets heights. The cells keep their order; a cell with
  // fractional corners that collapses when they are matched is dropped, with a note. O(n log n). The builder is empty
  // afterwards.
  //
  // `kept` receives, for each cell of the mesh, which call of addCell() gave it.
  //
  // Errors: kInvalidGeometry for a loop that is not counter-clockwise, repeats a corner or has no area, and for sides
  // of two cells that run over the same ground in the same direction (unless the traits say that cells overlap).
  // Overlaps that no two sides share are left to checkMesh().
  Result<NavMesh> build(const std::string& generator, uint64_t settingsHash, const MeshTraits& traits,
                        const Context& context, std::vector<uint32_t>* kept = nullptr);

 private:
  const Environment& environment_;
  double tolerance_;
  std::vector<Vec2> points_;
  std::vector<uint32_t> begin_{0};
  std::vector<LayerId> layers_;
  std::vector<uint8_t> walls_;  // per point; may end before the points do
};

}  // namespace wend
