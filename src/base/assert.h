#pragma once

// Checks of what the code takes for granted. They are on where the macro WEND_ASSERTIONS is defined: in debug builds
// and with the CMake option WEND_ASSERTIONS. Elsewhere the condition is compiled but not evaluated.
//
// An assertion states an invariant of wend. Wrong input is not one: it is an Error.
namespace wend {

// Writes the place, the condition and the sentence to standard error, then aborts.
[[noreturn]] void assertionFailed(const char* file, int line, const char* condition, const char* sentence);

}  // namespace wend

// The sentence says what holds: WEND_ASSERT(i < size, "the index lies in the array").
#ifdef WEND_ASSERTIONS
#define WEND_ASSERT(condition, sentence) \
  ((condition) ? static_cast<void>(0) : ::wend::assertionFailed(__FILE__, __LINE__, #condition, sentence))
#else
#define WEND_ASSERT(condition, sentence) static_cast<void>(false && (condition))
#endif
