#include "volume/vasfv/scene_bodies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/disjoint_sets.h"
#include "geometry/int128.h"

namespace wend::vasfv {
namespace {

struct Corner {
  uint32_t from;
  uint32_t to;
};

// A directed side of a triangle, by welded corners.
struct TriangleEdge {
  uint32_t low;
  uint32_t high;
  bool forward;  // from low to high
  uint32_t triangle;
};

struct Welded {
  std::vector<std::array<uint32_t, 3>> triangles;  // ids of places
  std::vector<Point3> places;
  std::vector<uint32_t> labels;
};

std::optional<Error> checkScene(const Scene& scene, const GrowthSettings& settings) {
  if (scene.triangles.empty()) return Error{ErrorCode::kEmpty, "the scene has no triangles"};
  if (scene.triangles.size() > settings.maxTriangles) {
    return Error{
        ErrorCode::kLimit,
        fmt::format("the scene has {} triangles; volumes grow among {} at most: simplify it or raise the limit",
                    scene.triangles.size(), settings.maxTriangles)};
  }
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    for (const uint32_t v : scene.triangles[i].vertices) {
      if (v >= scene.vertices.size()) {
        return Error{ErrorCode::kInvalidGeometry, fmt::format("triangle {} names vertex {}, which is not there", i, v)};
      }
      const Vec3 p = scene.vertices[v];
      if (!(std::abs(p.x) <= kMaxSceneCoordinate && std::abs(p.y) <= kMaxSceneCoordinate &&
            std::abs(p.z) <= kMaxSceneCoordinate)) {
        return Error{ErrorCode::kInvalidGeometry,
                     fmt::format("vertex {} at ({}, {}, {}) is not finite or beyond {:g} m", v, p.x, p.y, p.z,
                                 kMaxSceneCoordinate)};
      }
    }
  }
  return std::nullopt;
}

struct Extent {
  Vec3 low;
  Vec3 high;
};

Extent extentOf(const Scene& scene, const GrowthSettings& settings) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Extent extent{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (const Scene::Triangle& triangle : scene.triangles) {
    for (const uint32_t v : triangle.vertices) {
      const Vec3 p = scene.vertices[v];
      extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y), std::min(extent.low.z, p.z)};
      extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y), std::max(extent.high.z, p.z)};
    }
  }
  extent.low = {extent.low.x - settings.around, extent.low.y - settings.around, extent.low.z - settings.below};
  extent.high = {extent.high.x + settings.around, extent.high.y + settings.around, extent.high.z + settings.above};
  return extent;
}

