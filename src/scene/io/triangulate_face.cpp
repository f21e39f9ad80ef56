#include "scene/io/triangulate_face.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// Dropping the axis along which the normal is longest keeps the polygon simple and its orientation known.
std::vector<Vec2> flatten(std::span<const Vec3> corners) {
  Vec3 normal;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = corners[i];
    const Vec3 b = corners[(i + 1) % corners.size()];
    // About the first corner, so that far-away polygons keep their digits.
    const Vec3 o = corners[0];
    normal.x += (a.y - b.y) * ((a.z - o.z) + (b.z - o.z));
    normal.y += (a.z - b.z) * ((a.x - o.x) + (b.x - o.x));
    normal.z += (a.x - b.x) * ((a.y - o.y) + (b.y - o.y));
  }
  const double x = std::abs(normal.x);
  const double y = std::abs(normal.y);
  const double z = std::abs(normal.z);
  std::vector<Vec2> flat;
  flat.reserve(corners.size());
  for (const Vec3 p : corners) {
    if (z >= x && z >= y) {
      flat.push_back(normal.z >= 0 ? Vec2{p.x, p.y} : Vec2{p.y, p.x});
    } else if (y >= x) {
      flat.push_back(normal.y >= 0 ? Vec2{p.z, p.x} : Vec2{p.x, p.z});
    } else {
      flat.push_back(normal.x >= 0 ? Vec2{p.y, p.z} : Vec2{p.z, p.y});
    }
  }
  return flat;
}

double turn(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The corners that are left. A cut makes no other corners ears of a polygon that does not touch itself than the two
// beside it, so that each cut looks at two. Where it touches itself, all are looked at again, for so long as it takes
// little.
class EarClipper {
 public:
  EarClipper(std::span<const Vec3> corners, uint64_t& budget) : flat_(flatten(corners)), budget_(budget) {
    const uint32_t n = static_cast<uint32_t>(corners.size());
    for (uint32_t i = 0; i < n; ++i) {
      next_.push_back((i + 1) % n);
      previous_.push_back((i + n - 1) % n);
    }
    known_.assign(n, 0);
    steps_ = kStepsPerPair * n * n;
  }

  std::vector<std::array<uint32_t, 3>> run() {
    std::vector<std::array<uint32_t, 3>> triangles;
    uint32_t left = static_cast<uint32_t>(flat_.size());
    triangles.reserve(left - 2);
    uint32_t at = 1;
    uint32_t failed = 0;
    bool isFresh = true;  // all corners were looked at since the last cut
    while (left > 3) {
      if (failed < left && budget_ > 0 && (known_[at] != 0 || !isEar(at))) {
        known_[at] = 1;
        at = next_[at];
        ++failed;
        continue;
      }
      if (failed == left && !isFresh && steps_ > 0 && budget_ > 0) {
        std::fill(known_.begin(), known_.end(), uint8_t{0});
        isFresh = true;
        failed = 0;
        continue;
      }
      // After a round without an ear the polygon crosses itself or has collapsed: cut anywhere, but come to an end.
      failed = 0;
      isFresh = false;
      known_[previous_[at]] = known_[next_[at]] = 0;
      triangles.push_back({previous_[at], at, next_[at]});
      next_[previous_[at]] = next_[at];
      previous_[next_[at]] = previous_[at];
      at = next_[at];
      --left;
    }
    triangles.push_back({previous_[at], at, next_[at]});
    return triangles;
  }

 private:
  // Of looking along the polygon, for each pair of corners, before no corner is looked at again.
  static constexpr uint64_t kStepsPerPair = 4;

  bool isEar(uint32_t i) {
    const uint32_t before = previous_[i];
    const uint32_t after = next_[i];
    const Vec2 a = flat_[before];
    const Vec2 b = flat_[i];
    const Vec2 c = flat_[after];
    if (!(turn(a, b, c) > 0)) return false;
    for (uint32_t k = next_[after]; k != before; k = next_[k]) {
      steps_ -= steps_ > 0 ? 1 : 0;
      budget_ -= budget_ > 0 ? 1 : 0;
      const Vec2 p = flat_[k];
      // Corners of a bridge to a hole coincide with those of the ear.
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }

  std::vector<Vec2> flat_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> previous_;
  std::vector<uint8_t> known_;  // that it is no ear
  uint64_t steps_ = 0;          // that are left
  uint64_t& budget_;            // likewise, for many faces
};

}  // namespace

std::vector<std::array<uint32_t, 3>> triangulateFace(std::span<const Vec3> corners) {
  uint64_t unlimited = UINT64_MAX;
  return triangulateFace(corners, unlimited);
}

std::vector<std::array<uint32_t, 3>> triangulateFace(std::span<const Vec3> corners, uint64_t& budget) {
  return EarClipper(corners, budget).run();
}

}  // namespace wend
