#pragma once

#include <memory>

#include <wend/generate.h>
#include <wend/navigator.h>

#include "planning/corridor/corridor_navigator.h"
#include "tests/planning/corridor/polygon_area.h"

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

}  // namespace wend
