#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/context.h>
#include <wend/image/navigable_grid.h>
#include <wend/scene.h>

// Range images: pictures of heights seen from above, from a z-buffer, a LIDAR survey or a game. From them to the
// navigable grid: filters, edges, components. All arithmetic is in whole numbers, so that the same picture gives the
// same grid on every machine and any number of threads.
namespace wend {

struct RangeImage {
  static constexpr int32_t kNoReturn = std::numeric_limits<int32_t>::min();  // no height is known here
  static constexpr double kStep = 1e-3;                                      // metres per unit of height

  uint32_t width = 0;  // pixels
  uint32_t height = 0;
  double pixel = 1;              // metres
  Vec2 origin;                   // metres; the lower left corner, from the georeference if there is one
  bool georeferenced = false;    // the file states where the picture lies
  std::vector<int32_t> heights;  // row by row from the top, millimetres
  bool operator==(const RangeImage&) const = default;
};

struct RangeReadSettings {
  double pixel = 0;                   // metres per pixel; 0: the file's georeference, else 1 m
  double heightScale = 1;             // metres per value, 1e-9 to 1e6
  std::optional<double> noData;       // the value that means "no return", besides NaN and what the file names itself
  size_t maxBytes = size_t{4} << 30;  // larger files are refused
  // Pictures with more pixels are refused. If it is left alone, it grows with the file: 33,554,432 and 64 per byte,
  // since an even picture of 16384 x 16384 pixels takes some kilobytes in a file and gigabytes of memory in an
  // extraction.
  size_t maxPixels = size_t{16384} * 16384;
};

// PNG (8 and 16 bits; colours count by their brightness) and, if wend was built with libtiff, TIFF of 8, 16, 32 and 64
// bits, whole numbers or floating point, in strips or tiles, with the georeference of a GeoTIFF. Up to kMaxGridSide
// pixels along a side. Memory grows with what the file holds, not with what its header claims.
Result<RangeImage> readRangeImage(const std::string& path, const RangeReadSettings& settings = {},
                                  const Context& context = {});
Result<RangeImage> parseRangeImage(std::span<const std::byte> bytes, std::string_view name,
                                   const RangeReadSettings& settings = {}, const Context& context = {});
// Whether bytes begin like a TIFF file.
bool isTiff(std::span<const std::byte> bytes);

// --- The top view of a scene ----------------------------------------------------------------------------------------

struct TopViewSettings {
  double pixel = 0.5;   // metres
  double smallest = 0;  // metres; connected pieces whose box is smaller than this on all three axes are left out
  std::vector<std::string> omit;  // labels that are left out
  double headroom = 2;            // metres, >= 0; persons pass under what was left out and is higher above the ground
};
struct TopView {
  RangeImage image;
  // The convex outlines of what was left out, up to the headroom above the ground; metres, counter-clockwise.
  std::vector<std::vector<Vec2>> omitted;
};
// The z-buffer of an orthographic camera above the scene: the highest surface at the centre of each pixel. Depends on
// the surfaces alone, not on how they are cut into triangles. kLimit above kMaxGridSide pixels.
Result<TopView> topView(const Scene& scene, const TopViewSettings& settings = {}, const Context& context = {});

// --- From a range image to the navigable grid -----------------------------------------------------------------------

enum class AdaptiveRule : uint8_t {
  kMinimum,  // higher than the lowest pixel of the window by more than the offset
  kMean,     // higher than the mean of the window by more than the offset; wrong where a roof fills the window
};

struct NavigableSettings {
  uint32_t gaussian = 0;  // side of the Gaussian filter: 0 (none), 3 or 5 pixels
  uint32_t median = 3;    // side of the median filter: 0 (none), 3, 5 or 7 pixels
  double step = 0.5;      // metres, > 0; a larger step between neighbours is an edge
  uint32_t closing = 3;   // side of the square that closes gaps in edges, odd, 1 to 63 pixels; more than half a street
                          // closes the street
  bool lidar = false;     // fill pixels without return, and separate buildings by an adaptive threshold
  uint32_t fill = 5;      // LIDAR: side of the grey closing that fills pixels without return, odd, 1 to 63
  uint32_t window = 64;   // side of the window of the adaptive threshold and of the terrain, 3 to 4096 pixels; must
                          // be larger than the largest roof
  AdaptiveRule rule = AdaptiveRule::kMinimum;
  double offset = 2.5;      // metres; LIDAR: what is higher than this above its surroundings is a building
  uint32_t opening = 3;     // LIDAR: buildings narrower than this are dropped, odd, 1 to 63 pixels
  std::vector<Vec2> marks;  // metres; the components under these places are navigable; empty: chosen automatically
  double tolerance = 1.5;   // metres; automatic: a component is navigable if its middle height is no more above the
                            // lowest ground around it
  double minArea = 25;      // m2; automatic: smaller components are not navigable
  bool regain = true;       // pixels of the edge at the height of the ground become navigable again
};

// An intermediate picture, 0 to 255 per pixel, row by row from the top.
using StepPicture =
    std::function<Status(const std::string& name, uint32_t width, uint32_t height, std::span<const uint8_t> grey)>;

struct NavigableReport {
  NavigableGrid grid;
  uint32_t components = 0;  // of flat pixels
  uint32_t chosen = 0;      // of these, navigable
  uint64_t noReturn = 0;    // pixels without return in the image
};
// Errors: kInvalidSettings, kNotOnMesh for a mark off the picture or on an edge, kEmpty if nothing is navigable.
Result<NavigableReport> extractNavigable(const RangeImage& image, const NavigableSettings& settings = {},
                                         const Context& context = {}, const StepPicture& step = {});

// A grey picture as the bytes of a PNG file.
Result<std::string> encodePng(uint32_t width, uint32_t height, std::span<const uint8_t> grey);
// 16 bits per pixel.
Result<std::string> encodePng16(uint32_t width, uint32_t height, std::span<const uint16_t> grey);

// --- Synthetic cities -----------------------------------------------------------------------------------------------

// Blocks on a lattice, nearly along the axes, seen from above or by LIDAR.
struct RangeCitySettings {
  uint32_t pixels = 512;    // along a side, 16 to kMaxGridSide
  double pixel = 1;         // metres
  uint32_t blocks = 6;      // sites along a side, 1 to 256
  uint32_t buildings = 33;  // sites with a building, at most blocks^2
  double rotation = 4;      // degrees; buildings are turned by up to this, 0 to 45
  double fill = 0.35;       // half extent of a building over the side of its site, 0.05 to 0.4; varied by a fifth
  bool lidar = false;       // slow terrain, salt noise, and patches without return
  uint64_t seed = 1;
};

struct RangeCity {
  RangeImage image;
  NavigableGrid truth;                         // pixels whose centre is outside of all buildings
  std::vector<std::array<Vec2, 4>> buildings;  // metres, counter-clockwise
};
// Same settings, same bytes. kInvalidSettings outside the ranges.
Result<RangeCity> makeRangeCity(const RangeCitySettings& settings = {}, const Context& context = {});

}  // namespace wend
