#include "environment/extract/voxel/block_painter.h"

#include <algorithm>
#include <cmath>

namespace wend::voxel {

using extraction::Point3;
using extraction::Triangle;

namespace {

// Pixel centres this near a side count as inside, so that no rounding opens the side between two triangles.
constexpr double kOnSide = 0.01;

// The point of a triangle nearest to a place outside it, in top view.
Vec2 nearestPoint(const std::array<Point3, 3>& corners, double x, double y) {
  Vec2 best;
  double least = INFINITY;
  for (size_t i = 0; i < 3; ++i) {
    const Point3& a = corners[i];
    const Point3& b = corners[(i + 1) % 3];
    const double dx = double(b.x) - a.x;
    const double dy = double(b.y) - a.y;
    const double length2 = dx * dx + dy * dy;
    const double t = length2 == 0 ? 0 : std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length2, 0.0, 1.0);
    const Vec2 p{a.x + t * dx, a.y + t * dy};
    const double distance2 = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
    if (distance2 >= least) continue;
    least = distance2;
    best = p;
  }
  return best;
}

// Whether it may slip between pixel centres: near-vertical, or narrower in top view than two pixels.
bool isThin(const Triangle& t, const std::array<Point3, 3>& corners, double pixel) {
  if (t.wall) return true;
  double longest = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Point3& a = corners[i];
    const Point3& b = corners[(i + 1) % 3];
    longest = std::max(longest, std::hypot(double(b.x) - a.x, double(b.y) - a.y));
  }
  return std::abs(t.area) < 2 * pixel * longest;
}

}  // namespace

BlockPainter::BlockPainter(const extraction::Soup& soup, const extraction::Facets& facets, const Voxels& voxels,
                           const Measures& measures, uint32_t block, BlockPlace place)
    : soup_(soup),
      facets_(facets),
      voxels_(voxels),
      m_(measures),
      block_(block),
      left_(place.x * kBlock),
      bottom_(place.y * kBlock),
      low_(INFINITY),
      high_(-INFINITY) {
  for (const Voxel& v : voxels.list[block]) {
    if (!v.wanted) continue;
    low_ = std::min(low_, v.low - m_.contact);
    high_ = std::max(high_, v.high + m_.height);
  }
  if (m_.singleLayer) high_ = INFINITY;
}

void BlockPainter::draw(std::span<const uint32_t> triangles) {
  for (const uint32_t id : triangles) {
    const Triangle& t = soup_.triangles[id];
    if (t.high < low_ || t.low > high_) continue;
    const Corners corners = soup_.corners(t);
    const bool floor = isFloor(facets_, t);
    if (t.area != 0) drawArea(t, corners, floor);
    if (floor && m_.gap > 0) drawRim(t, corners);
    if (!floor && isThin(t, corners, m_.pixel)) {
      drawWall(t, corners, 0);
      drawWall(t, corners, 1);
    }
  }
}

// The pixels of a row whose centres lie inside.
BlockPainter::Span BlockPainter::within(const Corners& corners, double area, int32_t y) const {
  const double at = m_.centre(bottom_ + y);
  double from = -INFINITY;
  double to = INFINITY;
  for (size_t i = 0; i < 3; ++i) {
    const Point3& a = corners[area > 0 ? i : 2 - i];
    const Point3& b = corners[area > 0 ? (i + 1) % 3 : (4 - i) % 3];
    const double dy = double(b.y) - a.y;
    if (dy == 0) {
      if (b.x > a.x ? at < a.y : at > a.y) return {0, -1};
      continue;
    }
    const double x = a.x + (at - a.y) * (double(b.x) - a.x) / dy;
    if (dy > 0) {
      to = std::min(to, x + kOnSide);
    } else {
      from = std::max(from, x - kOnSide);
    }
  }
  if (!(from <= to)) return {0, -1};
  const double first = std::ceil(from / m_.pixel - 0.5) - left_;
  const double last = std::floor(to / m_.pixel - 0.5) - left_;
  return {static_cast<int32_t>(std::clamp(first, 0.0, double(kBlock))),
          static_cast<int32_t>(std::clamp(last, -1.0, kBlock - 1.0))};
}

void BlockPainter::drawArea(const Triangle& t, const Corners& corners, bool floor) {
  const extraction::Plane plane = planeOf(soup_, t);
  const bool sloped = floor && std::hypot(plane.a, plane.b) * m_.pixel > 2 * m_.contact;
  const int32_t first = std::max(0, m_.pixelOf(t.box.min.y) - bottom_);
  const int32_t last = std::min(kBlock - 1, m_.pixelOf(t.box.max.y) - bottom_);
  for (int32_t y = first; y <= last; ++y) {
    const Span span = within(corners, t.area, y);
    if (span.from > span.to) continue;
    const double row = plane.c + plane.b * (m_.centre(bottom_ + y) - plane.oy);
    for (int32_t x = span.from; x <= span.to; ++x) {
      const double z = std::clamp<double>(row + plane.a * (m_.centre(left_ + x) - plane.ox), t.low, t.high);
      hit(y * kBlock + x, static_cast<int32_t>(std::lround(z)), t, floor, sloped);
    }
  }
}

