#include "scene/scene_intake.h"
namespace wend {
Result<Scene> readGltf(const SceneInput&, bool) {
  return Error{ErrorCode::kUnsupported, "glTF is not read yet"};
}
}  // namespace wend
