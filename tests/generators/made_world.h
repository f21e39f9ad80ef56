#pragma once

#include <string>
#include <utility>
#include <vector>

#include <wend/make.h>

#include <gtest/gtest.h>

namespace wend {

// A made environment; an empty one, and a failure, if it cannot be made.
inline Environment madeWorld(const std::string& kind, std::vector<std::pair<std::string, double>> parameters = {},
                             uint64_t seed = 1) {
  auto world = makeEnvironment({kind, std::move(parameters), seed, {}});
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return world.ok() ? *world : Environment();
}

}  // namespace wend
