#include "environment/attach_connections.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "environment/boundary.h"
#include "environment/check_connections.h"
#include "environment/ring_edits.h"
#include "geometry/index/grid_index.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

struct Nearest {
  double t;         // fraction along the segment
  double distance;  // lattice units
};

Nearest nearest(Point a, Point b, Point p) {
  const double dx = static_cast<double>(b.x) - a.x;
  const double dy = static_cast<double>(b.y) - a.y;
  const double px = static_cast<double>(p.x) - a.x;
  const double py = static_cast<double>(p.y) - a.y;
  const double square = dx * dx + dy * dy;
  const double t = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0.0;
  return {t, std::hypot(px - t * dx, py - t * dy)};
}

// Part of a boundary walk that runs along a segment of a line.
struct Chain {
  Spot from;
  Spot to;
  std::vector<Point> onLine;  // inner vertices exactly on the segment, in walking order
  double deviation = 0;       // of the segment's ends and the inner vertices, lattice units
  bool exact = true;
};

class ChainFinder {
 public:
  ChainFinder(const Boundary& boundary, size_t layers) : boundary_(boundary), grids_(layers), begin_(layers + 1, 0) {
    for (const Boundary::Ring& ring : boundary.rings()) begin_[ring.layer + 1] = ring.end;
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] = std::max(begin_[i], begin_[i - 1]);
  }

  // The walk of the layer that runs from u to v within the slack of the straight line; the nearest, if there are more.
  std::optional<Chain> find(uint32_t layer, Point u, Point v) {
    std::optional<Chain> best;
    const std::vector<Spot> targets = spotsNear(layer, v);
    if (targets.empty()) return best;
    for (const Spot from : spotsNear(layer, u)) {
      std::optional<Chain> chain = walk(from, targets, u, v);
      if (chain && (!best || chain->deviation < best->deviation)) best = std::move(chain);
    }
    return best;
  }

  bool near(uint32_t layer, Point p) { return !spotsNear(layer, p).empty(); }

  // How far along the line from u to v the walk of the layer goes before it leaves it.
  Point furthest(uint32_t layer, Point u, Point v) {
    Point best = u;
    double distance = 0;
    for (const Spot from : spotsNear(layer, u)) {
      for (uint32_t e = boundary_.next(from.edge); e != from.edge; e = boundary_.next(e)) {
        const Point at = boundary_.start(e);
        const double reached = std::hypot(static_cast<double>(at.x) - u.x, static_cast<double>(at.y) - u.y);
        if (nearest(u, v, at).distance > kConnectionSlack || reached < distance) break;
        best = at;
        distance = reached;
      }
    }
    return best;
  }

  // Distance from p to the layer's boundary, lattice units.
  double distance(uint32_t layer, Point p) const {
    double best = std::numeric_limits<double>::infinity();
    for (uint32_t e = begin_[layer]; e < begin_[layer + 1]; ++e) {
      best = std::min(best, nearest(boundary_.start(e), boundary_.end(e), p).distance);
    }
    return best;
  }

 private:
  const GridIndex& grid(uint32_t layer) {
    if (!grids_[layer]) {
      std::vector<Box> boxes(begin_[layer + 1] - begin_[layer]);
      for (uint32_t i = 0; i < boxes.size(); ++i) {
        boxes[i].add(boundary_.start(begin_[layer] + i));
        boxes[i].add(boundary_.end(begin_[layer] + i));
      }
      grids_[layer].emplace(boxes);
    }
    return *grids_[layer];
  }

  // Places of the boundary within the slack of p, sorted. A vertex within the slack stands for both its edges.
  std::vector<Spot> spotsNear(uint32_t layer, Point p) {
    const auto slack = static_cast<int32_t>(kConnectionSlack);
    Box box;
    box.add(Point{p.x - slack, p.y - slack});
    box.add(Point{p.x + slack, p.y + slack});
    std::vector<Spot> spots;
    grid(layer).forEach(box, [&](uint32_t item) {
      const uint32_t e = begin_[layer] + item;
      const Nearest on = nearest(boundary_.start(e), boundary_.end(e), p);
      if (on.distance > kConnectionSlack) return;
      const bool exact = onSegment(boundary_.start(e), boundary_.end(e), p);
      const bool atStart = near(boundary_.start(e), p, exact);
      const bool atEnd = near(boundary_.end(e), p, exact);
      if (atStart) spots.push_back({e, 0});
      if (atEnd) spots.push_back({boundary_.next(e), 0});
      if (!atStart && !atEnd) spots.push_back({e, on.t});
    });
    std::sort(spots.begin(), spots.end());
    spots.erase(std::unique(spots.begin(), spots.end()), spots.end());
    return spots;
  }
  // A point exactly on an edge stays where it is: only the vertex itself will do.
  static bool near(Point vertex, Point p, bool exact) {
    if (exact) return vertex == p;
    return std::hypot(static_cast<double>(vertex.x) - p.x, static_cast<double>(vertex.y) - p.y) <= kConnectionSlack;
  }

  std::optional<Chain> walk(Spot from, const std::vector<Spot>& targets, Point u, Point v) const {
    Chain chain;
    chain.from = from;
    include(chain, from, u);
    Spot at = from;
    for (uint32_t steps = boundary_.ring(from.edge).end - boundary_.ring(from.edge).begin; steps > 0; --steps) {
      // The next target on this edge, the starting spot itself excluded.
      const auto target = at == from ? std::upper_bound(targets.begin(), targets.end(), at)
                                     : std::lower_bound(targets.begin(), targets.end(), at);
      if (target != targets.end() && target->edge == at.edge) {
        chain.to = *target;
        include(chain, *target, v);
        return chain;
      }
      at = {boundary_.next(at.edge), 0};
      if (std::binary_search(targets.begin(), targets.end(), at) && at != from) continue;
      const Point vertex = boundary_.start(at.edge);
      const double off = nearest(u, v, vertex).distance;
      if (off > kConnectionSlack) return std::nullopt;
      if (onSegment(u, v, vertex)) {
        if (vertex != u && vertex != v) chain.onLine.push_back(vertex);
      } else {
        chain.deviation = std::max(chain.deviation, off);
        chain.exact = false;
      }
    }
    return std::nullopt;
  }

  // Accounts for an end of the line that is to be put at a spot of the boundary.
  void include(Chain& chain, Spot spot, Point end) const {
    const Point a = boundary_.start(spot.edge);
    const bool exact = spot.t == 0 ? a == end : onSegment(a, boundary_.end(spot.edge), end);
    if (exact) return;
    chain.exact = false;
    const double off = spot.t == 0 ? nearest(a, a, end).distance : nearest(a, boundary_.end(spot.edge), end).distance;
    chain.deviation = std::max(chain.deviation, off);
  }

  const Boundary& boundary_;
  std::vector<std::optional<GridIndex>> grids_;  // over the edges of a layer
  std::vector<uint32_t> begin_;                  // first edge of each layer
};

