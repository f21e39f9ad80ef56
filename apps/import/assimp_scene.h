#pragma once

#include "scene/io/import_child.h"

namespace wend {

// Reads FBX, COLLADA or IFC with Assimp. May crash, throw, or take any amount of time and memory.
Result<Scene> importWithAssimp(const ByteSource& source, const ImportRequest& request);

}  // namespace wend
