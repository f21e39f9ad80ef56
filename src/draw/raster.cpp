#include "draw/raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <png.h>

namespace wend {

Raster::Raster(uint32_t width, uint32_t height)
    : width_(width),
      height_(height),
      pixels_(size_t{width} * height, Colour{255, 255, 255}),
      nearness_(pixels_.size(), -std::numeric_limits<float>::infinity()) {}

void Raster::triangle(const std::array<Vec3, 3>& c, Colour colour) {
  const double doubled = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
  if (doubled == 0) return;
  // Pixel centres lie at halves.
  const auto range = [](double low, double high, uint32_t size) {
    const double first = std::clamp(std::ceil(low - 0.5), 0.0, static_cast<double>(size));
    const double last = std::clamp(std::floor(high - 0.5) + 1, 0.0, static_cast<double>(size));
    return std::pair{static_cast<uint32_t>(first), static_cast<uint32_t>(std::max(first, last))};
  };
  const auto [x0, x1] = range(std::min({c[0].x, c[1].x, c[2].x}), std::max({c[0].x, c[1].x, c[2].x}), width_);
  const auto [y0, y1] = range(std::min({c[0].y, c[1].y, c[2].y}), std::max({c[0].y, c[1].y, c[2].y}), height_);
  for (uint32_t y = y0; y < y1; ++y) {
    for (uint32_t x = x0; x < x1; ++x) {
      const double px = x + 0.5;
      const double py = y + 0.5;
      // Each side by itself, so that two triangles see their common one alike and leave no pixel between them.
      const auto share = [&](const Vec3& p, const Vec3& q) {
        return ((p.x - px) * (q.y - py) - (p.y - py) * (q.x - px)) / doubled;
      };
      const double a = share(c[1], c[2]);
      const double b = share(c[2], c[0]);
      if (a < 0 || b < 0 || share(c[0], c[1]) < 0) continue;
      const float z = static_cast<float>(a * c[0].z + b * c[1].z + (1 - a - b) * c[2].z);
      const size_t i = size_t{y} * width_ + x;
      if (z <= nearness_[i]) continue;
      nearness_[i] = z;
      pixels_[i] = colour;
    }
  }
}

Raster Raster::halved() const {
  Raster half(width_ / 2, height_ / 2);
  for (uint32_t y = 0; y < half.height_; ++y) {
    for (uint32_t x = 0; x < half.width_; ++x) {
      const Colour* upper = &pixels_[size_t{2} * y * width_ + size_t{2} * x];
      const Colour* lower = upper + width_;
      Colour& mean = half.pixels_[size_t{y} * half.width_ + x];
      for (size_t k = 0; k < 3; ++k) {
        mean[k] = static_cast<uint8_t>((upper[0][k] + upper[1][k] + lower[0][k] + lower[1][k] + 2) / 4);
      }
    }
  }
  return half;
}

std::string Raster::png() const {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width_;
  image.height = height_;
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, pixels_.data(), 0, nullptr) == 0) return {};
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr) == 0) return {};
  bytes.resize(size);
  return bytes;
}

}  // namespace wend
