#include "scene/scene_intake.h"
namespace wend {
Result<Scene> readForeign(const SceneInput&, SceneFormat) {
  return Error{ErrorCode::kUnsupported, "this format is not read yet"};
}
}  // namespace wend
