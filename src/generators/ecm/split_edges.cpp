#include "generators/ecm/split_edges.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "generators/ecm/arc.h"
#include "generators/ecm/connection_paths.h"
#include "generators/ecm/open_passages.h"
#include "geometry/index/grid_index.h"

namespace wend::ecm {
namespace {

// The segments of all connections, by layer.
class ConnectionSegments {
 public:
  explicit ConnectionSegments(const Environment& environment) : of_(environment.layers.size()) {
    uint32_t number = 0;
    for (const Connection& connection : environment.connections) {
      for (size_t i = 0; i + 1 < connection.line.size(); ++i, ++number) {
        const Vec2 a = toVec2(connection.line[i]);
        const Vec2 b = toVec2(connection.line[i + 1]);
        of_[connection.layerA].push_back({a, b, connection.layerB, number});
        of_[connection.layerB].push_back({b, a, connection.layerA, number});
      }
    }
    for (const std::vector<ConnectionSegment>& segments : of_) {
      std::vector<Box> boxes;
      for (const ConnectionSegment& segment : segments) boxes.push_back(boxOf({segment.a, segment.b}));
      index_.emplace_back(boxes);
    }
  }

  template <typename Visit>
  void forEachNear(LayerId layer, const Box& box, Visit&& visit) const {
    index_[layer].forEach(box, [&](uint32_t segment) { visit(of_[layer][segment]); });
  }

  // With a unit of room, more than kBeside.
  static Box boxOf(std::initializer_list<Vec2> points) {
    Box box;
    for (const Vec2 p : points) {
      const auto whole = [](double v) { return static_cast<int32_t>(std::clamp(v, -2e9, 2e9)); };
      box.add(Point{whole(std::floor(p.x) - 1), whole(std::floor(p.y) - 1)});
      box.add(Point{whole(std::ceil(p.x) + 1), whole(std::ceil(p.y) + 1)});
    }
    return box;
  }

 private:
  std::vector<std::vector<ConnectionSegment>> of_;  // per layer
  std::vector<GridIndex> index_;
};

// Where an arc passes from one layer to the next.
struct Passing {
  double at = 0;  // parameter of the curve
  LayerId before = 0;
  LayerId after = 0;
};

// A part of an arc in one layer. Its ends are bending points where `from` or `to` is that of the arc.
struct Part {
  uint32_t arc = kNone;
  double from = 0;
  double to = 0;
  LayerId layer = 0;
};

class Splitter {
 public:
  Splitter(const CorridorMap& map, const Environment& environment) : in_(map), segments_(environment) {}

  CorridorMap run() {
    out_.lattice = in_.lattice;
    out_.sites = in_.sites;
    out_.vertices = in_.vertices;
    out_.voronoiAttempts = in_.voronoiAttempts;
    out_.simpleOpenings = in_.simpleOpenings;
    out_.sweptOpenings = in_.sweptOpenings;
    firstPart_.resize(in_.edges.size());
    lastPart_.resize(in_.edges.size());
    for (uint32_t e = 0; e < in_.edges.size(); ++e) split(e);
    fillOut();
    return std::move(out_);
  }

 private:
  ArcCurve curveOf(uint32_t i) const {
    const CorridorMap::BendingPoint& a = in_.bendingPoints[i];
    const CorridorMap::BendingPoint& b = in_.bendingPoints[i + 1];
    return {in_.sites[in_.arcs[i].left], in_.sites[in_.arcs[i].right], a.p, b.p, a.clearance, b.clearance};
  }

