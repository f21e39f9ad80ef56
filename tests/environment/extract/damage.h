#pragma once

#include <cmath>
#include <string>

#include <wend/extract.h>
#include <wend/make_scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wend::testing {

struct DamageCase {
  DamageKind kind;
  double amount;
  double share;  // of the area that may change, or 1
};
// Below the tolerances nothing may change but the borders.
inline const DamageCase kDamages[] = {
    {DamageKind::kJitter, 0.0002, 0.01}, {DamageKind::kCrack, 0.0003, 0.01},  {DamageKind::kDuplicate, 0.3, 1e-6},
    {DamageKind::kSplit, 0.3, 0.01},     {DamageKind::kIntersect, 0.1, 0.01}, {DamageKind::kDelete, 0.02, 1},
    {DamageKind::kFlip, 0.02, 1},
};

// Damages scenes with seeds from `first` to before `last`; each must give a valid environment.
inline void damageAndExtract(uint64_t first, uint64_t last, ExtractMethod method) {
  ExtractSettings settings;
  settings.method = method;
  settings.voxel.resolution = 0.15;
  settings.regions = false;
  settings.insides = true;  // what is torn encloses nothing
  const auto areaOf = [](const Environment& e) { return e.lattice.area(topology(e).doubledArea); };
  for (const char* kind : {"s14", "s16", "s23", "s25", "s27", "s29", "s32", "spiral", "station", "terrain"}) {
    const Result<MadeScene> made = makeScene({kind, {}, 1});
    ASSERT_TRUE(made.ok());
    const Result<Extraction> sound = extract(made->scene, settings);
    ASSERT_TRUE(sound.ok());
    for (const DamageCase& damage : kDamages) {
      for (uint64_t seed = first; seed < last; ++seed) {
        const std::string what =
            fmt::format("{} with {} {}, seed {}", kind, damageName(damage.kind), damage.amount, seed);
        const Result<Scene> scene = damageScene(made->scene, {damage.kind, damage.amount}, seed);
        ASSERT_TRUE(scene.ok()) << what;
        const Result<Extraction> result = extract(*scene, settings);
        ASSERT_TRUE(result.ok()) << what << ": " << result.error().message;
        for (const Violation& v : validate(result->environment, 2)) ADD_FAILURE() << what << ": " << v.message;
        EXPECT_NEAR(areaOf(result->environment), areaOf(sound->environment), damage.share * areaOf(sound->environment))
            << what;
      }
    }
  }
}

}  // namespace wend::testing
