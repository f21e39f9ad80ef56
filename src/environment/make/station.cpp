#include "environment/make/box_outline.h"
#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// A terminus: a hall, above it eight platforms joined by a concourse, and 32 ramps between them.
namespace wend::make {

namespace {

constexpr double kWidth = 153;
constexpr double kDepth = 111;
constexpr double kHeight = 6;
constexpr int kPlatforms = 8;
constexpr int kRampsPerPlatform = 4;
constexpr int kKiosks = 14;
constexpr double kConcourse = 20;
constexpr double kPlatform = 8;
constexpr double kPitch = kDepth / kPlatforms;
constexpr size_t kVertices = 2242;

double middleOf(int platform) {
  return (platform + 0.5) * kPitch;
}

Ring platformOutline() {
  Ring ring{point(0, 0), point(kConcourse, 0)};
  for (int i = 0; i < kPlatforms; ++i) {
    const double y0 = middleOf(i) - kPlatform / 2;
    const double y1 = middleOf(i) + kPlatform / 2;
    ring.insert(ring.end(), {point(kConcourse, y0), point(kWidth, y0), point(kWidth, y1), point(kConcourse, y1)});
  }
  ring.push_back(point(kConcourse, kDepth));
  ring.push_back(point(0, kDepth));
  return ring;
}

Result<Environment> station(const Recipe& recipe) {
  Random random(recipe.seed());
  Construction world("station");
  const uint32_t hall = world.addLayer("hall", 0);
  const Rect box = rect(0, 0, kWidth, kDepth);
  const std::array<int, 4> pilasters{101, 73, 101, 74};
  const int32_t pilaster = units(0.4);
  const Int128 hallArea = 2 * (static_cast<Int128>(box.width()) * box.depth() -
                               static_cast<Int128>(101 + 73 + 101 + 74) * pilaster * pilaster);
  world.addFloor(hall, bumpedOutline(box, pilasters, pilaster, pilaster), hallArea);
  const uint32_t platforms = world.addLayer("platforms", kHeight);
  Ring comb = platformOutline();
  const Int128 combArea = doubledArea(comb);
  world.addFloor(platforms, std::move(comb), combArea);
  for (int i = 0; i < kPlatforms; ++i) {
    for (int j = 0; j < kRampsPerPlatform; ++j) {
      const double x = 30 + 29.0 * j + random.real(-2, 2);
      const Rect slope = rect(x, middleOf(i) - 1.5, x + 12, middleOf(i) + 1.5);
      world.addObstacle(hall, 0, slope);
      world.addObstacle(platforms, 0, slope);
      const uint32_t ramp =
          world.addRamp("ramp " + std::to_string(i * kRampsPerPlatform + j + 1), slope, 0, kHeight, Rise::kEast);
      world.joinRamp(ramp, slope, Rise::kEast, hall, platforms);
    }
  }
  // Kiosks stand between the rows of ramps and take the vertices that are left.
  std::vector<Slot> slots = slotGrid(25, kPitch / 2, kWidth - 5, kDepth - kPitch / 2, 2, kPlatforms - 1);
  const std::vector<int> counts =
      distribute(static_cast<int64_t>(kVertices - world.vertices()), kKiosks, 4, 60, random);
  for (size_t i = 0; i < slots.size(); ++i) {
    slots[i].half.y = 4.5;
    slots[i].shape = rock(counts[i], random.real(1.5, 4), random.real(1.5, 3.5), 0.2, random);
  }
  for (Ring& kiosk : settle(slots, 0, 0.5, random)) world.addObstacle(hall, 0, std::move(kiosk));
  // The hall, the platforms, each kiosk, and each ramp with the two rims it joins.
  return std::move(world).finish(1, 2 + kKiosks + kPlatforms * kRampsPerPlatform);
}

}  // namespace

std::vector<Entry> stationWorlds() {
  return {{{"station",
            "A hall, eight platforms above it and 32 ramps between them, 153 m x 111 m.",
            "Station of the multi-layered ECM: n 2,242, 34 layers, 64 connections, 78 holes. All reproduced; the plan "
            "is ours, and with it 48 boundaries and genus 31.",
            {}},
           station}};
}

}  // namespace wend::make
