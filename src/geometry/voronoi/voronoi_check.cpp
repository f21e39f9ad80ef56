#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "geometry/predicates.h"
#include "geometry/voronoi/voronoi.h"

// The validator of Voronoi diagrams. What double decides with room to spare is decided; the rest is computed in long
// double, so that only the vertices' own error counts.
namespace wend {
namespace {

using Wide = long double;

template <typename Real>
struct Vector {
  Real x = 0;
  Real y = 0;
};
template <typename Real>
Real dot(Vector<Real> a, Vector<Real> b) {
  return a.x * b.x + a.y * b.y;
}
template <typename Real>
Real cross(Vector<Real> a, Vector<Real> b) {
  return a.x * b.y - a.y * b.x;
}
// Neither overflow nor underflow is near, so the slow care of hypot is not needed.
template <typename Real>
Real length(Vector<Real> a) {
  return std::sqrt(dot(a, a));
}

double sizeOf(Vec2 v) {
  return std::max({1.0, std::abs(v.x), std::abs(v.y)});
}
// How far a vertex may be from where it should be.
double errorOf(Vec2 v) {
  return kVoronoiError * 1.4143 * sizeOf(v);
}

// What a few operations in double may be off is below half of the error, as long as the site is not this many times
// farther away than the origin.
constexpr double kFar = 64;

// A vertex as its site sees it.
template <typename Real>
struct View {
  bool finite = false;
  Vector<Real> from;  // from a
  Real along = 0;     // on a segment, from a
  Real above = 0;     // of a segment, left positive
  Real distance = 0;
  Real error = 0;  // allowed; nothing passes with -infinity
};

// A site as its vertices see it.
template <typename Real>
struct Frame {
  explicit Frame(const VoronoiSite& site) : origin(site.a), isPoint(site.kind == VoronoiSite::Kind::kPoint) {
    if (isPoint) return;
    direction = {static_cast<Real>(site.b.x) - site.a.x, static_cast<Real>(site.b.y) - site.a.y};
    size = length(direction);
    inverseSize = 1 / size;
  }
  View<Real> view(Vec2 vertex) const {
    View<Real> out;
    out.finite = true;
    out.from = {vertex.x - static_cast<Real>(origin.x), vertex.y - static_cast<Real>(origin.y)};
    if (isPoint) {
      out.distance = length(out.from);
    } else {
      out.along = dot(direction, out.from) * inverseSize;
      out.above = cross(direction, out.from) * inverseSize;
      out.distance = std::abs(out.above);
    }
    out.error = errorOf(vertex);
    if constexpr (std::is_same_v<Real, double>) {
      const bool isFar = std::max(std::abs(out.from.x), std::abs(out.from.y)) > kFar * sizeOf(vertex);
      out.error = isFar ? -std::numeric_limits<double>::infinity() : out.error / 2;
    }
    return out;
  }

