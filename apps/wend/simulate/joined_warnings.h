#pragma once

#include <string>
#include <vector>

// Warnings of many runs, told once.
namespace wend::app {

struct JoinedWarning {
  std::string text;
  size_t runs = 0;  // that gave it
};

// Sentences that differ in their numbers only are one, with the range of each number: "stuck: 70 to 103". Numbers
// inside single quotes are names and stay apart. In the order of the sentences without their numbers.
std::vector<JoinedWarning> joinWarnings(const std::vector<std::vector<std::string>>& runs);

}  // namespace wend::app
