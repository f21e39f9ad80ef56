#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <wend/extract.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "environment/heights.h"
#include "geometry/index/grid_index.h"
#include "geometry/vec2.h"

// Where one can stand, place by place as it is defined, on the triangles of the scene alone: a floor that is not too
// steep, nothing above it within head room, and nothing beside it that rounding or the thickness of walls could move.
namespace wend::testing {

enum class Stand : uint8_t { kFree, kBlocked, kUnsure };

class StandingPlaces {
 public:
  StandingPlaces(const Scene& scene, const ExtractSettings& settings)
      : settings_(settings), head_(kSlack + settings.gap * std::tan(settings.slope * std::numbers::pi / 180)) {
    std::vector<Box> boxes;
    for (const Scene::Triangle& t : scene.triangles) {
      Face face;
      for (size_t i = 0; i < 3; ++i) face.p[i] = scene.vertices[t.vertices[i]];
      const Vec3 u{face.p[1].x - face.p[0].x, face.p[1].y - face.p[0].y, face.p[1].z - face.p[0].z};
      const Vec3 v{face.p[2].x - face.p[0].x, face.p[2].y - face.p[0].y, face.p[2].z - face.p[0].z};
      face.normal = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
      const auto distance = [](const Vec3& d) { return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z); };
      const double length = distance(face.normal);
      const double up = settings.twoSided ? std::abs(face.normal.z) : face.normal.z;
      const double angle = std::acos(std::clamp(up / length, -1.0, 1.0)) * 180 / std::numbers::pi;
      face.walkable = angle < settings.slope;
      const double longest = std::max({distance(u), distance(v), distance({v.x - u.x, v.y - u.y, v.z - u.z})});
      face.unsure = !(length > kNear * longest) || std::abs(angle - settings.slope) < 0.05;
      Box box;
      for (const Vec3& p : face.p) {
        face.low = std::min(face.low, p.z);
        face.high = std::max(face.high, p.z);
        const auto x = static_cast<int32_t>(std::floor(p.x * 1000));
        const auto y = static_cast<int32_t>(std::floor(p.y * 1000));
        box.add(Point{x - kNearMillimetres, y - kNearMillimetres});
        box.add(Point{x + 1 + kNearMillimetres, y + 1 + kNearMillimetres});
      }
      if (face.walkable && !face.unsure) {
        floors_.push_back(static_cast<uint32_t>(faces_.size()));
        areas_.push_back((areas_.empty() ? 0 : areas_.back()) + up);
      }
      faces_.push_back(face);
      boxes.push_back(box);
    }
    grid_ = GridIndex(boxes);
  }

  // A place on a floor.
  Stand at(const Vec3& place) const {
    bool blocked = false;
    bool unsure = false;
    for (const uint32_t i : near(place)) {
      const Face& face = faces_[i];
      const Where where = whereIs(face, place);
      if (where == Where::kOutside) continue;
      const double d = std::abs(face.normal.z) > 0 ? heightOf(face, place) - place.z : 0;
      if (face.walkable && !face.unsure && std::abs(d) < kSame) continue;  // the floor itself
      if (where == Where::kInside && !face.unsure) {
        const double from = face.walkable ? 0 : settings_.step;
        blocked = blocked || (d > from + kSlack && d < settings_.height - head_);
        unsure = unsure || std::abs(d - from) <= kSlack || std::abs(d - settings_.height) <= head_ ||
                 (settings_.strict && d > -kSlack && d < from);
        continue;
      }
      const bool low =
          face.high < place.z + (face.walkable || face.unsure || settings_.strict ? 0 : settings_.step) - kSlack;
      unsure = unsure || !(low || face.low > place.z + settings_.height + kSlack);
    }
    return blocked ? Stand::kBlocked : unsure ? Stand::kUnsure : Stand::kFree;
  }

  // The floor here that is nearest in height.
  std::optional<double> floorAt(const Vec3& place) const {
    std::optional<double> best;
    for (const uint32_t i : near(place)) {
      const Face& face = faces_[i];
      if (!face.walkable || whereIs(face, place) == Where::kOutside) continue;
      const double z = heightOf(face, place);
      if (!best || std::abs(z - place.z) < std::abs(*best - place.z)) best = z;
    }
    return best;
  }

  // Free, and so is a disk around it that no minimum of area or width leaves out: all of one surface.
  bool isAmple(const Vec3& place) const {
    if (at(place) != Stand::kFree) return false;
    for (const double radius : {0.03, 0.06}) {
      std::array<double, 8> rise;
      for (size_t i = 0; i < 8; ++i) {
        const double angle = static_cast<double>(i) * std::numbers::pi / 4;
        Vec3 p{place.x + radius * std::cos(angle), place.y + radius * std::sin(angle), place.z};
        const std::optional<double> z = floorAt(p);
        if (!z) return false;
        rise[i] = *z - place.z;
        p.z = *z;
        if (at(p) != Stand::kFree || (i >= 4 && std::abs(rise[i] + rise[i - 4]) > kSlack)) return false;
      }
    }
    return true;
  }

