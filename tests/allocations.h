#pragma once

#include <cstddef>

// For promises that something allocates nothing. An executable counts if one of its files asks.
namespace wend::testing {

// The sanitizers bring their own operators, which must not be mixed with ours: nothing is counted then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kAllocationsAreCounted = false;
#else
inline constexpr bool kAllocationsAreCounted = true;
#endif

// How often any thread has allocated since the last call.
size_t takeAllocations();

}  // namespace wend::testing
