#include "environment/extract/exact/drawing/patch_heights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

namespace wend::exact {
namespace {

uint64_t hashOf(Point p, int64_t height) {
  return orderOf(p) ^ static_cast<uint64_t>(height) * 0xc2b2ae3d27d4eb4fULL;
}

constexpr size_t kHeightsPerTask = 512;  // patches per task
constexpr int64_t kNoHeight = INT64_MIN;

// Half away from zero, as std::llround does, without the call.
int64_t hundredths(double z) {
  const double exact = z * 100;
  const auto whole = static_cast<int64_t>(exact);
  const double rest = exact - static_cast<double>(whole);
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

// Whether a triangle is more than a hair: what rounding left of a border that went there and back would give its height
// to whatever lies there above or below it.
bool isWide(const std::array<Point, 3>& p, double hair) {
  const auto minus = [](Point a, Point b) { return Vec2{double(a.x) - b.x, double(a.y) - b.y}; };
  const Vec2 a = minus(p[1], p[0]);
  const Vec2 b = minus(p[2], p[0]);
  const Vec2 c = minus(p[2], p[1]);
  const double area = a.x * b.y - a.y * b.x;
  const double longest = std::max({a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y, c.x * c.x + c.y * c.y});
  return area > 0 && area * area > hair * hair * longest;
}

}  // namespace

PatchHeights heightsOf(const Facets& facets, const Patches& patches, const PatchTriangles& patchTriangles,
                       const Tolerances& tolerances, const Context& context) {
  PatchHeights result;
  result.triangles.resize(patchTriangles.triangles.size());
  const auto corners = static_cast<uint32_t>(3 * patchTriangles.triangles.size());
  const auto heights = std::make_unique_for_overwrite<int64_t[]>(corners);
  parallelBlocks(patches.count(), kHeightsPerTask, context, [&](size_t from, size_t to) {
    for (size_t p = from; p < to; ++p) {
      const Plane& plane = facets.list[patches.facet[p]].plane;
      for (uint32_t i = patchTriangles.begin[p]; i < patchTriangles.begin[p + 1]; ++i) {
        const bool used = isWide(patchTriangles.triangles[i], tolerances.same);
        if (!used) result.triangles[i][0] = kNone;
        for (size_t k = 0; k < 3; ++k) {
          heights[3 * i + k] = used ? hundredths(plane.at(patchTriangles.triangles[i][k])) : kNoHeight;
        }
      }
    }
  });
  const auto pointOf = [&](uint32_t corner) { return patchTriangles.triangles[corner / 3][corner % 3]; };
  const auto idOf = [&](uint32_t corner) -> uint32_t& { return result.triangles[corner / 3][corner % 3]; };
  // Equal corners are in one part. Each numbers its own, and then comes after those before it.
  const HashParts parts(corners, context, [&](uint32_t c) { return hashOf(pointOf(c), heights[c]); });
  std::vector<PatchHeights> known(parts.count());
  parallelFor(parts.count(), context, [&](size_t part) {
    std::vector<Point>& points = known[part].points;
    std::vector<int64_t>& z = known[part].z;
    FirstEqual ids(patchTriangles.triangles.size() / parts.count());
    parts.forEach(part, [&](uint32_t c, uint32_t tag) {
      if (heights[c] == kNoHeight) return;
      const Point at = pointOf(c);
      const auto next = static_cast<uint32_t>(points.size());
      const uint32_t id =
          ids.findTag(tag, next, [&](uint32_t other) { return points[other] == at && z[other] == heights[c]; });
      if (id == next) {
        points.push_back(at);
        z.push_back(heights[c]);
      }
      idOf(c) = id;
    });
  });
  result.points = std::move(known[0].points);
  result.z = std::move(known[0].z);
  std::vector<uint32_t> before(parts.count(), 0);
  for (size_t part = 1; part < parts.count(); ++part) {
    before[part] = static_cast<uint32_t>(result.points.size());
    result.points.insert(result.points.end(), known[part].points.begin(), known[part].points.end());
    result.z.insert(result.z.end(), known[part].z.begin(), known[part].z.end());
  }
  parallelFor(parts.count() - 1, context, [&](size_t i) {
    parts.forEach(i + 1, [&](uint32_t c, uint32_t) {
      if (heights[c] != kNoHeight) idOf(c) += before[i + 1];
    });
  });
  return result;
}

HeightFieldBuilder::HeightFieldBuilder(const PatchHeights& heights, size_t triangles, const Tolerances& tolerances,
                                       HeightField& field)
    : heights_(heights), unit_(tolerances.unit), hair_(tolerances.same), field_(field), known_(0) {
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

void HeightFieldBuilder::addPatchTriangles(uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    const std::array<uint32_t, 3>& ids = heights_.triangles[i];
    if (ids[0] == kNone) continue;
    const uint32_t a = localOf(ids[0]);
    const uint32_t b = localOf(ids[1]);
    const uint32_t c = localOf(ids[2]);
    field_.triangles.push_back({a, b, c});
  }
}

void HeightFieldBuilder::add(const std::array<Point, 3>& p, const std::array<double, 3>& z) {
  if (!isWide(p, hair_)) return;
  others_.push_back({{{p[0], hundredths(z[0])}, {p[1], hundredths(z[1])}, {p[2], hundredths(z[2])}}});
}

void HeightFieldBuilder::weldOthers() {
  if (others_.empty()) return;
  // Of the patches only points that the others may have in common with it: there are few others.
  std::vector<uint8_t> mayBe(std::bit_ceil(16 * others_.size()), 0);
  const auto slotOf = [&](uint64_t hash) { return FirstEqual::mixed(hash) & (mayBe.size() - 1); };
  for (const std::array<Corner, 3>& corners : others_) {
    for (const Corner& c : corners) mayBe[slotOf(hashOf(c.p, c.z))] = 1;
  }
  FirstEqual welded(3 * others_.size());
  const auto find = [&](uint64_t hash, Point p, int64_t z, uint32_t item) {
    return welded.find(hash, item, [&](uint32_t i) { return field_.points[i] == p && z_[i] == z; });
  };
  for (uint32_t i = 0; i < field_.points.size(); ++i) {
    const uint64_t hash = hashOf(field_.points[i], z_[i]);
    if (mayBe[slotOf(hash)] != 0) find(hash, field_.points[i], z_[i], i);
  }
  for (const std::array<Corner, 3>& corners : others_) {
    std::array<uint32_t, 3> ids;
    for (size_t k = 0; k < 3; ++k) {
      const auto& [p, z] = corners[k];
      const auto next = static_cast<uint32_t>(field_.points.size());
      ids[k] = find(hashOf(p, z), p, z, next);
      if (ids[k] == next) enter(p, z);
    }
    field_.triangles.push_back(ids);
  }
}

void HeightFieldBuilder::finish() {
  weldOthers();
  if (field_.z.empty()) return;
  const auto [low, high] = std::minmax_element(field_.z.begin(), field_.z.end());
  field_.base = *low;
  if (*low != *high) return;
  field_.points.clear();
  field_.z.clear();
  field_.triangles.clear();
}

}  // namespace wend::exact