  // A place on a random floor, sometimes at the very border of a triangle: of any, or of those that are large.
  std::optional<Vec3> any(Random& random) const {
    if (floors_.empty()) return std::nullopt;
    const auto larger = std::upper_bound(areas_.begin(), areas_.end(), random.real(0, areas_.back()));
    const size_t i = random.chance(0.5) ? random.below(floors_.size()) : static_cast<size_t>(larger - areas_.begin());
    const Face& face = faces_[floors_[std::min(i, floors_.size() - 1)]];
    double s = random.real(0, 1);
    double t = random.real(0, 1);
    if (s + t > 1) {
      s = 1 - s;
      t = 1 - t;
    }
    if (random.chance(0.2)) s = random.real(0, 0.02);
    t = std::min(t, 1 - s);
    const auto mix = [&](double a, double b, double c) { return a + s * (b - a) + t * (c - a); };
    return Vec3{mix(face.p[0].x, face.p[1].x, face.p[2].x), mix(face.p[0].y, face.p[1].y, face.p[2].y),
                mix(face.p[0].z, face.p[1].z, face.p[2].z)};
  }

 private:
  struct Face {
    std::array<Vec3, 3> p;
    Vec3 normal;
    double low = 1e300;
    double high = -1e300;
    bool walkable = false;
    bool unsure = false;
  };
  enum class Where : uint8_t { kOutside, kBorder, kInside };
  static constexpr double kNear = 0.003;  // of borders: more than the thickness of walls and necks
  static constexpr int32_t kNearMillimetres = 4;
  static constexpr double kSame = 0.0004;  // of heights: one floor
  static constexpr double kSlack = 0.005;  // of heights: more than contact

  std::span<const uint32_t> near(const Vec3& place) const { return grid_.at(Vec2{place.x * 1000, place.y * 1000}); }

  static double heightOf(const Face& face, const Vec3& place) {
    const Vec3& n = face.normal;
    return face.p[0].z - (n.x * (place.x - face.p[0].x) + n.y * (place.y - face.p[0].y)) / n.z;
  }

  Where whereIs(const Face& face, const Vec3& place) const {
    const double inside = kNear + settings_.gap;  // things narrower than a crack may be crossed like one
    const Vec2 p{place.x, place.y};
    int left = 0;
    int right = 0;
    double nearest = 1e300;
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 a{face.p[i].x, face.p[i].y};
      const Vec2 b{face.p[(i + 1) % 3].x, face.p[(i + 1) % 3].y};
      nearest = std::min(nearest, distanceToSegment(p, a, b));
      (cross(b - a, p - a) > 0 ? left : right) += 1;
    }
    if (left != 3 && right != 3) return nearest < kNear ? Where::kBorder : Where::kOutside;
    return nearest < inside ? Where::kBorder : Where::kInside;
  }

  ExtractSettings settings_;
  double head_;  // of head room: what the floor rises across a crack
  std::vector<Face> faces_;
  std::vector<uint32_t> floors_;
  std::vector<double> areas_;  // of the floors, summed up
  GridIndex grid_;
};

struct PlaceTally {
  int free = 0;
  int blocked = 0;
};

// Random places of the scene are in its environment just where one can stand, and once. Free places are asked for only
// where a minimum of area can leave out none of them.
constexpr double kSmall = 0.001;
inline PlaceTally expectPlacesIn(const Extraction& extraction, const Scene& scene, const ExtractSettings& settings,
                                 uint64_t seed, int places) {
  PlaceTally tally;
  if (!extraction.report.spots.empty()) return tally;
  const Environment& environment = extraction.environment;
  std::vector<HeightLookup> heights;
  for (const Layer& layer : environment.layers) heights.emplace_back(layer.heights);
  const StandingPlaces stand(scene, settings);
  Random random(seed, 5);
  for (int i = 0; i < places; ++i) {
    const std::optional<Vec3> place = stand.any(random);
    if (!place) continue;
    const Stand verdict = stand.at(*place);
    if (verdict == Stand::kUnsure) continue;
    const Point p = environment.lattice.snap({place->x, place->y}).value();
    int covered = 0;
    bool atBorder = false;  // of two layers, it may be
    for (size_t l = 0; l < heights.size(); ++l) {
      if (std::abs(heights[l].at(toVec2(p)) - place->z) > 0.002) continue;
      const Side side = locate(environment.layers[l].free, p);
      covered += side == Side::kInside ? 1 : 0;
      atBorder = atBorder || side == Side::kBoundary;
    }
    if (atBorder) continue;
    const auto where = [&] {
      return ::testing::Message() << "at " << place->x << ", " << place->y << ", " << place->z;
    };
    EXPECT_LE(covered, 1) << where();
    if (verdict == Stand::kBlocked) {
      ++tally.blocked;
      EXPECT_EQ(covered, 0) << "blocked " << where();
    } else if (settings.minArea <= kSmall && stand.isAmple(*place)) {
      ++tally.free;
      EXPECT_EQ(covered, 1) << "free " << where();
    }
    if (::testing::Test::HasFailure()) break;
  }
  return tally;
}

inline PlaceTally expectPlacesOf(const Scene& scene, ExtractSettings settings, uint64_t seed, int places) {
  settings.minArea = std::min(settings.minArea, kSmall);
  settings.regions = false;
  settings.insides = true;  // the definition looks upwards only
  const Result<Extraction> result = extract(scene, settings);
  if (result.ok()) return expectPlacesIn(*result, scene, settings, seed, places);
  EXPECT_EQ(result.error().code, ErrorCode::kEmpty) << result.error().message;
  return {};
}

}  // namespace wend::testing
