#include "generators/neogen/subdivision.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

namespace wend::neogen {

// --- building -------------------------------------------------------------------------------------------------------

Subdivision::Subdivision(const FreeTriangulation& triangulation, std::span<const uint32_t> triangles,
                         std::span<const uint32_t> place) {
  addTriangles(triangulation, triangles, place);
  after_.assign(origin_.size(), kNone);
  before_.assign(origin_.size(), kNone);
  numberFans(triangulation, std::vector<uint32_t>(origin_));
  firstAdded_ = vertexCount();
  ignored_.assign(points_.size(), 0);
  strict_.assign(points_.size(), 0);
  insideConnection_.assign(points_.size(), 0);
  for (uint32_t v = 0; v < vertexCount(); ++v) {
    // Around the fan to the wall that arrives.
    Half h = previous(wallFrom_[v]);
    while (isFree(h)) h = previous(h ^ 1);
    link(h, wallFrom_[v]);
  }
  reflexOnBoundary_.resize(points_.size());
  for (uint32_t v = 0; v < vertexCount(); ++v) reflexOnBoundary_[v] = reflexCorner(wallFrom_[v]) ? 1 : 0;
}

void Subdivision::openWalls(std::span<const std::pair<Point, Point>> connections) {
  const auto rounded = [](Vec2 p) { return Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)}; };
  for (uint32_t v = 0; v < vertexCount() && !connections.empty(); ++v) {
    const Half wall = wallFrom_[v];
    const std::pair edge{rounded(start(wall)), rounded(end(wall))};
    if (std::binary_search(connections.begin(), connections.end(), edge)) kind_[wall >> 1] = Kind::kOpen;
  }
  for (uint32_t v = 0; v < vertexCount(); ++v) {
    if (!isOpen(wallFrom_[v]) || !isOpen(before_[wallFrom_[v]])) continue;
    insideConnection_[v] = isReflexOnBoundary(v) ? 0 : 1;
  }
}

void Subdivision::setAlpha(double alpha) {
  alpha_ = alpha * std::numbers::pi / 180;
  tanAlpha_ = std::tan(alpha_);
}

void Subdivision::addTriangles(const FreeTriangulation& triangulation, std::span<const uint32_t> triangles,
                               std::span<const uint32_t> place) {
  // Half-edge of side i of the k-th triangle, the edge opposite its corner i.
  std::vector<Half> halfOf(3 * triangles.size(), kNone);
  for (uint32_t k = 0; k < triangles.size(); ++k) {
    const Triangulation::Triangle& t = triangulation.triangles[triangles[k]];
    for (uint32_t i = 0; i < 3; ++i) {
      if (halfOf[3 * k + i] != kNone) continue;
      const uint32_t a = t.v[(i + 1) % 3];
      const uint32_t b = t.v[(i + 2) % 3];
      const bool wall = t.n[i] == kNone || t.isFixed(static_cast<int>(i));
      const Half h = newEdge(a, b, wall ? Kind::kWall : Kind::kFree);
      halfOf[3 * k + i] = h;
      if (wall) continue;
      const Triangulation::Triangle& other = triangulation.triangles[t.n[i]];
      for (uint32_t j = 0; j < 3; ++j) {
        if (other.n[j] == triangles[k] && other.v[(j + 1) % 3] == b && other.v[(j + 2) % 3] == a) {
          halfOf[3 * place[t.n[i]] + j] = h ^ 1;
        }
      }
    }
  }
  triangleNext_.assign(origin_.size(), kNone);
  for (size_t k = 0; k < triangles.size(); ++k) setTriangle(halfOf[3 * k], halfOf[3 * k + 1], halfOf[3 * k + 2]);
}

void Subdivision::numberFans(const FreeTriangulation& triangulation, const std::vector<uint32_t>& pointOf) {
  std::fill(origin_.begin(), origin_.end(), kNone);
  for (Half wall = 0; wall < halfCount(); ++wall) {
    if (!isWall(wall) || isOutside(wall)) continue;
    const auto vertex = static_cast<uint32_t>(points_.size());
    points_.push_back(toVec2(triangulation.points[pointOf[wall]]));
    wallFrom_.push_back(wall);
    for (Half h = wall;;) {
      origin_[h] = vertex;
      const Half in = previous(h);
      if (!isFree(in)) {
        origin_[in ^ 1] = vertex;
        break;
      }
      h = in ^ 1;
    }
  }
}

void Subdivision::findSites() {
  std::vector<uint32_t> order(vertexCount());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(points_[a].x, points_[a].y, a) < std::tuple(points_[b].x, points_[b].y, b);
  });
  site_.resize(order.size());
  sibling_.resize(order.size());
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && points_[order[end]] == points_[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) {
      site_[order[i]] = order[begin];
      sibling_[order[i]] = order[i + 1 < end ? i + 1 : begin];
    }
  }
}

Subdivision::Half Subdivision::newEdge(uint32_t from, uint32_t to, Kind kind) {
  const auto h = static_cast<Half>(origin_.size());
  origin_.push_back(from);
  origin_.push_back(to);
  kind_.push_back(kind);
  return h;
}

