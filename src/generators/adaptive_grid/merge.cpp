#include <algorithm>

#include "generators/adaptive_grid/growth.h"

// Neighbours that share a whole side become one rectangle. That takes off cells and changes no shape of the free space.
namespace wend::adaptive_grid {
namespace {

class Merging {
 public:
  Merging(std::vector<GridCluster>& clusters, std::span<const uint32_t> ids, uint32_t width,
          const GridSettings& settings)
      : boxes_(clusters),
        ids_(ids),
        width_(width),
        height_(static_cast<uint32_t>(ids.size() / width)),
        settings_(settings),
        parent_(clusters.size()) {
    for (uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  }

  // A larger cluster may find a partner that was too short before: passes until nothing changes.
  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = 0; i < boxes_.size(); ++i) {
        if (parent_[i] != i) continue;
        while (mergeEast(i) || mergeSouth(i)) changed = true;
      }
    }
  }
  bool isLeft(uint32_t i) const { return parent_[i] == i; }

 private:
  uint32_t clusterAt(uint32_t row, uint32_t column) {
    if (row >= height_ || column >= width_) return kNone;
    uint32_t id = ids_[static_cast<size_t>(row) * width_ + column];
    if (id == 0) return kNone;
    --id;
    while (parent_[id] != id) {
      parent_[id] = parent_[parent_[id]];
      id = parent_[id];
    }
    return id;
  }
  bool mergeEast(uint32_t i) {
    const uint32_t j = clusterAt(boxes_[i].top, boxes_[i].right + 1);
    return j != kNone && boxes_[j].top == boxes_[i].top && boxes_[j].bottom == boxes_[i].bottom && join(i, j);
  }
  bool mergeSouth(uint32_t i) {
    const uint32_t j = clusterAt(boxes_[i].bottom + 1, boxes_[i].left);
    return j != kNone && boxes_[j].left == boxes_[i].left && boxes_[j].right == boxes_[i].right && join(i, j);
  }
  bool join(uint32_t i, uint32_t j) {
    const GridCluster box{std::min(boxes_[i].top, boxes_[j].top), std::min(boxes_[i].left, boxes_[j].left),
                          std::max(boxes_[i].bottom, boxes_[j].bottom), std::max(boxes_[i].right, boxes_[j].right)};
    if (settings_.maxSide > 0 && std::max(box.width(), box.height()) > settings_.maxSide) return false;
    if (settings_.maxPixels > 0 && box.pixels() > settings_.maxPixels) return false;
    boxes_[i] = box;
    parent_[j] = i;
    return true;
  }

  std::vector<GridCluster>& boxes_;
  std::span<const uint32_t> ids_;
  uint32_t width_;
  uint32_t height_;
  const GridSettings& settings_;
  std::vector<uint32_t> parent_;
};

}  // namespace

std::vector<GridCluster> mergeClusters(std::vector<GridCluster> clusters, std::span<const uint32_t> ids, uint32_t width,
                                       const GridSettings& settings) {
  if (clusters.empty()) return clusters;
  Merging merging(clusters, ids, width, settings);
  merging.run();
  std::vector<GridCluster> left;
  for (uint32_t i = 0; i < clusters.size(); ++i) {
    if (merging.isLeft(i)) left.push_back(clusters[i]);
  }
  return left;
}

}  // namespace wend::adaptive_grid
