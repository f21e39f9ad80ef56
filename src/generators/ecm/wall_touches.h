#pragma once

#include <compare>
#include <functional>
#include <span>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

// Where free space touches a straight wall from behind.
namespace wend::ecm {

// A vertex that a boundary passes straight on and that another part of the layer's boundary visits too. The wall is one
// site of the medial axis, so no corner of its cells need lie there; but the cells behind have one. A side of rounded
// ends may pass such a vertex on the wrong side, so it has to go through it.
struct WallTouch {
  LayerId layer = 0;
  Point p;
  auto operator<=>(const WallTouch&) const = default;
};

using VisitVertex = std::function<void(std::span<const Point> ring, size_t i)>;

// Those among the vertices of one layer that `forEach` visits, sorted. It is called once, or twice if there are
// vertices without a turn. Where it visits a part only, all visits of a vertex must be in it. O(visits log(vertices
// without a turn)).
std::vector<WallTouch> findWallTouches(LayerId layer, const std::function<void(const VisitVertex&)>& forEach);

// Those of all layers, sorted. O(vertices log(vertices without a turn)).
std::vector<WallTouch> findWallTouches(const Environment& environment);

// Calls visit(ring, i) for every vertex of a layer.
void forEachVertex(const Layer& layer, const VisitVertex& visit);

}  // namespace wend::ecm
