#include "base/text_cursor.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace wend {
namespace {

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}

// Characters used by the number at the beginning of text; 0 if there is none. from_chars knows no plus sign, and takes
// "inf" and "nan", which are no coordinates.
template <typename T>
size_t scan(std::string_view text, T& value) {
  size_t start = 0;
  if (!text.empty() && text[0] == '+') {
    start = 1;
    if (text.size() < 2 || !(isDigit(text[1]) || text[1] == '.')) return 0;
  }
  const char* begin = text.data() + start;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(begin, end, value);
  if (failure != std::errc()) return 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return 0;
  }
  return static_cast<size_t>(rest - text.data());
}

template <typename T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const size_t used = scan(text, value);
  if (used == 0 || used != text.size()) return std::nullopt;
  return value;
}

}  // namespace

void TextCursor::skipSpace() {
  while (position_ < text_.size() && isSpace(text_[position_])) ++position_;
}

bool TextCursor::take(char c) {
  skipSpace();
  if (atEnd() || text_[position_] != c) return false;
  ++position_;
  return true;
}

std::string_view TextCursor::word() {
  skipSpace();
  const size_t start = position_;
  while (position_ < text_.size() && isWord(text_[position_])) ++position_;
  return text_.substr(start, position_ - start);
}

std::optional<double> TextCursor::number() {
  skipSpace();
  double value = 0;
  const size_t used = scan(text_.substr(position_), value);
  if (used == 0) return std::nullopt;
  position_ += used;
  return value;
}

std::optional<int64_t> TextCursor::integer() {
  skipSpace();
  int64_t value = 0;
  const size_t used = scan(text_.substr(position_), value);
  if (used == 0) return std::nullopt;
  position_ += used;
  return value;
}

std::string_view TextCursor::line() {
  const std::string_view rest = text_.substr(position_);
  const size_t end = std::min(rest.find('\n'), rest.size());
  position_ += std::min(end + 1, rest.size());
  std::string_view line = rest.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

Error TextCursor::expected(std::string_view what) const {
  TextCursor next = *this;
  next.skipSpace();
  if (next.atEnd()) return next.error(ErrorCode::kFormat, fmt::format("expected {}, but the text ends", what));
  const std::string found = excerpt(text_.substr(next.position_));
  return next.error(ErrorCode::kFormat, fmt::format("expected {}, but found '{}'", what, found));
}

Error TextCursor::error(ErrorCode code, std::string_view what) const {
  return errorAtLine(code, name_, lineNumber(), what);
}

size_t TextCursor::lineNumber() const {
  return firstLine_ + lineOfOffset(text_, position_) - 1;
}

size_t lineOfOffset(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  return 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
}

Error errorAtLine(ErrorCode code, std::string_view name, size_t line, std::string_view what) {
  return {code, fmt::format("'{}', line {}: {}", name, line, what)};
}

std::optional<double> wholeNumber(std::string_view text) {
  return whole<double>(text);
}
std::optional<int64_t> wholeInteger(std::string_view text) {
  return whole<int64_t>(text);
}

std::string excerpt(std::string_view text) {
  constexpr size_t kLength = 24;
  std::string result;
  for (const char c : text.substr(0, kLength)) {
    if (c == '\n' || c == '\r') break;
    result += c >= ' ' && c <= '~' ? c : '?';
  }
  if (text.size() > kLength && result.size() == kLength) result += "...";
  return result;
}

bool isPlainText(std::string_view text) {
  if (text.size() > kMaxNameBytes) return false;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) return false;
    size_t tail = 0;
    uint32_t code = byte;
    uint32_t least = 0;  // a longer form of a smaller code is not UTF-8
    if (byte >= 0x80) {
      if (byte >> 5 == 0x06) {
        tail = 1, code = byte & 0x1fU, least = 0x80;
      } else if (byte >> 4 == 0x0e) {
        tail = 2, code = byte & 0x0fU, least = 0x800;
      } else if (byte >> 3 == 0x1e) {
        tail = 3, code = byte & 0x07U, least = 0x10000;
      } else {
        return false;
      }
    }
    if (text.size() - i <= tail) return false;
    for (size_t k = 1; k <= tail; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if (next >> 6 != 0x02) return false;
      code = code << 6 | (next & 0x3fU);
    }
    // Surrogates, what lies beyond Unicode, and the two codes that XML forbids.
    if (code < least || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return false;
    if (code == 0xfffe || code == 0xffff || (code >= 0x80 && code < 0xa0)) return false;
    i += tail + 1;
  }
  return true;
}

}  // namespace wend
