#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <wend/result.h>

// Reads untrusted text. Numbers do not depend on the locale, and errors name the line.
namespace wend {

class TextCursor {
 public:
  // `name` stands in messages; `firstLine` is the line of the text's first character.
  TextCursor(std::string_view text, std::string_view name, size_t firstLine = 1)
      : text_(text), name_(name), firstLine_(firstLine) {}

  void skipSpace();
  bool atEnd() const { return position_ == text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[position_]; }
  size_t remaining() const { return text_.size() - position_; }

  // Each of these skips space first, and takes nothing if the next characters are something else.
  bool take(char c);
  std::string_view word();           // letters, digits and underscores; empty if there is none
  std::optional<double> number();    // finite, decimal
  std::optional<int64_t> integer();  // decimal
  // The rest of the line without its end; the cursor then stands on the next line.
  std::string_view line();

  // "'name', line 7: what, but found 'x'".
  Error expected(std::string_view what) const;
  // "'name', line 7: what".
  Error error(ErrorCode code, std::string_view what) const;
  size_t lineNumber() const;

 private:
  std::string_view text_;
  std::string_view name_;
  size_t firstLine_;
  size_t position_ = 0;
};

// 1-based line of an offset into a text.
size_t lineOfOffset(std::string_view text, size_t offset);

Error errorAtLine(ErrorCode code, std::string_view name, size_t line, std::string_view what);

// The whole text as one number: no space, nothing after it.
std::optional<double> wholeNumber(std::string_view text);
std::optional<int64_t> wholeInteger(std::string_view text);

// A beginning of foreign text that is fit for a message: printable ASCII, at most 24 characters.
std::string excerpt(std::string_view text);

// Names and labels: UTF-8 without control characters, at most kMaxNameBytes. Others could not be written to every
// format and read again.
inline constexpr size_t kMaxNameBytes = 4096;
bool isPlainText(std::string_view text);

}  // namespace wend
