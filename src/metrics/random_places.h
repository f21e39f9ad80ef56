#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "base/random.h"

// Random places of the free space, drawn from an exact mesh with convex cells.
namespace wend {

// An exact mesh with convex, disjoint cells on the lattice of the mesh to be measured.
Status checkTruth(const NavMesh& mesh, const NavMesh& truth);

class RandomPlaces {
 public:
  explicit RandomPlaces(const NavMesh& truth);
  // Uniform over the area, metres.
  Vec3 pick(Random& random) const;

 private:
  const NavMesh& truth_;
  Locator locator_;
  std::vector<double> reached_;  // area up to and with each triangle of the fans
  std::vector<SideId> triangle_;
};

}  // namespace wend
