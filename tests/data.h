#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

// Real scenes and maps are used in place; a test that needs them is skipped when they are not there:
//   const std::string file = dataFile("maps/arena.map");
//   if (file.empty()) GTEST_SKIP() << "skipped: no data";
inline std::string dataFile(const std::string& name) {
  const char* folder = std::getenv("WEND_DATA");
  const std::filesystem::path path = std::filesystem::path(folder != nullptr ? folder : WEND_DEFAULT_DATA) / name;
  return std::filesystem::exists(path) ? path.string() : std::string();
}
