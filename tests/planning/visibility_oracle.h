#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <wend/polygon.h>

// The slow obvious shortest path: a visibility graph over directed walls (free space on their left), decided by
// integers alone. A segment may touch walls and run along them; it may not pass a point where free space only touches
// itself.
namespace wend {

struct OracleWall {
  Point a;
  Point b;
};

std::vector<OracleWall> wallsOf(const std::vector<Polygon>& polygons);

class VisibilityOracle {
 public:
  explicit VisibilityOracle(std::vector<OracleWall> walls);
  VisibilityOracle(const VisibilityOracle&) = delete;
  VisibilityOracle& operator=(const VisibilityOracle&) = delete;

  // Whether p lies in free space or on its boundary.
  bool isFree(Point p) const { return isFreeDoubled(2 * int64_t{p.x}, 2 * int64_t{p.y}); }
  // Length in lattice units, infinity if there is no way. Both points must be free.
  double length(Point from, Point to) const;

  static constexpr double kNoWay = std::numeric_limits<double>::infinity();

 private:
  // Free directions at a wall vertex, counter-clockwise from `begin` to `end`.
  struct Sector {
    Point place;
    Point begin;
    Point end;
  };
  struct Node {
    Point place;
    const Sector* sector;  // null where no wall vertex is
  };
  bool isFreeDoubled(int64_t x, int64_t y) const;
  bool sees(const Node& p, const Node& q) const;
  bool passes(Point vertex, Point direction) const;
  std::vector<Node> nodesAt(Point p) const;

  std::vector<OracleWall> walls_;
  std::vector<Sector> sectors_;
  std::vector<Node> notches_;
  std::vector<double> between_;  // notch to notch, shortest
};

}  // namespace wend
