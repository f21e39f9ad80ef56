#include "base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
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
// An arena is dear to make, so those that are not in use wait here for the next loop. They are not kept per thread: the
// C library ends the program where it has no memory to note that something of a thread needs its destructor.
class IdleArenas {
 public:
  std::unique_ptr<tbb::task_arena> take(int threads) {
    const std::scoped_lock lock(mutex_);
    for (std::unique_ptr<tbb::task_arena>& arena : arenas_) {
      if (arena && arena->max_concurrency() == threads) return std::move(arena);
    }
    return nullptr;
  }

  // Where enough others wait, an older one makes room.
  void giveBack(std::unique_ptr<tbb::task_arena> arena) {
    const std::scoped_lock lock(mutex_);
    for (std::unique_ptr<tbb::task_arena>& place : arenas_) {
      if (place) continue;
      place = std::move(arena);
      return;
    }
    std::swap(arenas_[next_++ % arenas_.size()], arena);
  }

  // Never destroyed: TBB may end before the last static object does.
  static IdleArenas& get() {
    alignas(IdleArenas) static std::byte room[sizeof(IdleArenas)];
    static IdleArenas* const arenas = new (room) IdleArenas();
    return *arenas;
  }

 private:
  std::mutex mutex_;
  std::array<std::unique_ptr<tbb::task_arena>, 8> arenas_;
  size_t next_ = 0;
};

// An arena of so many threads that is the caller's alone as long as this lives: a loop inside a loop gets another.
class ArenaLoan {
 public:
  explicit ArenaLoan(int threads) : arena_(IdleArenas::get().take(threads)) {
    if (!arena_) arena_ = std::make_unique<tbb::task_arena>(threads);
  }
  ~ArenaLoan() { IdleArenas::get().giveBack(std::move(arena_)); }
  ArenaLoan(const ArenaLoan&) = delete;
  ArenaLoan& operator=(const ArenaLoan&) = delete;

  tbb::task_arena* operator->() const { return arena_.get(); }

 private:
  std::unique_ptr<tbb::task_arena> arena_;
};

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
  const ArenaLoan arena(threads);
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