void Subdivision::setTriangle(Half a, Half b, Half c) {
  triangleNext_[a] = b;
  triangleNext_[b] = c;
  triangleNext_[c] = a;
}

// --- corners --------------------------------------------------------------------------------------------------------

bool Subdivision::inAreaOfInterest(Half out, Vec2 p) const {
  // With both angles at most 180 degrees and alpha, alpha below 90, p cannot lie outside the corner.
  const uint32_t v = origin_[out];
  return !reflexAt(v, end(out), p) && !reflexAt(v, p, start(before_[out]));
}

bool Subdivision::isNotchOfBoundary(uint32_t vertex) const {
  Half in = before_[wallFrom_[vertex]];
  while (isPortal(in)) in = before_[in ^ 1];
  return reflexAt(vertex, end(wallFrom_[vertex]), start(in));
}

Vec2 Subdivision::wallEnd(uint32_t vertex) const {
  uint32_t v = target(wallFrom_[vertex]);
  while (v >= firstAdded_) v = target(wallFrom_[v]);
  return points_[v];
}

Subdivision::Half Subdivision::notchCorner(uint32_t vertex) const {
  if (ignored_[vertex] != 0 || !isReflexOnBoundary(vertex)) return kNone;
  for (Half out = wallFrom_[vertex];;) {
    if (reflexCorner(out)) return out;
    const Half in = before_[out];
    if (isWall(in)) return kNone;
    out = in ^ 1;
  }
}

// --- portals --------------------------------------------------------------------------------------------------------

Subdivision::Half Subdivision::arriving(Half h) const {
  Half in = previous(h);
  while (isFree(in)) in = previous(in ^ 1);
  return in;
}

void Subdivision::mark(Half h) {
  const Half twin = h ^ 1;
  const Half inOrigin = arriving(h);
  const Half inTarget = arriving(twin);
  const Half outOrigin = after_[inOrigin];
  const Half outTarget = after_[inTarget];
  link(inOrigin, h);
  link(h, outTarget);
  link(inTarget, twin);
  link(twin, outOrigin);
  kind_[h >> 1] = Kind::kPortal;
  ++portals_;
}

Subdivision::Removed Subdivision::unmark(Half h) {
  const Half twin = h ^ 1;
  const Removed removed{h, before_[h], after_[h], before_[twin], after_[twin]};
  link(removed.before, removed.twinAfter);
  link(removed.twinBefore, removed.after);
  kind_[h >> 1] = Kind::kFree;
  --portals_;
  return removed;
}

void Subdivision::remark(const Removed& removed) {
  const Half twin = removed.portal ^ 1;
  link(removed.before, removed.portal);
  link(removed.portal, removed.after);
  link(removed.twinBefore, twin);
  link(twin, removed.twinAfter);
  kind_[twin >> 1] = Kind::kPortal;
  ++portals_;
}

void Subdivision::markAll() {
  for (Half h = 0; h < halfCount(); ++h) {
    if (isOutside(h)) continue;
    link(h, next(h));
    if (isWall(h)) continue;
    if ((h & 1) == 0) ++portals_;
  }
  for (Kind& kind : kind_) {
    if (kind == Kind::kFree) kind = Kind::kPortal;
  }
}

// The spoke of the corner that leads to the vertex, or else the edge opposite the corner that the way to it crosses.
Subdivision::Half Subdivision::spokeOrCrossing(Half out, uint32_t vertex, bool& crossing) const {
  const Vec2 v = start(out);
  const Vec2 w = points_[vertex];
  crossing = false;
  for (Half spoke = out;;) {
    const Half opposite = next(spoke);
    const Half in = next(opposite);
    if (origin(in) == vertex) return isFree(in) ? in ^ 1 : kNone;
    const int fromRight = orient(v, start(opposite), w);
    const int toLeft = orient(v, end(opposite), w);
    if (fromRight > 0 && toLeft < 0) {
      crossing = true;
      return opposite;
    }
    if (!isFree(in)) return kNone;
    spoke = in ^ 1;
  }
}

// The free edges between v and the vertex, from `first` on.
bool Subdivision::collectCrossed(Half first, Vec2 v, uint32_t vertex) {
  crossed_.clear();
  const Vec2 w = points_[vertex];
  for (Half edge = first; isFree(edge);) {
    crossed_.push_back(edge);
    const Half right = next(edge ^ 1);
    const uint32_t apex = target(right);
    if (apex == vertex) return true;
    const int side = orient(v, w, points_[apex]);
    if (side == 0) return false;
    edge = side > 0 ? right : next(right);
  }
  return false;
}

