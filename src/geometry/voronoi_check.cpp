#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/predicates.h"
#include "geometry/voronoi.h"

// The validator of Voronoi diagrams. Distances are computed in long double, so that only the vertices' own error
// counts.
namespace wend {
namespace {

using Real = long double;

struct Vector {
  Real x;
  Real y;
};
Vector minus(Vec2 p, Point q) {
  return {static_cast<Real>(p.x) - q.x, static_cast<Real>(p.y) - q.y};
}
Real dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y;
}
Real cross(Vector a, Vector b) {
  return a.x * b.y - a.y * b.x;
}
// Neither overflow nor underflow is near, so the slow care of hypot is not needed.
Real length(Vector a) {
  return std::sqrt(dot(a, a));
}

// How far a vertex may be from where it should be.
Real errorOf(Vec2 v) {
  return Real{kVoronoiError} * std::sqrt(Real{2}) * std::max({Real{1}, std::abs(Real{v.x}), std::abs(Real{v.y})});
}

// A vertex as its site sees it.
struct View {
  Real along = 0;  // on a segment, from a
  Real above = 0;  // of a segment, left positive
  Real distance = 0;
};

class Checker {
 public:
  explicit Checker(const VoronoiDiagram& diagram) : d_(diagram) {}

  std::string run() {
    for (auto step : {&Checker::checkIds, &Checker::checkRings, &Checker::checkVertexStars, &Checker::checkEuler,
                      &Checker::checkGeometry}) {
      std::string fault = (this->*step)();
      if (!fault.empty()) return fault;
    }
    return {};
  }

 private:
  std::string place(uint32_t site) const {
    const VoronoiSite& s = d_.sites[site];
    if (s.kind == VoronoiSite::Kind::kPoint) return fmt::format("point ({}, {})", s.a.x, s.a.y);
    return fmt::format("segment ({}, {}) to ({}, {})", s.a.x, s.a.y, s.b.x, s.b.y);
  }

  std::string checkIds() {
    if (d_.edges.size() % 2 != 0) return "the number of half-edges is odd";
    if (d_.edgeOf.size() != d_.sites.size()) return "edgeOf does not match the sites";
    for (const VoronoiSite& s : d_.sites) {
      const bool hasEnds = s.siteA < d_.sites.size() && s.siteB < d_.sites.size();
      if (s.kind == VoronoiSite::Kind::kSegment && !hasEnds) return "a segment has no sites for its ends";
    }
    for (const Vec2 v : d_.vertices) {
      if (!std::isfinite(v.x) || !std::isfinite(v.y)) return "a vertex is not finite";
    }
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      const auto& edge = d_.edges[e];
      if (edge.site >= d_.sites.size()) return fmt::format("half-edge {} has no site", e);
      if (edge.start != kNone && edge.start >= d_.vertices.size()) return fmt::format("half-edge {} has no start", e);
      if (edge.next >= d_.edges.size()) return fmt::format("half-edge {} of {} has no next", e, place(edge.site));
      if (edge.site == d_.across(e)) return fmt::format("half-edge {} has {} on both sides", e, place(edge.site));
      if (d_.edges[edge.next].site != edge.site) return fmt::format("the ring of {} leaves its site", place(edge.site));
      if (d_.edges[edge.next].start != d_.end(e)) return fmt::format("the ring of {} is broken", place(edge.site));
    }
    return {};
  }

  // The points whose cell is only the point itself: segments run from them in all directions, less than 180 degrees
  // from one to the next. Decided exactly, so that such a cell is neither missed nor taken for one that was lost.
  std::vector<uint8_t> findEnclosed() const {
    struct Ray {
      uint32_t site;
      Point to;
    };
    std::vector<Ray> rays;
    for (const VoronoiSite& s : d_.sites) {
      if (s.kind != VoronoiSite::Kind::kSegment) continue;
      rays.push_back({s.siteA, s.b});
      rays.push_back({s.siteB, s.a});
    }
    const auto isLower = [](Point p, Point q) { return q.y < p.y || (q.y == p.y && q.x < p.x); };
    std::sort(rays.begin(), rays.end(), [&](const Ray& a, const Ray& b) {
      if (a.site != b.site) return a.site < b.site;
      const Point p = d_.sites[a.site].a;
      if (isLower(p, a.to) != isLower(p, b.to)) return isLower(p, b.to);
      return orient(p, a.to, b.to) > 0;
    });
    std::vector<uint8_t> enclosed(d_.sites.size(), 0);
    for (size_t begin = 0, end = 0; begin < rays.size(); begin = end) {
      const uint32_t site = rays[begin].site;
      while (end < rays.size() && rays[end].site == site) ++end;
      bool closed = end - begin > 2;
      for (size_t i = begin; closed && i < end; ++i) {
        closed = orient(d_.sites[site].a, rays[i].to, rays[i + 1 == end ? begin : i + 1].to) > 0;
      }
      enclosed[site] = closed ? 1 : 0;
    }
    if (enclosed.size() == 1) enclosed[0] = 1;
    return enclosed;
  }

  // One ring per site, through all of its edges.
  std::string checkRings() {
    const std::vector<uint8_t> enclosed = findEnclosed();
    std::vector<uint8_t> seen(d_.edges.size(), 0);
    size_t count = 0;
    for (uint32_t site = 0; site < d_.sites.size(); ++site) {
      const uint32_t first = d_.edgeOf[site];
      if ((first == kNone) != (enclosed[site] != 0)) {
        return fmt::format("{} has {} cell", place(site), first == kNone ? "no" : "an impossible");
      }
      if (first == kNone) {
        ++enclosed_;
        continue;
      }
      if (first >= d_.edges.size() || d_.edges[first].site != site) return "edgeOf does not match the edges";
      uint32_t e = first;
      do {
        if (seen[e] != 0) return fmt::format("the ring of {} does not close", place(site));
        seen[e] = 1;
        ++count;
        e = d_.edges[e].next;
      } while (e != first);
    }
    if (count != d_.edges.size()) return "a cell has more than one ring";
    return {};
  }

