#include "environment/extract/exact/soup.h"

#include <bit>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "geometry/predicates.h"

namespace wend::exact {
namespace {

uint64_t mixed(uint64_t h) {
  h *= 0x9e3779b97f4a7c15ULL;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9ULL;
  return h ^ (h >> 32);
}

// Finds equal things: ids of the first of each, in a table of open addresses.
class Table {
 public:
  explicit Table(size_t items) : slots_(std::bit_ceil(2 * items + 2), kNone) {}

  // The item equal to `item`, which is entered if there is none.
  template <typename Equal>
  uint32_t find(uint64_t hash, uint32_t item, Equal&& equal) {
    for (size_t at = mixed(hash) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == kNone) return slots_[at] = item;
      if (equal(slots_[at])) return slots_[at];
    }
  }

 private:
  std::vector<uint32_t> slots_;
};

// The steepest slope is judged as if each corner could lie half a unit elsewhere: a ramp of exactly that slope stays
// walkable however the scene is turned.
bool isWalkable(const Triangle& t, double longest, double doubledArea, double cosine) {
  if (!(t.area > 0)) return false;
  const double altitude = doubledArea / longest;
  return t.normal.z >= cosine - std::min(0.02, 1.5 / altitude);
}

class SoupMaker {
 public:
  SoupMaker(const Scene& scene, const ExtractSettings& settings)
      : scene_(scene),
        settings_(settings),
        cosine_(std::cos(settings.slope * std::numbers::pi / 180) - 1e-9),
        idOf_(scene.vertices.size()) {}

  Result<Soup> run() {
    if (Status status = snap(); !status.ok()) return status.error();
    soup_.triangles.reserve(scene_.triangles.size());
    Table known(scene_.triangles.size());
    for (uint32_t i = 0; i < scene_.triangles.size(); ++i) {
      for (const uint32_t v : scene_.triangles[i].vertices) {
        if (v >= scene_.vertices.size()) {
          return Error{
              ErrorCode::kInvalidGeometry,
              fmt::format("triangle {} names vertex {}, but the scene has {} vertices", i, v, scene_.vertices.size())};
        }
      }
      add(i, known);
    }
    return std::move(soup_);
  }

 private:
  Status snap() {
    const double unit = settings_.lattice.unit;
    Table known(scene_.vertices.size());
    for (uint32_t i = 0; i < scene_.vertices.size(); ++i) {
      const Vec3& v = scene_.vertices[i];
      const std::array<double, 3> units{v.x / unit, v.y / unit, v.z / unit};
      for (const double c : units) {
        if (std::abs(c) <= kMaxCoordinate) continue;
        return Error{
            std::isfinite(c) ? ErrorCode::kOutsideLattice : ErrorCode::kInvalidGeometry,
            fmt::format("vertex {} at ({:g}, {:g}, {:g}) m {}", i, v.x, v.y, v.z,
                        std::isfinite(c) ? fmt::format("lies beyond {:g} m; choose a coarser lattice unit or move the "
                                                       "scene to the origin",
                                                       settings_.lattice.reach())
                                         : "is not a finite point; repair the scene")};
      }
      const Point3 p{static_cast<int32_t>(std::lround(units[0])), static_cast<int32_t>(std::lround(units[1])),
                     static_cast<int32_t>(std::lround(units[2]))};
      const auto next = static_cast<uint32_t>(soup_.points.size());
      const uint64_t hash = (static_cast<uint64_t>(static_cast<uint32_t>(p.x)) << 32 | static_cast<uint32_t>(p.y)) ^
                            mixed(static_cast<uint32_t>(p.z));
      idOf_[i] = known.find(hash, next, [&](uint32_t other) { return soup_.points[other] == p; });
      if (idOf_[i] == next) soup_.points.push_back(p);
    }
    return Done{};
  }

  void add(uint32_t source, Table& known) {
    const Scene::Triangle& given = scene_.triangles[source];
    Triangle t;
    t.source = source;
    t.label = given.label < scene_.labels.size() ? given.label : 0;
    for (size_t i = 0; i < 3; ++i) t.v[i] = idOf_[given.vertices[i]];
    const std::array<Point3, 3> p = soup_.corners(t);
    const std::array<double, 3> u{double(p[1].x) - p[0].x, double(p[1].y) - p[0].y, double(p[1].z) - p[0].z};
    const std::array<double, 3> w{double(p[2].x) - p[0].x, double(p[2].y) - p[0].y, double(p[2].z) - p[0].z};
    Vec3 n{u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    const double doubledArea = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (!(doubledArea >= 0.5)) {
      ++soup_.degenerate;
      return;
    }
    t.area = static_cast<double>(cross(p[0].top(), p[1].top(), p[2].top()));
    t.normal = {n.x / doubledArea, n.y / doubledArea, n.z / doubledArea};
    if (settings_.twoSided && t.area < 0) {
      std::swap(t.v[1], t.v[2]);
      t.area = -t.area;
      t.normal = {-t.normal.x, -t.normal.y, -t.normal.z};
    }
    // The same triangle begins at its smallest corner.
    while (t.v[0] > t.v[1] || t.v[0] > t.v[2]) t.v = {t.v[1], t.v[2], t.v[0]};
    const auto next = static_cast<uint32_t>(soup_.triangles.size());
    const uint64_t hash = (static_cast<uint64_t>(t.v[0]) << 40) ^ (static_cast<uint64_t>(t.v[1]) << 20) ^ t.v[2];
    const uint32_t first = known.find(hash, next, [&](uint32_t other) { return soup_.triangles[other].v == t.v; });
    if (first != next) {
      ++soup_.duplicate;
      soup_.triangles[first].label = std::min(soup_.triangles[first].label, t.label);
      return;
    }
    double longest = 0;
    for (size_t i = 0; i < 3; ++i) {
      const Point3& a = p[i];
      const Point3& b = p[(i + 1) % 3];
      longest = std::max(longest, std::hypot(double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z));
      t.box.add(a.top());
    }
    t.low = std::min({p[0].z, p[1].z, p[2].z});
    t.high = std::max({p[0].z, p[1].z, p[2].z});
    t.walkable = isWalkable(t, longest, doubledArea, cosine_);
    soup_.box.add(t.box);
    soup_.triangles.push_back(t);
  }

  const Scene& scene_;
  const ExtractSettings& settings_;
  double cosine_;
  std::vector<uint32_t> idOf_;
  Soup soup_;
};

}  // namespace

Result<Soup> makeSoup(const Scene& scene, const ExtractSettings& settings) {
  return SoupMaker(scene, settings).run();
}

}  // namespace wend::exact
