#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct CheckOptions {
  Run run;
  std::string file;
  std::string against;
  size_t limit = 20;
  ReadSettings read;
};

int run(CheckOptions& o) {
  const Context& context = o.run.context();
  const Result<Input> input = readInput(o.file, o.read, context);
  if (!input.ok()) return o.run.fail(input.error());
  if (!o.against.empty() && !input->mesh) {
    return o.run.fail(ErrorCode::kInvalidSettings, "--against compares a mesh with its environment; FILE is no mesh");
  }
  Json found = Json::array();
  const auto add = [&](const char* kind, Vec2 place, const std::string& message) {
    o.run.say(fmt::format("{} at ({:.4f}, {:.4f}): {}", kind, place.x, place.y, message));
    found.push_back({{"kind", kind}, {"place", {place.x, place.y}}, {"message", message}});
  };
  o.run.finishProgress();
  if (input->mesh) {
    std::optional<Environment> environment;
    if (!o.against.empty()) {
      Result<Environment> read = readEnvironment(o.against, o.read, context);
      if (!read.ok()) return o.run.fail(read.error());
      environment = std::move(read).value();
    }
    o.run.finishProgress();
    for (const MeshFault& fault : checkMesh(*input->mesh, environment ? &*environment : nullptr, o.limit)) {
      add(faultName(fault.kind), fault.place, fault.message);
    }
  } else {
    for (const Violation& violation : validate(*input->environment, o.limit)) {
      add(violationName(violation.kind), violation.place, violation.message);
    }
  }
  const bool right = found.empty();
  o.run.say(right ? fmt::format("{}: right{}", o.file, o.against.empty() ? "" : ", and true to " + o.against)
                  : fmt::format("{}: {} fault(s){}", o.file, found.size(),
                                found.size() >= o.limit ? " shown, perhaps more" : ""));
  o.run.print({{"ok", right}, {"file", o.file}, {"faults", found}});
  return right ? kOk : kFailed;
}

}  // namespace

void addCheck(Program& program) {
  auto o = std::make_shared<CheckOptions>();
  CLI::App* command = program.app.add_subcommand("check", "say whether an environment or a mesh is right");
  command->add_option("FILE", o->file, "environment or mesh")->required();
  command->add_option("--against", o->against, "the environment a mesh was baked from: compare every wall and cell");
  command->add_option("--limit", o->limit, "faults to show at most")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  addReadOptions(*command, o->read);
  o->run.addCommonOptions(*command);
  command->footer("Examples:\n  wend check city.env\n  wend check city.wend --against city.env");
  command->callback([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