  // In the order of the arc. The walk starts at the wider end: in a corner at the end of a connection, the layer is not
  // clear. As in Passages, it runs a little beside the arc, so that ends on a connection have one of its layers,
  // consistently.
  std::vector<Passing> passings(uint32_t i, const ArcCurve& curve) const {
    const CorridorMap::BendingPoint& a = in_.bendingPoints[i];
    const CorridorMap::BendingPoint& b = in_.bendingPoints[i + 1];
    const bool forward = a.clearance >= b.clearance;
    const double sign = forward ? 1 : -1;
    const Box box = ConnectionSegments::boxOf({a.p, b.p, curve.bend()});
    std::vector<Passing> found;
    LayerId layer = forward ? a.layer : b.layer;
    double reached = forward ? curve.begin() : curve.end();
    uint32_t last = kNone;
    while (true) {
      const ConnectionSegment* best = nullptr;
      double at = 0;
      segments_.forEachNear(layer, box, [&](const ConnectionSegment& segment) {
        const Vec2 p{segment.a.x - kBeside.x, segment.a.y - kBeside.y};
        const Vec2 q{segment.b.x - kBeside.x, segment.b.y - kBeside.y};
        const ArcCurve::Crossings crossings = curve.crossingsWith(p, q);
        for (int k = 0; k < crossings.count; ++k) {
          const double u = crossings.at[static_cast<size_t>(k)];
          const double ahead = sign * (u - reached);
          if (ahead < 0 || (ahead == 0 && segment.number == last)) continue;
          if (best != nullptr && sign * (u - at) >= 0) continue;
          if (sign * curve.slopeAcross(p, q, u) >= 0) continue;  // it comes in from the other layer
          best = &segment;
          at = u;
        }
      });
      if (best == nullptr) break;
      found.push_back({exactly(curve, *best, at), layer, best->other});
      layer = best->other;
      reached = at;
      last = best->number;
    }
    if (!forward) {
      std::reverse(found.begin(), found.end());
      for (Passing& passing : found) std::swap(passing.before, passing.after);
    }
    return found;
  }

  // Two points of an edge that differ by rounding alone would make portals that cross each other.
  static double atBend(const ArcCurve& curve, double u) {
    constexpr double kSame = 0.02;  // lattice units, more than kBeside
    if (curve.lengthBetween(curve.begin(), u) < kSame) return curve.begin();
    return curve.lengthBetween(u, curve.end()) < kSame ? curve.end() : u;
  }

  // On the connection itself instead of beside it, where the arc does cross it close by.
  static double exactly(const ArcCurve& curve, const ConnectionSegment& segment, double beside) {
    const ArcCurve::Crossings crossings = curve.crossingsWith(segment.a, segment.b);
    double best = beside;
    double distance = 1;  // lattice units
    for (int k = 0; k < crossings.count; ++k) {
      const double u = crossings.at[static_cast<size_t>(k)];
      if (std::abs(u - beside) >= distance) continue;
      distance = std::abs(u - beside);
      best = u;
    }
    return best;
  }

  void split(uint32_t e) {
    const CorridorMap::Edge& edge = in_.edges[e];
    std::vector<Part> parts;
    for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
      const ArcCurve curve = curveOf(i);
      const std::vector<Passing> passed = passings(i, curve);
      double from = curve.begin();
      LayerId layer = passed.empty() ? layerOf(i) : passed.front().before;
      const size_t before = parts.size();
      for (const Passing& passing : passed) {
        const double to = std::clamp(atBend(curve, passing.at), from, curve.end());
        if (to > from) parts.push_back({i, from, to, layer});
        from = to;
        layer = passing.after;
      }
      if (from < curve.end() || parts.size() == before) parts.push_back({i, from, curve.end(), layer});
    }
    firstPart_[e] = static_cast<uint32_t>(out_.edges.size());
    uint32_t start = edge.from;
    for (size_t begin = 0; begin < parts.size();) {
      size_t end = begin + 1;
      while (end < parts.size() && parts[end].layer == parts[begin].layer) ++end;
      const bool last = end == parts.size();
      start = addEdge(std::span(parts).subspan(begin, end - begin), start, last ? edge.to : kNone);
      if (!last) lower(start, parts[end].layer);
      begin = end;
    }
    lastPart_[e] = static_cast<uint32_t>(out_.edges.size()) - 1;
  }

  void lower(uint32_t vertex, LayerId layer) {
    out_.vertices[vertex].layer = std::min(out_.vertices[vertex].layer, layer);
  }

