#include "generators/ecm/edit/axis_zone.h"

#include <algorithm>
#include <cmath>

#include "generators/ecm/arc.h"
#include "generators/ecm/edit/near_layers.h"
#include "generators/ecm/open_passages.h"
#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

// Lattice units: what comes this near to a disk of the axis may change it. More than the error of any vertex.
constexpr double kSlack = 0.05;
// Lattice units: border arcs are at least this long, so that their middle is away from all vertices.
constexpr double kLeastBorder = 4;

double distanceTo(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(p - a, along) / squared, 0.0, 1.0) : 0.0;
  return std::hypot(a.x + along.x * t - p.x, a.y + along.y * t - p.y);
}

class Collector {
 public:
  Collector(const LiveAxis& axis, const Environment& after, const ChangedWalls& walls, const ChangedArea& changed,
            ZoneReach reach)
      : axis_(axis),
        map_(axis.map),
        after_(after),
        walls_(walls),
        changed_(changed),
        reach_(reach),
        passages_(after.layers.size()) {
    for (const Connection& connection : after.connections) {
      for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
        passages_.add(connection.line[i], connection.line[i + 1], connection.layerA, connection.layerB);
      }
    }
  }

  AxisZone run() {
    zone_.part.assign(map_.arcs.size(), AxisZone::Part::kKept);
    markSites();
    markTouched();
    grow();
    finish();
    return std::move(zone_);
  }

 private:
  void markSites() {
    zone_.goneSites.assign(map_.sites.size(), 0);
    std::vector<bool> found(walls_.gone.size(), false);
    Extent gone;
    for (const WallRun& run : walls_.gone) {
      gone.add(toVec2(run.a));
      gone.add(toVec2(run.b));
    }
    for (const WallEnd& end : walls_.goneEnds) gone.add(toVec2(end.p));
    axis_.forEachSite(gone, [&](uint32_t i) {
      const CorridorMap::Site& site = map_.sites[i];
      if (site.a.x < gone.minX || site.a.x > gone.maxX || site.a.y < gone.minY || site.a.y > gone.maxY) return;
      if (site.kind == CorridorMap::SiteKind::kPoint) {
        zone_.goneSites[i] =
            std::binary_search(walls_.goneEnds.begin(), walls_.goneEnds.end(), WallEnd{site.layer, site.a}) ? 1 : 0;
        return;
      }
      const WallRun run{site.layer, site.a, site.b};
      const auto it = std::lower_bound(walls_.gone.begin(), walls_.gone.end(), run);
      if (it == walls_.gone.end() || *it != run) return;
      zone_.goneSites[i] = 1;
      found[static_cast<size_t>(it - walls_.gone.begin())] = true;
    });
    zone_.allFound = std::find(found.begin(), found.end(), false) == found.end();
  }

  // A wall of another layer counts if a straight walk from the arc to it ends in that layer. Some points of both are
  // tried; should all miss, the arc becomes a border of the zone, which is not found again, and the map is made anew.
  bool mayReach(uint32_t arc, const WallRun& run) const {
    if (reach_ == ZoneReach::kAnyLayer) return true;
    const auto& a = map_.bendingPoints[arc];
    const auto& b = map_.bendingPoints[arc + 1];
    for (const auto* bp : {&a, &b}) {
      if (bp->layer == run.layer || bp->layerL == run.layer || bp->layerR == run.layer) return true;
    }
    const Vec2 from = toVec2(run.a);
    const Vec2 along = toVec2(run.b) - from;
    constexpr int kSteps = 4;
    for (const auto* bp : {&a, &b}) {
      // The part of the wall inside of the disk.
      const double squared = dot(along, along);
      const double nearest = dot(bp->p - from, along) / squared;
      const double off = cross(along, bp->p - from) / std::sqrt(squared);
      const double reach = bp->clearance + kSlack;
      if (std::abs(off) > reach) continue;
      const double half = std::sqrt((reach - std::abs(off)) * (reach + std::abs(off)) / squared);
      for (int i = 0; i <= kSteps; ++i) {
        const double t = std::clamp(nearest + half * (2.0 * i / kSteps - 1), 0.0, 1.0);
        const Vec2 p{from.x + along.x * t, from.y + along.y * t};
        if (distance(p, bp->p) <= reach && passages_.walk(bp->layer, bp->p, p) == run.layer) return true;
      }
    }
    return false;
  }

  bool losesSite(uint32_t arc) const {
    return zone_.goneSites[map_.arcs[arc].left] != 0 || zone_.goneSites[map_.arcs[arc].right] != 0;
  }

  bool isTouched(uint32_t arc) const {
    if (losesSite(arc)) return true;
    const auto& a = map_.bendingPoints[arc];
    const auto& b = map_.bendingPoints[arc + 1];
    for (const WallRun& run : walls_.added) {
      if (reachesHull(a.p, a.clearance, b.p, b.clearance, toVec2(run.a), toVec2(run.b), kSlack) && mayReach(arc, run)) {
        return true;
      }
    }
    return false;
  }

  void markTouched() {
    for (const WallRun& run : walls_.added) {
      added_.add(toVec2(run.a));
      added_.add(toVec2(run.b));
    }
    // The arcs of a site that goes away have a foot on it.
    Extent near = added_;
    for (const WallRun& run : walls_.gone) {
      near.add(toVec2(run.a));
      near.add(toVec2(run.b));
    }
    for (const WallEnd& end : walls_.goneEnds) near.add(toVec2(end.p));
    std::vector<uint32_t> arcs;
    double reach = 0;
    axis_.forEachArc(near, [&](uint32_t arc) {
      if (!losesSite(arc) && !extentOf(map_, arc).meets(added_)) return;
      arcs.push_back(arc);
      reach = std::max({reach, map_.bendingPoints[arc].clearance, map_.bendingPoints[arc + 1].clearance});
    });
    const std::vector<bool> layers = layersWithin(added_.grown(reach + 1));
    for (const uint32_t arc : arcs) {
      if ((losesSite(arc) || mayLead(arc, layers)) && isTouched(arc)) take(arc);
    }
  }

  // The layers that a walk inside of the box reaches from a new wall.
  std::vector<bool> layersWithin(const Extent& box) const {
    std::vector<bool> layers(after_.layers.size(), reach_ == ZoneReach::kAnyLayer);
    for (const WallRun& run : walls_.added) layers[run.layer] = true;
    std::vector<const Connection*> near;
    for (const Connection& connection : after_.connections) {
      if (extentOf(connection).meets(box)) near.push_back(&connection);
    }
    addJoinedLayers(near, layers);
    return layers;
  }
  // Whether mayReach() can hold: storeys above each other are told apart before anything is measured.
  bool mayLead(uint32_t arc, const std::vector<bool>& layers) const {
    for (const uint32_t i : {arc, arc + 1}) {
      const auto& bp = map_.bendingPoints[i];
      if (layers[bp.layer] || layers[bp.layerL] || layers[bp.layerR]) return true;
    }
    return false;
  }

  void take(uint32_t arc) {
    if (zone_.part[arc] == AxisZone::Part::kInside) return;
    zone_.part[arc] = AxisZone::Part::kInside;
    zone_.inside.push_back(arc);
  }

  // The arcs that meet in the start or the end of an arc, itself included.
  template <typename Visit>
  void around(uint32_t arc, bool atEnd, Visit&& visit) const {
    const CorridorMap::Edge& edge = map_.edges[edgeOfArc(map_, arc)];
    const uint32_t last = edge.first + edge.count - 2;
    if (atEnd ? arc != last : arc != edge.first) {
      visit(arc);
      visit(atEnd ? arc + 1 : arc - 1);
      return;
    }
    const CorridorMap::Vertex& vertex = map_.vertices[atEnd ? edge.to : edge.from];
    for (uint32_t k = vertex.firstOut; k < vertex.firstOut + vertex.degree; ++k) {
      const CorridorMap::Edge& other = map_.edges[map_.out[k] / 2];
      visit(map_.out[k] % 2 == 0 ? other.first : other.first + other.count - 2);
    }
  }
  bool touchesInside(uint32_t arc, bool atEnd) const {
    bool touches = false;
    around(arc, atEnd, [&](uint32_t other) {
      touches = touches || (other != arc && zone_.part[other] == AxisZone::Part::kInside);
    });
    return touches;
  }

  // Arcs beside the zone that are too short to be cut, or have the zone at both ends, belong to it. A loop of one arc
  // meets itself.
  bool mustJoin(uint32_t arc) const {
    const CorridorMap::Edge& edge = map_.edges[edgeOfArc(map_, arc)];
    if (edge.count == 2 && edge.from == edge.to) return true;
    return !(map_.arcs[arc].length >= kLeastBorder) || (touchesInside(arc, false) && touchesInside(arc, true));
  }

  void grow() {
    // Two arcs may come to lie between the zone later on, so the border is looked at again until nothing changes.
    std::vector<uint32_t> beside;
    size_t done = 0;
    while (done < zone_.inside.size()) {
      for (; done < zone_.inside.size(); ++done) {
        for (const bool atEnd : {false, true}) {
          around(zone_.inside[done], atEnd, [&](uint32_t other) {
            if (zone_.part[other] != AxisZone::Part::kKept) return;
            zone_.part[other] = AxisZone::Part::kBorder;
            beside.push_back(other);
          });
        }
      }
      for (const uint32_t arc : beside) {
        if (zone_.part[arc] == AxisZone::Part::kBorder && mustJoin(arc)) take(arc);
      }
      std::erase_if(beside, [&](uint32_t arc) { return zone_.part[arc] == AxisZone::Part::kInside; });
    }
    std::sort(beside.begin(), beside.end());
    for (const uint32_t arc : beside) {
      AxisZone::Border border;
      border.arc = arc;
      border.edge = edgeOfArc(map_, arc);
      border.forward = touchesInside(arc, true);
      const auto& a = map_.bendingPoints[arc];
      const auto& b = map_.bendingPoints[arc + 1];
      const ArcCurve curve(map_.sites[map_.arcs[arc].left], map_.sites[map_.arcs[arc].right], a.p, b.p, a.clearance,
                           b.clearance);
      border.middle = curve.position(0.5 * (curve.begin() + curve.end()));
      zone_.borders.push_back(border);
    }
  }

  void addBox(Vec2 p) {
    const auto clamped = [](double v) { return static_cast<int32_t>(std::clamp(v, -2e9, 2e9)); };
    zone_.box.add(Point{clamped(std::floor(p.x) - 1), clamped(std::floor(p.y) - 1)});
    zone_.box.add(Point{clamped(std::ceil(p.x) + 1), clamped(std::ceil(p.y) + 1)});
  }

  void finish() {
    std::sort(zone_.inside.begin(), zone_.inside.end());
    const auto add = [&](uint32_t arc) {
      zone_.edges.push_back(edgeOfArc(map_, arc));
      for (const uint32_t i : {arc, arc + 1}) {
        for (const Vec2 p : {map_.bendingPoints[i].p, map_.bendingPoints[i].l, map_.bendingPoints[i].r}) addBox(p);
      }
    };
    for (const uint32_t arc : zone_.inside) add(arc);
    for (const AxisZone::Border& border : zone_.borders) add(border.arc);
    std::sort(zone_.edges.begin(), zone_.edges.end());
    zone_.edges.erase(std::unique(zone_.edges.begin(), zone_.edges.end()), zone_.edges.end());
    for (const ChangedArea::Box& part : changed_.boxes) {
      if (!part.box.empty()) zone_.box.add(part.box);
    }
  }

  const LiveAxis& axis_;
  const CorridorMap& map_;
  const Environment& after_;
  const ChangedWalls& walls_;
  const ChangedArea& changed_;
  ZoneReach reach_;
  Passages passages_;
  Extent added_;
  AxisZone zone_;
};

}  // namespace

