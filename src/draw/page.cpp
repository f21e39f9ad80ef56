#include "draw/page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "draw/svg.h"

namespace wend {
namespace {

constexpr double kMargin = 24;       // pixels around everything
constexpr double kTitleHeight = 30;  // pixels above the panels
constexpr double kPanelTitle = 20;   // pixels above each panel
constexpr double kFooter = 44;       // pixels below, for the scale bar
constexpr double kGap = 18;          // pixels between panels
// The oblique view: the ground is seen from above and in front.
constexpr double kShear = 0.35;  // pixels to the right per pixel of depth
constexpr double kTilt = 0.55;   // pixels up per pixel of depth

}  // namespace

Page::Page(std::string title, std::vector<PageLayer> layers, const DrawSettings& settings)
    : title_(std::move(title)), layers_(std::move(layers)), settings_(settings) {
  oblique_ = settings.layers == LayerArrangement::kStacked;
  min_ = layers_.front().min;
  max_ = layers_.front().max;
  low_ = layers_.front().low;
  high_ = layers_.front().high;
  for (const PageLayer& layer : layers_) {
    min_ = {std::min(min_.x, layer.min.x), std::min(min_.y, layer.min.y)};
    max_ = {std::max(max_.x, layer.max.x), std::max(max_.y, layer.max.y)};
    low_ = std::min(low_, layer.low);
    high_ = std::max(high_, layer.high);
  }
  layOut();
}

void Page::layOut() {
  const double top = kMargin + (settings_.labels ? kTitleHeight : 0);
  const double bottom = kMargin + (settings_.labels ? kFooter : 0);
  const double panelTitle = settings_.labels && layers_.size() > 1 && !oblique_ ? kPanelTitle : 0;
  const double room = settings_.width - 2 * kMargin;
  // A world without width still gets a picture.
  const double spanX = std::max(max_.x - min_.x, 1e-3);
  const double spanY = std::max(max_.y - min_.y, 1e-3);
  width_ = settings_.width;

  if (oblique_) {
    scale_ = room / (spanX + kShear * spanY);
    const double rise = std::max(high_ - low_, 0.0);
    // Storeys stay apart however wide the building is: a storey of 3 m shows as about a sixth of the depth.
    lift_ = scale_ * std::max(1.0, 0.18 * spanY / 3.0);
    // Hills within a layer must not become needles.
    double relief = 0;
    for (const PageLayer& layer : layers_) relief = std::max(relief, layer.high - layer.low);
    if (relief > 0) lift_ = std::min(lift_, scale_ * std::max(1.0, 0.25 * spanY / relief));
    if (rise > 0) lift_ = std::min(lift_, scale_ * 3.0 * std::max(spanX, spanY) / rise);
    height_ = top + spanY * kTilt * scale_ + rise * lift_ + bottom;
    return;
  }

  // Try every number of columns and keep the largest scale that gives a page not much taller than wide.
  const size_t count = layers_.size();
  size_t best = 1;
  double bestScale = 0;
  for (size_t columns = 1; columns <= count; ++columns) {
    const size_t rows = (count + columns - 1) / columns;
    double scale = (room - kGap * static_cast<double>(columns - 1)) / (static_cast<double>(columns) * spanX);
    const double tallest = 1.25 * settings_.width / static_cast<double>(rows) - panelTitle - kGap;
    if (count > 1) scale = std::min(scale, tallest / spanY);
    if (scale > bestScale) {
      bestScale = scale;
      best = columns;
    }
  }
  // Very many layers leave no room between the gaps: then the page grows instead.
  scale_ = std::max(bestScale, 8.0 / std::max(spanX, spanY));
  // A tall, thin world must not become an endless page.
  if (count == 1) scale_ = std::min(scale_, 2.0 * settings_.width / spanY);
  const double panelWidth = spanX * scale_;
  const double panelHeight = spanY * scale_;
  for (size_t i = 0; i < count; ++i) {
    const size_t column = i % best;
    const size_t row = i / best;
    panels_.push_back({kMargin + static_cast<double>(column) * (panelWidth + kGap),
                       top + panelTitle + static_cast<double>(row) * (panelHeight + panelTitle + kGap)});
  }
  const double rows = std::ceil(static_cast<double>(count) / static_cast<double>(best));
  height_ = top + rows * (panelHeight + panelTitle + kGap) - kGap + bottom;
}

Vec2 Page::pixel(size_t layer, Vec3 m) const {
  if (!oblique_) {
    return {panels_[layer].x + (m.x - min_.x) * scale_, panels_[layer].y + (max_.y - m.y) * scale_};
  }
  const double depth = (m.y - min_.y) * scale_;
  const double ground = height_ - kMargin - (settings_.labels ? kFooter : 0);
  return {kMargin + (m.x - min_.x) * scale_ + depth * kShear, ground - depth * kTilt - (m.z - low_) * lift_};
}

void Page::beginGroup(std::string_view style) {
  body_ += fmt::format("<g {}>\n", style);
}

void Page::endGroup() {
  body_ += "</g>\n";
}

void Page::beginPath() {
  path_.clear();
}

void Page::addRing(size_t layer, std::span<const Vec3> metres, bool closed) {
  char command = 'M';
  for (const Vec3 m : metres) {
    const Vec2 p = pixel(layer, m);
    path_ += fmt::format("{}{:.2f} {:.2f}", command, p.x, p.y);
    command = 'L';
  }
  if (closed) path_ += 'Z';
}

void Page::endPath(std::string_view style) {
  if (path_.empty()) return;
  body_ += fmt::format("<path {} d=\"{}\"/>\n", style, path_);
}

void Page::circle(size_t layer, Vec3 metres, double radiusPixels, std::string_view style) {
  const Vec2 p = pixel(layer, metres);
  body_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", p.x, p.y, radiusPixels, style);
}

void Page::text(Vec2 pixel, double size, std::string_view anchor, std::string_view words, std::string_view style) {
  body_ += svgText(pixel, size, anchor, words, style);
}

void Page::ground(size_t layer, std::string_view style) {
  const PageLayer& l = layers_[layer];
  const std::array<Vec3, 4> corners{
      {{l.min.x, l.min.y, l.low}, {l.max.x, l.min.y, l.low}, {l.max.x, l.max.y, l.low}, {l.min.x, l.max.y, l.low}}};
  beginPath();
  addRing(layer, corners, true);
  endPath(style);
}

std::string Page::finish() {
  if (settings_.labels) {
    text({kMargin, kMargin + 10}, 17, "start", title_, "font-weight=\"600\"");
    if (layers_.size() > 1 && !oblique_) {
      for (size_t i = 0; i < layers_.size(); ++i) {
        text({panels_[i].x, panels_[i].y - 5}, 12, "start", layers_[i].title, "fill=\"#444\"");
      }
    }
    body_ += scaleBar({kMargin, height_ - kMargin}, scale_, settings_.width / 4);
  }
  return svgDocument(width_, height_, body_);
}

}  // namespace wend
