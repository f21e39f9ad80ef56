#include "generators/ecm/bending_points.h"

#include "generators/ecm/arc.h"
#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

// The nearest obstacle point, and its layer.
struct Annotation {
  Vec2 p;
  LayerId layer;
};

Annotation footOn(const Diagram::Site& site, Vec2 p) {
  return {nearestOn({site.a, site.b, CorridorMap::SiteKind::kSegment, site.layer}, p), site.layer};
}

// On the left of a half-edge. On a normal it is exactly the notch.
Annotation leftAtStart(const Diagram& d, uint32_t e) {
  const Diagram::Site& s = d.sites[d.edges[e].site];
  if (s.isPoint()) return {toVec2(s.a), s.layer};
  const uint32_t before = d.edges[e].previous;
  if (before == kNone || d.edges[before].secondary) return {toVec2(s.b), s.layer};
  return footOn(s, d.vertices[d.edges[e].start].p);
}

Annotation leftAtEnd(const Diagram& d, uint32_t e) {
  const Diagram::Site& s = d.sites[d.edges[e].site];
  if (s.isPoint()) return {toVec2(s.a), s.layer};
  const uint32_t after = d.edges[e].next;
  if (after == kNone || d.edges[after].secondary) return {toVec2(s.a), s.layer};
  return footOn(s, d.vertices[d.end(e)].p);
}

CorridorMap::BendingPoint pointAt(const Diagram::Vertex& vertex, const Annotation& l, const Annotation& r) {
  return {vertex.p, l.p, r.p, vertex.clearance, vertex.layer, l.layer, r.layer};
}

}  // namespace

CorridorMap::BendingPoint bendingPointAtStart(const Diagram& diagram, uint32_t edge) {
  return pointAt(diagram.vertices[diagram.edges[edge].start], leftAtStart(diagram, edge),
                 leftAtEnd(diagram, edge ^ 1U));
}

CorridorMap::BendingPoint bendingPointAtEnd(const Diagram& diagram, uint32_t edge) {
  return pointAt(diagram.vertices[diagram.end(edge)], leftAtEnd(diagram, edge), leftAtStart(diagram, edge ^ 1U));
}

}  // namespace wend::ecm
