#include "environment/extract/steep/climb_bounds.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/parallel.h"

namespace wend::extraction {
namespace {

// Borders with more around them may lead anywhere.
constexpr size_t kMostBeyond = 64;

class BoundFinder {
 public:
  BoundFinder(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces, SteepBorders& borders)
      : soup_(soup), neighbours_(neighbours), faces_(faces), borders_(borders) {}

  ClimbBounds run(std::span<const uint32_t> triangles, const Context& context) {
    seen_.assign(faces_.triangles().size(), 0);
    for (const uint32_t t : triangles) reach(faces_.placeOf(t));
    std::vector<uint32_t> reached;
    while (!queue_.empty()) {
      reached.clear();
      reached.swap(queue_);
      borders_.lookUp(reached, context);
      for (const uint32_t place : reached) leave(place);
    }
    ClimbBounds bounds;
    parallelFor(2, context, [&](size_t i) { (i == 0 ? bounds.foot : bounds.top) = spread(i == 0 ? down_ : up_); });
    for (double& foot : bounds.foot) foot = -foot;
    return bounds;
  }

 private:
  // Where lines may come to a floor from a place, or leave it for another. They come at least as high before they do:
  // a height times the sign of their direction, so that the least is the nearest.
  struct Exit {
    double height;
    uint32_t place;
  };
  struct Way {
    Exit from;
    uint32_t to;
  };
  struct Lines {
    double sign;  // 1 for those uphill, -1 for those downhill
    std::vector<Exit> ends;
    std::vector<Way> ways;
  };

  // Lines may come here.
  void reach(uint32_t place) {
    if (seen_[place] != 0) return;
    seen_[place] = 1;
    queue_.push_back(place);
  }
  void addWay(Lines& lines, uint32_t place, double height, uint32_t next) {
    lines.ways.push_back({{height, place}, faces_.placeOf(next)});
    reach(faces_.placeOf(next));
  }

  void leave(uint32_t place) {
    const SteepFace& face = faces_.at(place);
    const uint32_t triangle = faces_.triangles()[place];
    const std::array<Point3, 3> p = soup_.corners(soup_.triangles[triangle]);
    for (uint32_t k = 0; k < 3; ++k) {
      if (face.turn[k] == 0) continue;
      Lines& lines = face.turn[k] < 0 ? up_ : down_;
      const Point3& a = p[k];
      const Point3& b = p[k == 2 ? 0 : k + 1];
      const uint32_t next = neighbours_.of(Kind::kRiser, triangle, k);
      const double z = std::min(lines.sign * a.z, lines.sign * b.z);
      if (next == kNone) {
        jump(lines, place, z, borders_.beyond(place, k, near_));
        // Half as steep would do near its end, with rounding.
        if (std::abs(double(b.z) - a.z) > 0.5 * kSideRise * face.length[k]) slide(lines, place, k);
      } else if (soup_.triangles[next].walkable) {
        lines.ends.push_back({z, place});
      } else {
        const SteepFace& beyond = faces_.of(next);
        if (lines.sign * sideOf(a, b).turn(beyond.x, beyond.y) < 0) {
          addWay(lines, place, z, next);
        } else {
          slide(lines, place, k);
        }
      }
    }
  }

  void slide(Lines& lines, uint32_t place, uint32_t side) {
    const uint32_t triangle = faces_.triangles()[place];
    const std::array<uint32_t, 3>& v = soup_.triangles[triangle].v;
    const uint32_t other = side == 2 ? 0 : side + 1;
    const bool forward = lines.sign * (double(soup_.points[v[other]].z) - soup_.points[v[side]].z) > 0;
    const uint32_t corner = forward ? other : side;
    const Point3& end = soup_.points[v[corner]];
    const AroundCorner around = faces_.around(triangle, corner, lines.sign);
    if (around.floor) {
      lines.ends.push_back({lines.sign * end.z, place});
    } else if (around.onward != kNone) {
      addWay(lines, place, lines.sign * end.z, around.onward);
    } else {
      // What lies around the end of an open side is known to lie beyond that.
      if (!around.closed && neighbours_.of(Kind::kRiser, triangle, side) != kNone) {
        jump(lines, place, lines.sign * end.z, borders_.beyondCorner(triangle, end, lines.sign, near_));
      }
      if (around.along != kNone) addWay(lines, place, lines.sign * end.z, around.along);
    }
  }

  // From a border to what lies within a crack of it.
  void jump(Lines& lines, uint32_t place, double z, std::span<const uint32_t> beyond) {
    if (beyond.size() > kMostBeyond) {
      lines.ends.push_back({z, place});
      return;
    }
    double end = INFINITY;
    for (const uint32_t t : beyond) {
      const Triangle& triangle = soup_.triangles[t];
      if (triangle.walkable) {
        end = std::min(end, lines.sign > 0 ? double(triangle.low) : -double(triangle.high));
      } else {
        addWay(lines, place, z, t);
      }
    }
    if (end != INFINITY) lines.ends.push_back({std::max(end, z), place});
  }

  // How high lines from each place come at least, against the ways: the first to come to a place stays.
  std::vector<double> spread(Lines& lines) const {
    const size_t n = faces_.triangles().size();
    std::vector<uint32_t> begin(n + 1, 0);
    for (const Way& way : lines.ways) ++begin[way.to];
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<Exit> from(lines.ways.size());
    for (const Way& way : lines.ways) from[--begin[way.to]] = way.from;
    std::vector<Exit>& next = lines.ends;  // a heap
    const auto isHigher = [](const Exit& p, const Exit& q) { return p.height > q.height; };
    std::make_heap(next.begin(), next.end(), isHigher);
    std::vector<double> bound(n, INFINITY);
    std::vector<uint32_t> open;
    while (!next.empty()) {
      std::pop_heap(next.begin(), next.end(), isHigher);
      const Exit exit = next.back();
      next.pop_back();
      if (bound[exit.place] != INFINITY) continue;
      bound[exit.place] = exit.height;
      open.assign(1, exit.place);
      while (!open.empty()) {
        const uint32_t place = open.back();
        open.pop_back();
        for (uint32_t k = begin[place]; k < begin[place + 1]; ++k) {
          if (bound[from[k].place] != INFINITY) continue;
          if (from[k].height <= exit.height) {
            bound[from[k].place] = exit.height;
            open.push_back(from[k].place);
          } else {
            next.push_back(from[k]);
            std::push_heap(next.begin(), next.end(), isHigher);
          }
        }
      }
    }
    return bound;
  }

  const Soup& soup_;
  const TriangleNeighbours& neighbours_;
  const SteepFaces& faces_;
  SteepBorders& borders_;
  std::vector<uint32_t> near_;
  std::vector<uint8_t> seen_;  // by place
  std::vector<uint32_t> queue_;
  Lines up_{1, {}, {}};
  Lines down_{-1, {}, {}};
};

}  // namespace

ClimbBounds climbBounds(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces,
                        SteepBorders& borders, std::span<const uint32_t> triangles, const Context& context) {
  return BoundFinder(soup, neighbours, faces, borders).run(triangles, context);
}

}  // namespace wend::extraction
