#include <cstdlib>

#include "tests/planning/surface/surface_check.h"

namespace wend {
namespace {

// Named so that `make test` leaves it to `make soak`. WEND_QUERY_CASES: how many of each query; 100,000 unless it is
// set. WEND_SOAK_SEED: other worlds.
TEST(ClearanceSlow, SurfaceQueries) {
  const char* wanted = std::getenv("WEND_QUERY_CASES");
  const char* first = std::getenv("WEND_SOAK_SEED");
  const uint64_t seed = first != nullptr ? std::strtoull(first, nullptr, 10) : 11;
  QueryCount count;
  count.wanted = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 100'000;
  uint64_t world = 0;
  for (; !count.isEnough() && !HasFailure(); ++world) checkQueries(seed, world, 50, count);
  RecordProperty("worlds", std::to_string(world));
}

}  // namespace
}  // namespace wend
