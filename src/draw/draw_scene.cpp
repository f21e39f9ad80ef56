#include <algorithm>
#include <cmath>

#include <wend/draw.h>

#include <fmt/format.h>

#include "base/base64.h"
#include "draw/raster.h"
#include "draw/svg.h"

namespace wend {
namespace {

constexpr double kSceneMargin = 24;
constexpr double kTitleHeight = 34;
constexpr double kPanelTitle = 22;
constexpr double kFooter = 40;
// Seen from the south-west, 35 degrees above the ground.
constexpr double kYaw = 0.6;
constexpr double kPitch = 0.61;
// A picture twice as large in both directions is rendered first, unless that is too much.
constexpr double kMaxPixels = 4e7;
constexpr size_t kMaxSection = size_t{20} << 20;  // bytes of lines

struct Box3 {
  Vec3 low;
  Vec3 high;
};

// What of a triangle lies at or below the ceiling, as a fan, and where the ceiling cuts it.
struct CutTriangle {
  std::array<Vec3, 4> corners;
  size_t count = 0;
  std::array<Vec3, 2> section;
  size_t sectionPoints = 0;
};

CutTriangle cutAt(const std::array<Vec3, 3>& c, double ceiling) {
  CutTriangle cut;
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 a = c[k];
    const Vec3 b = c[(k + 1) % 3];
    if (a.z <= ceiling) cut.corners[cut.count++] = a;
    if ((a.z <= ceiling) == (b.z <= ceiling)) continue;
    const double t = (ceiling - a.z) / (b.z - a.z);
    const Vec3 p{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), ceiling};
    cut.corners[cut.count++] = p;
    if (cut.sectionPoints < 2) cut.section[cut.sectionPoints++] = p;
  }
  return cut;
}

class SceneView {
 public:
  SceneView(const Box3& box, bool oblique) : box_(box), oblique_(oblique) {
    min_ = {HUGE_VAL, HUGE_VAL};
    Vec2 max{-HUGE_VAL, -HUGE_VAL};
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = turned({corner & 1 ? box.low.x : box.high.x, corner & 2 ? box.low.y : box.high.y,
                             corner & 4 ? box.low.z : box.high.z});
      min_ = {std::min(min_.x, p.x), std::min(min_.y, p.y)};
      max = {std::max(max.x, p.x), std::max(max.y, p.y)};
    }
    span_ = {std::max(max.x - min_.x, 1e-3), std::max(max.y - min_.y, 1e-3)};
  }

  // Metres to the right, down, and towards the eye.
  Vec3 turned(Vec3 p) const {
    if (!oblique_) return {p.x, -p.y, p.z};
    const double right = std::cos(kYaw) * p.x + std::sin(kYaw) * p.y;
    const double back = -std::sin(kYaw) * p.x + std::cos(kYaw) * p.y;
    return {right, -(std::sin(kPitch) * back + std::cos(kPitch) * p.z),
            std::sin(kPitch) * p.z - std::cos(kPitch) * back};
  }
  Vec2 span() const { return span_; }

  // `section` gets the lines where the ceiling cuts the scene, in pixels of the raster.
  Raster render(const Scene& scene, double scale, double ceiling, std::string& section) const {
    const double factor = span_.x * span_.y * scale * scale * 4 <= kMaxPixels ? 2 : 1;
    const auto pixels = [&](double metres) {
      return static_cast<uint32_t>(std::max(1.0, std::ceil(metres * scale))) * static_cast<uint32_t>(factor);
    };
    Raster raster(pixels(span_.x), pixels(span_.y));
    const auto place = [&](Vec3 p, double zoom) {
      const Vec3 q = turned(p);
      return Vec3{(q.x - min_.x) * zoom, (q.y - min_.y) * zoom, q.z};
    };
    for (const Scene::Triangle& t : scene.triangles) {
      const std::array<Vec3, 3> corners{scene.vertices[t.vertices[0]], scene.vertices[t.vertices[1]],
                                        scene.vertices[t.vertices[2]]};
      const CutTriangle cut = cutAt(corners, ceiling);
      if (cut.count < 3) continue;
      const Colour colour = colourOf(corners);
      const Vec3 first = place(cut.corners[0], scale * factor);
      for (size_t k = 1; k + 1 < cut.count; ++k) {
        raster.triangle({first, place(cut.corners[k], scale * factor), place(cut.corners[k + 1], scale * factor)},
                        colour);
      }
      if (cut.sectionPoints == 2 && section.size() < kMaxSection) {
        const Vec3 a = place(cut.section[0], scale);
        const Vec3 b = place(cut.section[1], scale);
        section += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x, a.y, b.x, b.y);
      }
    }
    return factor == 2 ? raster.halved() : raster;
  }

 private:
  // Floors by height, what is too steep in red, the rest in grey; shaded by the direction of the face.
  Colour colourOf(const std::array<Vec3, 3>& c) const {
    const Vec3 u{c[1].x - c[0].x, c[1].y - c[0].y, c[1].z - c[0].z};
    const Vec3 v{c[2].x - c[0].x, c[2].y - c[0].y, c[2].z - c[0].z};
    const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double length = std::hypot(n.x, n.y, n.z);
    if (length == 0) return {120, 120, 120};
    const double up = n.z / length;
    Colour colour{170, 166, 160};
    if (up >= std::sqrt(0.5) - 1e-9) {
      const double middle = (c[0].z + c[1].z + c[2].z) / 3;
      colour = heightColour((middle - box_.low.z) / std::max(box_.high.z - box_.low.z, 1e-9));
    } else if (up > 0.17) {
      colour = {196, 92, 72};
    }
    return shaded(colour, c);
  }

  const Box3 box_;
  bool oblique_;
  Vec2 min_;
  Vec2 span_;
};