// Whole metres, so that round coordinates of the scene stay on the lattice.
Result<VolumeLattice> latticeFor(const Extent& extent, double wanted) {
  VolumeLattice lattice;
  lattice.origin = {std::round((extent.low.x + extent.high.x) / 2), std::round((extent.low.y + extent.high.y) / 2),
                    std::round((extent.low.z + extent.high.z) / 2)};
  const double reach =
      std::max({extent.high.x - lattice.origin.x, lattice.origin.x - extent.low.x, extent.high.y - lattice.origin.y,
                lattice.origin.y - extent.low.y, extent.high.z - lattice.origin.z, lattice.origin.z - extent.low.z});
  // Two units for rounding and for the thickness of plates.
  const auto fits = [&](double unit) { return reach / unit <= kMaxVolumeCoordinate - 2; };
  if (wanted > 0) {
    lattice.unit = wanted;
    if (fits(wanted)) return lattice;
  } else {
    for (const double unit : {1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
      lattice.unit = unit;
      if (fits(unit)) return lattice;
    }
  }
  return Error{ErrorCode::kOutsideLattice,
               fmt::format("the scene reaches {:.0f} m from its middle, but volumes with a unit of {:g} m reach {:.0f} "
                           "m: choose a coarser unit or cut the scene",
                           reach, lattice.unit, lattice.unit * kMaxVolumeCoordinate)};
}

Point3 snapped(const VolumeLattice& lattice, Vec3 metres) {
  const Vec3 units = lattice.toUnits(metres);
  return {static_cast<int32_t>(std::lround(units.x)), static_cast<int32_t>(std::lround(units.y)),
          static_cast<int32_t>(std::lround(units.z))};
}

// Class of each label of the scene.
Result<std::vector<uint32_t>> classesOf(const Scene& scene, const GrowthSettings& settings) {
  std::vector<uint32_t> classes(std::max<size_t>(scene.labels.size(), 1), 0);
  for (size_t c = 0; c < settings.classes.size(); ++c) {
    for (const std::string& label : settings.classes[c].labels) {
      const auto it = std::find(scene.labels.begin(), scene.labels.end(), label);
      if (it == scene.labels.end()) {
        return Error{
            ErrorCode::kInvalidSettings,
            fmt::format("class '{}' names the label '{}', which the scene has not", settings.classes[c].name, label)};
      }
      classes[static_cast<size_t>(it - scene.labels.begin())] = static_cast<uint32_t>(c + 1);
    }
  }
  return classes;
}

// Triangles with equal corners welded, without degenerate ones and copies that face the same way.
Welded weld(const Scene& scene, const VolumeLattice& lattice, std::span<const uint32_t> classes, GrowthReport& report) {
  Welded welded;
  std::map<Point3, uint32_t> ids;
  std::map<std::array<uint32_t, 3>, uint32_t> seen;
  for (const Scene::Triangle& triangle : scene.triangles) {
    std::array<uint32_t, 3> corners{};
    std::array<Point3, 3> points{};
    for (size_t i = 0; i < 3; ++i) {
      points[i] = snapped(lattice, scene.vertices[triangle.vertices[i]]);
      const auto [it, added] = ids.try_emplace(points[i], static_cast<uint32_t>(welded.places.size()));
      if (added) welded.places.push_back(points[i]);
      corners[i] = it->second;
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    if (!planeThrough(points[0], points[1], points[2]) || !seen.try_emplace(corners, 0).second) {
      ++report.degenerate;
      continue;
    }
    welded.triangles.push_back(corners);
    welded.labels.push_back(triangle.label < classes.size() ? classes[triangle.label] : 0);
  }
  report.triangles = welded.triangles.size();
  return welded;
}

std::vector<TriangleEdge> edgesOf(const Welded& welded, std::span<const uint32_t> triangles) {
  std::vector<TriangleEdge> edges;
  for (const uint32_t t : triangles) {
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t u = welded.triangles[t][i];
      const uint32_t v = welded.triangles[t][(i + 1) % 3];
      edges.push_back({std::min(u, v), std::max(u, v), u < v, t});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const TriangleEdge& a, const TriangleEdge& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return edges;
}

// Calls use(begin, end) for the triangles at each edge.
template <typename Use>
void forEdges(std::span<const TriangleEdge> edges, Use&& use) {
  for (size_t begin = 0; begin < edges.size();) {
    size_t end = begin;
    while (end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high) ++end;
    use(edges.subspan(begin, end - begin));
    begin = end;
  }
}

bool isBalanced(std::span<const TriangleEdge> edges) {
  bool balanced = true;
  forEdges(edges, [&](std::span<const TriangleEdge> here) {
    const auto forward = std::count_if(here.begin(), here.end(), [](const TriangleEdge& e) { return e.forward; });
    if (2 * static_cast<size_t>(forward) != here.size()) balanced = false;
  });
  return balanced;
}

// Groups of triangles joined at edges; with `manifold`, only at edges of exactly two triangles.
std::vector<std::vector<uint32_t>> components(const Welded& welded, std::span<const uint32_t> triangles,
                                              bool manifold) {
  DisjointSets sets(static_cast<uint32_t>(welded.triangles.size()));
  const std::vector<TriangleEdge> edges = edgesOf(welded, triangles);
  forEdges(edges, [&](std::span<const TriangleEdge> here) {
    if (manifold && here.size() != 2) return;
    for (const TriangleEdge& edge : here) sets.join(here.front().triangle, edge.triangle);
  });
  std::map<uint32_t, std::vector<uint32_t>> byRoot;
  for (const uint32_t t : triangles) byRoot[sets.find(t)].push_back(t);
  std::vector<std::vector<uint32_t>> groups;
  for (auto& [root, group] : byRoot) groups.push_back(std::move(group));
  std::sort(groups.begin(), groups.end());
  return groups;
}

// Turns triangles so that neighbours agree. False if an edge has not two triangles, or the surface is one-sided.
bool reorient(Welded& welded, std::span<const uint32_t> group, std::span<const TriangleEdge> edges) {
  std::map<uint32_t, std::vector<std::pair<uint32_t, bool>>> neighbours;  // triangle, same direction over the edge
  bool closed = true;
  forEdges(edges, [&](std::span<const TriangleEdge> here) {
    if (here.size() != 2) {
      closed = false;
      return;
    }
    const bool same = here[0].forward == here[1].forward;
    neighbours[here[0].triangle].emplace_back(here[1].triangle, same);
    neighbours[here[1].triangle].emplace_back(here[0].triangle, same);
  });
  if (!closed) return false;
  std::map<uint32_t, bool> turned{{group.front(), false}};
  std::vector<uint32_t> open{group.front()};
  while (!open.empty()) {
    const uint32_t t = open.back();
    open.pop_back();
    for (const auto& [next, same] : neighbours[t]) {
      const bool turn = turned[t] != same;
      const auto [it, added] = turned.try_emplace(next, turn);
      if (added) open.push_back(next);
      if (it->second != turn) return false;
    }
  }
  for (const auto& [t, turn] : turned) {
    if (turn) std::swap(welded.triangles[t][1], welded.triangles[t][2]);
  }
  return true;
}

// Six times the volume inside closed triangles; its sign says which way they face.
Int128 signedVolume(std::span<const LatticeTriangle> triangles) {
  Int128 sum = 0;
  for (const LatticeTriangle& t : triangles) {
    const Int128 x = Int128{t[1].y} * t[2].z - Int128{t[1].z} * t[2].y;
    const Int128 y = Int128{t[1].z} * t[2].x - Int128{t[1].x} * t[2].z;
    const Int128 z = Int128{t[1].x} * t[2].y - Int128{t[1].y} * t[2].x;
    sum += t[0].x * x + t[0].y * y + t[0].z * z;
  }
  return sum;
}

Body bodyOf(const Welded& welded, std::span<const uint32_t> group, bool closed) {
  Body body;
  body.closed = closed;
  body.label = welded.labels[group.front()];
  for (const uint32_t t : group) {
    const auto& corners = welded.triangles[t];
    body.triangles.push_back({welded.places[corners[0]], welded.places[corners[1]], welded.places[corners[2]]});
    body.labels.push_back(welded.labels[t]);
  }
  return body;
}

// The group as a closed body, turned if it must be; false if it is none.
bool addClosed(Welded& welded, std::span<const uint32_t> group, std::vector<Body>& bodies, GrowthReport& report) {
  const std::vector<TriangleEdge> edges = edgesOf(welded, group);
  bool turned = false;
  if (!isBalanced(edges)) {
    if (!reorient(welded, group, edges)) return false;
    turned = true;
  }
  Body body = bodyOf(welded, group, true);
  const Int128 volume = signedVolume(body.triangles);
  if (volume == 0) return false;
  if (volume < 0) {
    for (LatticeTriangle& triangle : body.triangles) std::swap(triangle[1], triangle[2]);
    turned = true;
  }
  if (turned) ++report.reorientedBodies;
  ++report.closedBodies;
  bodies.push_back(std::move(body));
  return true;
}

}  // namespace

Result<SceneBodies> sceneBodies(const Scene& scene, const GrowthSettings& settings, GrowthReport& report) {
  if (auto error = checkScene(scene, settings)) return *std::move(error);
  const Extent extent = extentOf(scene, settings);
  const Result<VolumeLattice> lattice = latticeFor(extent, settings.unit);
  if (!lattice.ok()) return lattice.error();
  const Result<std::vector<uint32_t>> classes = classesOf(scene, settings);
  if (!classes.ok()) return classes.error();
  SceneBodies result;
  result.lattice = *lattice;
  result.bounds.add(snapped(*lattice, extent.low));
  result.bounds.add(snapped(*lattice, extent.high));
  Welded welded = weld(scene, *lattice, *classes, report);
  std::vector<uint32_t> all(welded.triangles.size());
  std::iota(all.begin(), all.end(), 0);
  // First what is closed by itself, so that a floor that touches a crate does not open the crate; then together.
  std::vector<uint32_t> rest;
  for (const std::vector<uint32_t>& group : components(welded, all, true)) {
    if (!addClosed(welded, group, result.bodies, report)) rest.insert(rest.end(), group.begin(), group.end());
  }
  std::sort(rest.begin(), rest.end());
  for (const std::vector<uint32_t>& group : components(welded, rest, false)) {
    if (addClosed(welded, group, result.bodies, report)) continue;
    report.openTriangles += group.size();
    result.bodies.push_back(bodyOf(welded, group, false));
  }
  return result;
}

}  // namespace wend::vasfv
