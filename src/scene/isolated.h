#pragma once

#include <functional>

#include <wend/scene.h>

// Runs an importer that we did not write in a process of its own, so that its crash, endless loop or hunger for memory
// is an Error here and nothing else.
namespace wend {

// `import` runs in a forked child with limits on address space and time, no core file, and its output thrown away; its
// scene comes back through a pipe and is checked again. Linux and other POSIX systems.
Result<Scene> importIsolated(const SceneReadSettings& settings, const Context& context,
                             const std::function<Result<Scene>()>& import);

}  // namespace wend