  // Of an arc that passes nothing.
  LayerId layerOf(uint32_t i) const {
    const CorridorMap::BendingPoint& a = in_.bendingPoints[i];
    const CorridorMap::BendingPoint& b = in_.bendingPoints[i + 1];
    return a.clearance >= b.clearance ? a.layer : b.layer;
  }

  CorridorMap::BendingPoint pointAt(uint32_t i, const ArcCurve& curve, double u) const {
    if (u == curve.begin()) return in_.bendingPoints[i];
    if (u == curve.end()) return in_.bendingPoints[i + 1];
    const CorridorMap::Site& left = in_.sites[in_.arcs[i].left];
    const CorridorMap::Site& right = in_.sites[in_.arcs[i].right];
    const Vec2 p = curve.position(u);
    return {p, nearestOn(left, p), nearestOn(right, p), curve.clearance(u), 0, left.layer, right.layer};
  }

  // One edge along the parts; returns its last vertex, a new one if there is none yet.
  uint32_t addEdge(std::span<const Part> parts, uint32_t from, uint32_t to) {
    CorridorMap::Edge edge;
    edge.from = from;
    edge.first = static_cast<uint32_t>(out_.bendingPoints.size());
    const auto add = [&](CorridorMap::BendingPoint point) {
      point.layer = parts.front().layer;
      out_.bendingPoints.push_back(point);
      out_.arcs.emplace_back();
    };
    for (const Part& part : parts) {
      const ArcCurve whole = curveOf(part.arc);
      const CorridorMap::BendingPoint a = pointAt(part.arc, whole, part.from);
      const CorridorMap::BendingPoint b = pointAt(part.arc, whole, part.to);
      if (&part == &parts.front()) edge.minClearance = a.clearance;
      add(a);
      CorridorMap::Arc& arc = out_.arcs.back();
      arc = in_.arcs[part.arc];
      if (part.from != whole.begin() || part.to != whole.end()) {
        const ArcCurve curve(in_.sites[arc.left], in_.sites[arc.right], a.p, b.p, a.clearance, b.clearance);
        arc.length = curve.length();
        arc.minClearance = curve.minClearance();
      }
      edge.length += arc.length;
      edge.minClearance = std::min(edge.minClearance, arc.minClearance);
      if (&part == &parts.back()) add(b);
    }
    const CorridorMap::BendingPoint& end = out_.bendingPoints.back();
    if (to == kNone) {
      to = static_cast<uint32_t>(out_.vertices.size());
      out_.vertices.push_back({end.p, end.clearance, end.layer, 0, 0});
    }
    edge.to = to;
    edge.count = static_cast<uint32_t>(out_.bendingPoints.size()) - edge.first;
    out_.edges.push_back(edge);
    return to;
  }

  void fillOut() {
    out_.out.reserve(2 * out_.edges.size());
    for (const uint32_t half : in_.out) {
      out_.out.push_back(half % 2 == 0 ? 2 * firstPart_[half / 2] : 2 * lastPart_[half / 2] + 1);
    }
    // Split vertices come in the order of the edges that end there; the other edge is the one after it.
    for (uint32_t e = 0; e < out_.edges.size(); ++e) {
      const uint32_t v = out_.edges[e].to;
      if (v < in_.vertices.size()) continue;
      out_.vertices[v].firstOut = static_cast<uint32_t>(out_.out.size());
      out_.vertices[v].degree = 2;
      out_.out.push_back(2 * (e + 1));
      out_.out.push_back(2 * e + 1);
    }
  }

  const CorridorMap& in_;
  ConnectionSegments segments_;
  CorridorMap out_;
  std::vector<uint32_t> firstPart_;  // per edge of the given map
  std::vector<uint32_t> lastPart_;
};

}  // namespace

CorridorMap splitEdges(const CorridorMap& map, const Environment& environment) {
  return Splitter(map, environment).run();
}

}  // namespace wend::ecm
