#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/draw.h>
#include <wend/lattice.h>

// An SVG page with one panel per layer, or all layers in one oblique panel, at one common scale.
namespace wend {

struct PageLayer {
  std::string title;
  Vec2 min;  // metres
  Vec2 max;
  double low = 0;  // lowest and highest point, metres
  double high = 0;
};

class Page {
 public:
  Page(std::string title, std::vector<PageLayer> layers, const DrawSettings& settings);

  // Pixels of a place in a layer. In side-by-side panels z does not matter; the oblique view shears y and lifts by z.
  Vec2 pixel(size_t layer, Vec3 metres) const;

  // Shapes are drawn in the order of the calls. `style` is a list of SVG attributes.
  void beginGroup(std::string_view style);
  void endGroup();
  // A path of several closed (or open) rings as one element; nothing for an empty list.
  void beginPath();
  void addRing(size_t layer, std::span<const Vec3> metres, bool closed);
  void endPath(std::string_view style = {});
  void circle(size_t layer, Vec3 metres, double radiusPixels, std::string_view style);
  void text(Vec2 pixel, double size, std::string_view anchor, std::string_view words, std::string_view style = {});

  // The box of a layer as drawn ground.
  void ground(size_t layer, std::string_view style);
  bool oblique() const { return oblique_; }
  // Along x, and of height in the oblique view.
  double metresPerPixel() const { return 1 / scale_; }
  double risePerPixel() const { return 1 / lift_; }
  std::span<const PageLayer> layers() const { return layers_; }

  // The document, with panel titles and the scale bar on top.
  std::string finish();

 private:
  void layOut();

  std::string title_;
  std::vector<PageLayer> layers_;
  DrawSettings settings_;
  bool oblique_ = false;
  double scale_ = 1;  // pixels per metre
  double lift_ = 1;   // pixels per metre of height, oblique view
  double width_ = 0;
  double height_ = 0;
  Vec2 min_;  // of all layers
  Vec2 max_;
  double low_ = 0;
  double high_ = 0;
  std::vector<Vec2> panels_;  // pixels of the upper left corner of each layer's panel
  std::string body_;
  std::string path_;
};

}  // namespace wend
