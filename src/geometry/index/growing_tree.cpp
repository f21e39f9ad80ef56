#include "geometry/index/growing_tree.h"

namespace wend {
namespace {

constexpr size_t kWithoutTree = 32;

}  // namespace

void GrowingTree::add(std::span<const BoxTree::Extent> extents) {
  extents_.insert(extents_.end(), extents.begin(), extents.end());
  const auto end = static_cast<uint32_t>(extents_.size());
  uint32_t begin = built();
  if (end - begin <= kWithoutTree) return;
  while (!parts_.empty() && parts_.back().end - parts_.back().begin <= end - begin) {
    begin = parts_.back().begin;
    parts_.pop_back();
  }
  parts_.push_back({begin, end, BoxTree(std::span(extents_).subspan(begin, end - begin))});
}

}  // namespace wend
