#include "layer_path.h"

#include <fmt/format.h>

namespace wend::app {

std::string layerPath(const Layer& layer, const Lattice& lattice, int decimals,
                      const std::function<Vec2(Vec2)>& place) {
  std::string path;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Vec2 p = place(lattice.toMetres(ring[i]));
      path += fmt::format("{}{:.{}f} {:.{}f}", i == 0 ? "M" : "L", p.x, decimals, p.y, decimals);
    }
    path += "z";
  };
  for (const Polygon& polygon : layer.free) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  return path;
}

}  // namespace wend::app
