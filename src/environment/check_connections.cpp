#include "environment/check_connections.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "environment/heights.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

// Whether both layers' walks go straight from one segment to the other, so that v is an inner point of the surface.
bool passes(const Boundary& boundary, const Connection& c, Point u, Point v, Point w) {
  const uint32_t inA = boundary.find(c.layerA, u, v);
  const uint32_t inB = boundary.find(c.layerB, w, v);
  return inA != kNone && inB != kNone && boundary.next(inA) == boundary.find(c.layerA, v, w) &&
         boundary.next(inB) == boundary.find(c.layerB, v, u);
}

class Checker {
 public:
  Checker(const Environment& environment, const Boundary& boundary, size_t limit, std::vector<Violation>& found)
      : environment_(environment),
        boundary_(boundary),
        limit_(limit),
        found_(found),
        owner_(boundary.edgeCount(), kNone) {}

  void run() {
    for (size_t c = 0; c < environment_.connections.size() && !full(); ++c) {
      if (checkLayers(c) && checkLength(c) && checkSegments(c)) checkInnerPoints(c);
    }
    if (!full()) checkSplits();
    if (!full()) checkWinding();
    if (!full()) checkHeights();
  }

 private:
  bool full() const { return found_.size() >= limit_; }

  void report(ViolationKind kind, uint32_t layer, Vec2 units, std::string message) {
    if (full()) return;
    found_.push_back({kind, layer, environment_.lattice.toMetres(units), std::move(message)});
  }
  std::string place(Vec2 units) const { return nameOf(environment_.lattice.toMetres(units)); }
  std::string place(Point p) const { return place(toVec2(p)); }

  bool layersKnown(const Connection& c) const { return c.layerA < c.layerB && c.layerB < environment_.layers.size(); }

  bool checkLayers(size_t index) {
    const Connection& c = environment_.connections[index];
    if (layersKnown(c)) return true;
    report(ViolationKind::kConnectionLayers, kNone, c.line.empty() ? Vec2{} : toVec2(c.line.front()),
           fmt::format("connection {} joins the layers with indices {} and {}; it must name two different layers, the "
                       "smaller index first",
                       index, c.layerA, c.layerB));
    return false;
  }

  bool checkLength(size_t index) {
    const Connection& c = environment_.connections[index];
    std::optional<Point> fault;
    if (c.line.size() < 2) fault = c.line.empty() ? Point{} : c.line.front();
    for (size_t i = 0; i + 1 < c.line.size() && !fault; ++i) {
      if (c.line[i] == c.line[i + 1]) fault = c.line[i];
    }
    if (!fault && c.line.front() == c.line.back() && c.line.size() < 4) fault = c.line.front();
    if (!fault) return true;
    report(ViolationKind::kConnectionTooShort, c.layerA, toVec2(*fault),
           fmt::format("{} has no length at {}; give it at least two different points", nameOf(environment_, index),
                       place(*fault)));
    return false;
  }

  bool checkSegments(size_t index) {
    const Connection& c = environment_.connections[index];
    bool sound = true;
    for (size_t i = 0; i + 1 < c.line.size(); ++i) {
      const Point u = c.line[i];
      const Point v = c.line[i + 1];
      const uint32_t a = boundary_.find(c.layerA, u, v);
      const uint32_t b = boundary_.find(c.layerB, v, u);
      if (a == kNone || b == kNone) {
        reportOffBoundary(index, u, v, a, b);
        sound = false;
        continue;
      }
      for (const uint32_t e : {a, b}) {
        if (owner_[e] == kNone) {
          owner_[e] = static_cast<uint32_t>(index);
          continue;
        }
        report(ViolationKind::kConnectionShared, boundary_.ring(e).layer, middle(u, v),
               fmt::format("{} lies at {} on a segment that connection {} uses already; list each connection once",
                           nameOf(environment_, index), place(middle(u, v)), owner_[e]));
        sound = false;
        break;
      }
    }
    return sound;
  }

