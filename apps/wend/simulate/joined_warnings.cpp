#include "simulate/joined_warnings.h"

#include <charconv>
#include <map>
#include <set>

namespace wend::app {
namespace {

struct Parts {
  std::string frame;                 // the sentence with a null character for each number
  std::vector<std::string> numbers;  // as written
};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// A number begins after a blank, a bracket or an equals sign; a hyphen inside of a word is no sign.
bool beginsNumber(const std::string& text, size_t i) {
  if (i > 0 && text[i - 1] != ' ' && text[i - 1] != '(' && text[i - 1] != '=') return false;
  return isDigit(text[i]) || (text[i] == '-' && i + 1 < text.size() && isDigit(text[i + 1]));
}

Parts partsOf(const std::string& text) {
  Parts parts;
  bool isName = false;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '\'') isName = !isName;
    if (isName || !beginsNumber(text, i)) {
      parts.frame += text[i++];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() &&
           (isDigit(text[end]) || (text[end] == '.' && end + 1 < text.size() && isDigit(text[end + 1]))))
      ++end;
    parts.frame += '\0';
    parts.numbers.push_back(text.substr(i, end - i));
    i = end;
  }
  return parts;
}

double valueOf(const std::string& number) {
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value;
}

struct Group {
  std::vector<std::string> least;
  std::vector<std::string> most;
  size_t runs = 0;
};

std::string textOf(const std::string& frame, const Group& group) {
  std::string text;
  size_t next = 0;
  for (const char c : frame) {
    if (c != '\0') {
      text += c;
      continue;
    }
    text += group.least[next];
    if (group.most[next] != group.least[next]) text += " to " + group.most[next];
    ++next;
  }
  return text;
}

}  // namespace

std::vector<JoinedWarning> joinWarnings(const std::vector<std::vector<std::string>>& runs) {
  std::map<std::string, Group> groups;
  for (const std::vector<std::string>& sentences : runs) {
    std::set<std::string> seen;
    for (const std::string& sentence : sentences) {
      const Parts parts = partsOf(sentence);
      Group& group = groups[parts.frame];
      if (seen.insert(parts.frame).second) ++group.runs;
      if (group.least.empty()) group.least = group.most = parts.numbers;
      for (size_t i = 0; i < parts.numbers.size(); ++i) {
        if (valueOf(parts.numbers[i]) < valueOf(group.least[i])) group.least[i] = parts.numbers[i];
        if (valueOf(parts.numbers[i]) > valueOf(group.most[i])) group.most[i] = parts.numbers[i];
      }
    }
  }
  std::vector<JoinedWarning> joined;
  for (const auto& [frame, group] : groups) joined.push_back({textOf(frame, group), group.runs});
  return joined;
}

}  // namespace wend::app
