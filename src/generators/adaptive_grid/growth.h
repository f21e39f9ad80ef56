#pragma once

#include <span>
#include <vector>

#include <wend/image/adaptive_grid.h>

#include "generators/adaptive_grid/taken_bits.h"

// The growth of clusters, shared by growGrid() and repairGrid(). growth.cpp chooses the cluster that grows next
// (containers) and plants seeds; expanders.cpp adds pixels to it.
namespace wend::adaptive_grid {

struct Pixel {
  uint32_t row = 0;
  uint32_t column = 0;
  auto operator<=>(const Pixel&) const = default;
};

// A cluster while it grows.
struct Growing {
  GridCluster box;
  uint8_t closed = 0;  // one bit per direction, or per pair of them: blocked once, blocked for ever
  uint8_t next = 0;    // with memory: where the order of sides begins
  uint32_t calls = 0;
};

class Growth {
 public:
  // `taken` has the pixels that no cluster may have.
  Growth(uint32_t width, uint32_t height, TakenBits taken, const GridSettings& settings, const Context& context);

  // A cluster of one pixel, unless the pixel is taken.
  void addSeed(Pixel pixel);
  // Until nothing grows any more. False if cancelled.
  bool run();
  // Seeds for free pixels that nothing has reached, and their growth. False if cancelled.
  bool coverRest();
  bool isFree(Pixel pixel) const { return !taken_.isTaken(pixel.row, pixel.column); }

  const std::vector<Growing>& clusters() const { return clusters_; }
  uint64_t tests() const { return tests_; }
  uint64_t calls() const { return calls_; }

 private:
  bool runOne(GridContainer container);
  bool runHeap(bool largestFirst);
  bool runRounds();
  // expanders.cpp
  bool expand(Growing& cluster);
  bool expandOneSide(Growing& cluster);
  bool expandAllSides(Growing& cluster);
  bool expandPair(Growing& cluster);
  bool expandSquare(Growing& cluster);
  bool isOpen(Growing& cluster, GridDirection side);
  bool canGrow(const GridCluster& box, GridDirection side);
  bool isLayerFree(const GridCluster& box, GridDirection side) const;
  static void extend(GridCluster& box, GridDirection side);
  void grow(GridCluster& box, GridDirection side);
  bool fits(const GridCluster& box, uint32_t addedRows, uint32_t addedColumns) const;
  // growth.cpp
  void spawnAround(GridCluster box);
  void spawnRun(uint32_t row, uint32_t column, int rowStep, int columnStep, uint32_t count);
  bool isStopped(const Growing& cluster) const {
    return settings_.stopAfter > 0 && cluster.calls >= settings_.stopAfter;
  }

  uint32_t width_;
  uint32_t height_;
  TakenBits taken_;
  const GridSettings& settings_;
  const Context& context_;
  std::vector<Growing> clusters_;
  std::vector<uint32_t> waiting_;   // new seeds, in the order of their ids
  std::vector<uint32_t> wantedBy_;  // of rounds, per pixel; kNone between two rounds
  uint64_t tests_ = 0;
  uint64_t calls_ = 0;
};

// The first seeds of a picture whose blocked pixels are taken.
std::vector<Pixel> initialSeeds(const TakenBits& taken, uint32_t width, uint32_t height, const GridSettings& settings);

// Joins clusters that share a whole side, in the order of ids; returns the clusters that are left, in their order.
std::vector<GridCluster> mergeClusters(std::vector<GridCluster> clusters, std::span<const uint32_t> ids, uint32_t width,
                                       const GridSettings& settings);

// The raster of ids.
std::vector<uint32_t> paintIds(std::span<const GridCluster> clusters, uint32_t width, uint32_t height,
                               const Context& context);

Status checkSettings(const GridSettings& settings);

inline constexpr const char* kGrowthStage = "grow clusters";

}  // namespace wend::adaptive_grid
