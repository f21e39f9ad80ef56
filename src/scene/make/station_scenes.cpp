#include <fmt/format.h>

#include "scene/make/scene_builder.h"

// A station in three levels: a concourse, a mezzanine that stairs and a ramp lead up to, and above it platforms between
// tracks.
namespace wend::make {
namespace {

using Rect = SceneBuilder::Rect;

constexpr double kMezzanine = 3;
constexpr double kPlatform = 6;
constexpr double kTrack = 5.1;  // below the platform by more than a step
constexpr double kSlab = 0.3;
constexpr double kLane = 6;       // width of a platform
constexpr double kTrackLane = 4;  // width of a track bed
constexpr double kWest = 30;      // where the mezzanine begins
constexpr double kStairFoot = 50;
constexpr int kRisers = 18;
constexpr double kTread = 0.3;
constexpr double kEast = kStairFoot + kTread * (kRisers - 1);  // where the platforms begin

class StationBuilder {
 public:
  explicit StationBuilder(const SceneRecipe& recipe)
      : platforms_(recipe.whole("platforms")),
        length_(recipe.number("length")),
        benches_(recipe.whole("benches")),
        width_(platforms_ * (kLane + kTrackLane) + kTrackLane) {}

  MadeScene run() {
    b_.label("concourse");
    b_.floor(0, 0, kEast + length_, width_, 0);
    area_ = (kEast + length_) * width_;
    b_.label("mezzanine");
    const Rect mezzanine{kWest, 0, kEast, width_};
    b_.box(mezzanine, kMezzanine - kSlab, kMezzanine);
    area_ += mezzanine.area();
    made_.truth.components.push_back({});
    made_.truth.spots = {{"concourse", {2, 2, 0}, 0}, {"mezzanine", {kWest + 2, width_ / 2, kMezzanine}, 0}};
    ways();
    for (int i = 0; i < platforms_; ++i) platform(i);
    for (int i = 0; i <= platforms_; ++i) track(i);
    columns();
    made_.truth.components[0] = {area_, 0.05 * (platforms_ + 1)};
    made_.scene = b_.finish();
    return std::move(made_);
  }

 private:
  double platformY(int i) const { return kTrackLane + i * (kLane + kTrackLane); }

  // From the concourse to the mezzanine: the ramp first, then stairs.
  void ways() {
    b_.label("ramp");
    addRamp(b_, {{kWest - 24, 3}, 0, 3, 0, kMezzanine, 24});
    b_.label("stair");
    for (int i = 0; i < platforms_; ++i) {
      addFlight(b_, {{kWest - kTread * (kRisers - 1), platformY(i) + kLane / 2}, 0, 3, 0, kMezzanine, kRisers, kTread});
    }
  }

  void platform(int i) {
    const double y = platformY(i);
    const Rect deck{kEast, y, kEast + length_, y + kLane};
    b_.label("platform");
    b_.box(deck, 5.2, kPlatform);
    area_ += deck.area();
    b_.label("stair");
    addFlight(b_, {{kStairFoot, y + kLane / 2}, 0, 2.5, kMezzanine, kPlatform, kRisers, kTread});
    b_.label("bench");
    for (int k = 0; k < benches_; ++k) {
      const double x = kEast + 4 + k * (length_ - 8) / benches_;
      const Rect bench{x, y + kLane / 2 - 0.25, x + 1.5, y + kLane / 2 + 0.25};
      b_.box(bench, kPlatform, kPlatform + 0.46);
      area_ -= bench.area();
    }
    made_.truth.spots.push_back({fmt::format("platform {}", i + 1), {kEast + length_ - 1, y + 1, kPlatform}, 0});
  }

  void track(int i) {
    const double y = i * (kLane + kTrackLane);
    const Rect bed{kEast, y, kEast + length_, y + kTrackLane};
    b_.label("track");
    b_.box(bed, kTrack - 0.2, kTrack);
    made_.truth.spots.push_back({fmt::format("track {}", i + 1),
                                 {kEast + length_ / 2, y + kTrackLane / 2, kTrack},
                                 static_cast<uint32_t>(made_.truth.components.size())});
    made_.truth.components.push_back({bed.area(), 0.05});
  }

  // Under the mezzanine and the platforms.
  void columns() {
    b_.label("column");
    const auto row = [&](double x, double height) {
      for (int i = 0; i < platforms_; ++i) {
        const double y = platformY(i) + kLane / 2;
        const Rect column{x - 0.25, y - 0.25, x + 0.25, y + 0.25};
        b_.box(column, 0, height);
        area_ -= column.area();
      }
    };
    for (double x = kWest + 3; x < kEast - 1; x += 6) row(x, kMezzanine - kSlab);
    for (double x = kEast + 4; x < kEast + length_ - 1; x += 8) row(x, 5.2);
  }

  SceneBuilder b_;
  MadeScene made_;
  int platforms_;
  double length_;
  int benches_;
  double width_;
  double area_ = 0;
};

MadeScene station(const SceneRecipe& recipe) {
  return StationBuilder(recipe).run();
}

}  // namespace

std::vector<SceneEntry> stationScenes() {
  return {{{"station",
            "a station of three levels: concourse, mezzanine and platforms, joined by stairs and a ramp.",
            {{"platforms", "platforms side by side.", 3, 1, 1000, true},
             {"length", "length of the platforms, metres.", 80, 20, 1000, false},
             {"benches", "benches on each platform.", 8, 0, 400, true}}},
           station}};
}

}  // namespace wend::make
