#include <cstddef>
#include <cstdint>
#include <string_view>

#include <wend/scenario.h>

#include "serve/command.h"
#include "serve/scenario_text.h"

// Messages of the page of wend view. A crowd that was accepted must give a scenario that can be read, or an error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const wend::Result<wend::serve::Command> command = wend::serve::parseCommand(text);
  if (!command.ok()) {
    if (command.error().message.empty()) __builtin_trap();
    return 0;
  }
  if (const auto* crowd = std::get_if<wend::serve::CrowdCommand>(&*command)) {
    const auto scenario = wend::parseScenario(wend::serve::scenarioText(*crowd, "fuzz", "make:maze"), "fuzz.toml");
    if (!scenario.ok() && scenario.error().message.empty()) __builtin_trap();
  }
  return 0;
}