uint32_t edgeOfArc(const CorridorMap& map, uint32_t arc) {
  const auto it = std::upper_bound(map.edges.begin(), map.edges.end(), arc,
                                   [](uint32_t a, const CorridorMap::Edge& edge) { return a < edge.first; });
  return static_cast<uint32_t>(it - map.edges.begin()) - 1;
}

bool reachesHull(Vec2 p, double r, Vec2 q, double s, Vec2 a, Vec2 b, double slack) {
  // Convex in t: the distance of a moving point from a segment, less a linear radius.
  const auto gap = [&](double t) {
    return distanceTo({p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t}, a, b) - (r + (s - r) * t);
  };
  double low = 0;
  double high = 1;
  const double atLow = gap(low);
  const double atHigh = gap(high);
  if (atLow <= slack || atHigh <= slack) return true;
  const double speed = std::hypot(q.x - p.x, q.y - p.y) + std::abs(s - r);
  // Between the ends no value lies below the lines that fall from both of them.
  if (0.5 * (atLow + atHigh - speed) > slack) return false;
  constexpr double kRatio = 0.6180339887498949;
  double left = high - kRatio * (high - low);
  double right = low + kRatio * (high - low);
  double atLeft = gap(left);
  double atRight = gap(right);
  while (true) {
    if (std::min(atLeft, atRight) <= slack) return true;
    // No smaller value lies between than this.
    if (std::min(atLeft, atRight) - speed * (high - low) > slack || high - low < 1e-12) return false;
    if (atLeft < atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - kRatio * (high - low);
      atLeft = gap(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + kRatio * (high - low);
      atRight = gap(right);
    }
  }
}

AxisZone collectAxisZone(const LiveAxis& axis, const Environment& after, const ChangedWalls& walls,
                         const ChangedArea& changed, ZoneReach reach) {
  return Collector(axis, after, walls, changed, reach).run();
}

}  // namespace wend::ecm
