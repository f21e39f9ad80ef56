#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <wend/image/range_image.h>

#include <fmt/format.h>

#include "geometry/convex_hull.h"
#include "geometry/vec2.h"

// The z-buffer of a scene. A pixel takes the highest surface at its centre, so that the picture does not depend on how
// surfaces are cut into triangles: edges belong to both sides, and equal heights are equal.
namespace wend {
namespace {

struct Bounds {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  void add(Vec3 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
};

bool isFinite(const Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

// The triangles that are left out, by label or as parts of small connected pieces, and the piece of each.
struct Omitted {
  std::vector<uint8_t> isOmitted;  // per triangle
  std::vector<uint32_t> piece;     // per triangle
};

Omitted omittedTriangles(const Scene& scene, const TopViewSettings& settings) {
  Omitted omitted;
  omitted.isOmitted.assign(scene.triangles.size(), 0);
  std::vector<uint32_t> parent(scene.vertices.size());
  for (uint32_t i = 0; i < parent.size(); ++i) parent[i] = i;
  const auto root = [&](uint32_t i) {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  for (const Scene::Triangle& t : scene.triangles) {
    for (const uint32_t v : {t.vertices[1], t.vertices[2]}) parent[root(v)] = root(t.vertices[0]);
  }
  std::vector<Bounds> bounds(scene.vertices.size());
  for (const Scene::Triangle& t : scene.triangles) {
    for (const uint32_t v : t.vertices) bounds[root(v)].add(scene.vertices[v]);
  }
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    const Scene::Triangle& t = scene.triangles[i];
    omitted.piece.push_back(root(t.vertices[0]));
    const Bounds& box = bounds[omitted.piece[i]];
    const bool small = settings.smallest > 0 && box.high.x - box.low.x < settings.smallest &&
                       box.high.y - box.low.y < settings.smallest && box.high.z - box.low.z < settings.smallest;
    const bool named = t.label < scene.labels.size() && std::find(settings.omit.begin(), settings.omit.end(),
                                                                  scene.labels[t.label]) != settings.omit.end();
    omitted.isOmitted[i] = uint8_t{small || named};
  }
  return omitted;
}

// The corners of a triangle's part at heights up to `top`, in top view.
void addBelow(const std::array<Vec3, 3>& triangle, double top, std::vector<Vec2>& points) {
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 a = triangle[i];
    const Vec3 b = triangle[(i + 1) % 3];
    if (a.z <= top) points.push_back({a.x, a.y});
    if ((a.z <= top) == (b.z <= top)) continue;
    const double t = (top - a.z) / (b.z - a.z);
    points.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
  }
}

// The convex outline of what a person meets of each piece: what is at most `headroom` above the ground of the finished
// picture. A plate without width becomes a little wide, so that it is a polygon.
std::vector<std::vector<Vec2>> outlinesOf(const Scene& scene, const TopViewSettings& settings, const RangeImage& image,
                                          const Omitted& omitted) {
  struct Piece {
    Bounds box;
    std::vector<size_t> triangles;
  };
  std::map<uint32_t, Piece> pieces;
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    if (omitted.isOmitted[i] == 0) continue;
    Piece& piece = pieces[omitted.piece[i]];
    piece.triangles.push_back(i);
    for (const uint32_t v : scene.triangles[i].vertices) piece.box.add(scene.vertices[v]);
  }
  std::vector<std::vector<Vec2>> outlines;
  for (const auto& [root, piece] : pieces) {
    const auto pixelOf = [](double metres, uint32_t size) {
      return static_cast<size_t>(std::clamp(std::floor(metres), 0.0, size - 1.0));
    };
    const Vec2 middle{(piece.box.low.x + piece.box.high.x) / 2, (piece.box.low.y + piece.box.high.y) / 2};
    const size_t column = pixelOf((middle.x - image.origin.x) / image.pixel, image.width);
    const size_t row = image.height - 1 - pixelOf((middle.y - image.origin.y) / image.pixel, image.height);
    const int32_t ground = image.heights[row * image.width + column];
    const double floor = ground == RangeImage::kNoReturn ? piece.box.low.z : ground * RangeImage::kStep;
    std::vector<Vec2> points;
    for (const size_t i : piece.triangles) {
      const auto& v = scene.triangles[i].vertices;
      addBelow({scene.vertices[v[0]], scene.vertices[v[1]], scene.vertices[v[2]]}, floor + settings.headroom, points);
    }
    if (points.empty()) continue;
    std::vector<Vec2> hull = convexHull(points);
    double area = 0;
    for (size_t i = 2; i < hull.size(); ++i) area += cross(hull[i - 1] - hull[0], hull[i] - hull[0]) / 2;
    constexpr double kThin = 0.02;  // metres, half of the least width
    if (area < 4 * kThin * kThin) {
      points = std::move(hull);
      const size_t count = points.size();
      for (size_t i = 0; i < count; ++i) {
        for (const Vec2 corner : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}})
          points.push_back(points[i] + kThin * corner);
      }
      hull = convexHull(std::move(points));
    }
    outlines.push_back(std::move(hull));
  }
  return outlines;
}

