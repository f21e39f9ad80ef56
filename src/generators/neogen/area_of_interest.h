#pragma once

#include <optional>
#include <vector>

#include "generators/neogen/subdivision.h"

// The area of interest of a notch, and what the notch sees in it, nearest first.
//
// The area of interest is the closed angle between the prolongations of the two sides of a reflex corner: one portal
// into it leaves two convex corners. The query walks the triangles that can be seen in it, through free edges only, in
// the order of their distance; so it touches little more than what is nearer than the answer. What lies in the area and
// is visible is decided exactly; distances are doubles.
namespace wend::neogen {

struct Sight {
  enum class Kind : uint8_t { kVertex, kWall, kPortal };
  Kind kind = Kind::kVertex;
  double square = 0;        // squared distance, lattice units
  uint32_t vertex = kNone;  // kVertex
  uint32_t edge = kNone;    // otherwise: the half-edge, with the notch on its left
  // The vertices that limit the view to the right and left, or, where the area itself does, the next ones outside it.
  uint32_t right = kNone;
  uint32_t left = kNone;
};

// A query about one notch at a time; start() chooses it.
class AreaOfInterest {
 public:
  explicit AreaOfInterest(const Subdivision& subdivision) : subdivision_(subdivision) {}

  // A reflex corner, named by the half-edge that leaves it.
  void start(Subdivision::Half corner);
  // The next element, or nothing if the area is exhausted. The subdivision must not change in between.
  std::optional<Sight> next();
  size_t steps() const { return steps_; }

  // Vertices that the notch sees in the area, in the order of how many triangles lie between, after looking through at
  // most `steps` edges. Cheaper than next(), but only roughly by distance.
  std::span<const uint32_t> vertices(Subdivision::Half corner, size_t steps) {
    visitVertices(corner, steps, [](uint32_t) { return true; });
    return vertices_;
  }
  // The same one by one, until `visit` returns false.
  template <typename Visit>
  void visitVertices(Subdivision::Half corner, size_t steps, const Visit& visit) {
    byDistance_ = false;
    vertices_.clear();
    lookAround(corner);
    size_t visited = 0;
    for (size_t i = 0;; ++i) {
      for (; visited < vertices_.size(); ++visited) {
        if (!visit(vertices_[visited])) return;
      }
      if (i == steps || i == heap_.size()) return;
      lookThrough(Item(heap_[i]));
    }
  }

  // The point on a seen wall for a portal to end on (wall_points.h) that is visible in the area and nearest to the
  // notch, if the wall has one. None on a connection: it would cut the portal to the other layer. Only for the sight
  // that next() gave last.
  std::optional<Vec2> pointOn(const Sight& wall) const;

 private:
  // Something in view: an edge between the limits of what is visible of it, or a vertex.
  enum class Rank : uint8_t { kVertex, kWall, kPortal, kFree };
  struct Item {
    double square = 0;
    uint32_t id = kNone;  // vertex or half-edge
    uint32_t right = kNone;
    uint32_t left = kNone;
    Rank rank = Rank::kVertex;
    // Whether the area limits the view, and not the vertex.
    bool areaRight = false;
    bool areaLeft = false;

    // Ties in distance: vertices, walls, portals, then lower ids.
    bool operator>(const Item& other) const {
      if (square != other.square) return square > other.square;
      return rank != other.rank ? rank > other.rank : id > other.id;
    }
  };
  // In parts of the edge's length.
  struct Clip {
    double from, to, nearest, square;
  };

  // On which side of the view's limits a point lies: +1 is to the left. What lies on a limit is visible where the area
  // is the limit, and hidden behind a vertex.
  int fromRight(const Item& item, Vec2 p) const;
  int fromLeft(const Item& item, Vec2 p) const;
  int fromAreaRight(Vec2 p) const;
  int fromAreaLeft(Vec2 p) const;
  Vec2 rightDirection(const Item& item) const;
  Vec2 leftDirection(const Item& item) const;
  void widen(Subdivision::Half corner);
  void lookAround(Subdivision::Half corner);
  void lookThrough(const Item& item);
  // Views are passed in parts and put together where they are kept: copies of fresh ones were a third of the time.
  void pushEdge(uint32_t edge, uint32_t right, uint32_t left, bool areaRight, bool areaLeft);
  void pushVertex(uint32_t vertex);
  void push(const Item& item);
  Clip clip(const Item& item) const;

  const Subdivision& subdivision_;
  Vec2 notch_;
  Vec2 leaving_;   // the other end of the side that leaves the corner; prolonged backwards, it is the left limit
  Vec2 arriving_;  // of the side that arrives; prolonged, it is the right limit
  bool isWide_ = false;
  Vec2 wideLeft_;  // with alpha: points on the wider limits
  Vec2 wideRight_;
  bool byDistance_ = true;
  size_t steps_ = 0;
  std::vector<Item> heap_;  // or, not by distance, a queue
  std::vector<uint32_t> vertices_;
  Item last_;
};

}  // namespace wend::neogen
