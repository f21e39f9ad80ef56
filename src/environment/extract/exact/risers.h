#pragma once

#include "environment/extract/exact/facets.h"
#include "environment/extract/exact/side_partners.h"

// Sloped risers: steep faces that join a floor below to one above, no more than a step higher. The height is that of
// the line straight up through the place, over all pieces it passes: a curb may climb a hill, and a cliff made of small
// pieces is a cliff.
namespace wend::exact {

// Adds the triangles through which such lines go, each as a facet of its own; what other lines of it go through is
// closed. Sets Triangle::facet of these. With seed points only what these may reach is looked at. Returns a mark for
// each facet that is within reach, as withinReach() does.
std::vector<uint8_t> addRisers(Soup& soup, const SidePartners& partners, const BoxTree& surfaces,
                               const ExtractSettings& settings, const Tolerances& tolerances, const Context& context,
                               Facets& facets);

}  // namespace wend::exact
