#pragma once

#include <string>
#include <vector>

// Lists in the arguments of benchmarks.
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

}  // namespace wend
