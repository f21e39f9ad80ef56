#include <cstring>

#include <wend/extract.h>

#include "check_environment.h"

// Bytes as a triangle soup: settings first, then nine bytes or nine pairs of bytes for each triangle. Coarse
// coordinates make coincidences the rule.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  if (size < 12) return -1;
  ExtractSettings settings;
  settings.height = 0.1 + data[0] / 64.0;
  settings.step = settings.height * (data[1] / 257.0);
  settings.slope = data[2] * (89.0 / 255);
  settings.minArea = (data[3] & 1) != 0 ? 0 : 0.01;
  settings.twoSided = (data[3] & 2) != 0;
  settings.strict = (data[3] & 4) != 0;
  const bool fine = (data[3] & 8) != 0;
  const size_t bytes = fine ? 18 : 9;
  Scene scene;
  scene.labels = {"", "a"};
  constexpr size_t kMostTriangles = 300;
  for (size_t at = 4; at + bytes <= size && scene.triangles.size() < kMostTriangles; at += bytes) {
    const auto first = static_cast<uint32_t>(scene.vertices.size());
    const auto coordinate = [&](size_t i) {
      if (!fine) return data[at + i] / 16.0;
      uint16_t value = 0;
      std::memcpy(&value, data + at + 2 * i, 2);
      return value / 4096.0;
    };
    for (size_t i = 0; i < 9; i += 3) {
      scene.vertices.push_back({coordinate(i), coordinate(i + 1), coordinate(i + 2) / 2});
    }
    scene.triangles.push_back({{first, first + 1, first + 2}, static_cast<uint32_t>(at % 2)});
  }
  Context context;
  context.threads = 1;
  const Result<Extraction> result = extract(scene, settings, context);
  if (!result.ok()) {
    if (result.error().message.empty()) fuzz::complain("an error without a sentence");
    if (result.error().code != ErrorCode::kEmpty) fuzz::complain(result.error().message);
    return 0;
  }
  for (const Violation& violation : validate(result->environment)) fuzz::complain("invalid: " + violation.message);
  return 0;
}