  void reportOffBoundary(size_t index, Point u, Point v, uint32_t a, uint32_t b) {
    const Connection& c = environment_.connections[index];
    const Vec2 at = middle(u, v);
    const uint32_t reversedA = boundary_.find(c.layerA, v, u);
    const uint32_t reversedB = boundary_.find(c.layerB, u, v);
    if ((a != kNone && reversedB != kNone) || (b != kNone && reversedA != kNone)) {
      report(ViolationKind::kConnectionFolded, c.layerA, at,
             fmt::format("{} has both layers on the same side at {}: the surface would fold back; one layer must end "
                         "where the other begins",
                         nameOf(environment_, index), place(at)));
    } else if (reversedA != kNone && reversedB != kNone) {
      report(ViolationKind::kConnectionOffBoundary, c.layerA, at,
             fmt::format("{} runs against the boundary walk of its first layer at {}; reverse the line",
                         nameOf(environment_, index), place(at)));
    } else {
      const uint32_t layer = a == kNone && reversedA == kNone ? c.layerA : c.layerB;
      report(ViolationKind::kConnectionOffBoundary, layer, at,
             fmt::format("{} is not an edge of the boundary of layer {} at {}; draw it along an edge of both layers",
                         nameOf(environment_, index), environment_.layers[layer].id, place(at)));
    }
  }

  void checkInnerPoints(size_t index) {
    const Connection& c = environment_.connections[index];
    for (size_t i = 0; i + 2 < c.line.size(); ++i) {
      const Point at = c.line[i + 1];
      if (passes(boundary_, c, c.line[i], at, c.line[i + 2])) continue;
      report(ViolationKind::kConnectionObstacle, c.layerA, toVec2(at),
             fmt::format("{} touches an obstacle at {} inside its line; end one connection there and begin another",
                         nameOf(environment_, index), place(at)));
    }
  }

  void checkSplits() {
    const std::vector<uint32_t> following = continuations(boundary_, environment_.connections);
    for (size_t i = 0; i < following.size(); ++i) {
      if (following[i] == kNone) continue;
      const Connection& c = environment_.connections[i];
      report(ViolationKind::kConnectionSplit, c.layerA, toVec2(c.line.back()),
             fmt::format("connections {} and {} continue each other at {}, where nothing stands in the way; make them "
                         "one line",
                         i, following[i], place(c.line.back())));
    }
  }

  // Around an inner point the corners of the layers must fill one full turn. Each direction, say +x, is then in exactly
  // one corner.
  void checkWinding() {
    const std::vector<uint32_t> twin = glue(boundary_, environment_.connections);
    for (const uint32_t first : innerPoints(boundary_, twin)) {
      size_t turns = 0;
      uint32_t e = first;
      do {
        const uint32_t after = boundary_.next(twin[e]);
        // The corner left of e reaches from e to the edge that the walk came in on, which is joined to the one that
        // precedes e in the turn: so the turn is clockwise, and `after` bounds the next corner.
        if (cornerHoldsEast(boundary_.end(e), boundary_.start(e), boundary_.end(after))) ++turns;
        e = after;
      } while (e != first);
      if (turns == 1) continue;
      const Point p = boundary_.start(first);
      report(ViolationKind::kWinding, boundary_.ring(first).layer, toVec2(p),
             fmt::format("connected layers wind {} times around the inner point {}; cut a small obstacle out there",
                         turns, place(p)));
    }
  }

  // Whether turning clockwise from direction p->a to p->b passes +x, the start excluded, the end included.
  static bool cornerHoldsEast(Point a, Point p, Point b) {
    const auto upper = [&](Point q) { return q.y > p.y || (q.y == p.y && q.x < p.x); };
    const auto east = [&](Point q) { return q.y == p.y && q.x > p.x; };
    if (east(b)) return true;
    if (east(a)) return false;
    // Measure both as counter-clockwise angles from +x: clockwise from a to b passes +x iff b's angle is the larger.
    // The same direction twice is a full turn.
    if (upper(a) != upper(b)) return upper(a);
    return orient(p, a, b) >= 0;
  }

