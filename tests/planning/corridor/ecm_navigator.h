#pragma once

#include <memory>

#include <wend/generate.h>
#include <wend/navigator.h>

#include "planning/corridor/corridor_navigator.h"

namespace wend {

// Of the mesh by ecm, made on one thread; null if there is none.
inline std::shared_ptr<const CorridorNavigator> navigatorOf(const Environment& environment) {
  Context serial;
  serial.threads = 1;
  const Result<NavMesh> mesh = generate(environment, {.generator = "ecm"}, serial);
  if (!mesh.ok()) return nullptr;
  const auto navigator = CorridorNavigator::make(*mesh);
  return navigator.ok() ? *navigator : nullptr;
}

inline double areaOf(const VisibilityPolygon& polygon) {
  double sum = 0;
  for (size_t i = 0; i < polygon.points.size(); ++i) {
    const Vec3 a = polygon.points[i];
    const Vec3 b = polygon.points[(i + 1) % polygon.points.size()];
    sum += 0.5 * (a.x * b.y - a.y * b.x);
  }
  return sum;
}

}  // namespace wend
