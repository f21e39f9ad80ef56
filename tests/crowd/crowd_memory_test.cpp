#include <atomic>
#include <cstdlib>
#include <new>

#include "crowd/crowd_world.h"

namespace {

// Of all threads.
std::atomic<size_t> allocations{0};

[[maybe_unused]] void* counted(size_t size, size_t alignment) {
  ++allocations;
  const size_t whole = (std::max<size_t>(size, 1) + alignment - 1) / alignment * alignment;
  if (void* p = std::aligned_alloc(alignment, whole)) return p;
  throw std::bad_alloc();
}

}  // namespace

// The sanitizers bring their own operators, which must not be mixed with these.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounts = false;
#else
constexpr bool kCounts = true;
// Not inlined, or the compiler takes malloc() and delete for a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
  return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, size_t, std::align_val_t) noexcept {
  std::free(p);
}
#endif

namespace wend {
namespace {

// People who walk along a street, half of them in groups, with densities and a plan every half second. Nobody arrives:
// only a route that is longer than any the agent had before takes memory.
TEST(CrowdMemory, AStepAllocatesNothingAfterWarmUp) {
  if (!kCounts) GTEST_SKIP() << "skipped: sanitizers count for themselves";
  constexpr double kWidth = 24;
  const auto navigator = navigatorOf(built(room(0, 0, 120, kWidth)));
  CrowdProfile profile;
  profile.replanEvery = 0.5;
  for (const int threads : {1, 2, 4}) {
    Crowd crowd = crowdOn(navigator, profile);
    Random random(3);
    while (crowd.size() < 1200) {
      AgentStart start;
      start.at = {random.real(0.5, 60), random.real(0.5, kWidth - 0.5), 0};
      start.goal = {118, kWidth / 2, 0};
      start.radius = 0.2;
      if (crowd.size() % 8 < 4) start.group = static_cast<GroupId>(crowd.size() / 8);
      (void)crowd.add(start);
    }
    const Threads context(threads);
    const std::function<void(Crowd&, const CrowdEvent&)> nothing = [](Crowd&, const CrowdEvent&) {};
    allocations = 0;
    for (int i = 0; i < 70; ++i) crowd.step(context, nothing);
    EXPECT_GT(allocations, 0U) << "the counter does not count";
    // Alone at once; one of several threads may do its first work late, and only then warm up.
    const int windows = threads == 1 ? 1 : 6;
    for (int window = 0; window < windows; ++window) {
      allocations = 0;
      for (int i = 0; i < 40; ++i) crowd.step(context, nothing);
      if (allocations == 0) break;
    }
    EXPECT_EQ(allocations, 0U) << threads << " threads";
  }
}

}  // namespace
}  // namespace wend