  void checkHeights() {
    std::vector<Box> regions(environment_.layers.size());  // what the connections of each layer take up
    for (const Connection& c : environment_.connections) {
      if (!layersKnown(c)) continue;
      for (const uint32_t layer : {c.layerA, c.layerB}) {
        for (const Point p : c.line) regions[layer].add(p);
      }
    }
    std::vector<std::optional<HeightLookup>> lookup(environment_.layers.size());
    const auto height = [&](uint32_t layer, Vec2 p) {
      const HeightField& field = environment_.layers[layer].heights;
      if (field.flat()) return field.base;
      if (!lookup[layer]) lookup[layer].emplace(field, regions[layer]);
      return lookup[layer]->at(p);
    };
    for (size_t index = 0; index < environment_.connections.size() && !full(); ++index) {
      const Connection& c = environment_.connections[index];
      if (!layersKnown(c)) continue;
      double worst = kMaxHeightJump;
      std::optional<Vec2> at;
      for (size_t i = 0; i + 1 < c.line.size(); ++i) {
        const Vec2 u = toVec2(c.line[i]);
        const Vec2 v = toVec2(c.line[i + 1]);
        for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
          const Vec2 p{u.x + t * (v.x - u.x), u.y + t * (v.y - u.y)};
          const double jump = std::abs(height(c.layerA, p) - height(c.layerB, p));
          if (!(jump > worst)) continue;
          worst = jump;
          at = p;
        }
      }
      if (!at) continue;
      report(ViolationKind::kHeightJump, c.layerA, *at,
             fmt::format("{} joins heights of {:.3f} m and {:.3f} m at {}; at most {:g} m apart are allowed: give the "
                         "layers a surface that meets there",
                         nameOf(environment_, index), height(c.layerA, *at), height(c.layerB, *at), place(*at),
                         kMaxHeightJump));
    }
  }

  static Vec2 middle(Point u, Point v) {
    return {(static_cast<double>(u.x) + v.x) / 2, (static_cast<double>(u.y) + v.y) / 2};
  }

  const Environment& environment_;
  const Boundary& boundary_;
  size_t limit_;
  std::vector<Violation>& found_;
  std::vector<uint32_t> owner_;  // the connection on each edge
};

}  // namespace

void checkConnections(const Environment& environment, const Boundary& boundary, size_t limit,
                      std::vector<Violation>& found) {
  if (!environment.connections.empty()) Checker(environment, boundary, limit, found).run();
}

std::vector<uint32_t> continuations(const Boundary& boundary, std::span<const Connection> connections) {
  std::vector<uint32_t> beginsAt(boundary.edgeCount(), kNone);
  for (uint32_t i = 0; i < connections.size(); ++i) {
    const Connection& c = connections[i];
    if (c.line.size() < 2) continue;
    const uint32_t e = boundary.find(c.layerA, c.line[0], c.line[1]);
    if (e != kNone && beginsAt[e] == kNone) beginsAt[e] = i;
  }
  std::vector<uint32_t> following(connections.size(), kNone);
  for (uint32_t i = 0; i < connections.size(); ++i) {
    const Connection& c = connections[i];
    if (c.line.size() < 2) continue;
    const Point u = c.line[c.line.size() - 2];
    const Point v = c.line.back();
    const uint32_t e = boundary.find(c.layerA, u, v);
    if (e == kNone) continue;
    const uint32_t j = beginsAt[boundary.next(e)];
    if (j == kNone || j == i || connections[j].layerA != c.layerA || connections[j].layerB != c.layerB) continue;
    if (passes(boundary, c, u, v, connections[j].line[1])) following[i] = j;
  }
  return following;
}

std::string nameOf(const Environment& environment, size_t connection) {
  const Connection& c = environment.connections[connection];
  const auto id = [&](uint32_t layer) {
    return layer < environment.layers.size() ? std::to_string(environment.layers[layer].id) : std::string("?");
  };
  return fmt::format("connection {} between layers {} and {}", connection, id(c.layerA), id(c.layerB));
}

std::string nameOf(Vec2 metres) {
  return fmt::format("({:.4f}, {:.4f}) m", metres.x, metres.y);
}

}  // namespace wend
