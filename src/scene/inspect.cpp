#include <algorithm>
#include <cmath>

#include <wend/scene.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "scene/vertex_table.h"

namespace wend {
namespace {

Vec3 normalOf(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z};
  const Vec3 v{c.x - a.x, c.y - a.y, c.z - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

class Inspector {
 public:
  Inspector(const Scene& scene, const Lattice& lattice, size_t examples)
      : scene_(scene), lattice_(lattice), most_(examples) {}

  Result<SceneReport> run() {
    if (const Status status = check(); !status.ok()) return status.error();
    weld();
    measure();
    findCopies();
    findEdges();
    return std::move(report_);
  }

 private:
  Status check() const {
    for (size_t i = 0; i < scene_.vertices.size(); ++i) {
      const Vec3 p = scene_.vertices[i];
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
        return Error{ErrorCode::kInvalidGeometry, fmt::format("vertex {} is not finite", i)};
      }
    }
    for (size_t i = 0; i < scene_.triangles.size(); ++i) {
      const Scene::Triangle& t = scene_.triangles[i];
      if (*std::max_element(t.vertices.begin(), t.vertices.end()) >= scene_.vertices.size() ||
          t.label >= scene_.labels.size()) {
        return Error{ErrorCode::kInvalidGeometry,
                     fmt::format("triangle {} names a vertex or label that is not there", i)};
      }
    }
    return Done{};
  }

  // Ids of places for ids of vertices.
  void weld() {
    VertexTable table;
    place_.resize(scene_.vertices.size());
    for (size_t i = 0; i < scene_.vertices.size(); ++i) {
      const Vec3 p = scene_.vertices[i];
      place_[i] = table.findOrAppend(
          places_, {std::round(p.x / lattice_.unit), std::round(p.y / lattice_.unit), std::round(p.z / lattice_.unit)});
    }
    report_.places = places_.size();
  }

  Vec3 corner(const Scene::Triangle& t, size_t k) const { return scene_.vertices[t.vertices[k]]; }

  void measure() {
    std::vector<bool> used(scene_.vertices.size());
    report_.trianglesByLabel.resize(scene_.labels.size());
    bool first = true;
    for (const Scene::Triangle& t : scene_.triangles) {
      ++report_.trianglesByLabel[t.label];
      const Vec3 n = normalOf(corner(t, 0), corner(t, 1), corner(t, 2));
      const double length = std::hypot(n.x, n.y, n.z);
      report_.area += 0.5 * length;
      // A little more than 45 degrees, so that slopes of exactly that count whatever the rounding.
      if (n.z > 0 && n.z >= (std::sqrt(0.5) - 1e-9) * length) report_.floorArea += 0.5 * n.z;
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 p = corner(t, k);
        used[t.vertices[k]] = true;
        if (first) report_.low = report_.high = p;
        first = false;
        report_.low = {std::min(report_.low.x, p.x), std::min(report_.low.y, p.y), std::min(report_.low.z, p.z)};
        report_.high = {std::max(report_.high.x, p.x), std::max(report_.high.y, p.y), std::max(report_.high.z, p.z)};
      }
    }
    report_.unusedVertices = static_cast<size_t>(std::count(used.begin(), used.end(), false));
  }

