#pragma once

#include <span>
#include <vector>

#include "geometry/index/box_tree.h"

// An index of boxes that grows between queries: trees of falling sizes, of which small ones are joined into
// larger ones (Bentley and Saxe 1980), and a few boxes without a tree. Every box is built into O(log n) trees.
namespace wend {

class GrowingTree {
 public:
  // Items are known by the order they came in.
  void add(std::span<const BoxTree::Extent> extents);

  size_t size() const { return extents_.size(); }
  const BoxTree::Extent& operator[](uint32_t item) const { return extents_[item]; }

  // As BoxTree::forEach(), for any heights.
  template <typename Visit>
  void forEach(const Box& box, Visit&& visit) const {
    for (const Part& part : parts_) {
      part.tree.forEach(box, [&](uint32_t k) { visit(part.begin + k); });
    }
    for (uint32_t i = built(); i < extents_.size(); ++i) {
      const Box& b = extents_[i].box;
      if (b.min.x < box.max.x && b.max.x > box.min.x && b.min.y < box.max.y && b.max.y > box.min.y) visit(i);
    }
  }

 private:
  struct Part {
    uint32_t begin, end;
    BoxTree tree;
  };
  uint32_t built() const { return parts_.empty() ? 0 : parts_.back().end; }

  std::vector<BoxTree::Extent> extents_;
  std::vector<Part> parts_;
};

}  // namespace wend
