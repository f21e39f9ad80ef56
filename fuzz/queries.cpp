#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <wend/environment_file.h>
#include <wend/file.h>
#include <wend/generate.h>
#include <wend/navigator.h>

#include "apps/wend/query_file.h"

// Files of path queries: whatever is read can be asked of a world.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  static const Navigator navigator = [] {
    const Environment room = parseEnvironment(asBytes("POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))"), "room").value();
    return makeNavigator(World::of(room, generate(room, {.generator = "ecm"}).value()).value());
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<std::vector<PathQuery>> queries = app::parseQueries(text, "fuzz.csv");
  if (!queries.ok()) return queries.error().message.empty() ? (std::abort(), 0) : 0;
  PlanScratch scratch;
  Route route;
  for (size_t i = 0; i < queries->size() && i < 20; ++i) (void)navigator.plan((*queries)[i], scratch, route);
  return 0;
}