void BlockPainter::hit(int32_t pixel, int32_t z, const Triangle& t, bool floor, bool sloped) {
  HitKind kind = floor ? HitKind::kFloor : HitKind::kOther;
  if (voxels_.pruned) {
    // The cutting shape of the pixel's column: the heights of its wanted voxels, and head room above them.
    bool near = false;
    bool inside = false;
    for (const Voxel& v : voxels_.of(block_, m_.columnOf(pixel))) {
      if (!v.wanted) continue;
      near = near || (z >= v.low - m_.contact && z <= v.high + m_.height);
      inside = inside || (z >= v.low - m_.contact && z <= v.high + m_.contact);
    }
    if (!near && !m_.singleLayer) return;
    if (floor && !inside) kind = HitKind::kCover;
  }
  hits.push_back({z, t.facet, static_cast<uint16_t>(pixel), kind, sloped});
}

void BlockPainter::drawRim(const Triangle& t, const Corners& corners) {
  const extraction::Plane plane = planeOf(soup_, t);
  const int32_t first = std::max(0, m_.pixelOf(t.box.min.y - m_.gap) - bottom_);
  const int32_t last = std::min(kBlock - 1, m_.pixelOf(t.box.max.y + m_.gap) - bottom_);
  for (int32_t y = first; y <= last; ++y) {
    const double cy = m_.centre(bottom_ + y);
    double left = 0;
    double right = 0;
    if (!rangeWithin(corners, cy - m_.gap, cy + m_.gap, left, right)) continue;
    const int32_t from = std::max(0, static_cast<int32_t>(std::ceil((left - m_.gap) / m_.pixel - 0.5)) - left_);
    const int32_t to =
        std::min(kBlock - 1, static_cast<int32_t>(std::floor((right + m_.gap) / m_.pixel - 0.5)) - left_);
    const Span inside = within(corners, t.area, y);
    for (int32_t x = from; x <= to; ++x) {
      if (x >= inside.from && x <= inside.to) {
        x = inside.to;
        continue;
      }
      const double cx = m_.centre(left_ + x);
      const Vec2 p = nearestPoint(corners, cx, cy);
      const Vec2 off{p.x - cx, p.y - cy};
      if (off.x * off.x + off.y * off.y > m_.gap * m_.gap) continue;
      nearHits.push_back({static_cast<int32_t>(std::lround(std::clamp<double>(plane.at(p.x, p.y), t.low, t.high))),
                          t.facet, static_cast<uint16_t>(y * kBlock + x), off});
    }
  }
}

// Along the lines through pixel centres in one direction: which ways between neighbours does the triangle cross, and
// at which heights?
void BlockPainter::drawWall(const Triangle& t, const Corners& corners, int axis) {
  const auto along = [&](const Point3& p) { return double(axis == 0 ? p.x : p.y); };
  const auto across = [&](const Point3& p) { return double(axis == 0 ? p.y : p.x); };
  const int32_t start = axis == 0 ? left_ : bottom_;
  const int32_t line0 = axis == 0 ? bottom_ : left_;
  const double low = axis == 0 ? t.box.min.y : t.box.min.x;
  const double high = axis == 0 ? t.box.max.y : t.box.max.x;
  const double front = axis == 0 ? t.normal.x : t.normal.y;
  const int32_t first = std::max(0, m_.pixelOf(low) - line0);
  const int32_t last = std::min(kBlock - 1, m_.pixelOf(high) - line0);
  for (int32_t line = first; line <= last; ++line) {
    const double at = m_.centre(line0 + line);
    std::array<std::pair<double, double>, 2> cut;
    size_t cuts = 0;
    for (size_t i = 0; i < 3 && cuts < 2; ++i) {
      const Point3& a = corners[i];
      const Point3& b = corners[(i + 1) % 3];
      if ((across(a) <= at) == (across(b) <= at)) continue;
      const double f = (at - across(a)) / (across(b) - across(a));
      cut[cuts++] = {along(a) + f * (along(b) - along(a)), a.z + f * (double(b.z) - a.z)};
    }
    if (cuts < 2) continue;
    if (cut[0].first > cut[1].first) std::swap(cut[0], cut[1]);
    const auto way = [&](double units) {
      return static_cast<int32_t>(std::clamp(std::floor(units / m_.pixel - 0.5) - start, -1.0, double(kBlock)));
    };
    for (int32_t i = std::max(0, way(cut[0].first)), end = std::min(kBlock - 1, way(cut[1].first)); i <= end; ++i) {
      const double length = cut[1].first - cut[0].first;
      const auto heightAt = [&](double units) {
        const double f = length > 0 ? std::clamp((units - cut[0].first) / length, 0.0, 1.0) : 0;
        return cut[0].second + f * (cut[1].second - cut[0].second);
      };
      double z0 = heightAt(m_.centre(start + i));
      double z1 = heightAt(m_.centre(start + i + 1));
      if (length == 0) z1 = cut[1].second;
      if (z0 > z1) std::swap(z0, z1);
      const int32_t pixel = axis == 0 ? line * kBlock + i : i * kBlock + line;
      walls.push_back({static_cast<uint16_t>(pixel), static_cast<uint8_t>(axis),
                       static_cast<uint8_t>(front > 0 ? 0 : 1), static_cast<int32_t>(std::lround(z0)),
                       static_cast<int32_t>(std::lround(z1))});
    }
  }
}

}  // namespace wend::voxel
