#pragma once

#include <cstddef>
#include <functional>

#include <wend/context.h>

// Deterministic parallel loops: each index writes only its own output, so the result does not depend on the number of
// threads. Reductions are done by the caller afterwards, in index order.
namespace wend {

// How many threads a loop runs on: context.threads, or all cores if that is 0, and at most 256. Always 1 if wend was
// built without TBB.
int threadCount(const Context& context);

// Calls body(i) for every i in [0, n), on threadCount(context) threads, which may be more than there are cores.
// Each thread begins with a part of the list, and helps with the others' after that. Stops early when the context
// is cancelled: the caller must then drop its result. Exceptions of body reach the caller.
void parallelFor(size_t n, const Context& context, const std::function<void(size_t)>& body);

// Calls body(begin, end) on blocks of `grain` indices, or on all at once: for cheap bodies.
void parallelBlocks(size_t n, size_t grain, const Context& context, const std::function<void(size_t, size_t)>& body);

}  // namespace wend
