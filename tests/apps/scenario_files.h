#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

// The file of a scenario below tests/crowd/scenarios, whose name is unique among its folders.
inline std::string scenarioFile(const std::string& name) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WEND_SOURCE_DIR "/tests/crowd/scenarios")) {
    if (entry.path().filename() == name + ".toml") return entry.path().string();
  }
  ADD_FAILURE() << "no scenario is called " << name;
  return {};
}