void draw(RangeImage& image, Vec3 a, Vec3 b, Vec3 c) {
  const auto toPixels = [&](Vec3 p) {
    return Vec3{(p.x - image.origin.x) / image.pixel - 0.5, image.height - 0.5 - (p.y - image.origin.y) / image.pixel,
                p.z};
  };
  a = toPixels(a);
  b = toPixels(b);
  c = toPixels(c);
  const double doubled = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (doubled == 0) return;  // a wall: nothing of it is seen from above
  const auto clampTo = [](double v, uint32_t size) {
    return static_cast<int64_t>(std::clamp(v, -1.0, static_cast<double>(size)));
  };
  const int64_t top = std::max<int64_t>(0, clampTo(std::ceil(std::min({a.y, b.y, c.y})), image.height));
  const int64_t bottom =
      std::min<int64_t>(image.height - 1, clampTo(std::floor(std::max({a.y, b.y, c.y})), image.height));
  const int64_t left = std::max<int64_t>(0, clampTo(std::ceil(std::min({a.x, b.x, c.x})), image.width));
  const int64_t right = std::min<int64_t>(image.width - 1, clampTo(std::floor(std::max({a.x, b.x, c.x})), image.width));
  // Centres on an edge belong to the triangles of both sides; rounding must not open a crack between them.
  const double slack = -1e-9 * std::abs(doubled);
  for (int64_t y = top; y <= bottom; ++y) {
    for (int64_t x = left; x <= right; ++x) {
      const auto px = static_cast<double>(x);
      const auto py = static_cast<double>(y);
      const double u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) * (doubled > 0 ? 1 : -1);
      const double v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) * (doubled > 0 ? 1 : -1);
      const double w = std::abs(doubled) - u - v;
      if (u < slack || v < slack || w < slack) continue;
      const double z = (u * a.z + v * b.z + w * c.z) / std::abs(doubled) / RangeImage::kStep;
      if (!(std::abs(z) < 2e9)) continue;
      int32_t& pixel = image.heights[static_cast<size_t>(y) * image.width + static_cast<size_t>(x)];
      pixel = std::max(pixel, static_cast<int32_t>(std::llround(z)));
    }
  }
}

}  // namespace

Result<TopView> topView(const Scene& scene, const TopViewSettings& settings, const Context& context) {
  if (!(settings.pixel > 0 && std::isfinite(settings.pixel)) || !(settings.smallest >= 0) ||
      !(settings.headroom >= 0)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("pixels of {} m, objects of {} m and a headroom of {} m: all must be numbers, the first "
                             "above 0, the others not below",
                             settings.pixel, settings.smallest, settings.headroom)};
  }
  Bounds all;
  for (const Scene::Triangle& t : scene.triangles) {
    for (const uint32_t v : t.vertices) {
      if (v >= scene.vertices.size() || !isFinite(scene.vertices[v])) {
        return Error{ErrorCode::kFormat, "a triangle of the scene has a vertex that is missing or no number"};
      }
      all.add(scene.vertices[v]);
    }
  }
  if (scene.triangles.empty()) return Error{ErrorCode::kEmpty, "the scene has no triangles"};
  const double columns = std::ceil((all.high.x - all.low.x) / settings.pixel);
  const double rows = std::ceil((all.high.y - all.low.y) / settings.pixel);
  if (!(columns <= kMaxGridSide && rows <= kMaxGridSide)) {
    return Error{ErrorCode::kLimit,
                 fmt::format("a top view with pixels of {} m has {:.0f} x {:.0f} of them, more than {}; "
                             "choose larger ones",
                             settings.pixel, columns, rows, kMaxGridSide)};
  }
  TopView view;
  view.image.width = static_cast<uint32_t>(std::max(1.0, columns));
  view.image.height = static_cast<uint32_t>(std::max(1.0, rows));
  view.image.pixel = settings.pixel;
  view.image.origin = {all.low.x, all.low.y};
  view.image.heights.assign(static_cast<size_t>(view.image.width) * view.image.height, RangeImage::kNoReturn);
  const Omitted omitted = omittedTriangles(scene, settings);
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    if (i % 4096 == 0 && context.cancelled()) {
      return Error{ErrorCode::kCancelled, "the top view was cancelled by the caller"};
    }
    if (omitted.isOmitted[i] != 0) continue;
    const auto& v = scene.triangles[i].vertices;
    draw(view.image, scene.vertices[v[0]], scene.vertices[v[1]], scene.vertices[v[2]]);
  }
  view.omitted = outlinesOf(scene, settings, view.image, omitted);
  return view;
}

}  // namespace wend
