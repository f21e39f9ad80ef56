#pragma once

#include <string>

// A room with a table in it, and what the tests of the program ask of its texts.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline constexpr const char* kRoom = "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 4 4, 6 4, 6 2, 4 2))";
