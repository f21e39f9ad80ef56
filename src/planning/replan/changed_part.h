#pragma once

#include <span>
#include <vector>

#include <wend/lattice.h>

// Where a graph changed, as a lower bound of the cost of any way through there (van Toll 2017, section 8.4).
namespace wend {

// An axis-aligned box with its sides, in the coordinates of the graph.
struct ChangedBox {
  Vec2 low;
  Vec2 high;
  bool operator==(const ChangedBox&) const = default;
};

double distanceToBox(const ChangedBox& box, Vec2 p);
// The length of the shortest way from p over some point of the box to q. At least the sum of both distances to the box,
// and at least |pq|. O(1).
double lengthThroughBox(const ChangedBox& box, Vec2 p, Vec2 q);

// A few boxes such that every path through a new or cheaper edge passes a point of one of them. The source keeps one
// box; one box per place of change is tighter when places lie far apart.
class ChangedPart {
 public:
  // More boxes are merged, the nearest two first: a bound is computed for each box and each vertex.
  static constexpr size_t kMaxBoxes = 6;
  static constexpr size_t kManyBoxes = 512;

  // Every changed edge adds a point that each path over it passes.
  void add(Vec2 p);
  void add(const ChangedBox& box);
  // Merges boxes that are nearer to each other than `gap`, then until `most` are left. O(k^3) for k boxes at worst;
  // more than kManyBoxes become one.
  void merge(double gap, size_t most = kMaxBoxes);
  void clear() { boxes_.clear(); }

  bool empty() const { return boxes_.empty(); }
  std::span<const ChangedBox> boxes() const { return boxes_; }

  // Infinity if nothing changed.
  double distance(Vec2 p) const;
  double lengthThrough(Vec2 p, Vec2 q) const;
  // True if lengthThrough(p, q) >= length. Stops early.
  bool isBeyond(Vec2 p, Vec2 q, double length) const;

 private:
  std::vector<ChangedBox> boxes_;
};

}  // namespace wend
