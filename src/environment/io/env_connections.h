#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <wend/environment.h>

// ENV names each connection in both of its layers; this finds the pairs.
namespace wend {

struct ListedConnection {
  int32_t layer = 0;  // id of the layer that lists it
  int32_t to = 0;
  size_t sourceLine = 0;                       // of the file
  std::vector<Vec2> points;                    // metres
  std::vector<std::optional<double>> heights;  // z, where the file gives one
};

// One connection for every pair of listings that have the same points (on the lattice) in either direction, in the
// order of their first listing. A listing without its counterpart, a layer that does not exist, and heights that differ
// by more than a step of 1 m from the other side or from a flat layer are errors that name both layers. O(n log n).
Result<std::vector<ConnectionDraft>> pairConnections(const std::vector<ListedConnection>& listed,
                                                     const std::vector<LayerDraft>& layers, const Lattice& lattice,
                                                     std::string_view fileName);

}  // namespace wend
