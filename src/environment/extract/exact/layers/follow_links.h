#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "environment/extract/exact/free_space/free_space.h"
#include "environment/extract/exact/layers/links.h"
#include "environment/extract/facets/reach.h"

// Free space of no more than is wanted: facets are cut in rounds, and the links of what was cut say which come next.
namespace wend::exact {

struct FollowedSpace {
  FreeSpace free;
  // Of its patches, unless one round was enough.
  Edges edges;
  std::optional<Contacts> contacts;
  // Facets that were not cut: they belong to no component that is wanted.
  TooSmall leftOut;
};

struct FollowRequest {
  const Soup& soup;
  const Facets& facets;
  const TriangleTrees& trees;
  const std::vector<uint8_t>& wanted;  // by facet; others are never cut
  // Which facets are cut first: all that are wanted, or those at the seed points, or all but these groups.
  bool all = false;
  const SmallGroups* small = nullptr;
  const BoxTree* walkable = nullptr;  // walkableTree(), unless all are cut
  // Called with what was cut in a round: takes out what is no floor.
  std::function<void(FreeSpace&)> leaveOut;
};

// All patches of each component that holds a seed point, or that is large enough; and others. Upper bounds join what
// is near each other, and with furniture everything is near something. Here a facet is cut where it is near one that
// is known to be reached, or where it could make a component large enough. Error: as makeFreeSpace().
Result<FollowedSpace> followLinks(const FollowRequest& request, const ExtractSettings& settings,
                                  const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
