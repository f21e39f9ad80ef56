#include "generators/ecm/edit/zone_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "generators/ecm/edit/near_layers.h"
#include "generators/ecm/edit/zone_graph.h"
#include "generators/ecm/medial_axis.h"
#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

Extent extentOf(std::span<const Point> points) {
  Extent extent;
  for (const Point p : points) extent.add(toVec2(p));
  return extent;
}

// The corridor map of some layers as a graph: half-edge 2 * i is its arc i, node v its vertex v, and behind the
// vertices come the bending points inside of edges.
ZoneGraph graphOf(const CorridorMap& map, ZoneSites& sites) {
  const auto vertices = static_cast<uint32_t>(map.vertices.size());
  ZoneGraph graph;
  graph.nodes.resize(vertices + map.bendingPoints.size());
  graph.halves.resize(2 * map.arcs.size());
  std::vector<uint32_t> siteOf;
  for (const CorridorMap::Site& site : map.sites) siteOf.push_back(sites.of(site));
  for (const CorridorMap::Edge& edge : map.edges) {
    const uint32_t last = edge.first + edge.count - 1;
    const auto nodeAt = [&](uint32_t i) { return i == edge.first ? edge.from : i == last ? edge.to : vertices + i; };
    for (uint32_t i = edge.first; i < last; ++i) {
      graph.halves[2 * i] = {nodeAt(i), siteOf[map.arcs[i].left]};
      graph.halves[2 * i + 1] = {nodeAt(i + 1), siteOf[map.arcs[i].right]};
      if (i == edge.first) continue;
      const CorridorMap::BendingPoint& bp = map.bendingPoints[i];
      graph.nodes[vertices + i] = {bp.p, bp.clearance, bp.layer, false, false, static_cast<uint32_t>(graph.out.size()),
                                   2};
      graph.out.push_back(2 * i);
      graph.out.push_back(2 * i - 1);
    }
  }
  for (uint32_t v = 0; v < vertices; ++v) {
    const CorridorMap::Vertex& vertex = map.vertices[v];
    const bool corner = vertex.clearance == 0;
    graph.nodes[v] = {
        vertex.p,     vertex.clearance, vertex.layer, corner, false, static_cast<uint32_t>(graph.out.size()),
        vertex.degree};
    for (uint32_t k = vertex.firstOut; k < vertex.firstOut + vertex.degree; ++k) {
      const CorridorMap::Edge& edge = map.edges[map.out[k] / 2];
      graph.out.push_back(map.out[k] % 2 == 0 ? 2 * edge.first : 2 * (edge.first + edge.count - 2) + 1);
    }
  }
  return graph;
}

// Lattice units: disks are taken to be larger by this much. More than the error of any vertex.
constexpr double kMargin = 1;

class SurfaceBuilder {
 public:
  SurfaceBuilder(const LiveAxis& axis, const Environment& after, const AxisZone& zone, const ChangedWalls& walls)
      : axis_(axis), map_(axis.map), after_(after), zone_(zone), walls_(walls) {}

  Result<ZoneAxis> run() {
    if (!zone_.allFound) return unsupported("a wall that is gone has no arc");
    measure();
    Result<ZoneAxis> axis = build(disks_);
    if (axis.ok() && staysIn(disks_, *axis)) return axis;
    Extent all;
    all.add({0, 0}, std::numeric_limits<double>::infinity());
    return build(all);
  }

