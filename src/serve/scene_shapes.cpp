#include <algorithm>
#include <cmath>

#include "serve/blob.h"
#include "serve/shapes.h"

namespace wend::serve {
namespace {

// The corners as single numbers, relative to the origin.
template <typename Shape>
std::vector<float> metresFrom(Vec3 origin, std::span<const Shape> shapes) {
  std::vector<float> out;
  out.reserve(shapes.size() * std::tuple_size_v<Shape> * 3);
  for (const Shape& shape : shapes) {
    for (const Vec3& p : shape) {
      for (const double value : {p.x - origin.x, p.y - origin.y, p.z - origin.z}) {
        out.push_back(static_cast<float>(value));
      }
    }
  }
  return out;
}

uint8_t kindOf(const std::array<Vec3, 3>& p, double slope) {
  const Vec3 u{p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
  const Vec3 v{p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
  const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const double length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  if (!(length > 0)) return 2;
  const double up = n.z / length;
  if (up >= std::cos(slope * 3.14159265358979 / 180) - 1e-9) return 0;
  if (up < -0.02) return 3;
  return up < 0.02 ? 2 : 1;
}

}  // namespace

Vec3 originOf(const Scene& scene) {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const Scene::Triangle& t : scene.triangles) {
    for (const uint32_t v : t.vertices) {
      const Vec3& p = scene.vertices[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  if (!(low.x <= high.x)) return {};
  return {std::round((low.x + high.x) / 2), std::round((low.y + high.y) / 2), 0};
}

Bytes sceneBlob(const Scene& scene, const extraction::Record& record, Vec3 origin, const ExtractSettings& settings) {
  const size_t count = std::min(scene.triangles.size(), kMaxDrawnTriangles);
  std::vector<float> positions;
  positions.reserve(count * 9);
  std::vector<uint8_t> kinds;
  std::vector<uint16_t> labels;
  for (size_t i = 0; i < count; ++i) {
    std::array<Vec3, 3> p;
    for (size_t k = 0; k < 3; ++k) {
      p[k] = scene.vertices[scene.triangles[i].vertices[k]];
      for (const double value : {p[k].x - origin.x, p[k].y - origin.y, p[k].z - origin.z}) {
        positions.push_back(static_cast<float>(value));
      }
    }
    kinds.push_back(kindOf(p, settings.slope));
    labels.push_back(static_cast<uint16_t>(std::min(scene.triangles[i].label, 65535U)));
  }
  std::vector<uint32_t> facets = record.facetOf;
  facets.resize(count, kNone);
  const size_t free = std::min(record.free.size(), kMaxDrawnTriangles);
  const std::vector<float> freePositions = metresFrom(origin, std::span(record.free).first(free));
  const std::vector<float> borders =
      metresFrom(origin, std::span(record.borders).first(std::min(record.borders.size(), kMaxDrawnTriangles)));
  std::vector<uint8_t> fates;
  for (const extraction::Fate fate : std::span(record.fate).first(free)) fates.push_back(static_cast<uint8_t>(fate));

  std::vector<float> defects;
  std::vector<uint8_t> defectKinds;
  nlohmann::json found = nlohmann::json::array();
  constexpr size_t kExamples = 200;
  if (const Result<SceneReport> report = inspectScene(scene, {}, kExamples); report.ok()) {
    for (const SceneDefect& defect : report->examples) {
      for (const double value : {defect.place.x - origin.x, defect.place.y - origin.y, defect.place.z - origin.z}) {
        defects.push_back(static_cast<float>(value));
      }
      defectKinds.push_back(static_cast<uint8_t>(defect.kind));
    }
    for (size_t kind = 0; kind < kSceneDefectKinds; ++kind) {
      found.push_back({{"name", defectName(static_cast<SceneDefectKind>(kind))}, {"count", report->defects[kind]}});
    }
  }
  BlobWriter blob;
  blob.add("positions", positions);
  blob.add("kind", kinds);
  blob.add("label", labels);
  blob.add("facet", facets);
  blob.add("free", freePositions);
  blob.add("freePiece", std::span(record.piece).first(free));
  blob.add("freeFate", fates);
  blob.add("freeBorders", borders);
  blob.add("defects", defects);
  blob.add("defectKind", defectKinds);
  nlohmann::json names = nlohmann::json::array();
  for (size_t i = 0; i < std::min<size_t>(scene.labels.size(), 1000); ++i) names.push_back(scene.labels[i]);
  return blob.finish({{"triangles", scene.triangles.size()},
                      {"left", scene.triangles.size() - count},
                      {"facets", !record.facetOf.empty()},
                      {"labels", names},
                      {"defects", found}});
}

}  // namespace wend::serve
