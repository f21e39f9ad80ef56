#include "check_environment.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return wend::fuzz::checkEnvironment(data, size, wend::EnvironmentFormat::kWkt);
}
