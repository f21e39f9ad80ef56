#include <cmath>

#include <fmt/format.h>

#include "generators/ecm/diagram.h"
#include "geometry/vec2.h"
#include "geometry/voronoi/voronoi.h"

namespace wend::ecm {
namespace {

Vec2 from(Point a, Vec2 p) {
  return {p.x - a.x, p.y - a.y};
}

class Checker {
 public:
  explicit Checker(const Diagram& diagram) : d_(diagram) {}

  std::string run() {
    for (auto step : {&Checker::checkIds, &Checker::checkChains, &Checker::checkStars, &Checker::checkGeometry}) {
      std::string fault = (this->*step)();
      if (!fault.empty()) return fault;
    }
    return {};
  }

 private:
  std::string place(uint32_t site) const {
    const Diagram::Site& s = d_.sites[site];
    if (s.isPoint()) return fmt::format("point {} at ({}, {}) of layer {}", site, s.a.x, s.a.y, s.layer);
    return fmt::format("segment {} from ({}, {}) to ({}, {}) of layer {}", site, s.a.x, s.a.y, s.b.x, s.b.y, s.layer);
  }
  bool hasSite(uint32_t id) const { return id < d_.sites.size() && !d_.sites[id].removed; }
  bool hasVertex(uint32_t id) const { return id < d_.vertices.size() && !d_.vertices[id].removed; }
  bool hasEdge(uint32_t id) const { return id < d_.edges.size() && !d_.edges[id].removed; }
  bool isBare(uint32_t site) const { return d_.sites[site].isPoint() && d_.sites[site].before == kNone; }

  std::string checkIds() {
    if (d_.edges.size() % 2 != 0) return "the number of half-edges is odd";
    for (uint32_t i = 0; i < d_.sites.size(); ++i) {
      const Diagram::Site& s = d_.sites[i];
      if (s.removed) continue;
      if (s.first != kNone && !hasEdge(s.first)) return fmt::format("the chain of {} is missing", place(i));
      if (isBare(i)) continue;
      if (!hasSite(s.before) || !hasSite(s.after)) return fmt::format("{} has no neighbours", place(i));
      if (d_.sites[s.before].after != i || d_.sites[s.after].before != i) {
        return fmt::format("the neighbours of {} are not mutual", place(i));
      }
      if (d_.sites[s.before].isPoint() == s.isPoint() || d_.sites[s.after].isPoint() == s.isPoint()) {
        return fmt::format("the neighbours of {} are of its own kind", place(i));
      }
      if (s.isPoint() && (!hasVertex(s.corner) || d_.vertices[s.corner].p != toVec2(s.a))) {
        return fmt::format("{} has no corner vertex", place(i));
      }
      if (!s.isPoint() && s.first == kNone) return fmt::format("{} has no chain", place(i));
      if (!s.isPoint() && (d_.sites[s.before].a != s.a || d_.sites[s.after].a != s.b)) {
        return fmt::format("{} does not end in its neighbours", place(i));
      }
    }
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      const Diagram::HalfEdge& half = d_.edges[e];
      if (half.removed != d_.edges[e ^ 1].removed) return fmt::format("only one half of edge {} is removed", e / 2);
      if (half.removed) continue;
      if (!hasSite(half.site)) return fmt::format("half-edge {} has no site", e);
      if (!hasVertex(half.start)) return fmt::format("half-edge {} of {} has no start", e, place(half.site));
      if (half.secondary != d_.edges[e ^ 1].secondary) return fmt::format("half-edge {} is half a normal", e);
      if (half.next == kNone) continue;
      if (!hasEdge(half.next) || d_.edges[half.next].previous != e) {
        return fmt::format("the chain of {} is not linked both ways", place(half.site));
      }
      if (d_.edges[half.next].site != half.site) return fmt::format("the chain of {} leaves it", place(half.site));
      if (d_.edges[half.next].start != d_.end(e)) return fmt::format("the chain of {} is broken", place(half.site));
    }
    return {};
  }

  std::string checkChains() {
    std::vector<uint8_t> seen(d_.edges.size(), 0);
    for (uint32_t i = 0; i < d_.sites.size(); ++i) {
      const Diagram::Site& s = d_.sites[i];
      if (s.removed || s.first == kNone) continue;
      if (d_.edges[s.first].site != i) return fmt::format("{} begins in a foreign chain", place(i));
      if (!isBare(i) && d_.edges[s.first].previous != kNone) {
        return fmt::format("the chain of {} does not begin at its first half-edge", place(i));
      }
      uint32_t last = kNone;
      for (uint32_t e = s.first; e != kNone && seen[e] == 0; e = d_.edges[e].next) {
        seen[e] = 1;
        last = e;
      }
      if (isBare(i)) {
        if (d_.edges[last].next != s.first) return fmt::format("the ring of {} does not close", place(i));
        continue;
      }
      if (d_.edges[last].next != kNone) return fmt::format("the chain of {} does not end", place(i));
      std::string fault = checkEnds(i, s.first, last);
      if (!fault.empty()) return fault;
    }
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      if (!d_.edges[e].removed && seen[e] == 0) {
        return fmt::format("half-edge {} is in no chain of {}", e, place(d_.edges[e].site));
      }
    }
    return {};
  }

