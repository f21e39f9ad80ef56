#include "geometry/voronoi/beach_line.h"

namespace wend {

uint32_t BeachLine::allocate(const BeachNode& node) {
  uint32_t id = free_;
  if (id != kNone) {
    free_ = nodes_[id].next;
  } else {
    id = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
  }
  // Marsaglia's xorshift: quick, and random enough to keep the tree low.
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  const bool isInTree = random_ % 4 == 0;
  nodes_[id] = {node, kNone, kNone, kNone, {kNone, kNone}, isInTree ? random_ : 0};
  return id;
}

// In the tree, with all that is below it.
void BeachLine::replace(uint32_t id, uint32_t by) {
  const uint32_t parent = nodes_[id].parent;
  if (by != kNone) nodes_[by].parent = parent;
  if (parent == kNone) {
    root_ = by;
  } else {
    nodes_[parent].child[nodes_[parent].child[0] == id ? 0 : 1] = by;
  }
}

// Turns the tree so that a node comes above its parent.
void BeachLine::lift(uint32_t id) {
  const uint32_t parent = nodes_[id].parent;
  const int side = nodes_[parent].child[0] == id ? 0 : 1;
  replace(parent, id);
  const uint32_t moved = nodes_[id].child[1 - side];
  nodes_[parent].child[side] = moved;
  if (moved != kNone) nodes_[moved].parent = parent;
  nodes_[id].child[1 - side] = parent;
  nodes_[parent].parent = id;
}

// As a leaf between its neighbours in the tree: one of them has no child on that side.
void BeachLine::enterTree(uint32_t id) {
  uint32_t above = nodes_[id].next;
  while (above != kNone && !nodes_[above].isInTree()) above = nodes_[above].next;
  uint32_t parent = above;
  int side = 0;
  if (above == kNone || nodes_[above].child[0] != kNone) {
    parent = nodes_[id].previous;
    while (parent != kNone && !nodes_[parent].isInTree()) parent = nodes_[parent].previous;
    side = 1;
  }
  if (parent == kNone) {
    root_ = id;
    return;
  }
  nodes_[id].parent = parent;
  nodes_[parent].child[side] = id;
  while (nodes_[id].parent != kNone && nodes_[nodes_[id].parent].priority < nodes_[id].priority) lift(id);
}

void BeachLine::leaveTree(uint32_t id) {
  while (nodes_[id].child[0] != kNone && nodes_[id].child[1] != kNone) {
    const auto [low, high] = nodes_[id].child;
    lift(nodes_[low].priority > nodes_[high].priority ? low : high);
  }
  replace(id, nodes_[id].child[nodes_[id].child[0] != kNone ? 0 : 1]);
}

uint32_t BeachLine::insert(uint32_t place, const BeachNode& node) {
  const uint32_t id = allocate(node);
  const uint32_t previous = place == kNone ? last_ : nodes_[place].previous;
  nodes_[id].previous = previous;
  nodes_[id].next = place;
  (previous == kNone ? first_ : nodes_[previous].next) = id;
  (place == kNone ? last_ : nodes_[place].previous) = id;
  if (nodes_[id].isInTree()) enterTree(id);
  return id;
}

void BeachLine::erase(uint32_t id) {
  if (nodes_[id].isInTree()) leaveTree(id);
  const uint32_t previous = nodes_[id].previous;
  const uint32_t next = nodes_[id].next;
  (previous == kNone ? first_ : nodes_[previous].next) = next;
  (next == kNone ? last_ : nodes_[next].previous) = previous;
  nodes_[id].left = nodes_[id].right = kNone;
  nodes_[id].next = free_;
  free_ = id;
}

}  // namespace wend
