#include "tests/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> allocations{0};

[[maybe_unused]] void* counted(size_t size, size_t alignment) noexcept {
  ++allocations;
  const size_t whole = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
}

[[maybe_unused]] void* countedOrThrow(size_t size, size_t alignment) {
  if (void* p = counted(size, alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

size_t wend::testing::takeAllocations() {
  return allocations.exchange(0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Not inlined, or the compiler takes malloc() and delete for a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
  return countedOrThrow(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t alignment) {
  return countedOrThrow(size, static_cast<size_t>(alignment));
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return counted(size, alignof(std::max_align_t));
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
