#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

void run(const Run& run) {
  Json list = Json::array();
  for (const GeneratorInfo& generator : generators()) {
    run.say(fmt::format("{:<18} {}", generator.name, generator.meaning));
    run.say(fmt::format("{:<18}   source: {}", "", generator.source));
    run.say(fmt::format("{:<18}   cells: {}{}{}", "", generator.traits.convex ? "convex" : "not all convex",
                        generator.traits.disjoint ? ", disjoint" : ", overlapping",
                        generator.traits.exact ? ", exact" : ", approximate"));
    run.say(fmt::format("{:<18}   after an edit: {}", "", generator.inPlace ? "repaired in place" : "made anew"));
    if (!generator.missing.empty())
      run.say(fmt::format("{:<18}   not available: built without {}", "", generator.missing));
    Json options = Json::array();
    for (const GeneratorOption& option : generator.options) {
      const std::string range = option.choices.empty() ? fmt::format("{:g} to {:g}", option.min, option.max)
                                                       : fmt::format("{}", fmt::join(option.choices, "|"));
      run.say(fmt::format("{:<18}   --{} {} ({}): {}", "", option.name, option.defaultValue, range, option.meaning));
      options.push_back({{"name", option.name},
                         {"meaning", option.meaning},
                         {"default", option.defaultValue},
                         {"choices", option.choices},
                         {"min", option.min},
                         {"max", option.max}});
    }
    list.push_back({{"name", generator.name},
                    {"meaning", generator.meaning},
                    {"source", generator.source},
                    {"convex", generator.traits.convex},
                    {"disjoint", generator.traits.disjoint},
                    {"exact", generator.traits.exact},
                    {"inPlace", generator.inPlace},
                    {"available", generator.missing.empty()},
                    {"options", options}});
  }
  run.print({{"ok", true}, {"generators", list}});
}

}  // namespace

void addGenerators(Program& program) {
  auto o = std::make_shared<Run>();
  Command command = program.line.addCommand("generators", "list the methods that make meshes");
  o->addCommonOptions(command);
  command.footer("Example:\n  wend generators --json");
  command.onRun([o] { run(*o); });
}

}  // namespace wend::app