 private:
  static Error unsupported(const std::string& why) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the changed part of the medial axis cannot be repaired: {}", why)};
  }

  // A box around the disks of the zone, and the layers in it.
  void measure() {
    layers_.assign(after_.layers.size(), false);
    if (!zone_.box.empty()) disks_ = Extent(zone_.box);
    const auto addSite = [&](uint32_t site) {
      if (zone_.goneSites[site] != 0) return;
      zoneWalls_.push_back({map_.sites[site].a, map_.sites[site].b});
      layers_[map_.sites[site].layer] = true;
    };
    double reach = 0;
    const auto addArc = [&](uint32_t arc) {
      addSite(map_.arcs[arc].left);
      addSite(map_.arcs[arc].right);
      for (const uint32_t i : {arc, arc + 1}) {
        const CorridorMap::BendingPoint& bp = map_.bendingPoints[i];
        addDisk(disks_, bp.p, bp.clearance);
        reach = std::max(reach, bp.clearance);
        for (const LayerId layer : {bp.layer, bp.layerL, bp.layerR}) layers_[layer] = true;
      }
    };
    for (const uint32_t arc : zone_.inside) addArc(arc);
    for (const AxisZone::Border& border : zone_.borders) addArc(border.arc);
    for (const WallRun& run : walls_.added) {
      zoneWalls_.push_back({run.a, run.b});
      layers_[run.layer] = true;
    }
    // Where walls go, disks grow.
    if (!walls_.gone.empty()) disks_ = disks_.grown(reach);
  }

  // All disks between two neighbours on an arc lie in the hull of both, and so do their walls.
  static void addDisk(Extent& box, Vec2 p, double clearance) { box.add(p, clearance + kMargin); }

  bool staysIn(const Extent& box, const ZoneAxis& axis) const {
    Extent reached;
    for (const ZoneAxis::Node& node : axis.nodes) addDisk(reached, node.p, node.clearance);
    return reached.minX >= box.minX && reached.minY >= box.minY && reached.maxX <= box.maxX && reached.maxY <= box.maxY;
  }

  // From what lies in the box.
  Result<ZoneAxis> build(const Extent& box) const {
    Context serial;
    serial.threads = 1;
    const Environment part = environmentAround(after_, layers_, box, zoneWalls_);
    const Result<CorridorMap> around = buildCorridorMap(part, serial);
    if (!around.ok()) return around.error();
    ZoneSites sites(map_, zone_);
    const ZoneGraph graph = graphOf(*around, sites);
    const auto footAt = [&](uint32_t half, bool atEnd) {
      const bool reversed = half % 2 != 0;
      const CorridorMap::BendingPoint& bp = around->bendingPoints[half / 2 + (reversed != atEnd ? 1 : 0)];
      return reversed ? ZoneAxis::Foot{bp.r, bp.layerR} : ZoneAxis::Foot{bp.l, bp.layerL};
    };
    ZoneAxis out;
    const std::string fault = cutZone(axis_, zone_, walls_, graph, footAt, sites, out);
    if (!fault.empty()) return unsupported(fault);
    out.sites = sites.take();
    return out;
  }

  const LiveAxis& axis_;
  const CorridorMap& map_;
  const Environment& after_;
  const AxisZone& zone_;
  const ChangedWalls& walls_;
  Extent disks_;
  std::vector<Segment> zoneWalls_;
  std::vector<bool> layers_;
};

}  // namespace

Environment environmentAround(const Environment& environment, std::vector<bool> layers, const Extent& box,
                              std::span<const Segment> walls) {
  Environment part;
  part.lattice = environment.lattice;
  const auto endsAtWall = [&](const Connection& connection) {
    return std::any_of(walls.begin(), walls.end(), [&](const Segment& wall) {
      return onSegment(wall.a, wall.b, connection.line.front()) || onSegment(wall.a, wall.b, connection.line.back());
    });
  };
  std::vector<const Connection*> near;
  for (const Connection& connection : environment.connections) {
    if (extentOf(connection).meets(box) || endsAtWall(connection)) near.push_back(&connection);
  }
  addJoinedLayers(near, layers);
  for (const Connection* connection : near) {
    if (layers[connection->layerA]) part.connections.push_back(*connection);
  }
  part.layers.resize(environment.layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    part.layers[i].id = environment.layers[i].id;
    if (!layers[i]) continue;
    for (const Polygon& polygon : environment.layers[i].free) {
      if (!extentOf(polygon.outer).meets(box)) continue;
      Polygon kept{polygon.outer, {}};
      for (const Ring& hole : polygon.holes) {
        if (extentOf(hole).meets(box)) kept.holes.push_back(hole);
      }
      part.layers[i].free.push_back(std::move(kept));
    }
  }
  return part;
}

Result<ZoneAxis> buildZoneOnSurface(const LiveAxis& axis, const Environment& after, const AxisZone& zone,
                                    const ChangedWalls& walls) {
  return SurfaceBuilder(axis, after, zone, walls).run();
}

}  // namespace wend::ecm
