#include <cstddef>
#include <cstdint>
#include <string_view>

#include <wend/scenario.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const wend::Result<wend::Scenario> scenario = wend::parseScenario(text, "fuzz.toml");
  if (!scenario.ok() && scenario.error().message.empty()) __builtin_trap();
  return 0;
}