// Flips crossed edges until the segment is an edge. Each flip whose new edge still crosses makes room for others; the
// order by turns ends on every input (S. W. Sloan, A fast algorithm for generating constrained Delaunay
// triangulations, 1993).
Subdivision::Half Subdivision::flipUntilEdge(uint32_t v, uint32_t w) {
  const Vec2 from = points_[v];
  const Vec2 to = points_[w];
  Half found = kNone;
  for (size_t i = 0; i < crossed_.size(); ++i) {
    const Half h = crossed_[i];
    const Vec2 c = end(next(h));
    const Vec2 d = end(next(h ^ 1));
    if (orient(c, d, start(h)) * orient(c, d, end(h)) >= 0) {
      crossed_.push_back(h);
      continue;
    }
    flip(h);
    flips_.push_back(h);
    if (origin(h) == v || origin(h) == w || target(h) == v || target(h) == w) {
      if (origin(h) == v && target(h) == w) found = h;
      if (origin(h) == w && target(h) == v) found = h ^ 1;
      continue;
    }
    if (orient(from, to, c) * orient(from, to, d) < 0) crossed_.push_back(h);
  }
  return found;
}

Subdivision::Half Subdivision::connect(Half out, uint32_t vertex) {
  bool crossing = false;
  const Half first = spokeOrCrossing(out, vertex, crossing);
  if (first == kNone) return kNone;
  Half h = first;
  if (crossing) {
    if (!collectCrossed(first, start(out), vertex)) return kNone;
    h = flipUntilEdge(origin(out), vertex);
  }
  mark(h);
  return h;
}

void Subdivision::disconnect(Half h, size_t flips) {
  unmark(h);
  while (flips_.size() > flips) {
    unflip(flips_.back());
    flips_.pop_back();
  }
}

// Edge ab between the triangles abc and bad becomes dc.
void Subdivision::flip(Half h) {
  const Half twin = h ^ 1;
  const Half bc = next(h);
  const Half ca = next(bc);
  const Half ad = next(twin);
  const Half db = next(ad);
  origin_[h] = origin_[db];
  origin_[twin] = origin_[ca];
  setTriangle(h, ca, ad);
  setTriangle(twin, db, bc);
}

void Subdivision::unflip(Half h) {
  const Half twin = h ^ 1;
  const Half ca = next(h);
  const Half ad = next(ca);
  const Half db = next(twin);
  const Half bc = next(db);
  origin_[h] = origin_[ad];
  origin_[twin] = origin_[bc];
  setTriangle(h, bc, ca);
  setTriangle(twin, ad, db);
}

uint32_t Subdivision::splitWall(Half wall, Vec2 p) {
  const Half second = next(wall);
  const Half third = next(second);
  const auto vertex = vertexCount();
  const uint32_t end = target(wall);
  const uint32_t apex = origin(third);
  const Half rest = newEdge(vertex, end, Kind::kWall);
  const Half spoke = newEdge(vertex, apex, Kind::kFree);
  points_.push_back(p);
  ignored_.push_back(0);
  strict_.push_back(0);
  reflexOnBoundary_.push_back(0);
  insideConnection_.push_back(0);
  if (!site_.empty()) {
    site_.push_back(vertex);
    sibling_.push_back(vertex);
  }
  wallFrom_.push_back(rest);
  origin_[wall ^ 1] = vertex;
  triangleNext_.resize(origin_.size(), kNone);
  after_.resize(origin_.size(), kNone);
  before_.resize(origin_.size(), kNone);
  setTriangle(wall, spoke, third);
  setTriangle(rest, second, spoke ^ 1);
  link(rest, after_[wall]);
  link(wall, rest);
  return vertex;
}

void Subdivision::joinWall(Half wall) {
  const Half rest = wallFrom_.back();
  const Half second = next(rest);
  const Half third = previous(wall);
  origin_[wall ^ 1] = target(rest);
  setTriangle(wall, second, third);
  link(wall, after_[rest]);
  points_.pop_back();
  ignored_.pop_back();
  strict_.pop_back();
  reflexOnBoundary_.pop_back();
  insideConnection_.pop_back();
  wallFrom_.pop_back();
  if (!site_.empty()) {
    site_.pop_back();
    sibling_.pop_back();
  }
  // The wall's second part and the spoke.
  origin_.resize(rest);
  triangleNext_.resize(rest);
  after_.resize(rest);
  before_.resize(rest);
  kind_.resize(rest / 2);
}

// --- results --------------------------------------------------------------------------------------------------------

std::vector<Subdivision::Half> Subdivision::portals() const {
  std::vector<Half> out;
  out.reserve(portals_);
  for (Half h = 0; h < halfCount(); h += 2) {
    if (isPortal(h)) out.push_back(h);
  }
  return out;
}

bool Subdivision::hasPortal(uint32_t vertex) const {
  return isPortal(before_[wallFrom_[vertex]]);
}

Subdivision::Loops Subdivision::loops() const {
  Loops out;
  std::vector<uint8_t> done(halfCount(), 0);
  for (Half first = 0; first < halfCount(); ++first) {
    if (done[first] != 0 || isFree(first) || isOutside(first)) continue;
    for (Half h = first; done[h] == 0; h = after_[h]) {
      done[h] = 1;
      if (origin(h) < firstAdded_ || hasPortal(origin(h))) out.points.push_back(start(h));
    }
    out.begin.push_back(static_cast<uint32_t>(out.points.size()));
  }
  return out;
}

}  // namespace wend::neogen
