#include "check_environment.h"

// In this build the decoder takes any checksum for right, so that mutations reach what lies behind them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return wend::fuzz::checkEnvironment(data, size, wend::EnvironmentFormat::kPngMask);
}
