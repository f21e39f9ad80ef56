#include <limits>

#include "tests/data.h"
#include "tests/planning/point/moving_ai_check.h"

namespace wend {
namespace {

TEST(MovingAiSlow, AllQueries) {
  for (const char* map : kMovingAiMaps) {
    const std::string file = dataFile(std::string("maps/") + map + ".map");
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    checkMovingAi(file, std::numeric_limits<size_t>::max());
  }
}

}  // namespace
}  // namespace wend
