#include "environment/extract/exact/layers/links.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "environment/extract/exact/layers/touches.h"

namespace wend::exact {
namespace {

constexpr size_t kBlockOfPatches = 256;

// Makes links of contacts.
class LinkMaker {
 public:
  LinkMaker(const Patches& patches, const Edges& edges, const Tolerances& tolerances)
      : points_(patches.rings.points), edges_(edges), tol_(tolerances) {}

  Links run(Contacts& contacts) {
    dropTouches(points_, edges_, contacts.match, tol_, contacts.list);
    resolve(contacts.list);
    links_.match = std::move(contacts.match);
    return std::move(links_);
  }

 private:
  Point start(uint32_t e) const { return points_[e]; }
  Point end(uint32_t e) const { return points_[edges_.next[e]]; }

  // Along each edge every place leads to one other place: the nearest.
  void resolve(std::vector<RawLink>& raw) {
    // Near ones first; of these long ones.
    struct Rank {
      int32_t distance;
      uint32_t link;
      double length;
      bool operator<(const Rank& other) const {
        return distance != other.distance ? distance < other.distance
               : length != other.length   ? length > other.length
                                          : link < other.link;
      }
    };
    std::vector<Rank> order(raw.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
      const RawLink& link = raw[i];
      const double lateral = 0.5 * (link.facing.lateral(link.from) + link.facing.lateral(link.to));
      order[i] = {rounded(std::max(0.0, lateral) / tol_.grain), i, link.to - link.from};
    }
    std::sort(order.begin(), order.end());
    // What is taken of each edge, as chains through one list.
    struct Taken {
      Interval interval;
      uint32_t before;
    };
    std::vector<Taken> taken;
    std::vector<uint32_t> last(points_.size(), kNone);
    const auto take = [&](uint32_t edge, const Interval& interval) {
      taken.push_back({interval, last[edge]});
      last[edge] = static_cast<uint32_t>(taken.size() - 1);
    };
    std::vector<Interval> free;
    for (const Rank& rank : order) {
      const RawLink& link = raw[rank.link];
      const Facing& f = link.facing;
      free.assign(1, {link.from, link.to});
      for (uint32_t i = last[link.e]; i != kNone; i = taken[i].before) without(free, taken[i].interval);
      // The other edge's frame runs backwards from its start.
      const double scale = gScale(link);
      for (uint32_t i = last[link.g]; i != kNone; i = taken[i].before) {
        const Interval& t = taken[i].interval;
        without(free, {f.gTo - t.to * scale, f.gTo - t.from * scale});
      }
      for (const Interval& part : free) {
        if (part.to - part.from < 2) continue;
        take(link.e, part);
        take(link.g, {(f.gTo - part.to) / scale, (f.gTo - part.from) / scale});
        add(link, part);
      }
    }
  }

  // Length along e for each unit along g.
  double gScale(const RawLink& link) const {
    const Point c = start(link.g);
    const Point d = end(link.g);
    return (link.facing.gTo - link.facing.gFrom) / std::hypot(double(d.x) - c.x, double(d.y) - c.y);
  }

  void add(const RawLink& raw, Interval part) {
    const Facing& f = raw.facing;
    Link link{};
    link.e = raw.e;
    link.g = raw.g;
    link.length = part.to - part.from;
    link.rise = std::max(std::abs(f.heightE(part.from) - f.heightG(part.from)),
                         std::abs(f.heightE(part.to) - f.heightG(part.to)));
    const bool gap0 = place(raw, part.from, link.e0, link.g0);
    const bool gap1 = place(raw, part.to, link.e1, link.g1);
    link.gap = gap0 || gap1;
    if (link.e0 == link.e1 || link.g0 == link.g1 || (link.gap && link.length < tol_.jag)) return;
    links_.list.push_back(link);
  }

  // The lattice points on both edges at t; true if they are apart.
  bool place(const RawLink& raw, double t, Point& onE, Point& onG) {
    const Facing& f = raw.facing;
    const Point a = start(raw.e);
    const bool together = f.lateral(t) <= tol_.same;
    const auto near = [&](double u) { return std::abs(t - u) <= tol_.same; };
    const Point g = near(f.gFrom) ? end(raw.g)
                    : near(f.gTo) ? start(raw.g)
                                  : rounded(a.x + f.ux * t + f.uy * f.lateral(t), a.y + f.uy * t - f.ux * f.lateral(t));
    const bool gEnds = near(f.gFrom) || near(f.gTo);
    if (near(0) || near(f.length)) {
      onE = near(0) ? a : end(raw.e);
      onG = together ? onE : g;
      if (together && gEnds && g != onE) links_.welds.push_back({std::max(g, onE), std::min(g, onE), raw.e});
    } else {
      onE = together && gEnds ? g : rounded(a.x + f.ux * t, a.y + f.uy * t);
      onG = together ? onE : g;
    }
    return !together;
  }

  const std::vector<Point>& points_;
  const Edges& edges_;
  const Tolerances& tol_;
  Links links_;
};

}  // namespace

Edges makeEdges(const Facets& facets, const Patches& patches, const Context& context) {
  Edges edges;
  const size_t n = patches.rings.points.size();
  edges.next.resize(n);
  edges.patch.resize(n);
  edges.z.resize(n);
  parallelBlocks(patches.count(), kBlockOfPatches, context, [&](size_t from, size_t to) {
    for (auto p = static_cast<uint32_t>(from); p < to; ++p) {
      const Plane& plane = facets.list[patches.facet[p]].plane;
      for (uint32_t r = patches.firstRing[p]; r < patches.firstRing[p + 1]; ++r) {
        const uint32_t begin = patches.rings.begin[r];
        const uint32_t end = patches.rings.begin[r + 1];
        for (uint32_t i = begin; i < end; ++i) {
          edges.next[i] = i + 1 == end ? begin : i + 1;
          edges.patch[i] = p;
          edges.z[i] = plane.at(patches.rings.points[i]);
        }
      }
    }
  });
  return edges;
}

Links makeLinks(Contacts contacts, const Patches& patches, const Edges& edges, const Tolerances& tolerances) {
  return LinkMaker(patches, edges, tolerances).run(contacts);
}

}  // namespace wend::exact
