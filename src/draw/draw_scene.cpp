#include <algorithm>
#include <cmath>
#include <iterator>

#include <wend/draw.h>

#include <fmt/format.h>

#include "base/xml.h"
#include "draw/raster.h"

namespace wend {
namespace {

constexpr double kMargin = 24;
constexpr double kTitleHeight = 34;
constexpr double kPanelTitle = 22;
constexpr double kFooter = 40;
// Seen from the south-west, 35 degrees above the ground.
constexpr double kYaw = 0.6;
constexpr double kPitch = 0.61;
// A picture twice as large in both directions is rendered first, unless that is too much.
constexpr double kMaxPixels = 4e7;

struct Box3 {
  Vec3 low;
  Vec3 high;
};

// From blue over green to yellow, equally bright in all but the ends.
Colour heightColour(double t) {
  constexpr std::array<std::array<double, 3>, 5> kStops{
      {{68, 90, 160}, {60, 140, 160}, {80, 175, 125}, {160, 200, 90}, {245, 215, 80}}};
  const double s = std::clamp(t, 0.0, 1.0) * (kStops.size() - 1);
  const size_t i = std::min(static_cast<size_t>(s), kStops.size() - 2);
  Colour colour{};
  for (size_t k = 0; k < 3; ++k) {
    colour[k] = static_cast<uint8_t>(kStops[i][k] + (s - static_cast<double>(i)) * (kStops[i + 1][k] - kStops[i][k]));
  }
  return colour;
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

  Raster render(const Scene& scene, double scale, double ceiling) const {
    const double factor = span_.x * span_.y * scale * scale * 4 <= kMaxPixels ? 2 : 1;
    const auto pixels = [&](double metres) {
      return static_cast<uint32_t>(std::max(1.0, std::ceil(metres * scale))) * static_cast<uint32_t>(factor);
    };
    Raster raster(pixels(span_.x), pixels(span_.y));
    for (const Scene::Triangle& t : scene.triangles) {
      std::array<Vec3, 3> corners;
      for (size_t k = 0; k < 3; ++k) corners[k] = scene.vertices[t.vertices[k]];
      if (std::max({corners[0].z, corners[1].z, corners[2].z}) > ceiling) continue;
      const Colour colour = colourOf(corners);
      for (Vec3& p : corners) {
        const Vec3 q = turned(p);
        p = {(q.x - min_.x) * scale * factor, (q.y - min_.y) * scale * factor, q.z};
      }
      raster.triangle(corners, colour);
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
    const double light = 0.72 + 0.28 * std::max(0.0, (-0.35 * n.x - 0.55 * n.y + 0.76 * n.z) / length);
    for (uint8_t& channel : colour) channel = static_cast<uint8_t>(channel * light);
    return colour;
  }

  const Box3 box_;
  bool oblique_;
  Vec2 min_;
  Vec2 span_;
};

Result<Box3> boundsOf(const Scene& scene, double ceiling) {
  Box3 box{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (const Scene::Triangle& t : scene.triangles) {
    double top = -HUGE_VAL;
    for (const uint32_t id : t.vertices) {
      if (id >= scene.vertices.size())
        return Error{ErrorCode::kInvalidGeometry, "a triangle names a vertex that is not there"};
      top = std::max(top, scene.vertices[id].z);
    }
    if (!(top <= ceiling)) continue;
    for (const uint32_t id : t.vertices) {
      const Vec3 p = scene.vertices[id];
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
    }
  }
  if (!(box.low.x <= box.high.x &&
        std::isfinite(box.low.x + box.low.y + box.low.z + box.high.x + box.high.y + box.high.z))) {
    return Error{ErrorCode::kEmpty, "nothing to draw: the scene has no triangle below the height to show"};
  }
  return box;
}

void addText(std::string& body, double x, double y, double size, std::string_view words, std::string_view style = {}) {
  fmt::format_to(std::back_inserter(body), "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" {}>{}</text>\n", x, y,
                 size, style, escapeXml(words));
}

// The colours of heights, with the lowest and the highest.
void addLegend(std::string& body, double x, double y, const Box3& box) {
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps; ++i) {
    const Colour c = heightColour((i + 0.5) / kSteps);
    fmt::format_to(std::back_inserter(body),
                   "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"4.2\" height=\"10\" fill=\"#{:02x}{:02x}{:02x}\"/>\n",
                   x + 4 * i, y - 10, c[0], c[1], c[2]);
  }
  addText(body, x + 4 * kSteps + 8, y, 12,
          fmt::format("floors from {:.2f} to {:.2f} m; red is steeper than 45°", box.low.z, box.high.z));
}

void addScaleBar(std::string& body, double y, double scale, double room) {
  double length = std::pow(10.0, std::floor(std::log10(room / scale)));
  if (length * 5 * scale <= room) {
    length *= 5;
  } else if (length * 2 * scale <= room) {
    length *= 2;
  }
  fmt::format_to(std::back_inserter(body),
                 "<path d=\"M{:.1f} {:.1f}v6h{:.1f}v-6\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\"/>\n",
                 kMargin, y - 6, length * scale);
  addText(body, kMargin + length * scale + 8, y, 12, fmt::format("{:g} m", length));
}

}  // namespace

Result<std::string> drawScene(const Scene& scene, const SceneDrawSettings& settings) {
  if (!(settings.width >= 100 && settings.width <= 20000)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("width {} is outside 100 to 20000 pixels", settings.width)};
  }
  if (std::isnan(settings.ceiling)) return Error{ErrorCode::kInvalidSettings, "the height to show is no number"};
  const Result<Box3> box = boundsOf(scene, settings.ceiling);
  if (!box.ok()) return box.error();
  std::string body;
  double y = kMargin;
  if (settings.labels) {
    addText(body, kMargin, y + 12, 17, settings.title.empty() ? "scene" : settings.title, "font-weight=\"600\"");
    y += kTitleHeight;
  }
  const double room = settings.width - 2 * kMargin;
  double scale = 1;
  for (const bool oblique : {false, true}) {
    if (settings.view == (oblique ? SceneDrawing::kPlan : SceneDrawing::kOblique)) continue;
    const SceneView view(*box, oblique);
    // A tall, thin scene must not become an endless page.
    const double panelScale = std::min(room / view.span().x, 1.5 * settings.width / view.span().y);
    if (scale == 1 || !oblique) scale = panelScale;
    if (settings.labels) {
      addText(body, kMargin, y + 12, 12, oblique ? "from the south-west" : "from above", "fill=\"#444\"");
      y += kPanelTitle;
    }
    const Raster raster = view.render(scene, panelScale, settings.ceiling);
    const std::string png = raster.png();
    if (png.empty()) return Error{ErrorCode::kInternal, "the picture could not be compressed"};
    fmt::format_to(std::back_inserter(body),
                   "<image x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" href=\"data:image/png;base64,{}\"/>\n",
                   kMargin, y, raster.width(), raster.height(), base64(png));
    y += raster.height() + kMargin;
  }
  if (settings.labels) {
    y += kFooter - kMargin;
    addScaleBar(body, y, scale, settings.width / 5);
    addLegend(body, settings.width / 3, y, *box);
    y += kMargin;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\">\n<rect "
      "width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      settings.width, y, body);
}

}  // namespace wend
