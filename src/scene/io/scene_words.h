#pragma once

#include <charconv>
#include <cmath>
#include <string_view>

// Words and numbers of a line of text.
namespace wend {

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Empty at the end.
  std::string_view next() {
    while (!rest_.empty() && isBlank(rest_.front())) rest_.remove_prefix(1);
    size_t length = 0;
    while (length < rest_.size() && !isBlank(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  std::string_view rest() const { return rest_; }

 private:
  static bool isBlank(char c) { return c == ' ' || c == '\t'; }

  std::string_view rest_;
};

// The whole word must be a number. Below the smallest double it is 0, above the largest infinite.
inline bool parseNumber(std::string_view word, double& value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = word.find("e-") != std::string_view::npos || word.find("E-") != std::string_view::npos ? 0.0 : HUGE_VAL;
    return true;
  }
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace wend
