#pragma once

#include <wend/result.h>

#include "generators/ecm/diagram.h"
#include "generators/ecm/open_zone.h"

// The correct opening of van Toll's dissertation (5.4), which its software does not contain: right also where the
// neighbours overlap in top view.
namespace wend::ecm {

// The wave. Let C be the vanishing obstacle, d(x) the distance of a point x of the zone from C, n(x) that from the
// nearest label, and w(x) = n(x) - d(x). At time t the region w >= t is left of the zone; at 0 it is the whole zone. It
// shrinks, and the ends of its outline's parts, each with one label, trace the tree. With x it contains the whole walk
// from x to C, so it never overlaps itself in top view and only neighbours in its outline can ever meet: which sites
// interact is decided by the outline, not by their place in the plane.
//
// Invariants:
// - every part of the region left is a disk; its outline is a cyclic list of labels, and between each two neighbours an
//   edge of the tree is under way, with a known start;
// - a label vanishes between its neighbours u and w (circle event) at the centre of the circle that touches all three,
//   at time radius - d(centre). A label never appears: of the directions from the centre to the three labels and to C,
//   that to C lies between u and w, because d has slope 1 everywhere off C;
// - the region breaks in two (split event) only where a label comes down on C from its side and is the nearest one
// there:
//   a point label, straight above its foot. Then it becomes the neighbour of the label on the other side, under the
//   foot. For a bare point there is none;
// - a list of two labels is done: their two edges are one.
// The splits do what the dissertation's merge of two one-sided sweeps does: the chain between the labels of both sides
// starts in them and grows in both directions.
//
// O(m log m), and O(m) more for each split. kInternal if rounding left a list from which no label can vanish.
Result<ZoneTree> sweepZone(const Diagram& diagram, const Zone& zone);

}  // namespace wend::ecm
