#include "options/command_line.h"

#include <cstdint>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace wend::app {
namespace {

template <typename Fits>
Rule numberThat(Fits fits, const char* words, const char* name) {
  return std::make_shared<CLI::Validator>(
      [fits, words](const std::string& text) {
        double value = 0;
        const bool right = CLI::detail::lexical_cast(text, value) && fits(value);
        return right ? std::string() : fmt::format("'{}' is not {}", text, words);
      },
      name);
}

}  // namespace

Rule range(double least, double most) {
  return std::make_shared<CLI::Validator>(CLI::Range(least, most));
}
Rule range(int least, int most) {
  return std::make_shared<CLI::Validator>(CLI::Range(least, most));
}
Rule range(size_t least, size_t most) {
  return std::make_shared<CLI::Validator>(CLI::Range(least, most));
}
Rule oneOf(const std::vector<std::string>& words) {
  return std::make_shared<CLI::Validator>(CLI::IsMember(words));
}
Rule positive() {
  return numberThat([](double value) { return value > 0; }, "a number above 0", "POSITIVE");
}
Rule notNegative() {
  return numberThat([](double value) { return value >= 0; }, "a number from 0 on", "NONNEGATIVE");
}

Option Option::check(const Rule& rule) {
  option_->check(*rule);
  return *this;
}
Option Option::required() {
  option_->required();
  return *this;
}
Option Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}
Option Option::describe(const std::string& text) {
  option_->description(text);
  return *this;
}
Option Option::showDefault() {
  option_->capture_default_str();
  return *this;
}
Option Option::showDefault(const std::string& text) {
  option_->default_str(text);
  return *this;
}
Option Option::values(int least, int most) {
  option_->expected(least, most);
  return *this;
}
Option Option::separatedBy(char separator) {
  option_->delimiter(separator);
  return *this;
}
Option Option::oneValueEach() {
  option_->allow_extra_args(false);
  return *this;
}

std::string Command::name() const {
  return app_->get_name();
}

template <typename T>
Option Command::addOption(const std::string& names, T& value, const std::string& text) {
  return Option(*app_->add_option(names, value, text));
}
template Option Command::addOption(const std::string&, int&, const std::string&);
template Option Command::addOption(const std::string&, uint16_t&, const std::string&);
template Option Command::addOption(const std::string&, uint32_t&, const std::string&);
template Option Command::addOption(const std::string&, uint64_t&, const std::string&);
template Option Command::addOption(const std::string&, double&, const std::string&);
template Option Command::addOption(const std::string&, std::string&, const std::string&);
template Option Command::addOption(const std::string&, std::optional<double>&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<double>&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<std::string>&, const std::string&);

Option Command::addOption(const std::string& name, std::function<void(const std::string&)> take,
                          const std::string& text) {
  return Option(*app_->add_option_function<std::string>(name, take, text));
}
Option Command::addNumber(const std::string& name, std::function<void(double)> take, const std::string& text) {
  return Option(*app_->add_option_function<double>(
      name, [take](const double& value) { take(value); }, text));
}
Option Command::addFlag(const std::string& name, bool& value, const std::string& text) {
  return Option(*app_->add_flag(name, value, text));
}
Option Command::addFlag(const std::string& name, std::function<void()> take, const std::string& text) {
  return Option(*app_->add_flag_callback(name, std::move(take), text));
}
Command Command::addChoice(const std::string& heading) {
  CLI::Option_group* group = app_->add_option_group(heading);
  group->require_option(0, 1);
  return Command(*group);
}

Option Command::option(const std::string& name) {
  return Option(*app_->get_option(name));
}
bool Command::isGiven(const std::string& name) const {
  return app_->get_option(name)->count() > 0;
}
std::string Command::firstGiven(const std::string& heading) const {
  for (const CLI::Option* option : static_cast<const CLI::App*>(app_)->get_options()) {
    if (option->get_group() == heading && option->count() > 0) return option->get_name();
  }
  return {};
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}
void Command::onRun(std::function<void()> work) {
  app_->callback(std::move(work));
}

CommandLine::CommandLine(const std::string& text) : app_(std::make_unique<CLI::App>(text)) {
  app_->require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Command CommandLine::addCommand(const std::string& name, const std::string& text) {
  return Command(*app_->add_subcommand(name, text));
}
void CommandLine::addFlag(const std::string& name, bool& value, const std::string& text) {
  app_->add_flag(name, value, text);
}
void CommandLine::footer(const std::string& text) {
  app_->footer(text);
}

CommandLine::Outcome CommandLine::run(int count, const char* const* words, std::string& sentence) {
  try {
    app_->parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      sentence = error.what();
      return Outcome::kWrong;
    }
    app_->exit(error);  // prints --help
    return Outcome::kHelped;
  }
  return Outcome::kRan;
}

}  // namespace wend::app
