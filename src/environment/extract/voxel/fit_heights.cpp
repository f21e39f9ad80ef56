#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "environment/extract/polygons/cut.h"
#include "environment/extract/polygons/triangulate_rings.h"
#include "environment/extract/voxel/heights.h"

namespace wend::voxel {
namespace {

class FieldBuilder {
 public:
  FieldBuilder(HeightField& field, double unit) : field_(field), unit_(unit) {}

  void add(const std::array<Point, 3>& t, const extraction::Plane& plane) {
    if (extraction::doubledAreaOf(t) <= 0) return;
    field_.triangles.push_back({point(t[0], plane), point(t[1], plane), point(t[2], plane)});
  }
  void add(const HeightRectangle& r, const extraction::Plane& plane) {
    add({r.low, Point{r.high.x, r.low.y}, r.high}, plane);
    add({r.low, r.high, Point{r.low.x, r.high.y}}, plane);
  }

 private:
  uint32_t point(Point p, const extraction::Plane& plane) {
    // A hundredth of a unit, so that triangles of one plane share their corners.
    const int64_t z = std::llround(plane.at(p) * 100);
    const auto [it, isNew] = known_.try_emplace({p, z}, static_cast<uint32_t>(field_.points.size()));
    if (isNew) {
      field_.points.push_back(p);
      field_.z.push_back(static_cast<double>(z) * unit_ / 100);
    }
    return it->second;
  }

  HeightField& field_;
  double unit_;
  std::map<std::tuple<Point, int64_t>, uint32_t> known_;
};

extraction::Convex convex(const Box& box) {
  extraction::Convex c;
  for (const Point p : {box.min, Point{box.max.x, box.min.y}, box.max, Point{box.min.x, box.max.y}}) c.add(p);
  return c;
}

// Halves a window until few rectangles are left in it, and with it the part of the polygons inside.
class Fitter {
 public:
  Fitter(const HeightPlan& plan, const extraction::Facets& facets, const Measures& measures, FieldBuilder& builder)
      : plan_(plan), facets_(facets), builder_(builder) {
    // Simplification moves a border by at most this much.
    margin_ = (static_cast<int32_t>(std::ceil(measures.simplify)) + 1) * measures.pixel;
    smallest_ = 2 * measures.pixel;
  }

  void fit(const Box& window, const extraction::Rings& outline, const std::vector<uint32_t>& rectangles) {
    if (outline.count() == 0 || rectangles.empty()) return;
    const int64_t width = int64_t{window.max.x} - window.min.x;
    const int64_t height = int64_t{window.max.y} - window.min.y;
    if (rectangles.size() <= kFew || std::max(width, height) <= smallest_) {
      fitFew(outline, rectangles);
      return;
    }
    Box first = window;
    Box second = window;
    if (width >= height) {
      first.max.x = second.min.x = static_cast<int32_t>(window.min.x + width / 2);
    } else {
      first.max.y = second.min.y = static_cast<int32_t>(window.min.y + height / 2);
    }
    for (const Box& half : {first, second}) {
      std::vector<uint32_t> near;
      std::copy_if(rectangles.begin(), rectangles.end(), std::back_inserter(near), [&](uint32_t i) {
        const HeightRectangle& r = plan_.rectangles[i];
        return r.low.x <= half.max.x + margin_ && r.high.x >= half.min.x - margin_ && r.low.y <= half.max.y + margin_ &&
               r.high.y >= half.min.y - margin_;
      });
      extraction::Rings inside;
      const extraction::Convex piece = convex(half);
      if (cutter_.cut(outline, std::span(&piece, 1), extraction::CutPart::kInside, inside).ok())
        fit(half, inside, near);
    }
  }

 private:
  void fitFew(const extraction::Rings& outline, const std::vector<uint32_t>& rectangles) {
    std::vector<extraction::Convex> pieces;
    for (const uint32_t i : rectangles) {
      const HeightRectangle& r = plan_.rectangles[i];
      pieces.push_back(convex({r.low, r.high}));
      if (!r.border) continue;
      extraction::Rings inside;
      if (!cutter_.cut(outline, std::span(&pieces.back(), 1), extraction::CutPart::kInside, inside).ok()) continue;
      for (const auto& t : extraction::triangulateRings(inside)) builder_.add(t, facets_.list[r.facet].plane);
    }
    extraction::Rings rest;
    if (!cutter_.cut(outline, pieces, extraction::CutPart::kOutside, rest).ok()) return;
    for (const auto& t : extraction::triangulateRings(rest)) {
      builder_.add(t, facets_.list[plan_.rectangles[nearest(t, rectangles)].facet].plane);
    }
  }

  uint32_t nearest(const std::array<Point, 3>& t, const std::vector<uint32_t>& rectangles) const {
    const double x = (double(t[0].x) + t[1].x + t[2].x) / 3;
    const double y = (double(t[0].y) + t[1].y + t[2].y) / 3;
    uint32_t best = rectangles[0];
    double least = INFINITY;
    for (const uint32_t i : rectangles) {
      const HeightRectangle& r = plan_.rectangles[i];
      const double dx = std::max({r.low.x - x, 0.0, x - r.high.x});
      const double dy = std::max({r.low.y - y, 0.0, y - r.high.y});
      if (dx * dx + dy * dy >= least) continue;
      least = dx * dx + dy * dy;
      best = i;
    }
    return best;
  }

  // So few that testing all pairs costs less than cutting again.
  static constexpr size_t kFew = 12;
  const HeightPlan& plan_;
  const extraction::Facets& facets_;
  FieldBuilder& builder_;
  extraction::Cutter cutter_;
  int32_t margin_;
  int64_t smallest_;
};

}  // namespace

HeightField fitHeights(const HeightPlan& plan, std::span<const Polygon> free, const extraction::Facets& facets,
                       const Measures& measures) {
  HeightField field;
  field.base = plan.base;
  if (plan.flat || free.empty()) return field;
  FieldBuilder builder(field, measures.unit);
  for (const HeightRectangle& r : plan.connectionPixels) builder.add(r, facets.list[r.facet].plane);
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < plan.rectangles.size(); ++i) {
    const HeightRectangle& r = plan.rectangles[i];
    all.push_back(i);
    if (!r.border) builder.add(r, facets.list[r.facet].plane);
  }
  extraction::Rings outline;
  for (const Polygon& polygon : free) {
    outline.add(polygon.outer);
    for (const Ring& hole : polygon.holes) outline.add(hole);
  }
  Box window = boundingBox(free);
  window.min = {window.min.x - 1, window.min.y - 1};
  window.max = {window.max.x + 1, window.max.y + 1};
  Fitter(plan, facets, measures, builder).fit(window, outline, all);
  return field;
}

}  // namespace wend::voxel