  // Chains begin and end in the right corners, and with a normal exactly where the end is a notch.
  std::string checkEnds(uint32_t site, uint32_t first, uint32_t last) const {
    const Diagram::Site& s = d_.sites[site];
    const uint32_t begin = s.isPoint() ? site : s.after;
    const uint32_t end = s.isPoint() ? site : s.before;
    if (d_.edges[first].start != d_.sites[begin].corner || d_.end(last) != d_.sites[end].corner) {
      return fmt::format("the chain of {} does not join its corners", place(site));
    }
    for (const uint32_t e : {first, last}) {
      const uint32_t neighbour = s.isPoint() ? (e == first ? s.after : s.before) : (e == first ? begin : end);
      const bool notch = s.isPoint() || d_.sites[neighbour].first != kNone;
      if (d_.edges[e].secondary != notch) return fmt::format("{} has a wrong normal", place(site));
      const uint32_t beside = notch ? neighbour : (e == first ? d_.sites[neighbour].after : d_.sites[neighbour].before);
      if (d_.across(e) != beside) return fmt::format("{} and {} are not neighbours", place(site), place(beside));
    }
    if (first == last) return fmt::format("the chain of {} has one half-edge", place(site));
    for (uint32_t e = d_.edges[first].next; e != last; e = d_.edges[e].next) {
      if (d_.edges[e].secondary) return fmt::format("a normal lies inside the chain of {}", place(site));
    }
    return {};
  }

  // The half-edges that leave a vertex form one star. From a corner one arc leaves, from a notch its two normals.
  std::string checkStars() {
    std::vector<uint32_t> leaving(d_.vertices.size(), 0);
    std::vector<uint32_t> one(d_.vertices.size(), kNone);
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      if (d_.edges[e].removed) continue;
      ++leaving[d_.edges[e].start];
      one[d_.edges[e].start] = e;
    }
    for (uint32_t i = 0; i < d_.sites.size(); ++i) {
      const Diagram::Site& s = d_.sites[i];
      if (s.removed || s.corner == kNone) continue;
      if (leaving[s.corner] != (s.first == kNone ? 1U : 2U)) {
        return fmt::format("{} edges leave the corner of {}", leaving[s.corner], place(i));
      }
      one[s.corner] = kNone;
    }
    for (uint32_t v = 0; v < d_.vertices.size(); ++v) {
      if (d_.vertices[v].removed || one[v] == kNone) continue;
      uint32_t count = 0;
      uint32_t e = one[v];
      do {
        ++count;
        e = d_.nextAround(e);
      } while (e != kNone && e != one[v] && count <= leaving[v]);
      if (e != one[v] || count != leaving[v] || count < 2) {
        return fmt::format("the vertex at ({}, {}) is pinched", d_.vertices[v].p.x, d_.vertices[v].p.y);
      }
    }
    return {};
  }

  // Lattice units; what the vertex and a few operations on its coordinates may be off, seen from the site. Near the
  // origin vertices are more exact than distances from an end far away.
  static double errorAt(Vec2 p, const Diagram::Site& site) {
    const Vec2 away = from(site.a, p);
    return 8 * kVoronoiError * std::max({1.0, std::abs(p.x), std::abs(p.y)}) +
           1e-15 * (std::abs(away.x) + std::abs(away.y));
  }

  double distance(uint32_t site, Vec2 p) const {
    const Diagram::Site& s = d_.sites[site];
    const Vec2 v = from(s.a, p);
    if (s.isPoint()) return std::hypot(v.x, v.y);
    const Vec2 u = from(s.a, toVec2(s.b));
    return cross(u, v) / std::hypot(u.x, u.y);
  }

  std::string checkGeometry() {
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      const Diagram::HalfEdge& half = d_.edges[e];
      if (half.removed) continue;
      const Diagram::Vertex& v = d_.vertices[half.start];
      const Diagram::Vertex& w = d_.vertices[d_.end(e)];
      const Diagram::Site& s = d_.sites[half.site];
      for (const Diagram::Vertex* end : {&v, &w}) {
        if (!(std::abs(distance(half.site, end->p) - end->clearance) <= errorAt(end->p, s) + 1e-15 * end->clearance)) {
          return fmt::format("the vertex at ({}, {}) is {:g} units from {}, but its clearance is {:g}", end->p.x,
                             end->p.y, distance(half.site, end->p), place(half.site), end->clearance);
        }
      }
      if (s.isPoint()) continue;
      const Vec2 u = from(s.a, toVec2(s.b));
      const double length = std::hypot(u.x, u.y);
      const double error = errorAt(v.p, s) + errorAt(w.p, s);
      const double along = dot(u, from(s.a, v.p)) / length;
      const double then = dot(u, from(s.a, w.p)) / length;
      if (then > along + error || along > length + error || then < -error) {
        return fmt::format("the cell of {} is folded", place(half.site));
      }
    }
    return {};
  }

  const Diagram& d_;
};

}  // namespace

std::string findDiagramFault(const Diagram& diagram) {
  return Checker(diagram).run();
}

}  // namespace wend::ecm
