#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// The options of the commands. The headers of the parser (CLI11) make code in every source that includes them, so only
// command_line.cpp does.
namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace wend::app {

// What the text of a value must be.
using Rule = std::shared_ptr<const CLI::Validator>;
Rule range(double least, double most);
Rule range(int least, int most);
Rule range(size_t least, size_t most);
Rule oneOf(const std::vector<std::string>& words);
Rule positive();     // a number above 0
Rule notNegative();  // a number from 0 on

// One option of a command. A handle, valid as long as the command.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option check(const Rule& rule);
  Option required();
  Option group(const std::string& heading);  // of --help
  Option describe(const std::string& text);  // instead of the text it was added with
  Option showDefault();                      // the value that the variable has now
  Option showDefault(const std::string& text);
  Option values(int count) { return values(count, count); }
  Option values(int least, int most);  // after one name
  Option separatedBy(char separator);  // of several values
  Option oneValueEach();               // several values need the name several times

 private:
  CLI::Option* option_;
};

// One command, or a group of its options under a heading of their own. A handle, valid as long as the program.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  std::string name() const;
  // T: bool, a number, std::string, or std::optional or std::vector of these (instances in command_line.cpp).
  template <typename T>
  Option addOption(const std::string& names, T& value, const std::string& text);
  Option addOption(const std::string& name, std::function<void(const std::string&)> take, const std::string& text);
  Option addNumber(const std::string& name, std::function<void(double)> take, const std::string& text);
  Option addFlag(const std::string& name, bool& value, const std::string& text);
  Option addFlag(const std::string& name, std::function<void()> take, const std::string& text);
  // At most one of a group's options may be given.
  Command addChoice(const std::string& heading);

  Option option(const std::string& name);
  bool isGiven(const std::string& name) const;
  // The first option under a heading that is given, "" if none is.
  std::string firstGiven(const std::string& heading) const;

  void footer(const std::string& text);
  void onRun(std::function<void()> work);

 private:
  CLI::App* app_;
};

// The whole command line: a program and its commands.
class CommandLine {
 public:
  explicit CommandLine(const std::string& text);
  ~CommandLine();
  CommandLine(CommandLine&&) = delete;

  Command addCommand(const std::string& name, const std::string& text);
  void addFlag(const std::string& name, bool& value, const std::string& text);
  void footer(const std::string& text);

  enum class Outcome { kRan, kHelped, kWrong };
  // Runs the command that the words name, and prints --help. The sentence says what is wrong with the words.
  Outcome run(int count, const char* const* words, std::string& sentence);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace wend::app
