#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace wend {

void parallelBlocks(size_t n, size_t grain, const Context& context, const std::function<void(size_t, size_t)>& body) {
  if (n == 0 || context.cancelled()) return;
  if (context.threads == 1 || n <= grain) {
    body(0, n);
    return;
  }
  tbb::task_arena arena(context.threads > 0 ? context.threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, n, grain), [&](const tbb::blocked_range<size_t>& range) {
      if (!context.cancelled()) body(range.begin(), range.end());
    });
  });
}

void parallelFor(size_t n, const Context& context, const std::function<void(size_t)>& body) {
  parallelBlocks(n, 1, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !context.cancelled(); ++i) body(i);
  });
}

}  // namespace wend
