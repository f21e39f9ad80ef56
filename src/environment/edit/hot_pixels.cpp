#include "environment/edit/hot_pixels.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_set>

#include "geometry/predicates.h"
#include "geometry/snap_round.h"

namespace wend {

Box boundingBox(const Footprint& footprint) {
  Box box;
  for (const Ring& loop : footprint.loops) box.add(boundingBox(std::span<const Point>(loop)));
  return box;
}

namespace {

struct Pixel {
  uint32_t layer;
  Point centre;
  bool operator==(const Pixel&) const = default;
};
struct PixelHash {
  size_t operator()(const Pixel& pixel) const {
    const uint64_t place =
        (static_cast<uint64_t>(static_cast<uint32_t>(pixel.centre.x)) << 32U) ^ static_cast<uint32_t>(pixel.centre.y);
    return (place ^ (static_cast<uint64_t>(pixel.layer) << 17U)) * 0x9e3779b97f4a7c15ULL >> 7U;
  }
};

// With room for a pixel, and for the rounding of the ends.
Box grown(Point a, Point b) {
  Box box;
  box.min = {std::min(a.x, b.x) - 2, std::min(a.y, b.y) - 2};
  box.max = {std::max(a.x, b.x) + 2, std::max(a.y, b.y) + 2};
  return box;
}

// Calls visit(box) for boxes that together hold the pixels of the segment. One box around a long slanted segment would
// hold half the world.
template <typename Visit>
void forEachBox(const Segment& s, Visit&& visit) {
  constexpr int64_t kLength = 1 << 17;  // units, 13 m at 0.1 mm
  const int64_t dx = static_cast<int64_t>(s.b.x) - s.a.x;
  const int64_t dy = static_cast<int64_t>(s.b.y) - s.a.y;
  const int64_t slant = std::min(std::abs(dx), std::abs(dy));
  const int64_t pieces = std::clamp<int64_t>(slant / kLength, 1, 256);
  const auto at = [&](int64_t i) {
    return Point{static_cast<int32_t>(s.a.x + dx * i / pieces), static_cast<int32_t>(s.a.y + dy * i / pieces)};
  };
  for (int64_t i = 0; i < pieces; ++i) visit(grown(at(i), at(i + 1)));
}

class Router {
 public:
  Router(const LiveBase& base, std::span<const Footprint> footprints)
      : base_(base), boundary_(base.boundary()), footprints_(footprints) {
    const size_t layers = base.environment().layers.size();
    edgesOfLayer_.resize(layers);
    grids_.resize(layers);
    for (uint32_t f = 0; f < footprints.size(); ++f) {
      for (uint32_t l = 0; l < footprints[f].loops.size(); ++l) {
        const Ring& loop = footprints[f].loops[l];
        for (size_t i = 0; i < loop.size(); ++i) {
          edgesOfLayer_[footprints[f].layer].push_back(static_cast<uint32_t>(edges_.size()));
          edges_.push_back({{loop[i], loop[i + 1 == loop.size() ? 0 : i + 1]}, footprints[f].layer, f, {}});
        }
      }
    }
    for (size_t layer = 0; layer < layers; ++layer) {
      std::vector<Box> boxes;
      for (const uint32_t e : edgesOfLayer_[layer]) {
        boxes.push_back({});
        boxes.back().add(edges_[e].segment.a);
        boxes.back().add(edges_[e].segment.b);
      }
      if (!boxes.empty()) grids_[layer].emplace(boxes);
    }
  }

  RoutedSources run() {
    for (const ObstacleEdge& edge : edges_) follow(edge.segment, edge.layer, true);
    while (!bent_.empty() || !pending_.empty()) {
      if (!pending_.empty()) {
        const Pixel pixel = pending_.back();
        pending_.pop_back();
        stopAt(pixel);
        continue;
      }
      const uint32_t wall = bent_.back();
      bent_.pop_back();
      follow(segmentOf(wall), boundary_.ring(wall).layer, false);
    }
    finish();
    return std::move(result_);
  }

 private:
  struct ObstacleEdge {
    Segment segment;
    uint32_t layer;
    uint32_t footprint;
    std::vector<Point> stops;
  };

  Segment segmentOf(uint32_t wall) const { return {boundary_.start(wall), boundary_.end(wall)}; }

  void heat(uint32_t layer, Point p) {
    if (hot_.insert({layer, p}).second) pending_.push_back({layer, p});
  }

  template <typename Visit>
  void forEachObstacleEdge(uint32_t layer, const Box& box, Visit&& visit) {
    if (!grids_[layer]) return;
    grids_[layer]->forEach(box, [&](uint32_t item) { visit(edgesOfLayer_[layer][item]); });
  }

