#include <map>
#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct MakeOptions {
  Run run;
  std::string kind;
  std::string output;
  bool list = false;
  double unit = 1e-4;
  std::map<std::string, double> values;
};

void listKinds(const MakeOptions& o) {
  Json kinds = Json::array();
  for (const WorldKind& kind : worldKinds()) {
    Json parameters = Json::array();
    o.run.say(fmt::format("{:<16} {}", kind.name, kind.meaning));
    if (!kind.standsFor.empty()) o.run.say(fmt::format("{:<16}   stands for: {}", "", kind.standsFor));
    for (const MakeParameter& p : kind.parameters) {
      o.run.say(
          fmt::format("{:<16}   --{} {:g} ({:g} to {:g}): {}", "", p.name, p.defaultValue, p.min, p.max, p.meaning));
      parameters.push_back({{"name", p.name},
                            {"meaning", p.meaning},
                            {"default", p.defaultValue},
                            {"min", p.min},
                            {"max", p.max},
                            {"whole", p.whole}});
    }
    kinds.push_back(
        {{"name", kind.name}, {"meaning", kind.meaning}, {"stands_for", kind.standsFor}, {"parameters", parameters}});
  }
  o.run.print({{"ok", true}, {"kinds", kinds}});
}

int run(MakeOptions& o, const CLI::App& command) {
  if (o.list) {
    listKinds(o);
    return kOk;
  }
  if (o.kind.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, "which world? give a KIND; wend make --list shows them");
  }
  if (o.output.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, "where to? give -o FILE.env (or .wkt, .geojson)");
  }
  MakeSettings settings;
  settings.kind = o.kind;
  settings.seed = o.run.seed;
  settings.lattice.unit = o.unit;
  for (const auto& [name, value] : o.values) {
    if (command.get_option("--" + name)->count() > 0) settings.parameters.emplace_back(name, value);
  }
  const Stopwatch watch;
  const Result<Environment> world = makeWorld(settings, o.run.context());
  if (!world.ok()) return o.run.fail(world.error());
  const double seconds = watch.seconds();
  if (const Status status = writeEnvironment(*world, o.output); !status.ok()) return o.run.fail(status.error());

  const Topology& truth = *world->truth;
  o.run.finishProgress();
  o.run.say(fmt::format("{}: {} layers, {} connections, {} vertices, {:.2f} m2, {} components, {} boundaries, genus {}",
                        o.output, world->layers.size(), world->connections.size(), vertexCount(*world),
                        world->lattice.area(truth.doubledArea), truth.components, truth.boundaries, truth.genus));
  o.run.say(fmt::format("made in {:.3f} s, hash {}", seconds, hexHash(hash(*world))));
  Json report = {{"ok", true},
                 {"kind", o.kind},
                 {"file", o.output},
                 {"layers", world->layers.size()},
                 {"connections", world->connections.size()},
                 {"vertices", vertexCount(*world)}};
  report.update(toJson(truth, world->lattice));
  report["seconds"] = seconds;
  report["hash"] = hexHash(hash(*world));
  o.run.print(report);
  return kOk;
}

}  // namespace

void addMake(Program& program) {
  auto o = std::make_shared<MakeOptions>();
  CLI::App* command = program.app.add_subcommand("make", "make a synthetic world");
  command->add_option("KIND", o->kind, "the family of worlds; --list shows all with their sizes");
  command->add_flag("--list", o->list, "show every kind with its parameters");
  command->add_option("-o,--output", o->output, "file to write: .env, .wkt or .geojson");
  command->add_option("--unit", o->unit, "metres per lattice unit")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  // One option per name; kinds that mean the same by it share the sentence.
  std::map<std::string, std::map<std::string, std::string>> users;
  for (const WorldKind& kind : worldKinds()) {
    for (const MakeParameter& p : kind.parameters) {
      std::string& kinds = users[p.name][fmt::format("{} [{:g}]", p.meaning, p.defaultValue)];
      kinds += (kinds.empty() ? "" : ", ") + kind.name;
    }
  }
  for (const auto& [name, meanings] : users) {
    std::string text;
    for (const auto& [meaning, kinds] : meanings) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kinds, meaning);
    }
    command->add_option("--" + name, o->values[name], text)->group("Sizes, by kind");
  }
  o->run.addCommonOptions(*command);
  command->footer(
      "Examples:\n  wend make --list\n  wend make maze --size 32 --seed 7 -o maze.env\n  wend make zelda --tiles 2 -o "
      "zelda2x2.env");
  command->callback([o, command, &program] { program.exitCode = run(*o, *command); });
}

}  // namespace wend::app
