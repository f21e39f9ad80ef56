#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/voronoi.h"

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

}  // namespace wend
