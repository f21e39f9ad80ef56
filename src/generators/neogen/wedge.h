#pragma once

#include <optional>
#include <vector>

#include "generators/neogen/subdivision.h"

// What a notch sees in its area of interest, nearest first.
//
// The area of interest is the closed wedge between the prolongations of the two sides of a reflex corner: one portal
// into it leaves two convex corners. The query walks the triangles that the wedge sees, through free edges only, in the
// order of their distance; so it touches little more than what is nearer than the answer. What lies in the wedge and is
// visible is decided exactly; distances are doubles.
namespace wend::neogen {

struct Sight {
  enum class Kind : uint8_t { kVertex, kWall, kPortal };
  Kind kind = Kind::kVertex;
  double square = 0;        // squared distance, lattice units
  uint32_t vertex = kNone;  // kVertex
  uint32_t edge = kNone;    // otherwise: the half-edge, with the notch on its left
  // Between the two limits of what is visible of an edge, in parts of its length: the nearest point and the ends.
  double nearest = 0;
  double from = 0;
  double to = 1;
  // The vertices that limit the view to the right and left, or, where the wedge itself does, the next ones outside it.
  uint32_t right = kNone;
  uint32_t left = kNone;
};

class WedgeQuery {
 public:
  explicit WedgeQuery(const Subdivision& subdivision) : subdivision_(subdivision) {}

  // A reflex corner, named by the half-edge that leaves it.
  void start(Subdivision::Half corner);
  // The next element, or nothing if the wedge is exhausted. The subdivision must not change in between.
  std::optional<Sight> next();
  size_t steps() const { return steps_; }

  // The lattice point on a seen wall that is visible in the wedge and nearest to the notch, if the wall has one. Only
  // for the sight that next() gave last.
  std::optional<Point> latticePoint(const Sight& wall) const;

 private:
  // A limit of the view: the line through two points, of which one is the notch.
  struct Ray {
    Point from, to;
    bool closed;  // whether what lies on it is visible
  };
  struct Item {
    Sight sight;
    bool open = false;  // a free edge, to be looked through
    Ray right, left;
  };

  // Ties in distance: vertices, walls, portals, then lower ids.
  struct Key {
    double square;
    uint32_t rank;
    uint32_t id;
    uint32_t index;
    auto operator<=>(const Key&) const = default;
  };

  static bool leftOf(const Ray& ray, Point p);
  static bool rightOf(const Ray& ray, Point p);
  void lookThrough(const Item& item);
  void pushEdge(Subdivision::Half edge, const Ray& right, const Ray& left, uint32_t rightVertex, uint32_t leftVertex);
  void pushVertex(uint32_t vertex);
  void push(const Item& item, uint32_t rank, uint32_t id);
  void clip(Item& item) const;

  const Subdivision& subdivision_;
  Point notch_;
  size_t steps_ = 0;
  std::vector<Item> items_;  // never shrinks during a query; the heap holds indices
  std::vector<Key> heap_;
  uint32_t last_ = kNone;
};

}  // namespace wend::neogen
