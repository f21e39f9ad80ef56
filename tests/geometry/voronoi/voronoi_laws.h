#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "geometry/voronoi/voronoi.h"

// What a Voronoi diagram is, in the slow and obvious form.
namespace wend {

inline long double distance(const VoronoiSite& site, Vec2 p) {
  const long double x = static_cast<long double>(p.x) - site.a.x;
  const long double y = static_cast<long double>(p.y) - site.a.y;
  if (site.kind == VoronoiSite::Kind::kPoint) return std::hypot(x, y);
  const long double ux = static_cast<long double>(site.b.x) - site.a.x;
  const long double uy = static_cast<long double>(site.b.y) - site.a.y;
  const long double t = std::clamp<long double>((x * ux + y * uy) / (ux * ux + uy * uy), 0, 1);
  return std::hypot(x - t * ux, y - t * uy);
}

// By hand: no site is nearer to a vertex than the sites around it, and those are equally far.
inline std::string findNearerSite(const VoronoiDiagram& d) {
  for (uint32_t e = 0; e < d.edges.size(); ++e) {
    if (d.edges[e].start == kNone) continue;
    const Vec2 v = d.vertices[d.edges[e].start];
    const long double own = distance(d.sites[d.edges[e].site], v);
    const long double error = 4 * kVoronoiError * std::max({1.0, std::abs(v.x), std::abs(v.y)});
    for (const VoronoiSite& site : d.sites) {
      if (distance(site, v) < own - error) return "a site is nearer to a vertex than its own";
    }
  }
  return {};
}

// Whether a place is inside loops.
inline bool isInside(std::span<const Segment> walls, Vec2 p) {
  bool inside = false;
  for (const Segment& s : walls) {
    if ((s.a.y <= p.y) == (s.b.y <= p.y)) continue;
    const double x = s.a.x + (double(s.b.x) - s.a.x) * (p.y - s.a.y) / (double(s.b.y) - s.a.y);
    inside = inside != (x > p.x);
  }
  return inside;
}

// The sites of all primary edges inside loops between two vertices.
inline std::multiset<std::pair<uint32_t, uint32_t>> edgesInside(const VoronoiDiagram& d,
                                                                std::span<const Segment> walls) {
  std::multiset<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t e = 0; e < d.edges.size(); e += 2) {
    if (!d.edges[e].primary || d.edges[e].start == kNone || d.end(e) == kNone) continue;
    const Vec2 a = d.vertices[d.edges[e].start];
    const Vec2 b = d.vertices[d.end(e)];
    const Vec2 middle{0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    const uint32_t low = std::min(d.edges[e].site, d.across(e));
    const uint32_t high = std::max(d.edges[e].site, d.across(e));
    const VoronoiSite& s = d.sites[high];
    // An edge of a segment lies on one side of it.
    const bool inside =
        s.kind == VoronoiSite::Kind::kPoint
            ? isInside(walls, middle)
            : (double(s.b.x) - s.a.x) * (middle.y - s.a.y) - (double(s.b.y) - s.a.y) * (middle.x - s.a.x) > 0;
    if (inside) edges.emplace(low, high);
  }
  return edges;
}

// What the part of a diagram inside loops is, by the whole one.
inline std::string findDifferenceInside(const VoronoiDiagram& part, std::span<const Segment> walls) {
  const auto whole = voronoi(walls, {});
  if (!whole.ok()) return whole.error().message;
  if (part.sites != whole->sites) return "the sites differ";
  if (part.edges.size() > whole->edges.size()) return "the part has more edges than the whole";
  if (edgesInside(part, walls) != edgesInside(*whole, walls)) return "edges inside differ";
  return findNearerSite(part);
}

}  // namespace wend
