#include "scene/boxed_bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "base/disjoint_sets.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

constexpr size_t kTrianglesOfBox = 12;
// A body lower than this is a floor, metres.
constexpr double kLevel = 0.01;

// Of each vertex, the first at the same place.
std::vector<uint32_t> firstAtPlace(const std::vector<Vec3>& vertices) {
  std::vector<uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](uint32_t i) { return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z); };
  std::sort(order.begin(), order.end(),
            [&](uint32_t i, uint32_t k) { return key(i) != key(k) ? key(i) < key(k) : i < k; });
  std::vector<uint32_t> first(vertices.size());
  for (size_t i = 0; i < order.size(); ++i) {
    first[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? first[order[i - 1]] : order[i];
  }
  return first;
}

std::vector<Vec2> hullOf(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(), [](Vec2 p, Vec2 q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
  std::vector<Vec2> hull;
  const auto half = [&](auto begin, auto end) {
    const size_t from = hull.size();
    for (auto it = begin; it != end; ++it) {
      const auto turns = [&] {
        const Vec2 a = hull[hull.size() - 2];
        const Vec2 b = hull.back();
        return (b.x - a.x) * (it->y - a.y) - (b.y - a.y) * (it->x - a.x) > 0;
      };
      while (hull.size() >= from + 2 && !turns()) hull.pop_back();
      hull.push_back(*it);
    }
    hull.pop_back();
  };
  half(points.begin(), points.end());
  half(points.rbegin(), points.rend());
  return hull;
}

// The rectangle of least area around some points, counter-clockwise. One of its sides lies along the hull.
std::array<Vec2, 4> rectangleAround(const std::vector<Vec2>& points) {
  const std::vector<Vec2> hull = hullOf(points);
  std::array<Vec2, 4> best{};
  double least = INFINITY;
  for (size_t i = 0; i < std::max<size_t>(hull.size(), 1); ++i) {
    Vec2 u{1, 0};
    if (hull.size() > 1) {
      const Vec2 a = hull[i];
      const Vec2 b = hull[i + 1 == hull.size() ? 0 : i + 1];
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      if (length == 0) continue;
      u = {(b.x - a.x) / length, (b.y - a.y) / length};
    }
    double fromU = INFINITY;
    double toU = -INFINITY;
    double fromV = INFINITY;
    double toV = -INFINITY;
    for (const Vec2 p : points) {
      const double along = p.x * u.x + p.y * u.y;
      const double across = p.y * u.x - p.x * u.y;
      fromU = std::min(fromU, along);
      toU = std::max(toU, along);
      fromV = std::min(fromV, across);
      toV = std::max(toV, across);
    }
    const double area = (toU - fromU) * (toV - fromV);
    if (area >= least) continue;
    least = area;
    const auto at = [&](double along, double across) {
      return Vec2{along * u.x - across * u.y, along * u.y + across * u.x};
    };
    best = {at(fromU, fromV), at(toU, fromV), at(toU, toV), at(fromU, toV)};
  }
  return best;
}

void addBox(const std::array<Vec2, 4>& base, double low, double high, uint32_t label, Scene& scene) {
  const auto first = static_cast<uint32_t>(scene.vertices.size());
  for (const double z : {low, high}) {
    for (const Vec2 p : base) scene.vertices.push_back({p.x, p.y, z});
  }
  const auto quad = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    scene.triangles.push_back({{first + a, first + b, first + c}, label});
    scene.triangles.push_back({{first + a, first + c, first + d}, label});
  };
  quad(3, 2, 1, 0);
  quad(4, 5, 6, 7);
  for (uint32_t i = 0; i < 4; ++i) quad(i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4);
}

}  // namespace

BoxedScene withBoxes(const Scene& scene, double size) {
  for (const Scene::Triangle& t : scene.triangles) {
    for (const uint32_t v : t.vertices) {
      if (v >= scene.vertices.size()) return {scene, 0};  // the reader of the scene names the fault
    }
  }
  for (const Vec3& v : scene.vertices) {
    if (!(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z))) return {scene, 0};
  }
  const std::vector<uint32_t> first = firstAtPlace(scene.vertices);
  DisjointSets sets(scene.vertices.size());
  for (const Scene::Triangle& t : scene.triangles) {
    sets.join(first[t.vertices[0]], first[t.vertices[1]]);
    sets.join(first[t.vertices[0]], first[t.vertices[2]]);
  }
  std::vector<std::vector<uint32_t>> members(scene.vertices.size());  // triangles, by the root of their corners
  for (uint32_t i = 0; i < scene.triangles.size(); ++i) {
    members[sets.find(first[scene.triangles[i].vertices[0]])].push_back(i);
  }
  BoxedScene result;
  result.scene.labels = scene.labels;
  result.scene.vertices = scene.vertices;
  std::vector<uint8_t> gone(scene.triangles.size(), 0);
  Scene boxes;
  for (const std::vector<uint32_t>& body : members) {
    if (body.size() <= kTrianglesOfBox) continue;
    Vec3 least{INFINITY, INFINITY, INFINITY};
    Vec3 most{-INFINITY, -INFINITY, -INFINITY};
    std::vector<Vec2> points;
    for (const uint32_t i : body) {
      for (const uint32_t v : scene.triangles[i].vertices) {
        const Vec3& p = scene.vertices[v];
        least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
        most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
        points.push_back({p.x, p.y});
      }
    }
    if (!(most.x - least.x <= size * std::sqrt(2.0) && most.y - least.y <= size * std::sqrt(2.0) &&
          most.z - least.z <= size && most.z - least.z >= kLevel)) {
      continue;
    }
    const std::array<Vec2, 4> base = rectangleAround(points);
    if (std::hypot(base[1].x - base[0].x, base[1].y - base[0].y) > size ||
        std::hypot(base[2].x - base[1].x, base[2].y - base[1].y) > size) {
      continue;
    }
    addBox(base, least.z, most.z, scene.triangles[body[0]].label, boxes);
    for (const uint32_t i : body) gone[i] = 1;
    ++result.bodies;
  }
  for (uint32_t i = 0; i < scene.triangles.size(); ++i) {
    if (gone[i] == 0) result.scene.triangles.push_back(scene.triangles[i]);
  }
  const auto shift = static_cast<uint32_t>(result.scene.vertices.size());
  result.scene.vertices.insert(result.scene.vertices.end(), boxes.vertices.begin(), boxes.vertices.end());
  for (Scene::Triangle t : boxes.triangles) {
    for (uint32_t& v : t.vertices) v += shift;
    result.scene.triangles.push_back(t);
  }
  return result;
}

}  // namespace wend
