#include "generators/ecm/open_passages.h"

#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

// A straight walk passes each segment at most once; this only stops what rounding might do.
constexpr int kMaxSteps = 100000;

}  // namespace

LayerId Passages::walk(LayerId layer, Vec2 start, Vec2 end) const {
  const Vec2 from{start.x + kBeside.x, start.y + kBeside.y};
  const Vec2 to{end.x + kBeside.x, end.y + kBeside.y};
  const Vec2 d{to.x - from.x, to.y - from.y};
  double passed = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    double best = 2;
    LayerId next = layer;
    for (const Passage& passage : of_[layer]) {
      const Vec2 a = toVec2(passage.a);
      const Vec2 b = toVec2(passage.b);
      // Only from its left to its right: with b to the left of the walk.
      if (orient(from, to, a) >= 0 || orient(from, to, b) < 0) continue;
      const Vec2 e{b.x - a.x, b.y - a.y};
      const double t = ((a.x - from.x) * e.y - (a.y - from.y) * e.x) / (d.x * e.y - d.y * e.x);
      if (t < passed || t >= best || t > 1) continue;
      best = t;
      next = passage.layer;
    }
    if (best > 1) return layer;
    layer = next;
    passed = best;
  }
  return layer;
}

}  // namespace wend::ecm
