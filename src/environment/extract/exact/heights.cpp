#include "environment/extract/exact/heights.h"

#include <algorithm>
#include <cmath>

namespace wend::exact {
namespace {

uint64_t hashOf(Point p, int64_t height) {
  return orderOf(p) ^ static_cast<uint64_t>(height) * 0xc2b2ae3d27d4eb4fULL;
}

int64_t hundredths(double z) {
  return std::llround(z * 100);
}

bool hasArea(const std::array<Point, 3>& p) {
  return (double(p[1].x) - p[0].x) * (double(p[2].y) - p[0].y) - (double(p[1].y) - p[0].y) * (double(p[2].x) - p[0].x) >
         0;
}

}  // namespace

SurfaceHeights heightsOf(const Facets& facets, const Patches& patches, const Surface& surface) {
  SurfaceHeights result;
  result.triangles.resize(surface.triangles.size());
  FirstEqual known(surface.triangles.size());
  for (uint32_t p = 0; p < patches.count(); ++p) {
    const Plane& plane = facets.list[patches.facet[p]].plane;
    for (uint32_t i = surface.begin[p]; i < surface.begin[p + 1]; ++i) {
      const std::array<Point, 3>& corners = surface.triangles[i];
      if (!hasArea(corners)) {
        result.triangles[i][0] = kNone;
        continue;
      }
      for (size_t k = 0; k < 3; ++k) {
        const Point at = corners[k];
        const int64_t height = hundredths(plane.at(at));
        const auto next = static_cast<uint32_t>(result.points.size());
        const uint32_t id = known.find(hashOf(at, height), next, [&](uint32_t other) {
          return result.points[other] == at && result.z[other] == height;
        });
        if (id == next) {
          result.points.push_back(at);
          result.z.push_back(height);
        }
        result.triangles[i][k] = id;
      }
    }
  }
  return result;
}

HeightFieldBuilder::HeightFieldBuilder(const SurfaceHeights& heights, size_t triangles, double unit, HeightField& field)
    : heights_(heights), unit_(unit), field_(field), known_(0), welded_(0) {
  field_.triangles.reserve(triangles);
  if (16 * triangles > heights.points.size()) local_.assign(heights.points.size(), kNone);
}

uint32_t HeightFieldBuilder::enter(Point p, int64_t height) {
  field_.points.push_back(p);
  field_.z.push_back(static_cast<double>(height) * unit_ / 100);
  z_.push_back(height);
  return static_cast<uint32_t>(field_.points.size() - 1);
}

uint32_t HeightFieldBuilder::localOf(uint32_t id) {
  const Point p = heights_.points[id];
  const int64_t height = heights_.z[id];
  if (!local_.empty()) return local_[id] == kNone ? local_[id] = enter(p, height) : local_[id];
  const auto next = static_cast<uint32_t>(field_.points.size());
  const uint32_t found = known_.find(id, next, [&](uint32_t other) { return surfaceOf_[other] == id; });
  if (found != next) return found;
  surfaceOf_.push_back(id);
  return enter(p, height);
}

void HeightFieldBuilder::addSurface(uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    const std::array<uint32_t, 3>& ids = heights_.triangles[i];
    if (ids[0] == kNone) continue;
    const uint32_t a = localOf(ids[0]);
    const uint32_t b = localOf(ids[1]);
    const uint32_t c = localOf(ids[2]);
    field_.triangles.push_back({a, b, c});
  }
}

uint32_t HeightFieldBuilder::weld(Point p, int64_t height) {
  const auto find = [&](Point at, int64_t z, uint32_t item) {
    return welded_.find(hashOf(at, z), item, [&](uint32_t i) { return field_.points[i] == at && z_[i] == z; });
  };
  if (!isWelded_) {
    for (uint32_t i = 0; i < field_.points.size(); ++i) find(field_.points[i], z_[i], i);
    isWelded_ = true;
  }
  const auto next = static_cast<uint32_t>(field_.points.size());
  const uint32_t found = find(p, height, next);
  return found == next ? enter(p, height) : found;
}

void HeightFieldBuilder::add(const std::array<Point, 3>& p, const std::array<double, 3>& z) {
  if (!hasArea(p)) return;
  const uint32_t a = weld(p[0], hundredths(z[0]));
  const uint32_t b = weld(p[1], hundredths(z[1]));
  const uint32_t c = weld(p[2], hundredths(z[2]));
  field_.triangles.push_back({a, b, c});
}

void HeightFieldBuilder::finish() {
  if (field_.z.empty()) return;
  const auto [low, high] = std::minmax_element(field_.z.begin(), field_.z.end());
  field_.base = *low;
  if (*low != *high) return;
  field_.points.clear();
  field_.z.clear();
  field_.triangles.clear();
}

}  // namespace wend::exact
