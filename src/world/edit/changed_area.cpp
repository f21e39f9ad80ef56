#include "world/edit/changed_area.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace wend {
namespace {

// For the rounding of what lies inside.
constexpr int32_t kMargin = 2;

struct BoundaryEdge {
  Point a;
  Point b;
  auto operator<=>(const BoundaryEdge&) const = default;
};

using RingBytes = std::string_view;

RingBytes bytesOf(const Ring& ring) {
  return {reinterpret_cast<const char*>(ring.data()), ring.size() * sizeof(Point)};
}

template <typename Visit>
void forEachRing(const Layer& layer, Visit&& visit) {
  for (const Polygon& polygon : layer.free) {
    visit(polygon.outer);
    for (const Ring& hole : polygon.holes) visit(hole);
  }
}

void addEdges(std::span<const Point> ring, std::vector<BoundaryEdge>& edges) {
  for (size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
}

std::vector<BoundaryEdge> onlyInOne(std::vector<BoundaryEdge> old, std::vector<BoundaryEdge> made) {
  std::sort(old.begin(), old.end());
  std::sort(made.begin(), made.end());
  std::vector<BoundaryEdge> result;
  std::set_symmetric_difference(old.begin(), old.end(), made.begin(), made.end(), std::back_inserter(result));
  return result;
}

// The edges that only one of the layers has. Equal rings have equal bytes: rings begin at their smallest vertex.
std::vector<BoundaryEdge> differingEdges(const Layer& before, const Layer& after) {
  std::unordered_map<RingBytes, int32_t> known;
  forEachRing(before, [&](const Ring& ring) { ++known[bytesOf(ring)]; });
  std::vector<BoundaryEdge> old;
  std::vector<BoundaryEdge> made;
  forEachRing(after, [&](const Ring& ring) {
    const auto same = known.find(bytesOf(ring));
    if (same != known.end() && same->second > 0) {
      --same->second;
    } else {
      addEdges(ring, made);
    }
  });
  forEachRing(before, [&](const Ring& ring) {
    const auto same = known.find(bytesOf(ring));
    if (same->second <= 0) return;
    --same->second;
    addEdges(ring, old);
  });
  return onlyInOne(std::move(old), std::move(made));
}

struct ConnectionEdge {
  uint32_t layerA;
  uint32_t layerB;
  Point a;
  Point b;
  auto operator<=>(const ConnectionEdge&) const = default;
};

std::vector<ConnectionEdge> edgesOf(std::span<const Connection> connections) {
  std::vector<ConnectionEdge> edges;
  for (const Connection& c : connections) {
    for (size_t i = 0; i + 1 < c.line.size(); ++i) edges.push_back({c.layerA, c.layerB, c.line[i], c.line[i + 1]});
    // An end that becomes an inner point is a difference too.
    edges.push_back({c.layerA, c.layerB, c.line.front(), c.line.front()});
    edges.push_back({c.layerA, c.layerB, c.line.back(), c.line.back()});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

Box around(Point a, Point b) {
  Box box;
  box.add(a);
  box.add(b);
  return box;
}

// Unites boxes until none overlap, sweeping by x.
std::vector<Box> united(std::vector<Box> boxes) {
  for (bool changed = true; changed;) {
    changed = false;
    std::sort(boxes.begin(), boxes.end(),
              [](const Box& a, const Box& b) { return std::tie(a.min, a.max) < std::tie(b.min, b.max); });
    std::vector<Box> next;
    size_t active = 0;  // boxes before this end left of all that follow
    for (const Box& box : boxes) {
      while (active < next.size() && next[active].max.x < box.min.x) ++active;
      bool taken = false;
      for (size_t i = active; i < next.size() && !taken; ++i) {
        if (!overlap(next[i], box)) continue;
        next[i].add(box);
        taken = true;
      }
      if (taken) {
        changed = true;
      } else {
        next.push_back(box);
      }
    }
    boxes = std::move(next);
  }
  return boxes;
}

// Per layer the boxes of edges; then those of connections and footprints.
ChangedArea areaOf(std::vector<std::vector<Box>> boxes, const Environment& before, const Environment& after,
                   std::span<const Footprint> cameOrWent) {
  if (before.connections != after.connections) {
    const std::vector<ConnectionEdge> old = edgesOf(before.connections);
    const std::vector<ConnectionEdge> made = edgesOf(after.connections);
    std::vector<ConnectionEdge> different;
    std::set_symmetric_difference(old.begin(), old.end(), made.begin(), made.end(), std::back_inserter(different));
    for (const ConnectionEdge& edge : different) {
      boxes[edge.layerA].push_back(around(edge.a, edge.b));
      boxes[edge.layerB].push_back(around(edge.a, edge.b));
    }
  }
  for (const Footprint& footprint : cameOrWent) {
    if (!boxes[footprint.layer].empty()) boxes[footprint.layer].push_back(boundingBox(footprint));
  }
  ChangedArea area;
  for (uint32_t layer = 0; layer < boxes.size(); ++layer) {
    for (Box& box : boxes[layer]) {
      box.min = {box.min.x - kMargin, box.min.y - kMargin};
      box.max = {box.max.x + kMargin, box.max.y + kMargin};
    }
    for (const Box& box : united(std::move(boxes[layer]))) area.boxes.push_back({layer, box});
  }
  return area;
}

}  // namespace

ChangedArea changedArea(const Environment& before, const Environment& after, std::span<const Footprint> cameOrWent) {
  std::vector<std::vector<Box>> boxes(after.layers.size());
  for (uint32_t layer = 0; layer < after.layers.size(); ++layer) {
    for (const BoundaryEdge& edge : differingEdges(before.layers[layer], after.layers[layer])) {
      boxes[layer].push_back(around(edge.a, edge.b));
    }
  }
  return areaOf(std::move(boxes), before, after, cameOrWent);
}

ChangedArea changedArea(const BoundaryChange& change, const Environment& before, const Environment& after,
                        std::span<const Footprint> cameOrWent) {
  std::vector<std::vector<BoundaryEdge>> old(after.layers.size());
  std::vector<std::vector<BoundaryEdge>> made(after.layers.size());
  for (const auto& [layer, ring] : change.gone) addEdges(ring, old[layer]);
  for (const auto& [layer, ring] : change.added) addEdges(ring, made[layer]);
  std::vector<std::vector<Box>> boxes(after.layers.size());
  for (uint32_t layer = 0; layer < after.layers.size(); ++layer) {
    for (const BoundaryEdge& edge : onlyInOne(std::move(old[layer]), std::move(made[layer]))) {
      boxes[layer].push_back(around(edge.a, edge.b));
    }
  }
  return areaOf(std::move(boxes), before, after, cameOrWent);
}

}  // namespace wend
