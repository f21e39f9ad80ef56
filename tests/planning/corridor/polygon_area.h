#pragma once

#include <wend/navigator.h>

namespace wend {

inline double areaOf(const VisibilityPolygon& polygon) {
  double sum = 0;
  const Vec3 o = polygon.points.empty() ? Vec3{} : polygon.points.front();
  for (size_t i = 0; i < polygon.points.size(); ++i) {
    const Vec3 a = polygon.points[i];
    const Vec3 b = polygon.points[(i + 1) % polygon.points.size()];
    sum += 0.5 * ((a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x));
  }
  return sum;
}

}  // namespace wend