  // Finds the hot pixels that a source meets.
  void follow(const Segment& s, uint32_t layer, bool isObstacle) {
    heat(layer, s.a);
    heat(layer, s.b);
    forEachBox(s, [&](const Box& box) {
      base_.forEachEdge(layer, box, [&](uint32_t wall) {
        const Segment t = segmentOf(wall);
        // Every vertex is the start of a wall.
        if (passesPixel(s, t.a)) heat(layer, t.a);
        if (isObstacle && meet(s.a, s.b, t.a, t.b) == Meeting::kCross) heat(layer, roundedCrossing(s, t));
      });
      forEachObstacleEdge(layer, box, [&](uint32_t e) {
        const Segment& t = edges_[e].segment;
        if (meet(s.a, s.b, t.a, t.b) == Meeting::kCross) heat(layer, roundedCrossing(s, t));
      });
    });
  }

  // Leads every source that meets the pixel through its centre.
  void stopAt(const Pixel& pixel) {
    const Point p = pixel.centre;
    met_.clear();
    const Box box = grown(p, p);
    base_.forEachEdge(pixel.layer, box, [&](uint32_t wall) {
      const Segment t = segmentOf(wall);
      if (!passesPixel(t, p)) return;
      met_.push_back(base_.ringOf(wall));
      if (p != t.a && p != t.b) stopWall(wall, p);
    });
    const auto rings = static_cast<uint32_t>(boundary_.rings().size());
    forEachObstacleEdge(pixel.layer, box, [&](uint32_t e) {
      ObstacleEdge& edge = edges_[e];
      if (!passesPixel(edge.segment, p)) return;
      met_.push_back(rings + edge.footprint);
      if (p != edge.segment.a && p != edge.segment.b) edge.stops.push_back(p);
    });
    for (size_t i = 1; i < met_.size(); ++i) {
      if (met_[i] != met_[0]) result_.links.emplace_back(met_[0], met_[i]);
    }
  }

  void stopWall(uint32_t wall, Point p) {
    std::vector<Point>& stops = result_.walls[wall];
    if (std::find(stops.begin(), stops.end(), p) != stops.end()) return;
    stops.push_back(p);
    // A point on the wall leaves it where it is.
    if (orient(boundary_.start(wall), boundary_.end(wall), p) != 0 && isBent_.insert(wall).second)
      bent_.push_back(wall);
    const uint32_t twin = base_.twin(wall);
    if (twin == kNone) return;
    heat(boundary_.ring(twin).layer, p);
    stopWall(twin, p);
  }

  // Rounding keeps the order of each coordinate along a segment, so the order of points is that of their coordinates.
  static void sortAlong(const Segment& s, std::vector<Point>& points) {
    const bool left = s.b.x < s.a.x;
    const bool down = s.b.y < s.a.y;
    std::sort(points.begin(), points.end(), [&](Point p, Point q) {
      if (p.x != q.x) return left ? p.x > q.x : p.x < q.x;
      return down ? p.y > q.y : p.y < q.y;
    });
    points.erase(std::unique(points.begin(), points.end()), points.end());
  }

  void finish() {
    for (auto& [wall, stops] : result_.walls) sortAlong(segmentOf(wall), stops);
    result_.loops.resize(footprints_.size());
    size_t next = 0;
    for (size_t f = 0; f < footprints_.size(); ++f) {
      for (const Ring& loop : footprints_[f].loops) {
        Ring routed;
        const auto add = [&](Point p) {
          if (routed.empty() || routed.back() != p) routed.push_back(p);
        };
        for (size_t i = 0; i < loop.size(); ++i, ++next) {
          add(loop[i]);
          sortAlong(edges_[next].segment, edges_[next].stops);
          for (const Point p : edges_[next].stops) add(p);
        }
        while (routed.size() > 1 && routed.front() == routed.back()) routed.pop_back();
        result_.loops[f].push_back(std::move(routed));
      }
    }
  }

  const LiveBase& base_;
  const Boundary& boundary_;
  std::span<const Footprint> footprints_;
  std::vector<ObstacleEdge> edges_;  // in the order of footprints, loops and their points
  std::vector<std::vector<uint32_t>> edgesOfLayer_;
  std::vector<std::optional<GridIndex>> grids_;
  std::unordered_set<Pixel, PixelHash> hot_;
  std::vector<Pixel> pending_;
  std::vector<uint32_t> bent_;
  std::unordered_set<uint32_t> isBent_;
  std::vector<uint32_t> met_;
  RoutedSources result_;
};

}  // namespace

RoutedSources routeSources(const LiveBase& base, std::span<const Footprint> footprints) {
  return Router(base, footprints).run();
}

Ring routedRing(const LiveBase& base, uint32_t ring, const RoutedSources& routed) {
  const Boundary::Ring& edges = base.boundary().rings()[ring];
  Ring result;
  for (uint32_t e = edges.begin; e < edges.end; ++e) {
    result.push_back(base.boundary().start(e));
    const auto stops = routed.walls.find(e);
    if (stops != routed.walls.end()) result.insert(result.end(), stops->second.begin(), stops->second.end());
  }
  return result;
}

}  // namespace wend