  Point origin;
  bool isPoint;
  Vector<Real> direction;
  Real size = 0;
  Real inverseSize = 0;
};

class Checker {
 public:
  Checker(const VoronoiDiagram& diagram, int64_t euler) : d_(diagram), euler_(euler) {}

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
    std::vector<uint32_t> degree(d_.sites.size(), 0);
    for (const VoronoiSite& s : d_.sites) {
      if (s.kind != VoronoiSite::Kind::kSegment) continue;
      ++degree[s.siteA];
      ++degree[s.siteB];
    }
    std::vector<Ray> rays;  // of those sites that have enough of them
    for (const VoronoiSite& s : d_.sites) {
      if (s.kind != VoronoiSite::Kind::kSegment) continue;
      if (degree[s.siteA] > 2) rays.push_back({s.siteA, s.b});
      if (degree[s.siteB] > 2) rays.push_back({s.siteB, s.a});
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
      bool closed = true;
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

  // With one vertex at infinity, or one for each loop where all beyond it is drawn together, the diagram is a map of a
  // sphere, or of one for each part; an only site has no edge at all.
  std::string checkEuler() {
    const int64_t expected = d_.sites.size() < 2 ? 0 : euler_;
    const auto count = [](size_t n) { return static_cast<int64_t>(n); };
    const int64_t euler =
        count(d_.vertices.size()) - count(d_.edges.size()) / 2 + count(d_.sites.size()) - count(enclosed_);
    return euler == expected ? "" : fmt::format("vertices - edges + cells is {} instead of {}", euler, expected);
  }

  std::string checkGeometry() {
    std::vector<double> distance(d_.edges.size(), 0);
    for (uint32_t site = 0; site < d_.sites.size(); ++site) {
      if (d_.edgeOf[site] == kNone) continue;
      const auto note = [&](uint32_t e, const View<double>& view) {
        distance[e] = view.error > 0 ? view.distance : std::numeric_limits<double>::quiet_NaN();
      };
      if (isInOrder<double>(site, note) || isInOrder<Wide>(site, [](uint32_t, const View<Wide>&) {})) continue;
      return fmt::format("the cell of {} is folded", place(site));
    }
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      if (d_.edges[e].start == kNone) continue;
      const Vec2 v = d_.vertices[d_.edges[e].start];
      // What follows the twin starts in the same vertex and belongs to the site across.
      if (std::abs(distance[e] - distance[d_.edges[e ^ 1].next]) <= errorOf(v)) continue;
      const Wide here = distanceTo(d_.edges[e].site, v);
      const Wide there = distanceTo(d_.across(e), v);
      const Wide difference = std::abs(here - there);
      // Near the origin vertices are more exact than distances to sites millions of units away.
      if (difference <= 2 * errorOf(v) + 8 * std::numeric_limits<Wide>::epsilon() * (here + there)) continue;
      return fmt::format("the vertex at ({}, {}) is {:g} units nearer to one of {} and {}", v.x, v.y,
                         static_cast<double>(difference), place(d_.edges[e].site), place(d_.across(e)));
    }
    return {};
  }
  Wide distanceTo(uint32_t site, Vec2 v) const { return Frame<Wide>(d_.sites[site]).view(v).distance; }

  // Walks around the site, all of the way, and calls note() with what each half-edge starts with.
  template <typename Real>
  bool isInOrder(uint32_t site, const auto& note) const {
    const Frame<Real> frame(d_.sites[site]);
    const uint32_t first = d_.edgeOf[site];
    const auto startOf = [&](uint32_t e) {
      const uint32_t v = d_.edges[e].start;
      return v == kNone ? View<Real>{} : frame.view(d_.vertices[v]);
    };
    const View<Real> firstView = startOf(first);
    View<Real> from = firstView;
    bool inOrder = true;
    for (uint32_t e = first;;) {
      note(e, from);
      const uint32_t next = d_.edges[e].next;
      const View<Real> to = next == first ? firstView : startOf(next);
      if (from.finite && to.finite) {
        inOrder = inOrder && (frame.isPoint ? turnsAroundPoint(e, from, to) : runsAlong(e, frame, from, to));
      }
      if (next == first) return inOrder;
      e = next;
      from = to;
    }
  }

  // Cells of points are star-shaped: edges run counter-clockwise around them. A parabola may go more than half around;
  // its other side tells whether it is in order.
  template <typename Real>
  bool turnsAroundPoint(uint32_t e, const View<Real>& from, const View<Real>& to) const {
    if (d_.edges[e].curved) return true;
    return cross(from.from, to.from) >= -2 * (from.error * to.distance + to.error * from.distance);
  }

  // Cells of segments are cut by perpendiculars: edges run backwards on its left, forwards on its right.
  template <typename Real>
  bool runsAlong(uint32_t e, const Frame<Real>& frame, const View<Real>& from, const View<Real>& to) const {
    if (from.error < 0 || to.error < 0) return false;
    const Real error = 2 * std::max(from.error, to.error);
    if (std::min(from.along, to.along) < -error || std::max(from.along, to.along) > frame.size + error) return false;
    if (!d_.edges[e].primary) {
      // Along the perpendicular in one of its ends.
      const Real at = d_.across(e) == d_.sites[d_.edges[e].site].siteA ? Real{0} : frame.size;
      return std::abs(from.along - at) <= error && std::abs(to.along - at) <= error;
    }
    if (std::max(from.above, to.above) > error &&
        (std::min(from.above, to.above) < -error || to.along > from.along + error)) {
      return false;
    }
    return !(std::min(from.above, to.above) < -error && to.along < from.along - error);
  }

  const VoronoiDiagram& d_;
  int64_t euler_;
  size_t enclosed_ = 0;
};

}  // namespace

std::string findVoronoiFault(const VoronoiDiagram& diagram, int64_t euler) {
  return Checker(diagram, euler).run();
}

}  // namespace wend
