#include "base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#ifdef WEND_WITH_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace wend {
namespace {

using Block = std::function<void(size_t, size_t)>;

// A larger number of threads counts as this one.
constexpr int kMostThreads = 256;

int coreCount() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Runs work(worker) for each worker, beside each other as far as there are threads.
#if defined(__SANITIZE_THREAD__)
// The thread sanitizer does not see how TBB's library synchronises, and would take every hand-over for a race. Under it
// plain threads stand in, so that it judges our bodies.
template <typename Work>
void runWorkers(size_t workers, int /*threads*/, const Work& work) {
  std::vector<std::exception_ptr> thrown(workers);
  const auto guarded = [&](size_t worker) {
    try {
      work(worker);
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (size_t w = 1; w < thrown.size(); ++w) others.emplace_back(guarded, w);
    guarded(0);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}
#elif defined(WEND_WITH_TBB)
template <typename Work>
void runWorkers(size_t workers, int threads, const Work& work) {
  const auto loop = [&] { tbb::parallel_for(size_t{0}, workers, work, tbb::simple_partitioner()); };
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
  // A loop inside the body may use another number of threads: this arena must live until it is done.
  const std::shared_ptr<tbb::task_arena> arena = last;
  arena->execute(loop);
}
#else
template <typename Work>
void runWorkers(size_t workers, int /*threads*/, const Work& work) {
  for (size_t worker = 0; worker < workers; ++worker) work(worker);
}
#endif

#if defined(__SANITIZE_THREAD__) || defined(WEND_WITH_TBB)
constexpr bool kHasThreads = true;
#else
constexpr bool kHasThreads = false;
#endif

// Which blocks each worker has still to do. It takes those of its own part of the list in order, near ones after each
// other, and then the last of the others: dear ones that lie side by side do not all stay with one worker. Allocates
// nothing: a step of a crowd is many loops.
class Parts {
 public:
  Parts(size_t blocks, size_t workers) : workers_(workers) {
    for (size_t w = 0; w < workers; ++w) parts_[w].rest = packed(blocks * w / workers, blocks * (w + 1) / workers);
  }

  // The next block for a worker, or kNothing.
  size_t take(size_t worker) {
    for (size_t k = 0; k < workers_; ++k) {
      std::atomic<uint64_t>& part = parts_[(worker + k) % workers_].rest;
      uint64_t rest = part.load();
      while (true) {
        const uint64_t begin = rest >> 32;
        const uint64_t end = rest & UINT32_MAX;
        if (begin >= end) break;
        if (part.compare_exchange_weak(rest, k == 0 ? packed(begin + 1, end) : packed(begin, end - 1))) {
          return k == 0 ? begin : end - 1;
        }
      }
    }
    return kNothing;
  }

  static constexpr size_t kNothing = SIZE_MAX;
  static constexpr size_t kMostBlocks = UINT32_MAX;

 private:
  static uint64_t packed(uint64_t begin, uint64_t end) { return begin << 32 | end; }

  struct alignas(64) Part {  // in a line of the cache by itself
    std::atomic<uint64_t> rest;
  };
  size_t workers_;
  std::array<Part, kMostThreads> parts_;
};

void runBlocks(size_t n, size_t grain, int threads, const Context& context, const Block& body) {
  grain = std::max(grain, n / Parts::kMostBlocks + 1);
  const size_t blocks = (n + grain - 1) / grain;
  const size_t workers = std::min(blocks, static_cast<size_t>(threads));
  Parts parts(blocks, workers);
  runWorkers(workers, threads, [&](size_t worker) {
    while (!context.cancelled()) {
      const size_t block = parts.take(worker);
      if (block == Parts::kNothing) return;
      body(block * grain, std::min((block + 1) * grain, n));
    }
  });
}

}  // namespace

int threadCount(const Context& context) {
  if (!kHasThreads) return 1;
  return context.threads <= 0 ? coreCount() : std::min(context.threads, kMostThreads);
}

void parallelBlocks(size_t n, size_t grain, const Context& context, const Block& body) {
  if (n == 0 || context.cancelled()) return;
  const int threads = threadCount(context);
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
