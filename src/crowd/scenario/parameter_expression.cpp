#include "crowd/scenario/parameter_expression.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr int kMaxDepth = 50;

class Expression {
 public:
  Expression(std::string_view text, const std::map<std::string, TomlValue>& parameters, std::set<std::string>& used)
      : text_(text), parameters_(parameters), used_(used) {}

  Result<TomlValue> value() {
    TomlValue result = sum(0);
    skip();
    if (!error_ && at_ < text_.size()) fail(fmt::format("'{}' is not understood", text_.substr(at_)));
    if (!error_ && result.isNumber() && !std::isfinite(result.number)) fail("the result is not a finite number");
    if (error_) return std::move(*error_);
    return result;
  }

 private:
  void fail(std::string what) {
    if (!error_) error_ = Error{ErrorCode::kFormat, fmt::format("'${{{}}}': {}", text_, what)};
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  static TomlValue whole(int64_t n) {
    TomlValue v;
    v.kind = TomlValue::Kind::kWhole;
    v.whole = n;
    v.number = static_cast<double>(n);
    return v;
  }
  static TomlValue real(double n) {
    TomlValue v;
    v.kind = TomlValue::Kind::kNumber;
    v.number = n;
    return v;
  }

  TomlValue joined(const TomlValue& a, char sign, const TomlValue& b) {
    if (!a.isNumber() || !b.isNumber()) {
      fail("only numbers can be reckoned with");
      return whole(0);
    }
    const double result = sign == '+'   ? a.number + b.number
                          : sign == '-' ? a.number - b.number
                          : sign == '*' ? a.number * b.number
                                        : a.number / b.number;
    const bool areWhole = a.kind == TomlValue::Kind::kWhole && b.kind == TomlValue::Kind::kWhole && sign != '/';
    if (areWhole && std::abs(result) < 9e15) return whole(static_cast<int64_t>(result));
    return real(result);
  }

  TomlValue sum(int depth) {
    TomlValue left = product(depth);
    for (char c = peek(); !error_ && (c == '+' || c == '-'); c = peek()) {
      ++at_;
      left = joined(left, c, product(depth));
    }
    return left;
  }
  TomlValue product(int depth) {
    TomlValue left = factor(depth);
    for (char c = peek(); !error_ && (c == '*' || c == '/'); c = peek()) {
      ++at_;
      left = joined(left, c, factor(depth));
    }
    return left;
  }
  TomlValue factor(int depth) {
    const char c = peek();
    if (depth > kMaxDepth) {
      fail("too many brackets");
      return whole(0);
    }
    if (c == '(') {
      ++at_;
      TomlValue inner = sum(depth + 1);
      if (peek() != ')') fail("')' is missing");
      ++at_;
      return inner;
    }
    if (c == '-') {
      ++at_;
      return joined(whole(0), '-', factor(depth + 1));
    }
    if ((c >= '0' && c <= '9') || c == '.') return number();
    return name();
  }
  TomlValue number() {
    double result = 0;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    const auto [stop, code] = std::from_chars(begin, end, result);
    if (code != std::errc()) {
      fail("a number is wrong");
      return whole(0);
    }
    const std::string_view digits(begin, static_cast<size_t>(stop - begin));
    at_ += digits.size();
    const bool isWhole = digits.find_first_not_of("0123456789") == std::string_view::npos && result < 9e15;
    return isWhole ? whole(static_cast<int64_t>(result)) : real(result);
  }
  TomlValue name() {
    const size_t begin = at_;
    const auto isLetter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && isLetter(text_[at_])) ++at_;
    const std::string key(text_.substr(begin, at_ - begin));
    const auto found = parameters_.find(key);
    if (found != parameters_.end()) {
      used_.insert(key);
      return found->second;
    }
    std::string known;
    for (const auto& [other, value] : parameters_) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", other);
    fail(key.empty()
             ? "a parameter or number is missing"
             : fmt::format("there is no parameter '{}'; [parameters] has {}", key, known.empty() ? "none" : known));
    return whole(0);
  }

  std::string_view text_;
  const std::map<std::string, TomlValue>& parameters_;
  std::set<std::string>& used_;
  size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<TomlValue> parameterValue(std::string_view text, const std::map<std::string, TomlValue>& parameters,
                                 std::set<std::string>& used) {
  return Expression(text, parameters, used).value();
}

}  // namespace wend
