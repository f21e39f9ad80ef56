#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <wend/environment.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generators/ecm/diagram.h"
#include "generators/ecm/medial_axis.h"
#include "generators/ecm/open_connections.h"
#include "tests/generators/ecm/laws.h"

// What opening connections must give.
namespace wend::ecm {

struct Opened {
  Diagram diagram;
  CorridorMap map;
  OpeningStats stats;
};

// What this executable has built so far.
struct OpenTally {
  uint64_t worlds = 0;
  uint64_t layers = 0;       // one Voronoi diagram each
  uint64_t constructed = 0;  // layers whose diagram needed a second construction
  uint64_t simple = 0;
  uint64_t swept = 0;
};
inline OpenTally openTally;

// Empty when right, else one sentence.
inline std::string openInto(Opened& opened, const Environment& environment, const OpeningSettings& settings = {}) {
  Context serial;
  serial.threads = 1;
  Result<Diagram> diagram = buildDiagram(environment, serial);
  if (!diagram.ok()) return diagram.error().message;
  const Result<OpeningStats> stats = openConnections(*diagram, environment, settings, serial);
  if (!stats.ok()) return stats.error().message;
  if (const std::string fault = findDiagramFault(*diagram); !fault.empty()) return fault;
  opened.stats = *stats;
  opened.map = makeCorridorMap(*diagram, environment.lattice);
  ++openTally.worlds;
  openTally.layers += environment.layers.size();
  openTally.constructed += diagram->voronoiAttempts;
  openTally.simple += stats->simple;
  openTally.swept += stats->swept;
  if (const std::string fault = semiVertexFault(opened.map, *diagram); !fault.empty()) return fault;
  opened.diagram = std::move(*diagram);
  return "";
}

// The first difference of two maps in counts or in places of vertices and bending points, or empty.
inline std::string findDifference(const CorridorMap& a, const CorridorMap& b, double tolerance) {
  const MapCounts counts = countsOf(a);
  const MapCounts wanted = countsOf(b);
  if (counts != wanted) {
    return fmt::format("V {} E {} BP {} instead of V {} E {} BP {}", counts.vertices, counts.edges,
                       counts.bendingPoints, wanted.vertices, wanted.edges, wanted.bendingPoints);
  }
  const auto unmatched = [&](std::vector<Vec2> have, std::vector<Vec2> want) -> std::string {
    const auto less = [](Vec2 p, Vec2 q) { return p.x < q.x; };
    std::sort(have.begin(), have.end(), less);
    std::sort(want.begin(), want.end(), less);
    std::vector<bool> used(have.size(), false);
    for (const Vec2 p : want) {
      auto it = std::lower_bound(have.begin(), have.end(), Vec2{p.x - tolerance, 0}, less);
      for (; it != have.end() && it->x <= p.x + tolerance; ++it) {
        const auto i = static_cast<size_t>(it - have.begin());
        if (used[i] || std::abs(it->y - p.y) > tolerance) continue;
        used[i] = true;
        break;
      }
      if (it == have.end() || it->x > p.x + tolerance) return fmt::format("nothing at ({}, {})", p.x, p.y);
    }
    return "";
  };
  std::vector<Vec2> have;
  std::vector<Vec2> want;
  for (const auto& v : a.vertices) have.push_back(v.p);
  for (const auto& v : b.vertices) want.push_back(v.p);
  if (std::string fault = unmatched(have, want); !fault.empty()) return "vertices: " + fault;
  have.clear();
  want.clear();
  for (const auto& p : a.bendingPoints) have.push_back(p.p);
  for (const auto& p : b.bendingPoints) want.push_back(p.p);
  if (std::string fault = unmatched(have, want); !fault.empty()) return "bending points: " + fault;
  return "";
}

}  // namespace wend::ecm
