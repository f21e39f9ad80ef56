#pragma once

#include <cstdlib>
#include <span>
#include <string>
#include <vector>

// Arguments of benchmarks.
namespace wend {

// "a,b" at ',' is {"a", "b"}; an empty text is {""}.
inline std::vector<std::string> splitAt(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Calls option(name, value) for each "--name value" and returns the other arguments: files.
template <typename Option>
std::vector<std::string> readArguments(std::span<char* const> arguments, const Option& option) {
  std::vector<std::string> files;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    if (word.starts_with("--")) {
      const std::string value = i + 1 < arguments.size() ? arguments[++i] : "";
      option(word, value);
    } else {
      files.push_back(word);
    }
  }
  return files;
}

// Where scenes, floor plans and maps are.
inline std::string dataFolder() {
  const char* folder = std::getenv("WEND_DATA");
  return folder != nullptr ? folder : WEND_DEFAULT_DATA;
}

}  // namespace wend