class Attachment {
 public:
  Attachment(Environment& environment, const Context& context)
      : environment_(environment),
        context_(context),
        boundary_(environment.layers, environment.connections),
        finder_(boundary_, environment.layers.size()) {}

  Status run() {
    for (uint32_t c = 0; c < environment_.connections.size(); ++c) {
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while joining the layers"};
      if (settled(environment_.connections[c])) continue;
      if (Status status = attach(c); !status.ok()) return status;
    }
    if (edits_.empty()) return Done{};
    const RingEdits applied = applyEdits(environment_.layers, boundary_, edits_);
    if (applied.overlapA != kNone) {
      const Connection& other = environment_.connections[applied.overlapB];
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("{} and connection {} use the same part of the boundary near {}; list each connection "
                               "once, and let them meet in ends only",
                               nameOf(environment_, applied.overlapA), applied.overlapB,
                               nameOf(environment_.lattice.toMetres(other.line.front())))};
    }
    return clean(applied.moved);
  }

 private:
  // Nothing to do: the line is there already, in one direction or the other.
  bool settled(Connection& c) const {
    if (isEdge(c)) return true;
    std::reverse(c.line.begin(), c.line.end());
    if (isEdge(c)) return true;
    std::reverse(c.line.begin(), c.line.end());
    return false;
  }
  bool isEdge(const Connection& c) const {
    for (size_t i = 0; i + 1 < c.line.size(); ++i) {
      if (boundary_.find(c.layerA, c.line[i], c.line[i + 1]) == kNone) return false;
      if (boundary_.find(c.layerB, c.line[i + 1], c.line[i]) == kNone) return false;
    }
    return true;
  }

  // The walks of both layers along the line, if layerA's goes forward and layerB's back, or the other way round.
  struct Pairing {
    std::vector<Chain> a;
    std::vector<Chain> b;
    double deviation = 0;
  };
  std::optional<Pairing> pair(const Connection& c, bool forward) {
    Pairing pairing;
    for (size_t i = 0; i + 1 < c.line.size(); ++i) {
      const Point u = c.line[i];
      const Point v = c.line[i + 1];
      std::optional<Chain> a = forward ? finder_.find(c.layerA, u, v) : finder_.find(c.layerA, v, u);
      if (!a) return std::nullopt;
      std::optional<Chain> b = forward ? finder_.find(c.layerB, v, u) : finder_.find(c.layerB, u, v);
      if (!b) return std::nullopt;
      pairing.deviation = std::max({pairing.deviation, a->deviation, b->deviation});
      pairing.a.push_back(std::move(*a));
      pairing.b.push_back(std::move(*b));
    }
    return pairing;
  }

  Status attach(uint32_t index) {
    Connection& c = environment_.connections[index];
    std::optional<Pairing> forward = pair(c, true);
    std::optional<Pairing> backward = pair(c, false);
    if (!forward && !backward) return explain(index);
    if (!forward || (backward && backward->deviation < forward->deviation)) {
      std::reverse(c.line.begin(), c.line.end());
      std::reverse(backward->a.begin(), backward->a.end());
      std::reverse(backward->b.begin(), backward->b.end());
      forward = std::move(backward);
    }
    if (forward->deviation > 0) {
      context_.note(fmt::format("{}: moved the boundary onto its line near {}, by up to {:.2g} mm",
                                nameOf(environment_, index), nameOf(environment_.lattice.toMetres(c.line.front())),
                                forward->deviation * environment_.lattice.unit * 1000));
    }

    std::vector<Point> line{c.line.front()};
    for (size_t i = 0; i + 1 < c.line.size(); ++i) {
      Chain& a = forward->a[i];
      Chain& b = forward->b[i];
      std::vector<Point> part = merged(c.line[i], c.line[i + 1], a.onLine, b.onLine);
      line.insert(line.end(), part.begin() + 1, part.end());
      edits_.push_back({a.from, a.to, part, a.exact, index});
      std::reverse(part.begin(), part.end());
      edits_.push_back({b.from, b.to, std::move(part), b.exact, index});
    }
    c.line = std::move(line);
    return Done{};
  }

  // The segment with the vertices that either layer has on it.
  static std::vector<Point> merged(Point u, Point v, const std::vector<Point>& a, const std::vector<Point>& b) {
    std::vector<Point> points{u, v};
    points.insert(points.end(), a.begin(), a.end());
    points.insert(points.end(), b.begin(), b.end());
    // Along a straight line the order of points is that of their coordinates.
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.front() != u) std::reverse(points.begin(), points.end());
    return points;
  }

  Status explain(uint32_t index) {
    const Connection& c = environment_.connections[index];
    const auto place = [&](Point p) { return nameOf(environment_.lattice.toMetres(p)); };
    const auto error = [](std::string sentence) { return Error{ErrorCode::kInvalidGeometry, std::move(sentence)}; };
    for (const uint32_t layer : {c.layerA, c.layerB}) {
      const int32_t id = environment_.layers[layer].id;
      for (const Point p : c.line) {
        if (finder_.near(layer, p)) continue;
        const double distance = finder_.distance(layer, p);
        if (!std::isfinite(distance)) {
          return error(fmt::format("{} at {} joins layer {}, which has nothing walkable; remove it",
                                   nameOf(environment_, index), place(p), id));
        }
        return error(
            fmt::format("{}: the point {} lies {:.4f} m from the boundary of layer {}; draw the connection "
                        "along an edge of both layers",
                        nameOf(environment_, index), place(p), distance * environment_.lattice.unit, id));
      }
      for (size_t i = 0; i + 1 < c.line.size(); ++i) {
        if (finder_.find(layer, c.line[i], c.line[i + 1]) || finder_.find(layer, c.line[i + 1], c.line[i])) continue;
        const Point forward = finder_.furthest(layer, c.line[i], c.line[i + 1]);
        const Point back = finder_.furthest(layer, c.line[i + 1], c.line[i]);
        return error(
            fmt::format("{}: the boundary of layer {} does not follow the line from {} to {} but leaves it at {}; draw "
                        "connections along edges of both layers, and end them where an obstacle touches",
                        nameOf(environment_, index), id, place(c.line[i]), place(c.line[i + 1]),
                        place(forward == c.line[i] ? back : forward)));
      }
    }
    return error(
        fmt::format("{} has both layers on the same side at {}: the surface would fold back; one layer must "
                    "end where the other begins",
                    nameOf(environment_, index), place(c.line.front())));
  }

  Status clean(const std::vector<bool>& moved) {
    for (size_t i = 0; i < moved.size(); ++i) {
      if (!moved[i]) continue;
      std::vector<Shape> shapes;
      for (Polygon& polygon : environment_.layers[i].free) {
        Shape& shape = shapes.emplace_back();
        shape.loops = std::move(polygon.holes);
        shape.loops.push_back(std::move(polygon.outer));
      }
      Result<std::vector<Polygon>> free = overlay(
          shapes, [](uint32_t groups) { return groups != 0; }, context_);
      if (!free.ok()) return free.error();
      environment_.layers[i].free = std::move(free).value();
    }
    return Done{};
  }

  Environment& environment_;
  const Context& context_;
  Boundary boundary_;
  ChainFinder finder_;
  std::vector<RingEdit> edits_;
};

}  // namespace

