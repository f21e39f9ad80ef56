#include <cstdlib>

#include "tests/planning/real_worlds.h"

namespace wend {
namespace {

std::vector<std::string> filesAndScenes() {
  std::vector<std::string> files = realFiles();
  const char* scenes = std::getenv("WEND_SCENES");
  for (std::string rest = scenes != nullptr ? scenes : ""; !rest.empty();) {
    const size_t end = std::min(rest.find(':'), rest.size());
    files.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return files;
}

// Named so that `make test` leaves it to `make soak`. WEND_QUERY_CASES: how many pairs of places with a radius; 100,000
// unless it is set. WEND_SCENES: more models, separated by ':'.
TEST(ClearanceSlow, RealWorlds) {
  const char* wanted = std::getenv("WEND_QUERY_CASES");
  const size_t pairs = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 100'000;
  RealCount count;
  size_t worlds = 0;
  for (uint64_t turn = 0; count.pairs < pairs && !HasFailure(); ++turn) {
    for (const std::string& file : filesAndScenes()) {
      SCOPED_TRACE(file);
      const std::optional<Environment> environment = realEnvironment(file, static_cast<double>(turn) * kOddAngle);
      if (!environment || count.pairs >= pairs) continue;
      ++worlds;
      checkReal(*environment, turn + 1, 12, 40, count);
    }
    if (worlds == 0) GTEST_SKIP() << "skipped: no data";
  }
  RecordProperty("asked", std::to_string(count.asked));
  EXPECT_GT(count.found, count.asked / 5);
}

}  // namespace
}  // namespace wend
