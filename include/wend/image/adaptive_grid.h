#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/image/navigable_grid.h>

// Adaptive grids: the free pixels of a picture, divided into disjoint rectangles (clusters) that grow from single
// pixels (seeds). A. Akaydin, U. Gudukbay: Adaptive grids: an image-based approach to generate navigation meshes,
// Optical Engineering 52(2), 2013. The generator "adaptive-grid" makes a NavMesh of them; this header is the raster
// itself.
namespace wend {

enum class GridDirection : uint8_t { kEast, kSouth, kWest, kNorth };

// Where the first seeds are.
enum class GridSeeds : uint8_t {
  kSingle,     // the first free pixel, row by row
  kBorder,     // the first pixel of each free run of the picture's border, walked clockwise from the top left
  kBorderAll,  // every free pixel of the border
  kRandom,     // GridSettings::count free pixels, drawn without replacement
  kSampled,    // the free ones among the pixels (i * period, j * period)
};

// Which seed grows next.
enum class GridContainer : uint8_t {
  kQueue,    // in turn
  kStack,    // the newest until it is done
  kMinHeap,  // the smallest; of equals the one with the lower id
  kMaxHeap,  // the largest
  kRounds,   // all at once, round by round, in parallel; a pixel that several want goes to the lowest id
};

// What one call grows.
enum class GridExpander : uint8_t {
  kOneSide,   // the first side that can grow
  kAllSides,  // every side that can grow
  kDiagonal,  // one horizontal and one vertical side, each if it can
  kSquare,    // one horizontal and one vertical side, both or none
};

struct GridSettings {
  GridSeeds seeds = GridSeeds::kSampled;
  uint32_t count = 100;  // of random seeds, 1 to 1e9; more than there are free pixels means all
  uint32_t period = 16;  // of sampled seeds, pixels, 1 to kMaxGridSide
  GridContainer container = GridContainer::kQueue;
  GridExpander expander = GridExpander::kOneSide;
  // The order in which sides are tried.
  std::array<GridDirection, 4> order{GridDirection::kEast, GridDirection::kSouth, GridDirection::kWest,
                                     GridDirection::kNorth};
  bool memory = false;     // kOneSide: begin with the side after the one that grew last, which gives compact clusters
  uint64_t maxPixels = 0;  // of a cluster; 0: no limit
  uint32_t maxSide = 0;    // pixels; 0: no limit
  bool coverAll = true;    // free pixels that no seed reaches get seeds of their own
  bool merge = false;      // afterwards join neighbours that share a whole side, where the limits allow
  uint32_t stopAfter = 0;  // calls per cluster, for pictures of the growth; 0: until all is covered
  uint64_t seed = 1;       // of random seeds
};

// Inclusive.
struct GridCluster {
  uint32_t top = 0;
  uint32_t left = 0;
  uint32_t bottom = 0;
  uint32_t right = 0;

  uint32_t width() const { return right - left + 1; }
  uint32_t height() const { return bottom - top + 1; }
  uint64_t pixels() const { return static_cast<uint64_t>(width()) * height(); }
  bool operator==(const GridCluster&) const = default;
};

struct AdaptiveGrid {
  uint32_t width = 0;  // pixels
  uint32_t height = 0;
  std::vector<GridCluster> clusters;  // cluster i has the id i + 1
  std::vector<uint32_t> ids;          // row by row from the top; 0 where no cluster is
  uint64_t initialSeeds = 0;
  uint64_t tests = 0;  // pixels looked at by the growth
  uint64_t calls = 0;  // of the expander

  // The cluster at a pixel, or kNone: one array read.
  uint32_t at(uint32_t row, uint32_t column) const { return ids[static_cast<size_t>(row) * width + column] - 1; }
  bool operator==(const AdaptiveGrid&) const = default;
};

// Grows clusters until every free pixel that is joined to a seed side by side belongs to exactly one; with coverAll
// every free pixel. Linear in pixels: a side that is blocked once stays blocked and is not looked at again. The same
// bytes for any number of threads.
Result<AdaptiveGrid> growGrid(const NavigableGrid& grid, const GridSettings& settings = {},
                              const Context& context = {});

// Where two clusters touch. Two rectangles have at most one passage; a corner is none.
struct GridPassage {
  uint32_t from = 0;  // index of a cluster
  uint32_t to = 0;
  GridDirection side = GridDirection::kEast;  // of `from`: east or south
  uint32_t low = 0;                           // the passage covers the lines low to high: rows for east, columns for
  uint32_t high = 0;                          // south; high is exclusive
  bool operator==(const GridPassage&) const = default;
};
// All, each once, ordered by `from`, east before south. At most 3 clusters - 6 for three clusters or more, since the
// graph is planar. O(pixels on the sides).
std::vector<GridPassage> passagesOf(const AdaptiveGrid& grid);

// What a repair changed.
struct GridRepair {
  AdaptiveGrid grid;
  std::vector<uint32_t> newOfOld;  // per old cluster; kNone if it is gone
  uint32_t removed = 0;
  uint32_t added = 0;
};
// After pixels have changed: the clusters that hold a pixel which is no longer free are removed, and growth runs again
// on what they leave and on pixels that became free. All other clusters keep their rectangle and their order.
// `changed` is the rectangle of pixels outside of which nothing changed. Costs O(pixels of what is removed or added)
// plus a copy of the raster.
Result<GridRepair> repairGrid(const AdaptiveGrid& grid, const NavigableGrid& now, const GridCluster& changed,
                              const GridSettings& settings = {}, const Context& context = {});

// Counts, sizes and shapes of the clusters.
struct GridStatistics {
  uint64_t clusters = 0;
  double meanPixels = 0;
  double meanAspect = 0;    // of width / height, as the source has it: 2:1 and 1:2 have the mean 1.25
  double aspectFactor = 0;  // exp(mean |ln(width / height)|): 2:1 and 1:2 have 2
  uint64_t largest = 0;     // pixels
};
GridStatistics statisticsOf(const AdaptiveGrid& grid);

}  // namespace wend
