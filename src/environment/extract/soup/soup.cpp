#include "environment/extract/soup/soup.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "base/parallel.h"
#include "environment/extract/soup/first_equal.h"

namespace wend::extraction {
namespace {

constexpr size_t kBlock = 4096;
// Less than this much of a wall's normal points up or down.
constexpr double kWallSlope = 0.2;

double square(const Vec3& v) {
  return v.x * v.x + v.y * v.y + v.z * v.z;
}

// Two sides of a triangle, from its first corner. All numbers are whole.
struct Sides {
  Vec3 u, w;
  explicit Sides(const std::array<Point3, 3>& p)
      : u{double(p[1].x) - p[0].x, double(p[1].y) - p[0].y, double(p[1].z) - p[0].z},
        w{double(p[2].x) - p[0].x, double(p[2].y) - p[0].y, double(p[2].z) - p[0].z} {}

  // As long as twice the area.
  Vec3 normal() const { return {u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x}; }
  double longest() const {
    const Vec3 third{w.x - u.x, w.y - u.y, w.z - u.z};
    return std::sqrt(std::max(std::max(square(u), square(third)), square(w)));
  }
};

// Twice the area in top view. That fits, being less than the area of a box: what overflows on the way cancels.
int64_t doubledAreaOf(Point a, Point b, Point c) {
  const auto off = [](int32_t from, int32_t to) { return static_cast<uint64_t>(int64_t{to} - from); };
  return static_cast<int64_t>(off(a.x, b.x) * off(a.y, c.y) - off(a.y, b.y) * off(a.x, c.x));
}

class SoupMaker {
 public:
  SoupMaker(const Scene& scene, const ExtractSettings& settings, const Context& context)
      : scene_(scene),
        settings_(settings),
        context_(context),
        cosine_(std::cos(settings.slope * std::numbers::pi / 180) - 1e-9),
        slack_(std::sin(settings.slope * std::numbers::pi / 180) * settings.slopeSlack * std::numbers::pi / 180),
        grain_(Tolerances(settings).grain),
        idOf_(scene.vertices.size()) {}

  Result<Soup> run() {
    if (Status status = snap(); !status.ok()) return status.error();
    if (Status status = checkTriangles(); !status.ok()) return status.error();
    chooseTriangles();
    return std::move(soup_);
  }

 private:
  // Calls body(block, begin, end) for blocks of n items.
  template <typename Body>
  void forBlocks(size_t n, const Body& body) const {
    parallelFor((n + kBlock - 1) / kBlock, context_,
                [&](size_t block) { body(block, block * kBlock, std::min(n, (block + 1) * kBlock)); });
  }

  // How many of n items are kept before each block; at the end, of all.
  template <typename IsKept>
  std::vector<uint32_t> keptBefore(size_t n, const IsKept& isKept) const {
    std::vector<uint32_t> before((n + kBlock - 1) / kBlock + 1, 0);
    forBlocks(n, [&](size_t block, size_t begin, size_t end) {
      uint32_t kept = 0;
      for (size_t i = begin; i < end; ++i) kept += isKept(i) ? 1 : 0;
      before[block + 1] = kept;
    });
    std::partial_sum(before.begin(), before.end(), before.begin());
    return before;
  }

