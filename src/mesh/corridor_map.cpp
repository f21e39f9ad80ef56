#include <wend/corridor_map.h>

namespace wend {

size_t CorridorMap::memory() const {
  const auto bytes = [](const auto& array) { return array.size() * sizeof(array[0]); };
  return bytes(sites) + bytes(vertices) + bytes(edges) + bytes(bendingPoints) + bytes(arcs) + bytes(out) +
         bytes(cellArc);
}

}  // namespace wend
