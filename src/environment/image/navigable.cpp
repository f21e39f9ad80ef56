#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "environment/image/filters.h"
#include "environment/image/label.h"
#include "environment/image/lidar.h"

// From heights to the navigable grid (the source's section 3.1, and 5.3 for LIDAR).
//
// The source joins the thresholded Sobel images "with the logical and". That keeps only pixels that are an edge in
// every direction, which separates nothing; it is right for images that mark flat pixels. So a pixel is an edge here if
// it is one in any direction.
namespace wend::image {
namespace {

Error invalid(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

Status checkOdd(const char* name, uint32_t value) {
  if (value >= 1 && value <= 63 && value % 2 == 1) return Done{};
  return invalid(fmt::format("{} is {} pixels; it must be odd, from 1 to 63", name, value));
}

Status checkSettings(const NavigableSettings& s) {
  if (s.gaussian != 0 && s.gaussian != 3 && s.gaussian != 5) {
    return invalid(fmt::format("the Gaussian filter is {} pixels wide; it must be 0, 3 or 5", s.gaussian));
  }
  if (s.median != 0 && s.median != 3 && s.median != 5 && s.median != 7) {
    return invalid(fmt::format("the median filter is {} pixels wide; it must be 0, 3, 5 or 7", s.median));
  }
  for (const auto& [name, value] : {std::pair("closing", s.closing), {"fill", s.fill}, {"opening", s.opening}}) {
    if (Status status = checkOdd(name, value); !status.ok()) return status;
  }
  if (s.window < 3 || s.window > 4096) {
    return invalid(fmt::format("the window is {} pixels; it must be from 3 to 4096", s.window));
  }
  for (const auto& [name, value] : {std::pair("step", s.step), {"offset", s.offset}, {"tolerance", s.tolerance}}) {
    if (!(value > 0 && value <= 1e5)) return invalid(fmt::format("{} is {} m; it must be above 0", name, value));
  }
  if (!(s.minArea >= 0 && std::isfinite(s.minArea))) {
    return invalid(fmt::format("the least area is {} m2; it must be 0 or more", s.minArea));
  }
  return Done{};
}

class Extraction {
 public:
  Extraction(const RangeImage& image, const NavigableSettings& settings, const Context& context,
             const StepPicture& step)
      : image_(image), settings_(settings), context_(context), step_(step) {}

  Result<NavigableReport> run() {
    heights_ = Heights(image_.width, image_.height);
    heights_.values = image_.heights;
    report_.noReturn =
        static_cast<uint64_t>(std::count(heights_.values.begin(), heights_.values.end(), RangeImage::kNoReturn));
    if (Status status = showHeights("1-heights"); !status.ok()) return status.error();
    smooth();
    if (Status status = showHeights("2-smoothed"); !status.ok()) return status.error();
    Mask edge = findEdges();
    if (failure_) return *failure_;
    if (settings_.lidar) addBuildings(edge);
    if (failure_) return *failure_;
    edge = close(edge, settings_.closing, context_);
    if (Status status = showMask("5-closed-edges", edge); !status.ok()) return status.error();
    Mask flat(edge.width, edge.height);
    for (size_t i = 0; i < flat.values.size(); ++i) flat.values[i] = edge.values[i] == 0 ? 1 : 0;
    const Labels labels = label(flat);
    report_.components = labels.count;
    if (Status status = showLabels(labels); !status.ok()) return status.error();
    if (context_.cancelled()) return Error{ErrorCode::kCancelled, "the extraction was cancelled by the caller"};
    std::vector<uint8_t> chosen(labels.count + 1, 0);
    if (Status status = choose(labels, chosen); !status.ok()) return status.error();
    return finish(labels, chosen);
  }

 private:
  void smooth() {
    if (settings_.median > 0) heights_ = median(heights_, settings_.median, context_);
    if (settings_.lidar) heights_ = fillReturns(heights_, settings_, context_);
    if (settings_.gaussian > 0) heights_ = gaussian(heights_, settings_.gaussian, context_);
  }

  Mask findEdges() {
    Mask edge(image_.width, image_.height);
    const int64_t threshold = 4 * millimetres(settings_.step);
    for (int direction = 0; direction < 4; ++direction) {
      const Mask one = sobelEdges(heights_, direction, threshold, context_);
      for (size_t i = 0; i < edge.values.size(); ++i) edge.values[i] |= one.values[i];
      keep(showMask(fmt::format("3-edges-{}", 45 * direction), one));
    }
    return edge;
  }

  // What stands out of its surroundings is no ground, however smooth the way up to it is.
  void addBuildings(Mask& edge) {
    const Mask above = aboveSurroundings(heights_, settings_, context_);
    keep(showMask("4-above-threshold", above));
    const Mask building = buildingsOf(above, settings_, context_);
    keep(showMask("4-buildings", building));
    for (size_t i = 0; i < edge.values.size(); ++i) edge.values[i] |= building.values[i];
  }

  Status choose(const Labels& labels, std::vector<uint8_t>& chosen) {
    if (settings_.marks.empty()) {
      chooseAutomatically(labels, chosen);
      return Done{};
    }
    for (const Vec2 mark : settings_.marks) {
      const double x = (mark.x - image_.origin.x) / image_.pixel;
      const double y = image_.height - (mark.y - image_.origin.y) / image_.pixel;
      if (!(x >= 0 && y >= 0 && x < image_.width && y < image_.height)) {
        return Error{
            ErrorCode::kNotOnMesh,
            fmt::format("the mark {:g}, {:g} is outside the picture, which covers {:g}, {:g} to {:g}, {:g} m", mark.x,
                        mark.y, image_.origin.x, image_.origin.y, image_.origin.x + image_.width * image_.pixel,
                        image_.origin.y + image_.height * image_.pixel)};
      }
      const uint32_t found = labels.label.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
      if (found == 0) {
        return Error{
            ErrorCode::kNotOnMesh,
            fmt::format("the mark {:g}, {:g} is on an edge or a building; move it to flat ground", mark.x, mark.y)};
      }
      chosen[found] = 1;
    }
    return Done{};
  }

  // A component is ground if its middle height above the lowest place around is small, and if it is large enough.
  void chooseAutomatically(const Labels& labels, std::vector<uint8_t>& chosen) const {
    const Heights ground = lowest(heights_, settings_.window | 1U, context_);
    constexpr uint64_t kSamples = 4096;  // of a component, evenly spaced
    std::vector<std::vector<int32_t>> samples(labels.count);
    std::vector<uint64_t> seen(labels.count, 0);
    for (size_t i = 0; i < labels.label.values.size(); ++i) {
      const uint32_t l = labels.label.values[i];
      if (l == 0) continue;
      const uint64_t every = labels.area[l - 1] / kSamples + 1;
      if (seen[l - 1]++ % every == 0) samples[l - 1].push_back(heights_.values[i] - ground.values[i]);
    }
    for (uint32_t l = 1; l <= labels.count; ++l) {
      std::vector<int32_t>& heights = samples[l - 1];
      const auto middle = heights.begin() + static_cast<ptrdiff_t>(heights.size() / 2);
      std::nth_element(heights.begin(), middle, heights.end());
      const double area = static_cast<double>(labels.area[l - 1]) * image_.pixel * image_.pixel;
      if (*middle <= millimetres(settings_.tolerance) && area >= settings_.minArea) chosen[l] = 1;
    }
  }

  Result<NavigableReport> finish(const Labels& labels, const std::vector<uint8_t>& chosen) {
    Mask ground(image_.width, image_.height);
    for (size_t i = 0; i < ground.values.size(); ++i) ground.values[i] = chosen[labels.label.values[i]];
    report_.chosen = static_cast<uint32_t>(std::count(chosen.begin(), chosen.end(), 1));
    if (report_.chosen == 0) {
      return Error{
          ErrorCode::kEmpty,
          fmt::format("none of {} flat components is navigable; mark places of the ground, or change the step, "
                      "the window or the least area",
                      labels.count)};
    }
    if (settings_.regain) regain(ground);
    if (Status status = showMask("7-navigable", ground); !status.ok()) return status.error();
    NavigableGrid& grid = report_.grid;
    grid.width = image_.width;
    grid.height = image_.height;
    grid.pixel = image_.pixel;
    grid.origin = image_.origin;
    grid.free = std::move(ground.values);
    return std::move(report_);
  }

  // An edge takes a pixel from the ground beside it. One pixel comes back where its height is that of the ground.
  void regain(Mask& ground) const {
    const Mask before = ground;
    const int64_t most = millimetres(settings_.step) / 2;
    for (uint32_t y = 0; y < ground.height; ++y) {
      for (uint32_t x = 0; x < ground.width; ++x) {
        if (before.at(x, y) != 0 || heights_.at(x, y) == RangeImage::kNoReturn) continue;
        const auto isLevel = [&](uint32_t u, uint32_t v) {
          return before.at(u, v) != 0 && std::abs(int64_t{heights_.at(u, v)} - heights_.at(x, y)) <= most;
        };
        if ((x > 0 && isLevel(x - 1, y)) || (x + 1 < ground.width && isLevel(x + 1, y)) ||
            (y > 0 && isLevel(x, y - 1)) || (y + 1 < ground.height && isLevel(x, y + 1))) {
          ground.row(y)[x] = 1;
        }
      }
    }
  }

  void keep(Status status) {
    if (!status.ok() && !failure_) failure_ = status.error();
  }
  Status showMask(const std::string& name, const Mask& mask) const {
    if (!step_) return Done{};
    std::vector<uint8_t> grey(mask.values.size());
    for (size_t i = 0; i < grey.size(); ++i) grey[i] = mask.values[i] != 0 ? 255 : 0;
    return step_(name, mask.width, mask.height, grey);
  }
  Status showHeights(const std::string& name) const {
    if (!step_) return Done{};
    int64_t low = std::numeric_limits<int64_t>::max();
    int64_t high = std::numeric_limits<int64_t>::min();
    for (const int32_t z : heights_.values) {
      if (z == RangeImage::kNoReturn) continue;
      low = std::min<int64_t>(low, z);
      high = std::max<int64_t>(high, z);
    }
    std::vector<uint8_t> grey(heights_.values.size(), 0);
    for (size_t i = 0; i < grey.size(); ++i) {
      if (heights_.values[i] == RangeImage::kNoReturn) continue;  // black
      grey[i] = static_cast<uint8_t>(32 + (heights_.values[i] - low) * 223 / std::max<int64_t>(1, high - low));
    }
    return step_(name, heights_.width, heights_.height, grey);
  }
  Status showLabels(const Labels& labels) const {
    if (!step_) return Done{};
    std::vector<uint8_t> grey(labels.label.values.size());
    for (size_t i = 0; i < grey.size(); ++i) {
      const uint32_t l = labels.label.values[i];
      grey[i] = l == 0 ? 0 : static_cast<uint8_t>(64 + l * 67 % 192);
    }
    return step_("6-components", labels.label.width, labels.label.height, grey);
  }

  const RangeImage& image_;
  const NavigableSettings& settings_;
  const Context& context_;
  const StepPicture& step_;
  Heights heights_;
  NavigableReport report_;
  std::optional<Error> failure_;
};

}  // namespace
}  // namespace wend::image

namespace wend {

Result<NavigableReport> extractNavigable(const RangeImage& image, const NavigableSettings& settings,
                                         const Context& context, const StepPicture& step) {
  try {
    if (image.width == 0 || image.height == 0 || image.width > kMaxGridSide || image.height > kMaxGridSide ||
        image.heights.size() != static_cast<size_t>(image.width) * image.height || !(image.pixel > 0)) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("a range image has 1 to {} pixels along a side and a height for each", kMaxGridSide)};
    }
    if (const Status status = image::checkSettings(settings); !status.ok()) return status.error();
    return image::Extraction(image, settings, context, step).run();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the filters; cut the picture into parts"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the extraction failed: {}", exception.what())};
  }
}

}  // namespace wend
