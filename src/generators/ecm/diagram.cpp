#include "generators/ecm/diagram.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"
#include "environment/boundary.h"
#include "generators/ecm/layer_diagram.h"
#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

constexpr const char* kStage = "medial axis";

// The walks of all layers, with the ids of their sites, and the sites without their chains.
class Walks {
 public:
  Walks(const Environment& environment, std::span<const ExtraWalks> extra)
      : layers_(environment.layers.size()), boundary_(environment.layers, environment.connections) {
    const uint32_t count = boundary_.edgeCount();
    uint32_t segments = 0;
    uint32_t points = 0;
    for (const ExtraWalks& more : extra) {
      for (const Ring& walk : more.walks) {
        points += static_cast<uint32_t>(walk.size());
        segments += walk.size() < 2 ? 0 : static_cast<uint32_t>(walk.size());
      }
    }
    sites_.resize(2 * size_t{count} + segments + points);
    for (const Boundary::Ring& ring : boundary_.rings()) {
      std::vector<Point> walk;
      walk.reserve(ring.end - ring.begin);
      for (uint32_t e = ring.begin; e < ring.end; ++e) walk.push_back(boundary_.start(e));
      add(ring.layer, walk, ring.begin, count + ring.begin);
    }
    uint32_t segment = 2 * count;
    uint32_t point = segment + segments;
    for (const ExtraWalks& more : extra) {
      for (const Ring& walk : more.walks) {
        if (more.layer >= layers_.size() || walk.empty()) continue;
        layers_[more.layer].repeated = true;
        add(more.layer, walk, segment, point);
        segment += walk.size() < 2 ? 0 : static_cast<uint32_t>(walk.size());
        point += static_cast<uint32_t>(walk.size());
      }
    }
    markConnections(environment.connections);
    for (LayerWalks& walks : layers_) {
      if (!walks.repeated) dropStraight(walks.visits);
    }
  }

  const LayerWalks& layer(size_t i) const { return layers_[i]; }
  std::vector<Diagram::Site> takeSites() { return std::move(sites_); }

 private:
  void add(LayerId layer, std::span<const Point> walk, uint32_t firstSegment, uint32_t firstPoint) {
    std::vector<Visit>& visits = layers_[layer].visits;
    const auto begin = static_cast<uint32_t>(visits.size());
    const auto count = static_cast<uint32_t>(walk.size());
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t next = i + 1 == count ? 0 : i + 1;
      const uint32_t previous = i == 0 ? count - 1 : i - 1;
      Diagram::Site& point = sites_[firstPoint + i];
      point.a = walk[i];
      point.b = walk[i];
      point.layer = layer;
      if (count == 1) {
        visits.push_back({walk[i], kNone, kNone, firstPoint, kNone});
        return;
      }
      visits.push_back({walk[i], begin + next, begin + previous, firstPoint + i, firstSegment + i});
      point.before = firstSegment + previous;
      point.after = firstSegment + i;
      Diagram::Site& segment = sites_[firstSegment + i];
      segment.a = walk[i];
      segment.b = walk[next];
      segment.layer = layer;
      segment.before = firstPoint + i;
      segment.after = firstPoint + next;
    }
  }

  void markConnections(std::span<const Connection> connections) {
    for (uint32_t c = 0; c < connections.size(); ++c) {
      const Connection& connection = connections[c];
      for (uint32_t i = 0; i + 1 < connection.line.size(); ++i) {
        const Point a = connection.line[i];
        const Point b = connection.line[i + 1];
        const uint32_t mine = boundary_.find(connection.layerA, a, b);
        const uint32_t theirs = boundary_.find(connection.layerB, b, a);
        // What is no boundary of both layers stays closed, as in topology().
        if (mine == kNone || theirs == kNone) continue;
        if (sites_[mine].connection != kNone || sites_[theirs].connection != kNone) continue;
        for (const uint32_t site : {mine, theirs}) {
          sites_[site].connection = c;
          sites_[site].piece = i;
        }
      }
    }
  }

  // Vertices on a straight wall that nothing else touches.
  std::vector<uint8_t> findStraight(const std::vector<Visit>& visits) const {
    std::vector<uint8_t> isStraight(visits.size(), 0);
    const auto isWall = [&](const Visit& visit) { return sites_[visit.segmentSite].connection == kNone; };
    bool found = false;
    for (size_t v = 0; v < visits.size(); ++v) {
      if (visits[v].next == kNone) continue;
      const Point p = visits[v].p;
      const Visit& before = visits[visits[v].previous];
      const Point after = visits[visits[v].next].p;
      if (!onSegment(before.p, after, p) || p == before.p || p == after || !isWall(before) || !isWall(visits[v])) {
        continue;
      }
      isStraight[v] = 1;
      found = true;
    }
    if (!found) return {};
    std::vector<std::pair<Point, uint32_t>> order(visits.size());
    for (uint32_t v = 0; v < visits.size(); ++v) order[v] = {visits[v].p, v};
    std::sort(order.begin(), order.end());
    for (size_t i = 1; i < order.size(); ++i) {
      if (order[i].first == order[i - 1].first) isStraight[order[i].second] = isStraight[order[i - 1].second] = 0;
    }
    return isStraight;
  }

  // They leave no trace in the medial axis: one segment stands for all between two others.
  void dropStraight(std::vector<Visit>& visits) {
    const std::vector<uint8_t> isStraight = findStraight(visits);
    if (isStraight.empty()) return;
    std::vector<uint32_t> moved(visits.size());
    uint32_t kept = 0;
    for (size_t v = 0; v < visits.size(); ++v) moved[v] = isStraight[v] != 0 ? kNone : kept++;
    std::vector<Visit> left;
    left.reserve(kept);
    for (size_t v = 0; v < visits.size(); ++v) {
      Visit visit = visits[v];
      if (isStraight[v] != 0) {
        sites_[visit.pointSite].removed = sites_[visit.segmentSite].removed = true;
        continue;
      }
      if (visit.next == kNone) {
        left.push_back(visit);
        continue;
      }
      // Ends, because no ring is straight everywhere.
      while (isStraight[visit.next] != 0) visit.next = visits[visit.next].next;
      while (isStraight[visit.previous] != 0) visit.previous = visits[visit.previous].previous;
      Diagram::Site& segment = sites_[visit.segmentSite];
      segment.b = visits[visit.next].p;
      segment.after = visits[visit.next].pointSite;
      sites_[visit.pointSite].before = visits[visit.previous].segmentSite;
      visit.next = moved[visit.next];
      visit.previous = moved[visit.previous];
      left.push_back(visit);
    }
    visits = std::move(left);
  }

  std::vector<LayerWalks> layers_;
  std::vector<Diagram::Site> sites_;
  Boundary boundary_;
};

