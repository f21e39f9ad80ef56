#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <wend/file.h>
#include <wend/scene.h>

// Any bytes give a sound scene or an Error. FBX, COLLADA and IFC are left out: they run in a process of their own,
// which the fuzzer could not see into.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const Result<SceneFormat> format = recogniseScene(bytes.first(std::min<size_t>(size, 16384)), size);
  if (!format.ok() || *format >= SceneFormat::kFbx) return 0;
  SceneReadSettings settings;
  settings.maxTriangles = 1'000'000;
  settings.maxVertices = 1'000'000;
  const Result<Scene> scene = parseScene(bytes, "fuzz", settings);
  if (!scene.ok()) {
    if (scene.error().message.empty() || scene.error().code == ErrorCode::kInternal) std::abort();
    return 0;
  }
  if (!inspectScene(*scene).ok()) std::abort();
  // OBJ holds coordinates to the last digit.
  const Result<std::string> text = formatScene(*scene, SceneFormat::kObj);
  if (!text.ok()) std::abort();
  const Result<Scene> again = parseScene(asBytes(*text), "fuzz", settings);
  if (!again.ok() || again->vertices != scene->vertices || again->triangles.size() != scene->triangles.size()) {
    std::fprintf(stderr, "OBJ does not read what it wrote: %s\n",
                 again.ok() ? "other values" : again.error().message.c_str());
    std::abort();
  }
  return 0;
}
