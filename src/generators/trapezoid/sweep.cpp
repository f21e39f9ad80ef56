#include "generators/trapezoid/sweep.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "geometry/predicates.h"

namespace wend::trapezoid {
namespace {

struct SweepEdge {
  Point left;
  Point right;
  bool bottom = false;  // free space lies above it
  bool isOpen = false;
  bool begun = false;  // whether a cell has begun on it
  int32_t begin = 0;   // where
};

// 1 if the point lies above the edge's line, -1 below.
int above(const SweepEdge& edge, Point p) {
  return orient(edge.left, edge.right, p);
}

// Edges that share some x and do not cross, from below.
struct Below {
  using is_transparent = void;
  const std::vector<SweepEdge>* edges;

  bool operator()(uint32_t i, uint32_t j) const {
    if (i == j) return false;
    const SweepEdge& e = (*edges)[i];
    const SweepEdge& f = (*edges)[j];
    int side = 0;
    if (e.left.x <= f.left.x) {
      side = above(e, f.left);
      if (side == 0) side = above(e, f.right);
    } else {
      side = -above(f, e.left);
      if (side == 0) side = -above(f, e.right);
    }
    return side != 0 ? side > 0 : i < j;
  }
  bool operator()(uint32_t i, Point p) const { return above((*edges)[i], p) > 0; }
};

// The height of an edge over x: a whole number exactly, otherwise rounded once.
double heightAt(const SweepEdge& edge, int32_t x) {
  const int64_t dx = static_cast<int64_t>(edge.right.x) - edge.left.x;
  const int64_t product = (static_cast<int64_t>(x) - edge.left.x) * (static_cast<int64_t>(edge.right.y) - edge.left.y);
  const int64_t whole = edge.left.y + product / dx;
  return static_cast<double>(whole) + static_cast<double>(product % dx) / static_cast<double>(dx);
}

class Sweep {
 public:
  Sweep(std::span<const Polygon> polygons, std::span<const RingEdge> open) : open_(open), active_(Below{&edges_}) {
    for (const Polygon& polygon : polygons) {
      addRing(polygon.outer);
      for (const Ring& ring : polygon.holes) addRing(ring);
    }
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
    places_.resize(edges_.size());
    for (uint32_t i = 0; i < edges_.size(); ++i) byLeft_.push_back(i);
    byRight_ = byLeft_;
    std::sort(byLeft_.begin(), byLeft_.end(),
              [&](uint32_t i, uint32_t j) { return std::tie(edges_[i].left, i) < std::tie(edges_[j].left, j); });
    std::sort(byRight_.begin(), byRight_.end(),
              [&](uint32_t i, uint32_t j) { return std::tie(edges_[i].right, i) < std::tie(edges_[j].right, j); });
  }

  std::vector<Trapezoid> run(const Context& context) {
    size_t nextLeft = 0;
    size_t nextRight = 0;
    size_t lines = 0;
    for (size_t first = 0; first < vertices_.size();) {
      if ((++lines & 0xfffU) == 0 && context.cancelled()) break;
      const int32_t x = vertices_[first].x;
      size_t last = first;
      while (last < vertices_.size() && vertices_[last].x == x) ++last;
      const std::span<const Point> column = std::span(vertices_).subspan(first, last - first);
      for (const Point p : column) closeAround(p);
      for (; nextRight < byRight_.size() && edges_[byRight_[nextRight]].right.x == x; ++nextRight) {
        active_.erase(places_[byRight_[nextRight]]);
      }
      for (; nextLeft < byLeft_.size() && edges_[byLeft_[nextLeft]].left.x == x; ++nextLeft) {
        places_[byLeft_[nextLeft]] = active_.insert(byLeft_[nextLeft]).first;
      }
      for (const Point p : column) openAround(p);
      first = last;
    }
    return std::move(cells_);
  }

 private:
  using Active = std::set<uint32_t, Below>;

  void addRing(const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[(i + 1) % ring.size()];
      vertices_.push_back(a);
      const bool isOpen = std::binary_search(open_.begin(), open_.end(), RingEdge(a, b));
      if (a.x < b.x) edges_.push_back({a, b, true, isOpen});
      if (b.x < a.x) edges_.push_back({b, a, false, isOpen});
    }
  }

  // Calls visit for the free spaces that the line through p can reach: the one below or around p, and those that begin
  // or end in p.
  template <typename Visit>
  void forBottomsAt(Point p, Visit&& visit) {
    auto at = active_.lower_bound(p);
    if (at != active_.begin()) visit(std::prev(at));
    for (; at != active_.end() && above(edges_[*at], p) == 0; ++at) visit(at);
  }

  void closeAround(Point p) {
    forBottomsAt(p, [&](Active::iterator at) {
      SweepEdge& bottom = edges_[*at];
      const auto next = std::next(at);
      if (!bottom.begun || next == active_.end()) return;
      bottom.begun = false;
      const SweepEdge& top = edges_[*next];
      const auto corner = [](const SweepEdge& edge, int32_t x) {
        return Vec2{static_cast<double>(x), heightAt(edge, x)};
      };
      cells_.push_back(
          {{corner(bottom, bottom.begin), corner(bottom, p.x), corner(top, p.x), corner(top, bottom.begin)},
           bottom.isOpen,
           top.isOpen});
    });
  }

  void openAround(Point p) {
    forBottomsAt(p, [&](Active::iterator at) {
      SweepEdge& bottom = edges_[*at];
      if (!bottom.bottom || bottom.begun) return;
      bottom.begun = true;
      bottom.begin = p.x;
    });
  }

  std::span<const RingEdge> open_;
  std::vector<SweepEdge> edges_;
  std::vector<Point> vertices_;
  std::vector<uint32_t> byLeft_;
  std::vector<uint32_t> byRight_;
  Active active_;
  std::vector<Active::iterator> places_;
  std::vector<Trapezoid> cells_;
};

}  // namespace

std::vector<Trapezoid> decompose(std::span<const Polygon> polygons, std::span<const RingEdge> open,
                                 const Context& context) {
  return Sweep(polygons, open).run(context);
}

}  // namespace wend::trapezoid