// Into the room that begins at the given ids. Layers touch nothing in common.
void placeLayer(Diagram& diagram, const LayerWalks& walks, const LayerDiagram& part, LayerId layer, uint32_t vertices,
                uint32_t edges) {
  const auto shifted = [](uint32_t id, uint32_t by) { return id == kNone ? kNone : id + by; };
  for (size_t i = 0; i < part.vertices.size(); ++i) {
    Diagram::Vertex& vertex = diagram.vertices[vertices + i];
    vertex = part.vertices[i];
    vertex.layer = layer;
  }
  for (size_t i = 0; i < part.edges.size(); ++i) {
    Diagram::HalfEdge& half = diagram.edges[edges + i];
    half = part.edges[i];
    half.start += vertices;
    half.next = shifted(half.next, edges);
    half.previous = shifted(half.previous, edges);
  }
  for (size_t v = 0; v < walks.visits.size(); ++v) {
    const Visit& visit = walks.visits[v];
    diagram.sites[visit.pointSite].corner = shifted(part.corner[v], vertices);
    diagram.sites[visit.pointSite].first = shifted(part.firstOfPoint[v], edges);
    if (visit.segmentSite != kNone) diagram.sites[visit.segmentSite].first = shifted(part.firstOfSegment[v], edges);
  }
}

// Progress may only be reported from the caller's thread, but each report is a chance to pass a cancellation on.
Result<LayerDiagram> buildQuietly(const LayerWalks& walks, const Context& outer) {
  Context inner;
  inner.threads = 1;
  inner.onProgress = [&](std::string_view, double) {
    if (outer.cancelled()) inner.cancel();
  };
  return buildLayerDiagram(walks, inner);
}

}  // namespace

Result<Diagram> buildDiagram(const Environment& environment, const Context& context,
                             std::span<const ExtraWalks> extra) {
  context.report(kStage, 0);
  for (size_t c = 0; c < environment.connections.size(); ++c) {
    const Connection& connection = environment.connections[c];
    if (std::max(connection.layerA, connection.layerB) < environment.layers.size()) continue;
    return Error{
        ErrorCode::kInvalidGeometry,
        fmt::format("Connection {} names a layer that does not exist; check the environment with validate().", c)};
  }
  Walks walks(environment, extra);
  const size_t count = environment.layers.size();
  std::vector<std::optional<Result<LayerDiagram>>> parts(count);
  parallelFor(count, context, [&](size_t i) {
    if (!walks.layer(i).visits.empty()) parts[i] = buildQuietly(walks.layer(i), context);
  });
  Diagram diagram;
  diagram.sites = walks.takeSites();
  std::vector<uint32_t> vertices(count + 1, 0);
  std::vector<uint32_t> edges(count + 1, 0);
  for (size_t i = 0; i < count; ++i) {
    vertices[i + 1] = vertices[i];
    edges[i + 1] = edges[i];
    if (context.cancelled() || (!parts[i] && !walks.layer(i).visits.empty())) {
      return Error{ErrorCode::kCancelled, "The medial axis was cancelled by the caller."};
    }
    if (!parts[i]) continue;
    if (!parts[i]->ok()) {
      const Error& error = parts[i]->error();
      return Error{error.code, fmt::format("Layer {}: {}", environment.layers[i].id, error.message)};
    }
    vertices[i + 1] += static_cast<uint32_t>((*parts[i])->vertices.size());
    edges[i + 1] += static_cast<uint32_t>((*parts[i])->edges.size());
    diagram.voronoiAttempts += (*parts[i])->attempts > 1 ? 1 : 0;
  }
  diagram.vertices.resize(vertices.back());
  diagram.edges.resize(edges.back());
  parallelFor(count, context, [&](size_t i) {
    if (!parts[i]) return;
    placeLayer(diagram, walks.layer(i), **parts[i], static_cast<LayerId>(i), vertices[i], edges[i]);
    parts[i].reset();
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The medial axis was cancelled by the caller."};
  context.report(kStage, 1);
  return diagram;
}

}  // namespace wend::ecm