  Status snap() {
    std::vector<Point3> snapped(scene_.vertices.size());
    std::vector<uint32_t> bad((scene_.vertices.size() + kBlock - 1) / kBlock, kNone);
    const double unit = settings_.lattice.unit;
    forBlocks(snapped.size(), [&](size_t block, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const Vec3& v = scene_.vertices[i];
        const std::array<double, 3> units{v.x / unit, v.y / unit, v.z / unit};
        for (const double c : units) {
          if (!(std::abs(c) <= kMaxCoordinate)) bad[block] = std::min(bad[block], static_cast<uint32_t>(i));
        }
        if (bad[block] != kNone) return;
        snapped[i] = {rounded(units[0]), rounded(units[1]), rounded(units[2])};
      }
    });
    const uint32_t first = bad.empty() ? kNone : *std::min_element(bad.begin(), bad.end());
    if (first != kNone) return badVertex(first);
    const auto hashOf = [&](uint32_t i) {
      return orderOf(snapped[i].top()) ^ static_cast<uint32_t>(snapped[i].z) * 0xc2b2ae3d27d4eb4fULL;
    };
    const std::vector<uint32_t> same =
        firstEquals(snapped.size(), context_, hashOf, [&](uint32_t i, uint32_t j) { return snapped[i] == snapped[j]; });
    const std::vector<uint32_t> before = keptBefore(snapped.size(), [&](size_t i) { return same[i] == i; });
    soup_.points.resize(before.back());
    forBlocks(snapped.size(), [&](size_t block, size_t begin, size_t end) {
      uint32_t id = before[block];
      for (size_t i = begin; i < end; ++i) {
        if (same[i] != i) continue;
        soup_.points[id] = snapped[i];
        idOf_[i] = id++;
      }
    });
    forBlocks(snapped.size(), [&](size_t, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (same[i] != i) idOf_[i] = idOf_[same[i]];
      }
    });
    return Done{};
  }

  Error badVertex(uint32_t i) const {
    const Vec3& v = scene_.vertices[i];
    const bool finite = std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    return {finite ? ErrorCode::kOutsideLattice : ErrorCode::kInvalidGeometry,
            fmt::format("vertex {} at ({:g}, {:g}, {:g}) m {}", i, v.x, v.y, v.z,
                        finite ? fmt::format("lies beyond {:g} m; choose a coarser lattice unit or move the scene to "
                                             "the origin",
                                             settings_.lattice.reach())
                               : "is not a finite point; repair the scene")};
  }

  Status checkTriangles() const {
    for (size_t i = 0; i < scene_.triangles.size(); ++i) {
      for (const uint32_t v : scene_.triangles[i].vertices) {
        if (v < scene_.vertices.size()) continue;
        return Error{
            ErrorCode::kInvalidGeometry,
            fmt::format("triangle {} names vertex {}, but the scene has {} vertices", i, v, scene_.vertices.size())};
      }
    }
    return Done{};
  }

  // Without triangles that have no area, and without copies.
  void chooseTriangles() {
    const size_t n = scene_.triangles.size();
    std::vector<Triangle>& triangles = soup_.triangles;
    triangles.resize(n);
    std::vector<uint8_t> degenerate(n, 0);
    std::vector<Box> boxes((n + kBlock - 1) / kBlock);
    forBlocks(n, [&](size_t block, size_t begin, size_t end) {
      Box box;
      for (size_t i = begin; i < end; ++i) {
        Triangle& t = triangles[i];
        t.source = static_cast<uint32_t>(i);
        t.label = scene_.triangles[i].label < scene_.labels.size() ? scene_.triangles[i].label : 0;
        t.v = cornersOf(scene_.triangles[i]);
        degenerate[i] = describe(t) ? 0 : 1;
        if (degenerate[i] == 0) box = joined(box, t.box);
      }
      boxes[block] = box;
    });
    for (const Box& box : boxes) soup_.box = joined(soup_.box, box);
    const auto hashOf = [&](uint32_t i) {
      const std::array<uint32_t, 3>& v = triangles[i].v;
      return (static_cast<uint64_t>(v[0]) << 40) ^ (static_cast<uint64_t>(v[1]) << 20) ^ v[2];
    };
    const std::vector<uint32_t> same =
        firstEquals(n, context_, hashOf, [&](uint32_t i, uint32_t j) { return triangles[i].v == triangles[j].v; });
    for (uint32_t i = 0; i < n; ++i) {
      if (degenerate[i] != 0) {
        ++soup_.degenerate;
      } else if (same[i] != i) {
        ++soup_.duplicate;
        triangles[same[i]].label = std::min(triangles[same[i]].label, triangles[i].label);
      }
    }
    if (soup_.degenerate + soup_.duplicate == 0) return;
    std::erase_if(triangles,
                  [&](const Triangle& t) { return degenerate[t.source] != 0 || same[t.source] != t.source; });
  }

