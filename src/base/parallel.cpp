#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace wend {
namespace {

using Block = std::function<void(size_t, size_t)>;

// Who asks for more than this means "many".
constexpr int kMostThreads = 256;

int coreCount() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

#if defined(__SANITIZE_THREAD__)
// The thread sanitizer does not see how TBB's library synchronises, and would take every hand-over for a race. Under it
// a plain loop over threads stands in, so that it judges our bodies.
void runBlocks(size_t n, size_t grain, int threads, const Context& context, const Block& body) {
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> thrown(static_cast<size_t>(threads));
  const auto work = [&](size_t worker) {
    try {
      for (size_t begin = next.fetch_add(grain); begin < n && !context.cancelled(); begin = next.fetch_add(grain)) {
        body(begin, std::min(begin + grain, n));
      }
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (size_t t = 1; t < thrown.size(); ++t) others.emplace_back(work, t);
    work(0);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}
#else
void runBlocks(size_t n, size_t grain, int threads, const Context& context, const Block& body) {
  const auto loop = [&] {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, n, grain), [&](const tbb::blocked_range<size_t>& range) {
      if (!context.cancelled()) body(range.begin(), range.end());
    });
  };
  if (threads == tbb::this_task_arena::max_concurrency()) {
    loop();
    return;
  }
  // TBB gives an arena no more workers than there are cores, however many places it has.
  std::optional<tbb::global_control> more;
  if (threads > coreCount()) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
  }
  // An arena is dear to make: each thread keeps the one it used last.
  thread_local std::shared_ptr<tbb::task_arena> last;
  if (!last || last->max_concurrency() != threads) last = std::make_shared<tbb::task_arena>(threads);
  // A loop inside the body may ask for another number of threads: this arena must live until it is done.
  const std::shared_ptr<tbb::task_arena> arena = last;
  arena->execute(loop);
}
#endif

}  // namespace

void parallelBlocks(size_t n, size_t grain, const Context& context, const Block& body) {
  if (n == 0 || context.cancelled()) return;
  const int threads = context.threads <= 0 ? coreCount() : std::min(context.threads, kMostThreads);
  if (threads == 1 || n <= grain) {
    body(0, n);
  } else {
    runBlocks(n, grain, threads, context, body);
  }
}

void parallelFor(size_t n, const Context& context, const std::function<void(size_t)>& body) {
  parallelBlocks(n, 1, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !context.cancelled(); ++i) body(i);
  });
}

}  // namespace wend
