#pragma once

#include <string>
#include <utility>
#include <vector>

#include <wend/environment.h>
#include <wend/generate.h>
#include <wend/image/adaptive_grid.h>
#include <wend/next_hop_table.h>

// The error measure of the adaptive grids' source, for any mesh: distances to the middle of a picture, over the pixels
// and over the graph of a mesh.
namespace wend {

struct RasterError {
  double error = 0;           // mean of the squared differences over all pixels, blocked ones included, pixels^2
  double navigableError = 0;  // over the pixels that were compared
  uint64_t compared = 0;
  uint64_t missed = 0;  // a way over the pixels, none over the mesh
};

class RasterDistances {
 public:
  // Shortest ways over the eight neighbours of a pixel, 1 and sqrt 2, corners not cut; from the middle of the picture,
  // or the free pixel nearest to it. At most 8.24 % longer than the true ones. O(n log n).
  static Result<RasterDistances> make(const NavigableGrid& grid);

  const NavigableGrid& grid() const { return grid_; }
  uint32_t middle() const { return middle_; }  // index of the pixel
  // Pixels; infinity where blocked or not joined to the middle.
  const std::vector<double>& distances() const { return distances_; }

  // Against the costs of a mesh of the same place: from the cell of each pixel to the cell of the middle, the same for
  // all pixels of a cell. `offset` adds the ways from the two pixels to the centres of their cells.
  RasterError compare(const NavMesh& mesh, HopMetric metric, bool offset = false, const Context& context = {}) const;
  // The map over the mesh, pixels; infinity where there is none.
  std::vector<double> over(const NavMesh& mesh, HopMetric metric, bool offset = false,
                           const Context& context = {}) const;

 private:
  NavigableGrid grid_;
  uint32_t middle_ = 0;
  std::vector<double> distances_;
};

// The mesh of an environment of one layer that is cut into tiles x tiles squares first, each with a mesh of its own,
// joined along the lines between them. More tiles give more and smaller cells: how the source varies its triangle
// meshes. kUnsupported for several layers, kInvalidSettings unless 1 to 64 tiles; the errors of generate().
Result<NavMesh> tiledMesh(const Environment& environment, const GenerateSettings& settings, uint32_t tiles,
                          const Context& context = {});

// The 132 grids of the source's sweep: 11 seedings x 4 containers x 3 expanders (1-D depth-first, 1-D breadth-first,
// 2-D), each with its name, for example "S16 queue 1d".
std::vector<std::pair<std::string, GridSettings>> gridSweep();

}  // namespace wend
