#include "generators/neogen/simple_cells.h"

#include "geometry/predicates.h"

namespace wend::neogen {
namespace {

constexpr int kLongestLoop = 256;

}  // namespace

bool SimpleCells::around(uint32_t vertex) {
  for (Subdivision::Half out = subdivision_.wallFrom(vertex);;) {
    if (!isSimple(out)) return false;
    const Subdivision::Half in = subdivision_.before(out);
    if (subdivision_.isWall(in)) return true;
    out = in ^ 1;
  }
}

bool SimpleCells::isSimple(Subdivision::Half first) {
  if (visited_.size() < subdivision_.vertexCount()) visited_.resize(subdivision_.vertexCount(), 0);
  ++stamp_;
  const Point o = subdivision_.start(first);
  Int128 area = 0;
  int steps = 0;
  Subdivision::Half h = first;
  do {
    uint32_t& visit = visited_[subdivision_.site(subdivision_.origin(h))];
    if (visit == stamp_ || ++steps > kLongestLoop) return false;
    visit = stamp_;
    area += cross(o, subdivision_.start(h), subdivision_.end(h));
    h = subdivision_.after(h);
  } while (h != first);
  return area > 0;
}

}  // namespace wend::neogen
