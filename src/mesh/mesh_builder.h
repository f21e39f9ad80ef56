#pragma once

#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

// From loose cells to a NavMesh: the step every generator ends with ("cutSides" in the literature on baselines).
namespace wend {

class MeshBuilder {
 public:
  explicit MeshBuilder(const Environment& environment);

  void reserve(size_t cells, size_t sides);
  // A counter-clockwise loop in one layer, at least three points, lattice units. Whole numbers are exact; others are
  // matched to each other within kDoubleTolerance.
  void addCell(LayerId layer, std::span<const Vec2> loop);
  void addCell(LayerId layer, std::span<const Point> loop);

  // Cuts each side at every end of an overlapping opposite side (in its layer, or across a connection in the other
  // layer), pairs opposite pieces, makes one vertex per fan, sets heights. The cells keep their order. O(n log n).
  // The builder is empty afterwards.
  Result<NavMesh> build(const std::string& generator, uint64_t settingsHash, const MeshTraits& traits,
                        const Context& context);

  // Lattice units: within this, vertices that are not whole numbers are the same (1e-3 unit = 0.1 micrometre).
  static constexpr double kDoubleTolerance = 1e-3;

 private:
  const Environment& environment_;
  std::vector<Vec2> points_;
  std::vector<uint32_t> begin_{0};
  std::vector<LayerId> layers_;
};

}  // namespace wend
