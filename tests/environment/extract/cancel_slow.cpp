#include <chrono>
#include <cstdlib>
#include <thread>

#include <wend/extract.h>
#include <wend/make_scene.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Whoever asks an extraction to stop, at whatever moment, gets kCancelled or the whole result.
TEST(ExtractSoak, StopsAtAnyMoment) {
  const char* given = std::getenv("WEND_SOAK_SECONDS");
  const double seconds = given != nullptr ? std::atof(given) : 20;
  std::vector<Scene> scenes;
  for (const char* kind : {"office", "station", "spiral"}) {
    scenes.push_back(std::move(makeScene({kind, {}, 1}).value().scene));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::vector<double> longest(scenes.size(), 0.02);
  Random random(1, 2);
  int stopped = 0;
  while (passed() < seconds) {
    const size_t i = random.below(scenes.size());
    ExtractSettings settings;
    settings.method = random.chance(0.1) ? ExtractMethod::kVoxel : ExtractMethod::kExact;
    settings.voxel.resolution = 0.3;
    settings.regions = random.chance(0.5);
    // Links are followed in rounds.
    if (random.chance(0.3)) settings.minArea = 5.76;
    Context context;
    context.threads = static_cast<int>(random.between(1, 3));
    const std::chrono::duration<double> wait(random.real(0, longest[i]));
    const double before = passed();
    Result<Extraction> result = Error{ErrorCode::kInternal, ""};
    {
      const std::jthread stop([&] {
        std::this_thread::sleep_for(wait);
        context.cancel();
      });
      result = extract(scenes[i], settings, context);
      longest[i] = std::max(longest[i], result.ok() ? passed() - before : 0);
    }
    if (result.ok()) {
      EXPECT_TRUE(validate(result->environment, 1).empty());
      continue;
    }
    ASSERT_EQ(result.error().code, ErrorCode::kCancelled) << result.error().message;
    ++stopped;
  }
  EXPECT_GT(stopped, 0);
}

}  // namespace
}  // namespace wend
