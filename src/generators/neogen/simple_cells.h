#pragma once

#include <vector>

#include "generators/neogen/subdivision.h"

// Whether cells are simple polygons. Convex corners alone make sure of that, so only relaxed cells need the test.
namespace wend::neogen {

class SimpleCells {
 public:
  explicit SimpleCells(const Subdivision& subdivision) : subdivision_(subdivision) {}

  // The cells with a corner at the vertex: counter-clockwise, and no point twice. A cell left around a hole shows as
  // the hole's own, clockwise loop. Cells with very many sides count as not simple: the walk costs too much.
  bool around(uint32_t vertex);

 private:
  bool isSimple(Subdivision::Half first);

  const Subdivision& subdivision_;
  std::vector<uint32_t> visited_;  // per site: the stamp of the last loop through it
  uint32_t stamp_ = 0;
};

}  // namespace wend::neogen
