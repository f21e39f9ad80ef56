#include "generators/ecm/open_zone.h"

#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

class Outline {
 public:
  Outline(const Diagram& diagram, Zone& zone) : diagram_(diagram), zone_(zone) {}

  void label(uint32_t site) { zone_.labels.push_back(site); }
  void corner(uint32_t vertex) { zone_.gaps.push_back({vertex, kNone}); }
  // From half-edge e of the outline to the one that follows it. A vertex of higher degree adds the labels that touch
  // the zone nowhere else.
  void pass(uint32_t e, uint32_t following) {
    const uint32_t vertex = diagram_.end(e);
    const uint32_t last = diagram_.edges[following ^ 1U].next;
    for (uint32_t in = diagram_.edges[e ^ 1U].previous;; in = diagram_.edges[in ^ 1U].previous) {
      zone_.gaps.push_back({vertex, in});
      if ((in ^ 1U) == last) return;
      label(diagram_.edges[in ^ 1U].site);
    }
  }
  // Along a face from one end to the other. A normal at an end belongs to that end, whose label is the caller's.
  void face(uint32_t site, uint32_t firstEnd, uint32_t lastEnd) {
    const uint32_t first = diagram_.sites[site].first;
    for (uint32_t e = first;;) {
      const uint32_t across = diagram_.across(e);
      const uint32_t next = diagram_.edges[e].next;
      const bool normal = (e == first && across == firstEnd) || (next == kNone && across == lastEnd);
      if (!normal) label(across);
      if (next == kNone) return;
      pass(e, next);
      e = next;
    }
  }

 private:
  const Diagram& diagram_;
  Zone& zone_;
};

struct End {
  uint32_t siteA = kNone;  // the point as a visit of either face's boundary
  uint32_t siteB = kNone;
  bool notchA = false;  // whether the outline has a normal there
  bool notchB = false;
  bool keeps = false;  // has a cell inside the zone
};

bool startsWith(const Diagram& diagram, uint32_t face, uint32_t point) {
  return diagram.across(diagram.sites[face].first) == point;
}

bool endsWith(const Diagram& diagram, uint32_t face, uint32_t point) {
  // The last half-edge of a face's chain arrives in the corner at its start; the point's own chain begins with its
  // twin, if it has one.
  const uint32_t first = diagram.sites[point].first;
  return first != kNone && diagram.across(first) == face && diagram.edges[first].previous == kNone;
}

// Without normals, the point keeps a cell if the walls on both sides leave 180 degrees or more.
bool keepsCell(const Diagram& diagram, uint32_t arriving, uint32_t leaving) {
  return orient(diagram.sites[arriving].a, diagram.sites[arriving].b, diagram.sites[leaving].b) <= 0;
}

}  // namespace

Zone collectZone(const Diagram& diagram, uint32_t faceA, uint32_t faceB) {
  Zone zone;
  zone.a = diagram.sites[faceA].a;
  zone.b = diagram.sites[faceA].b;
  zone.faceA = faceA;
  zone.faceB = faceB;
  Outline outline(diagram, zone);
  if (zone.isPoint()) {
    const uint32_t first = diagram.sites[faceA].first;
    for (uint32_t e = first;;) {
      const uint32_t next = diagram.edges[e].next;
      outline.label(diagram.across(e));
      outline.pass(e, next);
      if (next == first) return zone;
      e = next;
    }
  }

  const Diagram::Site& siteA = diagram.sites[faceA];
  const Diagram::Site& siteB = diagram.sites[faceB];
  End a{siteA.before, siteB.after};
  a.notchA = endsWith(diagram, faceA, a.siteA);
  a.notchB = startsWith(diagram, faceB, a.siteB);
  a.keeps = a.notchA || a.notchB || keepsCell(diagram, diagram.sites[a.siteA].before, diagram.sites[a.siteB].after);
  End b{siteA.after, siteB.before};
  b.notchA = startsWith(diagram, faceA, b.siteA);
  b.notchB = endsWith(diagram, faceB, b.siteB);
  b.keeps = b.notchA || b.notchB || keepsCell(diagram, diagram.sites[b.siteB].before, diagram.sites[b.siteA].after);

  // Both visits of an end become one site: that of face A.
  if (b.keeps) outline.label(b.siteA);
  if (b.keeps && !b.notchA) outline.corner(diagram.sites[b.siteA].corner);
  outline.face(faceA, b.siteA, a.siteA);
  if (!a.notchA && a.keeps) outline.corner(diagram.sites[a.siteA].corner);
  if (a.keeps) outline.label(a.siteA);
  if (!a.notchB) outline.corner(diagram.sites[a.siteA].corner);
  outline.face(faceB, a.siteB, b.siteB);
  if (!b.notchB) outline.corner(diagram.sites[b.siteA].corner);
  return zone;
}

}  // namespace wend::ecm
