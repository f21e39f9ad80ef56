#include "generators/ecm/edit/near_layers.h"

namespace wend::ecm {

Extent extentOf(const Connection& connection) {
  Extent extent;
  for (const Point p : connection.line) extent.add(toVec2(p));
  return extent;
}

void addJoinedLayers(const std::vector<const Connection*>& connections, std::vector<bool>& layers) {
  for (bool grows = true; grows;) {
    grows = false;
    for (const Connection* connection : connections) {
      if (layers[connection->layerA] == layers[connection->layerB]) continue;
      layers[connection->layerA] = layers[connection->layerB] = true;
      grows = true;
    }
  }
}

}  // namespace wend::ecm