  void add(SceneDefectKind kind, Vec3 place) {
    if (report_.defects[static_cast<size_t>(kind)]++ < most_) report_.examples.push_back({kind, place});
  }
  Vec3 middle(const Scene::Triangle& t) const {
    const Vec3 a = corner(t, 0);
    const Vec3 b = corner(t, 1);
    const Vec3 c = corner(t, 2);
    return {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3};
  }
  std::array<uint32_t, 3> placesOf(const Scene::Triangle& t) const {
    return {place_[t.vertices[0]], place_[t.vertices[1]], place_[t.vertices[2]]};
  }
  // Corners in rising order, and whether that took an odd number of swaps.
  static bool sortCorners(std::array<uint32_t, 3>& c) {
    bool odd = false;
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}}) {
      if (c[i] > c[j]) {
        std::swap(c[i], c[j]);
        odd = !odd;
      }
    }
    return odd;
  }
  bool isDegenerate(const std::array<uint32_t, 3>& c) const {
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) return true;
    const Vec3 n = normalOf(places_[c[0]], places_[c[1]], places_[c[2]]);
    return n.x == 0 && n.y == 0 && n.z == 0;
  }

  // Fills kept_ with what is left for the edges.
  void findCopies() {
    struct Key {
      std::array<uint32_t, 3> corners;
      uint32_t triangle;
    };
    std::vector<Key> keys;
    keys.reserve(scene_.triangles.size());
    for (uint32_t i = 0; i < scene_.triangles.size(); ++i) {
      std::array<uint32_t, 3> c = placesOf(scene_.triangles[i]);
      if (isDegenerate(c)) {
        add(SceneDefectKind::kDegenerate, middle(scene_.triangles[i]));
        continue;
      }
      sortCorners(c);
      keys.push_back({c, i});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
      return a.corners != b.corners ? a.corners < b.corners : a.triangle < b.triangle;
    });
    for (size_t i = 0; i < keys.size();) {
      bool seen[2] = {false, false};
      size_t j = i;
      for (; j < keys.size() && keys[j].corners == keys[i].corners; ++j) {
        const Scene::Triangle& t = scene_.triangles[keys[j].triangle];
        std::array<uint32_t, 3> c = placesOf(t);
        const bool odd = sortCorners(c);
        if (seen[odd]) {
          add(SceneDefectKind::kDuplicate, middle(t));
        } else if (seen[!odd]) {
          add(SceneDefectKind::kFlippedTwin, middle(t));
        } else {
          kept_.push_back(keys[j].triangle);
        }
        seen[odd] = true;
      }
      i = j;
    }
  }

  void findEdges() {
    // Low place, high place, and the direction in the last bit: a scene has fewer than 2^31 places.
    std::vector<uint64_t> edges;
    edges.reserve(kept_.size() * 3);
    for (const uint32_t id : kept_) {
      const std::array<uint32_t, 3> c = placesOf(scene_.triangles[id]);
      for (size_t k = 0; k < 3; ++k) {
        const uint64_t a = c[k];
        const uint64_t b = c[(k + 1) % 3];
        edges.push_back(a < b ? a << 32 | b << 1 : b << 32 | a << 1 | 1);
      }
    }
    std::sort(edges.begin(), edges.end());
    for (size_t i = 0; i < edges.size();) {
      size_t j = i;
      size_t backward = 0;
      for (; j < edges.size() && edges[j] >> 1 == edges[i] >> 1; ++j) backward += edges[j] & 1;
      const size_t count = j - i;
      const Vec3 a = places_[edges[i] >> 32];
      const Vec3 b = places_[(edges[i] & 0xffffffffU) >> 1];
      const double half = lattice_.unit / 2;
      const Vec3 place{(a.x + b.x) * half, (a.y + b.y) * half, (a.z + b.z) * half};
      if (count == 1) add(SceneDefectKind::kOpenEdge, place);
      if (count > 2) add(SceneDefectKind::kNonManifold, place);
      if (count == 2 && backward != 1) add(SceneDefectKind::kMisoriented, place);
      i = j;
    }
  }

  const Scene& scene_;
  const Lattice lattice_;
  size_t most_;
  SceneReport report_;
  std::vector<uint32_t> place_;
  std::vector<Vec3> places_;    // lattice units
  std::vector<uint32_t> kept_;  // triangles that are neither degenerate nor copies
};

}  // namespace

const char* defectName(SceneDefectKind kind) {
  constexpr const char* kNames[] = {"degenerate", "duplicate",    "flipped-twin",
                                    "open-edge",  "non-manifold", "misoriented"};
  return kNames[static_cast<size_t>(kind)];
}

Result<SceneReport> inspectScene(const Scene& scene, const Lattice& lattice, size_t examplesPerKind) {
  if (!(lattice.unit >= 1e-6 && lattice.unit <= 1)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("the lattice unit {} is outside 1e-6 to 1 m", lattice.unit)};
  }
  return Inspector(scene, lattice, examplesPerKind).run();
}

uint64_t hash(const Scene& scene) {
  Hash hash;
  hash.array(std::span<const Vec3>(scene.vertices));
  hash.array(std::span<const Scene::Triangle>(scene.triangles));
  hash.add(scene.labels.size());
  for (const std::string& label : scene.labels) hash.add(std::string_view(label));
  return hash.value();
}

}  // namespace wend
