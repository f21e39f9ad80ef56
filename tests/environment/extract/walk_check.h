#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <wend/extract.h>
#include <wend/make_scene.h>

#include <gtest/gtest.h>

namespace wend::testing {

// Whether the environment has a place at these metres, within a step's height.
inline bool covers(const Environment& environment, const Vec3& spot) {
  const Result<Point> p = environment.lattice.snap({spot.x, spot.y});
  return std::any_of(environment.layers.begin(), environment.layers.end(), [&](const Layer& layer) {
    return locate(layer.free, *p) != Side::kOutside && std::abs(layer.heights.at(toVec2(*p)) - spot.z) < 0.3;
  });
}

// From a spot of each part one reaches all spots of that part and none of another.
inline void checkWalks(const std::string& name, const MadeScene& made, ExtractSettings settings) {
  const std::vector<SceneSpot>& spots = made.truth.spots;
  std::vector<uint32_t> done;
  for (const SceneSpot& from : spots) {
    if (std::find(done.begin(), done.end(), from.component) != done.end()) continue;
    done.push_back(from.component);
    settings.seedPoints = {from.position};
    const Result<Extraction> result = extract(made.scene, settings);
    ASSERT_TRUE(result.ok()) << name << ", " << from.name << ": " << result.error().message;
    EXPECT_EQ(topology(result->environment).components, 1U) << name << ", " << from.name;
    for (const SceneSpot& to : spots) {
      EXPECT_EQ(covers(result->environment, to.position), to.component == from.component)
          << name << ": from " << from.name << " to " << to.name;
    }
  }
}

}  // namespace wend::testing
