#include "generators/neogen/simple_cells.h"

#include "geometry/int128.h"
#include "geometry/vec2.h"

namespace wend::neogen {
namespace {

constexpr int kLongestLoop = 256;

// Of differences of coordinates, which are multiples of 2^-22 below 2^31 (wall_points.h), times 2^44.
Int128 exactCross(Vec2 a, Vec2 b) {
  const auto scaled = [](double x) { return static_cast<Int128>(static_cast<int64_t>(x * 0x1.0p22)); };
  return scaled(a.x) * scaled(b.y) - scaled(a.y) * scaled(b.x);
}

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
  const Vec2 o = subdivision_.start(first);
  Int128 area = 0;
  int steps = 0;
  Subdivision::Half h = first;
  do {
    uint32_t& visit = visited_[subdivision_.site(subdivision_.origin(h))];
    if (visit == stamp_ || ++steps > kLongestLoop) return false;
    visit = stamp_;
    area += exactCross(subdivision_.start(h) - o, subdivision_.end(h) - o);
    h = subdivision_.after(h);
  } while (h != first);
  return area > 0;
}

}  // namespace wend::neogen