Result<std::vector<Connection>> snapConnections(const EnvironmentDraft& draft) {
  std::vector<std::pair<int32_t, uint32_t>> ids;
  for (uint32_t i = 0; i < draft.layers.size(); ++i) ids.emplace_back(draft.layers[i].id, i);
  std::sort(ids.begin(), ids.end());
  std::vector<Connection> connections;
  for (size_t i = 0; i < draft.connections.size(); ++i) {
    const ConnectionDraft& drawn = draft.connections[i];
    const std::string name = fmt::format("connection {} between layers {} and {}", i, drawn.layerA, drawn.layerB);
    const std::string where = drawn.line.empty() ? "" : " at " + nameOf(drawn.line.front());
    const auto error = [&](const std::string& sentence) {
      return Error{ErrorCode::kInvalidGeometry, name + where + " " + sentence};
    };
    Connection& c = connections.emplace_back();
    for (const auto& [id, index] : {std::pair(drawn.layerA, &c.layerA), std::pair(drawn.layerB, &c.layerB)}) {
      const auto it = std::lower_bound(ids.begin(), ids.end(), std::pair(id, 0U));
      if (it == ids.end() || it->first != id) return error(fmt::format("names layer {}, which does not exist", id));
      *index = it->second;
    }
    if (c.layerA == c.layerB) return error("joins a layer to itself; a connection is between two different layers");
    if (c.layerA > c.layerB) std::swap(c.layerA, c.layerB);
    for (const Vec2 metres : drawn.line) {
      const Result<Point> p = draft.lattice.snap(metres);
      if (!p.ok()) return Error{p.error().code, name + ": " + p.error().message};
      if (c.line.empty() || c.line.back() != *p) c.line.push_back(*p);
    }
    if (c.line.size() < 2 || (c.line.size() < 4 && c.line.front() == c.line.back())) {
      return error("has no length; give it at least two different points");
    }
  }
  return connections;
}

