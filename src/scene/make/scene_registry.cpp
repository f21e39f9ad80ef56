#include <algorithm>
#include <exception>

#include <wend/make_scene.h>

#include <fmt/format.h>

#include "base/kind_parameters.h"
#include "scene/make/scene_builder.h"

namespace wend {
namespace make {
namespace {

const std::vector<SceneEntry>& sceneEntries() {
  static const std::vector<SceneEntry> all = [] {
    std::vector<SceneEntry> list;
    for (const auto& family : {interiorScenes(), stationScenes(), stadiumScenes(), terrainScenes(), smallScenes()}) {
      list.insert(list.end(), family.begin(), family.end());
    }
    return list;
  }();
  return all;
}

}  // namespace
}  // namespace make

const std::vector<SceneKind>& sceneKinds() {
  static const std::vector<SceneKind> kinds = [] {
    std::vector<SceneKind> list;
    for (const make::SceneEntry& entry : make::sceneEntries()) list.push_back(entry.kind);
    return list;
  }();
  return kinds;
}

Result<MadeScene> makeScene(const MakeSceneSettings& settings, const Context& context) {
  const auto& list = make::sceneEntries();
  const auto entry =
      std::find_if(list.begin(), list.end(), [&](const make::SceneEntry& e) { return e.kind.name == settings.kind; });
  if (entry == list.end()) {
    std::vector<std::string> names;
    for (const make::SceneEntry& e : list) names.push_back(e.kind.name);
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("there is no scene '{:.64}'; the nearest are {} (`wend make --3d --list` shows all)",
                             settings.kind, nearestNames(settings.kind, names))};
  }
  const Status status =
      checkParameters(fmt::format("scene '{}'", settings.kind), entry->kind.parameters, settings.parameters);
  if (!status.ok()) return status.error();
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled before the scene was made"};
  context.report("make", 0);
  try {
    MadeScene made = entry->make(make::SceneRecipe(settings, entry->kind));
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while the scene was made"};
    context.report("make", 1);
    return made;
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, fmt::format("making scene '{}' failed: {}", settings.kind, e.what())};
  }
}

}  // namespace wend
