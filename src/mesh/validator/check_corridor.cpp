#include "mesh/validator/check_corridor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wend {
namespace {

bool fits(Vec2 p) {
  return std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate;
}
bool fits(Point p) {
  return fits(toVec2(p));
}
// A length or clearance; NaN is none.
bool measures(double value) {
  return value >= 0 && std::isfinite(value);
}

class Checker {
 public:
  Checker(const CorridorMap& map, size_t layers, size_t cells) : m_(map), layers_(layers), cells_(cells) {}

  std::string run() {
    for (auto step : {&Checker::sizes, &Checker::places, &Checker::edges, &Checker::stars, &Checker::cells}) {
      std::string fault = (this->*step)();
      if (!fault.empty()) return "the medial axis is broken: " + fault;
    }
    return {};
  }

 private:
  std::string sizes() {
    const size_t largest = std::max({m_.sites.size(), m_.vertices.size(), m_.edges.size(), m_.bendingPoints.size()});
    if (largest >= kNone / 2) return fmt::format("an array has {} entries", largest);
    if (m_.arcs.size() != m_.bendingPoints.size()) {
      return fmt::format("there are {} bending points and {} arcs", m_.bendingPoints.size(), m_.arcs.size());
    }
    if (m_.out.size() != 2 * m_.edges.size()) {
      return fmt::format("{} edges leave vertices {} times", m_.edges.size(), m_.out.size());
    }
    return {};
  }

  std::string places() {
    for (size_t i = 0; i < m_.sites.size(); ++i) {
      const auto& site = m_.sites[i];
      const bool point = site.kind == CorridorMap::SiteKind::kPoint;
      if (!fits(site.a) || !fits(site.b) || (site.a == site.b) != point || site.layer >= layers_ ||
          site.kind > CorridorMap::SiteKind::kSegment) {
        return fmt::format("site {} is not an obstacle", i);
      }
    }
    for (size_t i = 0; i < m_.vertices.size(); ++i) {
      const auto& vertex = m_.vertices[i];
      if (!fits(vertex.p) || !measures(vertex.clearance) || vertex.layer >= layers_) {
        return fmt::format("vertex {} has no place", i);
      }
    }
    for (size_t i = 0; i < m_.bendingPoints.size(); ++i) {
      const auto& bp = m_.bendingPoints[i];
      if (!fits(bp.p) || !fits(bp.l) || !fits(bp.r) || !measures(bp.clearance) ||
          std::max({bp.layer, bp.layerL, bp.layerR}) >= layers_) {
        return fmt::format("bending point {} has no place", i);
      }
    }
    return {};
  }

  std::string edges() {
    size_t next = 0;
    for (size_t i = 0; i < m_.edges.size(); ++i) {
      const auto& edge = m_.edges[i];
      if (edge.first != next || edge.count < 2 || edge.count > m_.bendingPoints.size() - next) {
        return fmt::format("edge {} has no bending points", i);
      }
      next += edge.count;
      if (edge.from >= m_.vertices.size() || edge.to >= m_.vertices.size()) return fmt::format("edge {} has no end", i);
      if (!measures(edge.length) || !measures(edge.minClearance)) return fmt::format("edge {} has no length", i);
      for (size_t k = edge.first; k < next; ++k) {
        const auto& arc = m_.arcs[k];
        const bool last = k + 1 == next;
        const auto known = [&](uint32_t site) { return last ? site == kNone : site < m_.sites.size(); };
        if (!known(arc.left) || !known(arc.right) || !measures(arc.length) || !measures(arc.minClearance)) {
          return fmt::format("arc {} has no sites", k);
        }
      }
    }
    return next == m_.bendingPoints.size() ? "" : "there are bending points without edge";
  }

  std::string stars() {
    std::vector<uint8_t> seen(m_.out.size(), 0);
    size_t next = 0;
    for (size_t v = 0; v < m_.vertices.size(); ++v) {
      const auto& vertex = m_.vertices[v];
      if (vertex.firstOut != next || vertex.degree > m_.out.size() - next) {
        return fmt::format("the edges around vertex {} are missing", v);
      }
      next += vertex.degree;
      for (size_t k = vertex.firstOut; k < next; ++k) {
        const uint32_t half = m_.out[k];
        if (half >= seen.size() || seen[half] != 0) return fmt::format("vertex {} has a wrong edge", v);
        seen[half] = 1;
        const auto& edge = m_.edges[half / 2];
        if ((half % 2 == 0 ? edge.from : edge.to) != v) return fmt::format("vertex {} has a foreign edge", v);
      }
    }
    return next == m_.out.size() ? "" : "an edge leaves no vertex";
  }

  std::string cells() {
    if (m_.cellArc.size() != cells_) return fmt::format("{} cells have {} arcs", cells_, m_.cellArc.size());
    for (size_t i = 0; i < m_.cellArc.size(); ++i) {
      if (m_.cellArc[i] >= m_.arcs.size() || m_.arcs[m_.cellArc[i]].left == kNone) {
        return fmt::format("cell {} has no arc", i);
      }
    }
    return {};
  }

  const CorridorMap& m_;
  size_t layers_;
  size_t cells_;
};

}  // namespace

std::string findCorridorFault(const CorridorMap& map, size_t layers, size_t cells) {
  return Checker(map, layers, cells).run();
}

}  // namespace wend
