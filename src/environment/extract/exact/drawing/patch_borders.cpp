#include "environment/extract/exact/drawing/patch_borders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/parallel.h"

namespace wend::exact {
namespace {

constexpr size_t kBlock = 1024;  // patches per task

size_t slotOf(Point p) {
  return static_cast<size_t>(orderOf(p) * 0x9e3779b97f4a7c15ULL >> 52);
}

// The welds of the links, and others where a crack that is filled and the next link along an edge end in one place that
// rounding has made two: the filling would not find what its end leads to.
std::vector<Links::Weld> weldsOf(const Links& links, const Patches& patches, const Edges& edges,
                                 const Tolerances& tolerances) {
  struct LinkEnd {
    uint32_t edge;
    double along;
    Point p;
    uint32_t link;
    bool operator<(const LinkEnd& other) const {
      return std::tie(edge, along, p, link) < std::tie(other.edge, other.along, other.p, other.link);
    }
  };
  std::vector<Links::Weld> welds = links.welds;
  std::vector<uint8_t> wanted(edges.next.size(), 0);
  for (const Link& link : links.list) {
    if (link.gap) wanted[link.e] = wanted[link.g] = 1;
  }
  std::vector<LinkEnd> ends;
  for (uint32_t i = 0; i < links.list.size(); ++i) {
    const Link& link = links.list[i];
    // One that is hardly longer would vanish.
    if (link.length < 4 * tolerances.same) continue;
    const auto add = [&](uint32_t edge, Point p) {
      if (wanted[edge] == 0) return;
      const Point a = patches.rings.points[edge];
      const Point b = patches.rings.points[edges.next[edge]];
      const double x = double(b.x) - a.x;
      const double y = double(b.y) - a.y;
      ends.push_back({edge, ((double(p.x) - a.x) * x + (double(p.y) - a.y) * y) / std::hypot(x, y), p, i});
    };
    add(link.e, link.e0);
    add(link.e, link.e1);
    add(link.g, link.g0);
    add(link.g, link.g1);
  }
  std::sort(ends.begin(), ends.end());
  for (size_t k = 1; k < ends.size(); ++k) {
    const LinkEnd& p = ends[k - 1];
    const LinkEnd& q = ends[k];
    if (p.edge != q.edge || p.link == q.link || p.p == q.p) continue;
    if (!links.list[p.link].gap && !links.list[q.link].gap) continue;
    if (std::hypot(double(p.p.x) - q.p.x, double(p.p.y) - q.p.y) > tolerances.same) continue;
    welds.push_back({std::max(p.p, q.p), std::min(p.p, q.p), p.edge});
  }
  return welds;
}

// Where points are joined in chains, all go to the smallest. What is not wanted moves nothing.
std::vector<std::pair<Point, Point>> joined(const std::vector<Links::Weld>& welds, const Edges& edges,
                                            const Selection& selection) {
  std::map<Point, Point> to;
  const auto find = [&](Point p) {
    for (auto it = to.find(p); it != to.end() && it->second != p; it = to.find(p)) p = it->second;
    return p;
  };
  for (const Links::Weld& weld : welds) {
    if (selection.component[edges.patch[weld.edge]] == kNone) continue;
    const Point a = find(weld.from);
    const Point b = find(weld.to);
    if (a != b) to[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::pair<Point, Point>> moves;
  for (const auto& [p, q] : to) moves.emplace_back(p, find(q));
  return moves;
}

}  // namespace

bool liesOn(Point a, Point b, Point p, double near) {
  const Box box = boxOf(a, b);
  if (p.x < box.min.x - near || p.x > box.max.x + near || p.y < box.min.y - near || p.y > box.max.y + near)
    return false;
  const double x = double(b.x) - a.x;
  const double y = double(b.y) - a.y;
  const double px = double(p.x) - a.x;
  const double py = double(p.y) - a.y;
  const double t = std::clamp((px * x + py * y) / (x * x + y * y), 0.0, 1.0);
  return std::hypot(px - t * x, py - t * y) <= near;
}

PatchBorders::PatchBorders(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                           const Selection& selection, const LayerPlan& plan, const Tolerances& tolerances)
    : patches_(patches),
      edges_(edges),
      links_(links),
      selection_(selection),
      plan_(plan),
      moves_(joined(weldsOf(links, patches, edges, tolerances), edges, selection)),
      climb_(tolerances.step + tolerances.contact),
      overlap_(tolerances.overlap),
      reach_(2 * (tolerances.gap + tolerances.same)) {
  for (const auto& [from, to] : moves_) mayMove_.set(slotOf(from));
  for (const Link& link : links.list) addLink(facets, link);
  std::sort(stretches_.begin(), stretches_.end(), [](const Stretch& s, const Stretch& t) {
    return std::tie(s.edge, s.along, s.from, s.to) < std::tie(t.edge, t.along, t.from, t.to);
  });
  stretchBegin_.assign(patches.rings.points.size() + 1, 0);
  for (const Stretch& stretch : stretches_) ++stretchBegin_[stretch.edge + 1];
  for (size_t e = 1; e < stretchBegin_.size(); ++e) stretchBegin_[e] += stretchBegin_[e - 1];
  if (!fillings_.empty()) joinEnds(facets);
}

Point PatchBorders::moved(Point p) const {
  if (!mayMove_.test(slotOf(p))) return p;
  const auto it = std::lower_bound(moves_.begin(), moves_.end(), p,
                                   [](const std::pair<Point, Point>& move, Point q) { return move.first < q; });
  return it != moves_.end() && it->first == p ? it->second : p;
}

void PatchBorders::addStretch(uint32_t edge, Point from, Point to, uint32_t partner) {
  const Point a = patches_.rings.points[edge];
  const Point b = patches_.rings.points[edges_.next[edge]];
  const double along = (double(from.x) - a.x) * (double(b.x) - a.x) + (double(from.y) - a.y) * (double(b.y) - a.y);
  stretches_.push_back({edge, along, moved(from), moved(to), partner});
}

void PatchBorders::addLink(const Facets& facets, const Link& link) {
  const uint32_t p = edges_.patch[link.e];
  const uint32_t q = edges_.patch[link.g];
  if (selection_.component[p] == kNone || selection_.component[q] == kNone) return;
  const Point e0 = moved(link.e0);
  const Point e1 = moved(link.e1);
  const Point g0 = moved(link.g0);
  const Point g1 = moved(link.g1);
  if (e0 == e1 || g0 == g1) return;
  if (e0 == g0 && e1 == g1) {
    addStretch(link.e, link.e0, link.e1, q);
    addStretch(link.g, link.g1, link.g0, p);
    return;
  }
  const Plane& planeP = facets.list[patches_.facet[p]].plane;
  const Plane& planeQ = facets.list[patches_.facet[q]].plane;
  CrackFilling filling;
  filling.layer = plan_.layer[p];
  filling.label = facets.list[patches_.facet[p]].label;
  // The first side lies along p. One along q follows, beside the short ends.
  filling.add(e1, planeP.at(e1));
  filling.add(e0, planeP.at(e0));
  if (g0 != e0) filling.add(g0, planeQ.at(g0));
  filling.partner[0] = p;
  filling.partner[filling.count - 1] = q;
  if (g1 != e1) filling.add(g1, planeQ.at(g1));
  const auto id = static_cast<uint32_t>(firstFilling() + fillings_.size());
  addStretch(link.e, link.e0, link.e1, id);
  addStretch(link.g, link.g1, link.g0, id);
  fillings_.push_back(filling);
}

std::span<const PatchBorders::Stretch> PatchBorders::stretchesOf(uint32_t edge) const {
  return std::span(stretches_).subspan(stretchBegin_[edge], stretchBegin_[edge + 1] - stretchBegin_[edge]);
}

void PatchBorders::of(uint32_t patch, std::vector<BorderSegment>& borders, std::vector<uint32_t>* ringBegin) const {
  const uint32_t layer = plan_.layer[patch];
  for (uint32_t r = patches_.firstRing[patch]; r < patches_.firstRing[patch + 1]; ++r) {
    if (ringBegin != nullptr) ringBegin->push_back(static_cast<uint32_t>(borders.size()));
    const size_t first = borders.size();
    const uint32_t begin = patches_.rings.begin[r];
    const uint32_t end = patches_.rings.begin[r + 1];
    Point from = moved(patches_.rings.points[begin]);
    const auto add = [&](Point to, uint32_t partner) {
      if (to != from) borders.push_back({from, to, patch, partner, layer});
      from = to;
    };
    for (uint32_t e = begin; e < end; ++e) {
      const Point corner = moved(patches_.rings.points[edges_.next[e]]);
      if (links_.match[e] != kNone) {
        const uint32_t partner = edges_.patch[links_.match[e]];
        add(corner, selection_.component[partner] == kNone ? kNone : partner);
        continue;
      }
      for (const Stretch& stretch : stretchesOf(e)) {
        add(stretch.from, kNone);
        add(stretch.to, stretch.partner);
      }
      add(corner, kNone);
    }
    leadToEnds(patch, first, borders);
  }
  if (ringBegin != nullptr) ringBegin->push_back(static_cast<uint32_t>(borders.size()));
}

// Parts of a ring that lead to the ends of fillings, each one straight line.
void PatchBorders::leadToEnds(uint32_t patch, size_t first, std::vector<BorderSegment>& borders) const {
  auto link = std::lower_bound(endLinks_.begin(), endLinks_.end(), patch,
                               [](const EndLink& known, uint32_t p) { return known.patch < p; });
  for (; link != endLinks_.end() && link->patch == patch; ++link) {
    const auto from = std::find_if(borders.begin() + static_cast<std::ptrdiff_t>(first), borders.end(),
                                   [&](const BorderSegment& s) { return s.partner == kNone && s.a == link->a; });
    auto to = from;
    while (to != borders.end() && to->partner == kNone && to->b != link->b) ++to;
    if (to == borders.end() || to->partner != kNone) continue;
    from->b = link->b;
    from->partner = link->partner;
    borders.erase(from + 1, to + 1);
  }
}

void PatchBorders::fillingBorders(uint32_t filling, std::vector<BorderSegment>& borders) const {
  const CrackFilling& z = fillings_[filling];
  const uint32_t id = firstFilling() + filling;
  for (uint32_t i = 0; i < z.count; ++i) {
    borders.push_back({z.p[i], z.p[i + 1 == z.count ? 0 : i + 1], id, z.partner[i], z.layer});
  }
}

void PatchBorders::openOf(uint32_t patch, const std::vector<uint8_t>& marked, std::vector<BorderSegment>& all,
                          std::vector<BorderSegment>& open) const {
  all.clear();
  of(patch, all);
  for (const BorderSegment& segment : all) {
    // Both sides of a link to a plain patch of the same layer vanish together; those of fillings are few.
    const bool plain = segment.partner < patches_.count() && plan_.layer[segment.partner] == segment.layer;
    if (!plain || (!marked.empty() && marked[segment.partner] != 0)) open.push_back(segment);
  }
}

std::vector<BorderSegment> PatchBorders::boundary(const Context& context) const {
  const size_t blocks = (patches_.count() + kBlock - 1) / kBlock;
  std::vector<std::vector<BorderSegment>> found(blocks);
  parallelFor(blocks, context, [&](size_t block) {
    std::vector<BorderSegment> own;
    const auto last = static_cast<uint32_t>(std::min<size_t>(patches_.count(), (block + 1) * kBlock));
    for (auto p = static_cast<uint32_t>(block * kBlock); p < last; ++p) {
      if (selection_.component[p] != kNone) openOf(p, {}, own, found[block]);
    }
  });
  std::vector<BorderSegment> borders;
  for (const std::vector<BorderSegment>& part : found) borders.insert(borders.end(), part.begin(), part.end());
  for (uint32_t i = 0; i < fillings_.size(); ++i) fillingBorders(i, borders);
  return borders;
}

std::vector<BorderSegment> PatchBorders::boundary(const std::vector<BorderSegment>& whole,
                                                  const std::vector<uint8_t>& marked) const {
  std::vector<uint32_t> beside;  // patches with borders towards marked ones
  std::vector<BorderSegment> own;
  for (uint32_t p = 0; p < patches_.count(); ++p) {
    if (marked[p] == 0) continue;
    own.clear();
    of(p, own);
    for (const BorderSegment& segment : own) {
      if (segment.partner < patches_.count() && marked[segment.partner] == 0) beside.push_back(segment.partner);
    }
  }
  std::sort(beside.begin(), beside.end());
  beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
  std::vector<BorderSegment> borders;
  borders.reserve(whole.size());
  auto from = whole.begin();
  const auto keepBefore = [&](uint32_t patch) {
    for (; from != whole.end() && from->patch < patch; ++from) {
      if (from->patch >= patches_.count() || marked[from->patch] == 0) borders.push_back(*from);
    }
  };
  for (const uint32_t patch : beside) {
    keepBefore(patch);
    while (from != whole.end() && from->patch == patch) ++from;
    openOf(patch, marked, own, borders);
  }
  keepBefore(kNone);
  return borders;
}

std::vector<std::pair<uint32_t, uint32_t>> closeBorders(std::vector<BorderSegment>& borders) {
  // Both ends of each that leads somewhere, smaller first.
  struct Ends {
    uint64_t first, second;
    uint32_t segment;
    bool operator==(const Ends& other) const { return first == other.first && second == other.second; }
  };
  std::vector<Ends> order;
  for (uint32_t i = 0; i < borders.size(); ++i) {
    if (borders[i].partner == kNone) continue;
    const auto [first, second] = std::minmax({orderOf(borders[i].a), orderOf(borders[i].b)});
    order.push_back({first, second, i});
  }
  std::sort(order.begin(), order.end(), [](const Ends& p, const Ends& q) {
    if (p.first != q.first) return p.first < q.first;
    return p.second != q.second ? p.second < q.second : p.segment < q.segment;
  });
  std::vector<uint8_t> gone(borders.size(), 0);
  std::vector<uint8_t> paired(borders.size(), 0);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = 0, j = 0; i < order.size(); i = j) {
    while (j < order.size() && order[j] == order[i]) ++j;
    for (size_t k = i; k < j; ++k) {
      for (size_t l = k + 1; l < j; ++l) {
        const uint32_t p = order[k].segment;
        const uint32_t q = order[l].segment;
        const BorderSegment& s = borders[p];
        const BorderSegment& t = borders[q];
        if (paired[p] != 0 || paired[q] != 0 || s.a != t.b || s.partner != t.patch || t.partner != s.patch) continue;
        paired[p] = paired[q] = 1;
        if (s.layer == t.layer) {
          gone[p] = gone[q] = 1;
        } else {
          pairs.emplace_back(p, q);
        }
      }
    }
  }
  std::vector<uint32_t> number(borders.size());
  uint32_t kept = 0;
  for (uint32_t i = 0; i < borders.size(); ++i) {
    number[i] = kept;
    if (gone[i] == 0) borders[kept++] = borders[i];
  }
  borders.resize(kept);
  for (auto& [p, q] : pairs) {
    p = number[p];
    q = number[q];
  }
  return pairs;
}

}  // namespace wend::exact
