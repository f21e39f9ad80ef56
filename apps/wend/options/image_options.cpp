#include "options/image_options.h"

#include <fmt/format.h>

namespace wend::app {
namespace {

constexpr const char* kImageGroup = "Range images";

}  // namespace

void ImageOptions::addTo(Command& command, bool always) {
  command_ = command;
  always_ = always;
  const std::string group = kImageGroup;
  if (!always) {
    command.addFlag("--range", range_, "a PNG holds heights instead of free and blocked pixels").group(group);
  }
  command.addFlag("--top-view", topView_, "look at a scene from above and take the picture for a range image")
      .group(group);
  command.addOption("--view-pixel", view_.pixel, "top view: side of a pixel, metres")
      .check(positive())
      .group(group)
      .showDefault();
  command
      .addOption("--omit-smaller", view_.smallest,
                 "top view: leave out pieces smaller than this in every direction, metres (trees, signs, benches)")
      .check(notNegative())
      .group(group)
      .showDefault();
  command.addOption("--omit-label", view_.omit, "top view: leave out what has this label; may be repeated")
      .oneValueEach()
      .group(group);
  command
      .addOption(
          "--object-headroom", view_.headroom,
          "top view: what was left out and is higher than this above the ground is not an obstacle of crowds, metres")
      .check(notNegative())
      .group(group)
      .showDefault();
  command.addOption("--height-scale", read_.heightScale, "metres per value of the picture")
      .check(positive())
      .group(group)
      .showDefault();
  command.addOption("--no-data", noData_, "the value of pixels without a height, besides what the file names")
      .group(group);
  command
      .addOption("--image-pixels", read_.maxPixels,
                 "pictures with more pixels are refused; if not given, more than 33,554,432 and 64 per byte are")
      .check(range(size_t{1}, size_t{1} << 28))
      .group(group)
      .showDefault();
  command.addOption("--gaussian", navigable_.gaussian, "side of the Gaussian filter, pixels: 0, 3 or 5")
      .group(group)
      .showDefault();
  command.addOption("--median", navigable_.median, "side of the median filter, pixels: 0, 3, 5 or 7")
      .group(group)
      .showDefault();
  command.addOption("--edge-step", navigable_.step, "a larger step between pixels is an edge, metres")
      .check(positive())
      .group(group)
      .showDefault();
  command.addOption("--closing", navigable_.closing, "side of the square that seals gaps in edges, pixels, odd")
      .group(group)
      .showDefault();
  command
      .addFlag("--lidar", lidar_,
               "fill pixels without return, and find buildings by an adaptive threshold (slow terrain)")
      .group(group);
  command.addOption("--fill-holes", navigable_.fill, "LIDAR: side of the closing that fills holes, pixels, odd")
      .group(group)
      .showDefault();
  command
      .addOption("--window", navigable_.window,
                 "side of the window of the threshold and the terrain, pixels; larger than the largest roof")
      .group(group)
      .showDefault();
  command.addOption("--rule", rule_, "LIDAR: a building is above the lowest pixel of the window, or above its mean")
      .check(oneOf({"minimum", "mean"}))
      .group(group)
      .showDefault();
  command.addOption("--offset", navigable_.offset, "LIDAR: by how much it is above, metres")
      .check(positive())
      .group(group)
      .showDefault();
  command.addOption("--opening", navigable_.opening, "LIDAR: narrower buildings are dropped, pixels, odd")
      .group(group)
      .showDefault();
  command
      .addOption(
          "--mark", marks_,
          "x,y in metres: the flat component here is navigable; may be repeated; without it, the ground is found")
      .oneValueEach()
      .group(group);
  command
      .addOption("--ground-tolerance", navigable_.tolerance,
                 "ground is at most this far above the lowest place in the window, metres")
      .check(positive())
      .group(group)
      .showDefault();
  command.addOption("--ground-area", navigable_.minArea, "smaller components are not ground, m2")
      .check(notNegative())
      .group(group)
      .showDefault();
  command.addFlag("--keep-edges", keepEdges_, "pixels of edges at the height of the ground stay blocked").group(group);
  command.addOption("--steps", steps_, "folder for a picture of each intermediate result").group(group);
}

std::string ImageOptions::given() const {
  return command_->firstGiven(kImageGroup);
}

Status ImageOptions::addTo(WorldReadSettings& settings, double cell) {
  settings.rangeImage = always_ || range_;
  settings.topView = topView_;
  settings.range = read_;
  settings.range.pixel = cell;
  settings.range.noData = noData_;
  settings.view = view_;
  settings.navigable = navigable_;
  settings.navigable.lidar = lidar_;
  settings.navigable.regain = !keepEdges_;
  settings.navigable.rule = rule_ == "mean" ? AdaptiveRule::kMean : AdaptiveRule::kMinimum;
  // The source's median for LIDAR is wider.
  if (lidar_ && !command_->isGiven("--median")) settings.navigable.median = 5;
  for (const std::string& text : marks_) {
    const Result<Place> place = parsePlace(text);
    if (!place.ok()) return place.error();
    settings.navigable.marks.push_back(place->top());
  }
  if (steps_.empty()) return Done{};
  if (const Status status = makeFolder(steps_); !status.ok()) return status.error();
  settings.step = [folder = steps_](const std::string& name, uint32_t width, uint32_t height,
                                    std::span<const uint8_t> grey) -> Status {
    const Result<std::string> bytes = encodePng(width, height, grey);
    if (!bytes.ok()) return bytes.error();
    return writeFile(folder + "/" + name + ".png", *bytes);
  };
  return Done{};
}

std::string sayImage(const NavigableReport& report) {
  return fmt::format("{} x {} pixels of {:g} m, {} without a height; {} flat components, {} of them navigable",
                     report.grid.width, report.grid.height, report.grid.pixel, report.noReturn, report.components,
                     report.chosen);
}

Json toJson(const NavigableReport& report) {
  return {{"width", report.grid.width},
          {"height", report.grid.height},
          {"pixel", report.grid.pixel},
          {"no_return", report.noReturn},
          {"components", report.components},
          {"navigable", report.chosen},
          {"origin", {report.grid.origin.x, report.grid.origin.y}}};
}

}  // namespace wend::app
