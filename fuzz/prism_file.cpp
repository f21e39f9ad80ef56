#include <wend/file.h>
#include <wend/volume/prism_grid.h>

#include "check_environment.h"

// The loader of .wprm files. In this build it takes any hash for right, so that mutations reach the checks behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  const Result<PrismGrid> grid = parsePrisms({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!grid.ok()) {
    if (grid.error().message.empty()) fuzz::complain("an error without a sentence");
    return 0;
  }
  if (!checkPrisms(*grid).empty()) fuzz::complain("prisms with a fault were loaded");
  const std::string bytes = serialisePrisms(*grid);
  const Result<PrismGrid> again = parsePrisms(asBytes(bytes), "fuzz");
  if (!again.ok() || hash(*again) != hash(*grid)) fuzz::complain("saved prisms do not load as they were");
  if (grid->prisms.empty()) return 0;
  const std::vector<PrismPassage> passages = passagesOf(*grid);
  (void)routeOf(*grid, passages, grid->lowOf(0), grid->lowOf(static_cast<uint32_t>(grid->prisms.size() - 1)));
  (void)sliceOf(*grid, 0);
  return 0;
}