Result<Box3> boundsOf(const Scene& scene, double ceiling) {
  Box3 box{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (const Scene::Triangle& t : scene.triangles) {
    double bottom = HUGE_VAL;
    for (const uint32_t id : t.vertices) {
      if (id >= scene.vertices.size())
        return Error{ErrorCode::kInvalidGeometry, "a triangle names a vertex that is not there"};
      bottom = std::min(bottom, scene.vertices[id].z);
    }
    if (!(bottom <= ceiling)) continue;
    for (const uint32_t id : t.vertices) {
      const Vec3 p = scene.vertices[id];
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, std::min(p.z, ceiling))};
    }
  }
  if (!(box.low.x <= box.high.x &&
        std::isfinite(box.low.x + box.low.y + box.low.z + box.high.x + box.high.y + box.high.z))) {
    return Error{ErrorCode::kEmpty, "nothing to draw: the scene has no triangle below the height to show"};
  }
  return box;
}

// The colours of heights, with the lowest and the highest.
void addLegend(std::string& body, double x, double y, const Box3& box) {
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps; ++i) {
    const Colour c = heightColour((i + 0.5) / kSteps);
    body += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"4.2\" height=\"10\" fill=\"#{:02x}{:02x}{:02x}\"/>\n",
                        x + 4 * i, y - 10, c[0], c[1], c[2]);
  }
  body += svgText({x + 4 * kSteps + 8, y}, 12, "start",
                  fmt::format("floors from {:.2f} to {:.2f} m; red is steeper than 45°", box.low.z, box.high.z));
}

}  // namespace

Result<std::string> drawScene(const Scene& scene, const SceneDrawSettings& settings) {
  if (!(settings.width >= 100 && settings.width <= 20000)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("width {} is outside 100 to 20000 pixels", settings.width)};
  }
  if (std::isnan(settings.ceiling)) return Error{ErrorCode::kInvalidSettings, "the height to show is not a number"};
  const Result<Box3> box = boundsOf(scene, settings.ceiling);
  if (!box.ok()) return box.error();
  std::string body;
  double y = kSceneMargin;
  if (settings.labels) {
    body += svgText({kSceneMargin, y + 12}, 17, "start", settings.title.empty() ? "scene" : settings.title,
                    "font-weight=\"600\"");
    y += kTitleHeight;
  }
  const double room = settings.width - 2 * kSceneMargin;
  double scale = 1;
  for (const bool oblique : {false, true}) {
    if (settings.view == (oblique ? SceneDrawing::kPlan : SceneDrawing::kOblique)) continue;
    const SceneView view(*box, oblique);
    // A tall, thin scene must not become an endless page.
    const double panelScale = std::min(room / view.span().x, 1.5 * settings.width / view.span().y);
    if (scale == 1 || !oblique) scale = panelScale;
    if (settings.labels) {
      body +=
          svgText({kSceneMargin, y + 12}, 12, "start", oblique ? "from the south-west" : "from above", "fill=\"#444\"");
      y += kPanelTitle;
    }
    std::string section;
    const Raster raster = view.render(scene, panelScale, settings.ceiling, section);
    const std::string png = raster.png();
    if (png.empty()) return Error{ErrorCode::kInternal, "the picture could not be compressed"};
    body +=
        fmt::format("<image x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" href=\"data:image/png;base64,{}\"/>\n",
                    kSceneMargin, y, raster.width(), raster.height(), encodeBase64(png));
    if (!section.empty()) {
      body += fmt::format(
          "<path transform=\"translate({:.1f} {:.1f})\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" "
          "stroke-linecap=\"round\" d=\"{}\"/>\n",
          kSceneMargin, y, kWallColour, section);
    }
    y += raster.height() + kSceneMargin;
  }
  if (settings.labels) {
    y += kFooter - kSceneMargin;
    body += scaleBar({kSceneMargin, y}, scale, settings.width / 5);
    addLegend(body, settings.width / 3, y, *box);
    y += kSceneMargin;
  }
  return svgDocument(settings.width, y, body);
}

}  // namespace wend
