#include "environment/make/scatter.h"

#include <algorithm>
#include <cmath>

#include "geometry/area.h"

namespace wend::make {

Shape boxShape(double width, double depth) {
  return {{-width / 2, -depth / 2}, {width / 2, -depth / 2}, {width / 2, depth / 2}, {-width / 2, depth / 2}};
}

std::vector<Ring> settle(const std::vector<Slot>& slots, double blocked, double gap, Random& random) {
  double sum = 0;
  for (const Slot& slot : slots) sum += areaOf(slot.shape);
  const double scale = blocked > 0 ? std::sqrt(blocked / sum) : 1.0;
  std::vector<Ring> rings;
  rings.reserve(slots.size());
  Int128 covered = 0;
  for (const Slot& slot : slots) {
    double minX = 0, maxX = 0, minY = 0, maxY = 0;
    for (const Vec2 p : slot.shape) {
      minX = std::min(minX, p.x * scale);
      maxX = std::max(maxX, p.x * scale);
      minY = std::min(minY, p.y * scale);
      maxY = std::max(maxY, p.y * scale);
    }
    const auto shift = [&](double half, double low, double high) {
      const double from = -half + gap - low;
      const double to = half - gap - high;
      return from < to ? random.real(from, to) : (from + to) / 2;
    };
    const double dx = shift(slot.half.x, minX, maxX);
    const double dy = shift(slot.half.y, minY, maxY);
    rings.push_back(placed(slot.shape, {slot.centre.x + dx, slot.centre.y + dy}, scale));
    if (rings.size() > 1) covered += doubledArea(rings.back());
  }
  if (blocked > 0) {
    Ring& box = rings[0];
    const int32_t depth = box[2].y - box[1].y;
    const double rest = blocked / (kUnit * kUnit) - static_cast<double>(covered) / 2;
    const auto width = static_cast<int32_t>(std::lround(rest / depth));
    const int32_t grow = width - (box[1].x - box[0].x);
    box[0].x = box[3].x = box[0].x - grow / 2;
    box[1].x = box[2].x = box[0].x + width;
  }
  return rings;
}

std::vector<Slot> slotGrid(double x0, double y0, double x1, double y1, int columns, int rows) {
  std::vector<Slot> slots;
  const Vec2 half{(x1 - x0) / columns / 2, (y1 - y0) / rows / 2};
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      slots.push_back({{}, {x0 + (2 * i + 1) * half.x, y0 + (2 * j + 1) * half.y}, half});
    }
  }
  return slots;
}

}  // namespace wend::make