Status attachConnections(Environment& environment, const Context& context) {
  if (environment.connections.empty()) return Done{};
  return Attachment(environment, context).run();
}

void mergeConnections(Environment& environment, const Context& context) {
  if (environment.connections.empty()) return;
  const std::vector<uint32_t> following =
      continuations(Boundary(environment.layers, environment.connections), environment.connections);
  std::vector<bool> follows(following.size(), false);
  for (const uint32_t next : following) {
    if (next != kNone) follows[next] = true;
  }
  std::vector<bool> taken(following.size(), false);
  std::vector<std::pair<uint32_t, Connection>> result;  // the smallest index of each merged group leads it
  const auto take = [&](uint32_t first) {
    Connection line = std::move(environment.connections[first]);
    uint32_t smallest = first;
    uint32_t count = 1;
    taken[first] = true;
    for (uint32_t i = following[first]; i != kNone && !taken[i]; i = following[i]) {
      taken[i] = true;
      smallest = std::min(smallest, i);
      ++count;
      const std::vector<Point>& more = environment.connections[i].line;
      line.line.insert(line.line.end(), more.begin() + 1, more.end());
    }
    if (count > 1) {
      context.note(fmt::format("{} connections between layers {} and {} continue each other from {}: they become one",
                               count, environment.layers[line.layerA].id, environment.layers[line.layerB].id,
                               nameOf(environment.lattice.toMetres(line.line.front()))));
    }
    result.emplace_back(smallest, std::move(line));
  };
  for (uint32_t i = 0; i < following.size(); ++i) {
    if (!follows[i]) take(i);
  }
  // What is left runs in circles.
  for (uint32_t i = 0; i < following.size(); ++i) {
    if (!taken[i]) take(i);
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  environment.connections.clear();
  for (auto& [index, connection] : result) environment.connections.push_back(std::move(connection));
}

}  // namespace wend
