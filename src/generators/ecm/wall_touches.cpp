#include "generators/ecm/wall_touches.h"

#include <algorithm>

#include "geometry/predicates.h"

namespace wend::ecm {

std::vector<WallTouch> findWallTouches(LayerId layer, const std::function<void(const VisitVertex&)>& forEach) {
  std::vector<Point> straight;
  forEach([&](std::span<const Point> ring, size_t i) {
    const Point before = ring[i == 0 ? ring.size() - 1 : i - 1];
    const Point after = ring[i + 1 == ring.size() ? 0 : i + 1];
    if (orient(before, ring[i], after) == 0 && onSegment(before, after, ring[i])) straight.push_back(ring[i]);
  });
  if (straight.empty()) return {};
  std::sort(straight.begin(), straight.end());
  straight.erase(std::unique(straight.begin(), straight.end()), straight.end());
  std::vector<uint32_t> visits(straight.size(), 0);
  forEach([&](std::span<const Point> ring, size_t i) {
    const auto it = std::lower_bound(straight.begin(), straight.end(), ring[i]);
    if (it != straight.end() && *it == ring[i]) ++visits[static_cast<size_t>(it - straight.begin())];
  });
  std::vector<WallTouch> touches;
  for (size_t i = 0; i < straight.size(); ++i) {
    if (visits[i] > 1) touches.push_back({layer, straight[i]});
  }
  return touches;
}

std::vector<WallTouch> findWallTouches(const Environment& environment) {
  std::vector<WallTouch> touches;
  for (LayerId layer = 0; layer < environment.layers.size(); ++layer) {
    const std::vector<WallTouch> found =
        findWallTouches(layer, [&](const VisitVertex& visit) { forEachVertex(environment.layers[layer], visit); });
    touches.insert(touches.end(), found.begin(), found.end());
  }
  return touches;
}

void forEachVertex(const Layer& layer, const VisitVertex& visit) {
  const auto walk = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) visit(ring, i);
  };
  for (const Polygon& polygon : layer.free) {
    walk(polygon.outer);
    for (const Ring& hole : polygon.holes) walk(hole);
  }
}

}  // namespace wend::ecm
