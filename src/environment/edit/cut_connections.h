#pragma once

#include <vector>

#include "environment/edit/apply_footprints.h"

namespace wend {

// Replaces the connections of the base by what the clusters leave open of them, in canonical order, and says which are
// not as they were.
std::vector<CutConnection> cutConnections(const LiveBase& base, const CutClusters& clusters,
                                          std::vector<Connection>& connections);

}  // namespace wend