  // One star per vertex, through all edges that start there.
  std::string checkVertexStars() {
    std::vector<uint8_t> seen(d_.edges.size(), 0);
    std::vector<uint8_t> hasStar(d_.vertices.size(), 0);
    for (uint32_t first = 0; first < d_.edges.size(); ++first) {
      const uint32_t v = d_.edges[first].start;
      if (seen[first] != 0 || v == kNone) continue;
      if (hasStar[v] != 0) return fmt::format("the vertex at ({}, {}) is pinched", d_.vertices[v].x, d_.vertices[v].y);
      hasStar[v] = 1;
      uint32_t degree = 0;
      for (uint32_t e = first; seen[e] == 0; e = d_.edges[e ^ 1].next) {
        seen[e] = 1;
        ++degree;
      }
      if (degree < 3) {
        return fmt::format("the vertex at ({}, {}) has degree {}", d_.vertices[v].x, d_.vertices[v].y, degree);
      }
    }
    if (std::find(hasStar.begin(), hasStar.end(), 0) != hasStar.end()) return "a vertex has no edge";
    return {};
  }

  // With one vertex at infinity the diagram is a map of the sphere; an only site has no edge at all.
  std::string checkEuler() {
    const int64_t expected = d_.sites.size() < 2 ? 0 : 1;
    const auto count = [](size_t n) { return static_cast<int64_t>(n); };
    const int64_t euler =
        count(d_.vertices.size()) - count(d_.edges.size()) / 2 + count(d_.sites.size()) - count(enclosed_);
    return euler == expected ? "" : fmt::format("vertices - edges + cells is {} instead of {}", euler, expected);
  }

  View view(uint32_t site, uint32_t vertex) const {
    const VoronoiSite& s = d_.sites[site];
    const Vector v = minus(d_.vertices[vertex], s.a);
    if (s.kind == VoronoiSite::Kind::kPoint) return {0, 0, length(v)};
    const Vector u{static_cast<Real>(s.b.x) - s.a.x, static_cast<Real>(s.b.y) - s.a.y};
    const Real size = length(u);
    const Real along = dot(u, v) / size;
    const Real above = cross(u, v) / size;
    return {along, above, std::abs(above)};
  }

  std::string checkGeometry() {
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      const auto& edge = d_.edges[e];
      const uint32_t v = edge.start;
      if (v != kNone) {
        const Real difference = view(edge.site, v).distance - view(d_.across(e), v).distance;
        if (!(std::abs(difference) <= 2 * errorOf(d_.vertices[v]))) {
          return fmt::format("the vertex at ({}, {}) is {:g} units nearer to one of {} and {}", d_.vertices[v].x,
                             d_.vertices[v].y, static_cast<double>(std::abs(difference)), place(edge.site),
                             place(d_.across(e)));
        }
      }
      if (v == kNone || d_.end(e) == kNone) continue;
      const bool inOrder = d_.sites[edge.site].kind == VoronoiSite::Kind::kPoint ? turnsAroundPoint(e) : runsAlong(e);
      if (!inOrder) return fmt::format("the cell of {} is folded", place(edge.site));
    }
    return {};
  }

  // Cells of points are star-shaped: edges run counter-clockwise around them. A parabola may go more than half around;
  // its other side tells whether it is in order.
  bool turnsAroundPoint(uint32_t e) const {
    if (d_.edges[e].curved) return true;
    const Vec2 from = d_.vertices[d_.edges[e].start];
    const Vec2 to = d_.vertices[d_.end(e)];
    const Vector a = minus(from, d_.sites[d_.edges[e].site].a);
    const Vector b = minus(to, d_.sites[d_.edges[e].site].a);
    return cross(a, b) >= -2 * (errorOf(from) * length(b) + errorOf(to) * length(a));
  }

  // Cells of segments are cut by perpendiculars: edges run backwards on its left, forwards on its right.
  bool runsAlong(uint32_t e) const {
    const VoronoiSite& s = d_.sites[d_.edges[e].site];
    const View from = view(d_.edges[e].site, d_.edges[e].start);
    const View to = view(d_.edges[e].site, d_.end(e));
    const Real error = 2 * std::max(errorOf(d_.vertices[d_.edges[e].start]), errorOf(d_.vertices[d_.end(e)]));
    const Real size = length({static_cast<Real>(s.b.x) - s.a.x, static_cast<Real>(s.b.y) - s.a.y});
    if (std::min(from.along, to.along) < -error || std::max(from.along, to.along) > size + error) return false;
    if (!d_.edges[e].primary) {
      // Along the perpendicular in one of its ends.
      const Real at = d_.across(e) == s.siteA ? Real{0} : size;
      return std::abs(from.along - at) <= error && std::abs(to.along - at) <= error;
    }
    if (std::max(from.above, to.above) > error &&
        (std::min(from.above, to.above) < -error || to.along > from.along + error)) {
      return false;
    }
    return !(std::min(from.above, to.above) < -error && to.along < from.along - error);
  }

  const VoronoiDiagram& d_;
  size_t enclosed_ = 0;
};

}  // namespace

std::string findVoronoiFault(const VoronoiDiagram& diagram) {
  return Checker(diagram).run();
}

}  // namespace wend
