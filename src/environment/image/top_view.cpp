#include <algorithm>
#include <cmath>

#include <wend/image/range_image.h>

#include <fmt/format.h>

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

// Which triangles are left out: by label, and as parts of small connected pieces.
std::vector<uint8_t> omittedTriangles(const Scene& scene, const TopViewSettings& settings, TopView& view) {
  std::vector<uint8_t> omitted(scene.triangles.size(), 0);
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
  std::vector<uint8_t> noted(scene.vertices.size(), 0);
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    const Scene::Triangle& t = scene.triangles[i];
    const uint32_t piece = root(t.vertices[0]);
    const Bounds& box = bounds[piece];
    const bool small = settings.smallest > 0 && box.high.x - box.low.x < settings.smallest &&
                       box.high.y - box.low.y < settings.smallest && box.high.z - box.low.z < settings.smallest;
    const bool named = t.label < scene.labels.size() && std::find(settings.omit.begin(), settings.omit.end(),
                                                                  scene.labels[t.label]) != settings.omit.end();
    if (!small && !named) continue;
    omitted[i] = 1;
    if (noted[piece]++ != 0) continue;
    view.omitted.push_back(
        {{box.low.x, box.low.y}, {box.high.x, box.low.y}, {box.high.x, box.high.y}, {box.low.x, box.high.y}});
  }
  return omitted;
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
  if (!(settings.pixel > 0 && std::isfinite(settings.pixel)) || !(settings.smallest >= 0)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("pixels of {} m and objects of {} m: both must be numbers, the first above 0",
                             settings.pixel, settings.smallest)};
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
  const std::vector<uint8_t> omitted = omittedTriangles(scene, settings, view);
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    if (i % 4096 == 0 && context.cancelled()) {
      return Error{ErrorCode::kCancelled, "the top view was cancelled by the caller"};
    }
    if (omitted[i] != 0) continue;
    const auto& v = scene.triangles[i].vertices;
    draw(view.image, scene.vertices[v[0]], scene.vertices[v[1]], scene.vertices[v[2]]);
  }
  return view;
}

}  // namespace wend
