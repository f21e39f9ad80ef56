#pragma once

#include <cstdint>
#include <vector>

#include <wend/lattice.h>

// The beach line of the Voronoi sweep: a sequence in which bisectors are found by comparison, but inserted and erased
// at places that are known, without any.
namespace wend {

// A bisector between two neighbouring arcs.
struct BeachNode {
  uint32_t left = kNone;    // site below it
  uint32_t right = kNone;   // site above it
  uint32_t edge = kNone;    // half-edge that grows along it
  uint32_t circle = kNone;  // event in which it meets the one below
};

// A doubly linked list with a treap over one node in four, in one array: ids stay valid until their node is erased,
// then they are used again. Insertion and erasure in O(1) expected time, search in O(log n), from near the place in
// O(1).
class BeachLine {
 public:
  BeachNode& operator[](uint32_t id) { return nodes_[id]; }
  const BeachNode& operator[](uint32_t id) const { return nodes_[id]; }
  uint32_t first() const { return first_; }  // kNone if empty
  uint32_t last() const { return last_; }
  uint32_t next(uint32_t id) const { return nodes_[id].next; }  // kNone at the end
  uint32_t previous(uint32_t id) const { return nodes_[id].previous; }

  // Before `place`; at the end for kNone.
  uint32_t insert(uint32_t place, const BeachNode& node);
  void erase(uint32_t id);

  // The first node for which isBefore(node) is false; kNone if there is none.
  template <typename IsBefore>
  uint32_t find(const IsBefore& isBefore) const {
    uint32_t found = kNone;
    for (uint32_t id = root_; id != kNone;) {
      if (isBefore(nodes_[id])) {
        id = nodes_[id].child[1];
      } else {
        found = id;
        id = nodes_[id].child[0];
      }
    }
    // Those before it that the tree does not know.
    for (uint32_t id = found == kNone ? last_ : nodes_[found].previous; id != kNone; id = nodes_[id].previous) {
      if (isBefore(nodes_[id])) break;
      found = id;
    }
    return found;
  }
  // The same, for a node near the place.
  template <typename IsBefore>
  uint32_t findFrom(uint32_t near, const IsBefore& isBefore) const {
    constexpr int kSteps = 4;  // a search takes more
    const bool forward = isBefore(nodes_[near]);
    for (int i = 0; i < kSteps; ++i) {
      const uint32_t beyond = forward ? nodes_[near].next : nodes_[near].previous;
      if (beyond == kNone) return forward ? kNone : near;
      if (isBefore(nodes_[beyond]) != forward) return forward ? beyond : near;
      near = beyond;
    }
    return find(isBefore);
  }

 private:
  struct Node : BeachNode {
    uint32_t previous = kNone;
    uint32_t next = kNone;
    uint32_t parent = kNone;
    uint32_t child[2] = {kNone, kNone};
    uint32_t priority = 0;  // at most that of the parent; 0: not in the tree

    bool isInTree() const { return priority != 0; }
  };

  uint32_t allocate(const BeachNode& node);
  void enterTree(uint32_t id);
  void leaveTree(uint32_t id);
  void replace(uint32_t id, uint32_t by);
  void lift(uint32_t id);

  std::vector<Node> nodes_;
  uint32_t free_ = kNone;  // linked by next
  uint32_t root_ = kNone;
  uint32_t first_ = kNone;
  uint32_t last_ = kNone;
  uint32_t random_ = 0x9e3779b9;
};

}  // namespace wend
