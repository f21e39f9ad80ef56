#include "base/parallel.h"

#include <algorithm>
#include <memory>
#include <thread>

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
  const auto loop = [&] {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, n, grain), [&](const tbb::blocked_range<size_t>& range) {
      if (!context.cancelled()) body(range.begin(), range.end());
    });
  };
  // More workers than cores only wait for each other.
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = context.threads <= 0 ? cores : std::min(context.threads, cores);
  if (threads == cores) {
    loop();
    return;
  }
  // An arena is dear to make: each thread keeps the one it used last.
  thread_local std::shared_ptr<tbb::task_arena> last;
  if (!last || last->max_concurrency() != threads) last = std::make_shared<tbb::task_arena>(threads);
  // A loop inside the body may ask for another number of threads: this arena must live until it is done.
  const std::shared_ptr<tbb::task_arena> arena = last;
  arena->execute(loop);
}

void parallelFor(size_t n, const Context& context, const std::function<void(size_t)>& body) {
  parallelBlocks(n, 1, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !context.cancelled(); ++i) body(i);
  });
}

}  // namespace wend
