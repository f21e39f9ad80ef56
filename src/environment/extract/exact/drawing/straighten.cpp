#include "environment/extract/exact/drawing/straighten.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "environment/extract/polygons/rings.h"
#include "environment/extract/tolerances.h"
#include "geometry/polygon_check.h"

namespace wend::exact {
namespace {

// Two roundings. Units.
constexpr double kBeside = 1.5;
// More vertices in a row are looked at anew, so that a fine curve costs no more than a straight line.
constexpr size_t kMostDropped = 16;
// Sides this near to a place where straightening went wrong keep their vertices. Units.
constexpr double kAround = 4;
constexpr int kTries = 4;
constexpr size_t kMostFaults = 100;  // found in one try

// Whether p lies beside the segment from a to b.
bool liesBeside(Point a, Point b, Point p, double distance = kBeside) {
  const double x = double(b.x) - a.x;
  const double y = double(b.y) - a.y;
  const double px = double(p.x) - a.x;
  const double py = double(p.y) - a.y;
  const double along = px * x + py * y;
  const double across = px * y - py * x;
  const double square = x * x + y * y;
  return along >= 0 && along <= square && across * across <= distance * distance * square;
}

bool holds(const std::vector<Point>& sorted, Point p) {
  return std::binary_search(sorted.begin(), sorted.end(), p);
}

struct Spot {
  Point a;
};

// Those that occur more than once, sorted.
std::vector<Point> repeated(std::span<const Spot> places) {
  ByStart<Spot> known(places);
  std::vector<Point> found;
  for (uint32_t i = 0; i < places.size(); ++i) {
    if (!known.add(i)) found.push_back(places[i].a);
  }
  std::sort(found.begin(), found.end());
  return found;
}

template <typename Body>
void forRings(std::vector<Polygon>& polygons, const Body& body) {
  for (Polygon& polygon : polygons) {
    body(polygon.outer);
    for (Ring& hole : polygon.holes) body(hole);
  }
}

class Straightener {
 public:
  Straightener(Environment& environment, const Context& context)
      : environment_(environment), context_(context), shared_(environment.layers.size()) {
    std::vector<Spot> ends;
    for (const Connection& c : environment.connections) {
      for (const Point p : c.line) ends.push_back({p});
    }
    const std::vector<Point> joints = repeated(ends);
    parallelFor(shared_.size(), context, [&](size_t i) {
      std::vector<Spot> corners;
      forRings(environment.layers[i].free, [&](const Ring& ring) {
        for (const Point p : ring) corners.push_back({p});
      });
      shared_[i] = repeated(corners);
      shared_[i].insert(shared_[i].end(), joints.begin(), joints.end());
      std::sort(shared_[i].begin(), shared_[i].end());
    });
  }

  void run() {
    for (int tries = 0; tries < kTries; ++tries) {
      straightenConnections();
      std::vector<std::vector<Polygon>> straight(environment_.layers.size());
      std::vector<std::vector<Point>> faults(straight.size());
      parallelFor(straight.size(), context_, [&](size_t layer) {
        straight[layer] = environment_.layers[layer].free;
        const bool changed = straightenLayer(layer, straight[layer]);
        if (!changed) return;
        for (const PolygonFault& fault :
             findPolygonFaults(straight[layer], kMostFaults, SidesMeet::kAnywhere, context_.threads)) {
          faults[layer].push_back(fault.place);
        }
      });
      bool right = true;
      for (const std::vector<Point>& places : faults) {
        bad_.insert(bad_.end(), places.begin(), places.end());
        right = right && places.empty();
      }
      if (!right) continue;
      for (size_t layer = 0; layer < straight.size(); ++layer) {
        environment_.layers[layer].free = std::move(straight[layer]);
      }
      for (size_t i = 0; i < lines_.size(); ++i) environment_.connections[i].line = std::move(lines_[i]);
      return;
    }
  }

 private:
  // A path without the vertices in between that may go.
  template <typename MayGo>
  std::vector<Point> straightened(const std::vector<Point>& path, const MayGo& mayGo) const {
    std::vector<Point> kept{path.front()};
    size_t dropped = 0;  // since the last that was kept
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      const Point next = path[i + 1];
      bool goes = dropped < kMostDropped && mayGo(path[i]);
      for (size_t k = i - dropped; k <= i && goes; ++k) goes = liesBeside(kept.back(), next, path[k]);
      goes = goes &&
             std::none_of(bad_.begin(), bad_.end(), [&](Point p) { return liesBeside(kept.back(), next, p, kAround); });
      dropped = goes ? dropped + 1 : 0;
      if (!goes) kept.push_back(path[i]);
    }
    kept.push_back(path.back());
    return kept;
  }

  void straightenConnections() {
    lines_.clear();
    stays_.assign(environment_.layers.size(), {});
    goes_.assign(environment_.layers.size(), {});
    for (const Connection& c : environment_.connections) {
      lines_.push_back(
          straightened(c.line, [&](Point p) { return !holds(shared_[c.layerA], p) && !holds(shared_[c.layerB], p); }));
      const std::vector<Point>& line = lines_.back();
      size_t next = 0;
      for (const Point p : c.line) {
        const bool stays = next < line.size() && line[next] == p;
        if (stays) ++next;
        for (const uint32_t layer : {c.layerA, c.layerB}) (stays ? stays_ : goes_)[layer].push_back(p);
      }
    }
    for (auto* lists : {&stays_, &goes_}) {
      for (std::vector<Point>& points : *lists) std::sort(points.begin(), points.end());
    }
  }

  // False if nothing changes.
  bool straightenLayer(size_t layer, std::vector<Polygon>& polygons) const {
    bool changed = false;
    const auto mayGo = [&](Point p) { return !holds(shared_[layer], p) && !holds(stays_[layer], p); };
    forRings(polygons, [&](Ring& ring) {
      Ring path;
      for (const Point p : ring) {
        if (!holds(goes_[layer], p)) path.push_back(p);
      }
      const size_t n = path.size();
      size_t start = 0;
      while (start < n && mayGo(path[start]) &&
             liesBeside(path[(start + n - 1) % n], path[(start + 1) % n], path[start])) {
        ++start;
      }
      if (start < n) {
        std::rotate(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(start), path.end());
        path.push_back(path.front());
        path = straightened(path, mayGo);
        path.pop_back();
      }
      changed = changed || path.size() != ring.size();
      // With fewer than three corners it is a fault, and nothing goes.
      if (path.size() != ring.size()) ring = std::move(path);
    });
    return changed;
  }

  Environment& environment_;
  const Context& context_;
  std::vector<std::vector<Point>> shared_;  // of each layer, sorted
  std::vector<Point> bad_;
  std::vector<std::vector<Point>> lines_;  // of the connections
  std::vector<std::vector<Point>> stays_;  // of the connections of each layer, sorted
  std::vector<std::vector<Point>> goes_;
};

}  // namespace

void straighten(Environment& environment, const Context& context) {
  Straightener(environment, context).run();
}

}  // namespace wend::exact
