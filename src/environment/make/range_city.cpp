#include <algorithm>
#include <cmath>

#include <wend/image/range_image.h>

#include <fmt/format.h>

#include "environment/make/grid_city.h"

namespace wend {
namespace {

constexpr double kLowest = 6;                // metres, of roofs above the ground
constexpr double kHighest = 40;              // metres
constexpr double kRamp = 12;                 // LIDAR: metres that the ground rises over the picture
constexpr double kSaltShare = 0.01;          // LIDAR: of the pixels
constexpr double kSaltHeight = 15;           // metres
constexpr uint32_t kPatchesPerBuilding = 2;  // LIDAR: glass

Status checkSettings(const RangeCitySettings& s) {
  const bool fine = s.pixels >= 16 && s.pixels <= kMaxGridSide && s.pixel > 0 && s.pixel <= 1000 && s.blocks >= 1 &&
                    s.blocks <= 256 && s.buildings <= s.blocks * s.blocks && s.rotation >= 0 && s.rotation <= 45 &&
                    s.fill >= 0.05 && s.fill <= 0.4;
  if (fine) return Done{};
  return Error{
      ErrorCode::kInvalidSettings,
      fmt::format("a range city has 16 to {} pixels, 1 to 256 sites along a side, no more buildings than sites, a "
                  "rotation of 0 to 45 degrees and a fill of 0.05 to 0.4",
                  kMaxGridSide)};
}

bool isInside(const std::array<Vec2, 4>& corners, double x, double y) {
  for (size_t i = 0; i < 4; ++i) {
    const Vec2 a = corners[i];
    const Vec2 b = corners[(i + 1) % 4];
    if ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) < 0) return false;
  }
  return true;
}

class Painter {
 public:
  Painter(const RangeCitySettings& settings, RangeCity& city) : s_(settings), city_(city) {}

  void paint(const std::array<Vec2, 4>& corners, int32_t height) {
    uint32_t top = 0;
    uint32_t bottom = 0;
    uint32_t left = 0;
    uint32_t right = 0;
    cover(corners, top, bottom, left, right);
    for (uint32_t row = top; row <= bottom; ++row) {
      for (uint32_t column = left; column <= right; ++column) {
        const double x = (column + 0.5) * s_.pixel;
        const double y = (s_.pixels - 1 - row + 0.5) * s_.pixel;
        if (!isInside(corners, x, y)) continue;
        city_.image.heights[at(row, column)] += height;
        city_.truth.free[at(row, column)] = 0;
      }
    }
  }

  // Glass gives no return: small squares within the roofs.
  void shatter(const std::array<Vec2, 4>& corners, Random& random) {
    uint32_t top = 0;
    uint32_t bottom = 0;
    uint32_t left = 0;
    uint32_t right = 0;
    cover(corners, top, bottom, left, right);
    for (uint32_t i = 0; i < kPatchesPerBuilding; ++i) {
      const auto row = static_cast<uint32_t>(random.between(top, bottom));
      const auto column = static_cast<uint32_t>(random.between(left, right));
      const auto side = static_cast<uint32_t>(random.between(1, 3));
      for (uint32_t r = row; r < std::min(s_.pixels, row + side); ++r) {
        for (uint32_t c = column; c < std::min(s_.pixels, column + side); ++c) {
          if (city_.truth.free[at(r, c)] == 0) city_.image.heights[at(r, c)] = RangeImage::kNoReturn;
        }
      }
    }
  }

 private:
  size_t at(uint32_t row, uint32_t column) const { return static_cast<size_t>(row) * s_.pixels + column; }
  void cover(const std::array<Vec2, 4>& corners, uint32_t& top, uint32_t& bottom, uint32_t& left,
             uint32_t& right) const {
    const auto [x0, x1] = std::minmax({corners[0].x, corners[1].x, corners[2].x, corners[3].x});
    const auto [y0, y1] = std::minmax({corners[0].y, corners[1].y, corners[2].y, corners[3].y});
    const auto index = [&](double metres) {
      return static_cast<uint32_t>(std::clamp(metres / s_.pixel, 0.0, s_.pixels - 1.0));
    };
    left = index(x0);
    right = index(x1);
    top = s_.pixels - 1 - index(y1);
    bottom = s_.pixels - 1 - index(y0);
  }

  const RangeCitySettings& s_;
  RangeCity& city_;
};

}  // namespace

Result<RangeCity> makeRangeCity(const RangeCitySettings& s, const Context& context) {
  if (const Status status = checkSettings(s); !status.ok()) return status.error();
  RangeCity city;
  Random random(s.seed);
  city.buildings = make::gridCityBuildings({s.pixels * s.pixel, s.blocks, s.buildings, s.rotation, s.fill}, random);
  const size_t count = static_cast<size_t>(s.pixels) * s.pixels;
  city.image.width = city.image.height = city.truth.width = city.truth.height = s.pixels;
  city.image.pixel = city.truth.pixel = s.pixel;
  city.image.heights.assign(count, 0);
  city.truth.free.assign(count, 1);
  const auto millimetres = [](double metres) { return static_cast<int32_t>(std::lround(1000 * metres)); };
  if (s.lidar) {
    for (uint32_t row = 0; row < s.pixels; ++row) {
      for (uint32_t column = 0; column < s.pixels; ++column) {
        city.image.heights[static_cast<size_t>(row) * s.pixels + column] =
            millimetres(kRamp * (column + 0.5 * row) / (1.5 * s.pixels));
      }
    }
  }
  Painter painter(s, city);
  for (const std::array<Vec2, 4>& building : city.buildings) {
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "the range city was cancelled by the caller"};
    painter.paint(building, millimetres(random.real(kLowest, kHighest)));
  }
  if (!s.lidar) return city;
  Random noise(s.seed, 1);
  for (int32_t& z : city.image.heights) {
    if (noise.chance(kSaltShare)) z += millimetres(noise.real(-kSaltHeight, kSaltHeight));
  }
  for (const std::array<Vec2, 4>& building : city.buildings) painter.shatter(building, noise);
  return city;
}

}  // namespace wend
