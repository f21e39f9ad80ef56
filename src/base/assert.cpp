#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace wend {

void assertionFailed(const char* file, int line, const char* condition, const char* sentence) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n  %s\n", file, line, condition, sentence);
  std::fflush(stderr);
  std::abort();
}

}  // namespace wend