  // Equal triangles begin at their smallest corner. Without branches: which corner that is, is not predictable.
  std::array<uint32_t, 3> cornersOf(const Scene::Triangle& t) const {
    const uint32_t a = idOf_[t.vertices[0]];
    const uint32_t b = idOf_[t.vertices[1]];
    const uint32_t c = idOf_[t.vertices[2]];
    const std::array<uint32_t, 5> round{a, b, c, a, b};
    size_t least = b < a ? 1 : 0;
    least = c < round[least] ? 2 : least;
    return {round[least], round[least + 1], round[least + 2]};
  }

  // False if it has no area.
  bool describe(Triangle& t) const {
    std::array<Point3, 3> p = soup_.corners(t);
    t.area = static_cast<double>(doubledAreaOf(p[0].top(), p[1].top(), p[2].top()));
    if (settings_.twoSided && t.area < 0) {
      std::swap(t.v[1], t.v[2]);
      std::swap(p[1], p[2]);
      t.area = -t.area;
    }
    const Sides sides(p);
    const Vec3 n = sides.normal();
    const double doubledArea = std::sqrt(square(n));
    if (doubledArea == 0) return false;
    t.normal = {n.x / doubledArea, n.y / doubledArea, n.z / doubledArea};
    t.box = boxOf(std::array<Point, 3>{p[0].top(), p[1].top(), p[2].top()});
    t.low = std::min({p[0].z, p[1].z, p[2].z});
    t.high = std::max({p[0].z, p[1].z, p[2].z});
    t.wall = std::abs(t.normal.z) < kWallSlope;
    t.walkable = t.area > 0 && t.normal.z >= leastSlope(doubledArea / sides.longest());
    return true;
  }

  // The steepest slope is judged with some slack, so that a ramp of exactly that slope stays walkable however the scene
  // is turned or triangulated; of small triangles as if each corner could lie half a grain elsewhere.
  double leastSlope(double altitude) const {
    if (settings_.slopeSlack == 0) return cosine_;
    const double slack = std::max(std::abs(slack_), std::min(0.02, 1.5 * grain_ / altitude));
    return settings_.slopeSlack > 0 ? cosine_ - slack : cosine_ + slack;
  }

  const Scene& scene_;
  const ExtractSettings& settings_;
  const Context& context_;
  double cosine_;
  double slack_;  // of the cosine
  double grain_;
  std::vector<uint32_t> idOf_;
  Soup soup_;
};

}  // namespace

TriangleTrees treesOf(const Soup& soup, const Context& context) {
  struct Part {
    std::vector<BoxTree::Extent> extents;
    std::vector<uint32_t> triangles;
    BoxTree tree;
  };
  std::array<Part, 2> parts;  // walls come second
  for (Part& part : parts) {
    part.extents.reserve(soup.triangles.size());
    part.triangles.reserve(soup.triangles.size());
  }
  for (uint32_t i = 0; i < soup.triangles.size(); ++i) {
    const Triangle& t = soup.triangles[i];
    Part& part = parts[t.wall ? 1 : 0];
    part.extents.push_back({t.box, t.low, t.high});
    part.triangles.push_back(i);
  }
  parallelFor(parts.size(), context,
              [&](size_t i) { parts[i].tree = BoxTree(parts[i].extents, &context, parts[i].triangles); });
  return {std::move(parts[1].tree), std::move(parts[0].tree)};
}

Result<Soup> makeSoup(const Scene& scene, const ExtractSettings& settings, const Context& context) {
  return SoupMaker(scene, settings, context).run();
}

}  // namespace wend::extraction
