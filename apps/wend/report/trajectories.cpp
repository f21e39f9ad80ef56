#include <memory>

#include <wend/study/trajectories.h>
#include <wend/world_input.h>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct TrajectoriesOptions {
  Run run;
  std::string file;
  std::string environment;
  std::string output;
  std::string unit;
  double radius = 0.2;
  TrajectorySettings settings;
};

int convert(TrajectoriesOptions& o) {
  if (!o.unit.empty()) o.settings.unit = o.unit == "cm" ? 0.01 : 1;
  const Result<Trajectories> read = readTrajectories(o.file, o.settings);
  if (!read.ok()) return o.run.fail(read.error());
  const Result<EnvironmentReading> environment = readAnyEnvironment(o.environment, {}, o.run.context());
  if (!environment.ok()) return o.run.fail(environment.error());
  const Result<uint64_t> outside = writeRecording(*read, environment->environment, o.output, o.radius);
  if (!outside.ok()) return o.run.fail(outside.error());
  o.run.finishProgress();
  o.run.say(
      fmt::format("{}: {} persons, {} frames at {:g} per second, {:.1f} s; {} positions outside of the walkable "
                  "space",
                  o.output, read->persons.size(), read->frames(), read->framesPerSecond,
                  static_cast<double>(read->frames()) / read->framesPerSecond, *outside));
  o.run.print({{"ok", true},
               {"file", o.output},
               {"persons", read->persons.size()},
               {"frames", read->frames()},
               {"frames_per_second", read->framesPerSecond},
               {"outside", *outside}});
  return kOk;
}

}  // namespace

void addTrajectories(Program& program) {
  auto o = std::make_shared<TrajectoriesOptions>();
  Command command = program.line.addCommand("trajectories", "turn the trajectories of an experiment into a recording");
  command.addOption("FILE", o->file, "text with lines 'id frame x y [z]' (Jülich archive, PedPy)").required();
  command.addOption("--environment", o->environment, "where they walked: any file of wend bake, or WKT itself")
      .required();
  command.addOption("-o,--output", o->output, "recording to write, FILE.sqlite").required();
  command.addOption("--fps", o->settings.framesPerSecond, "frames per second, where the file does not say")
      .check(positive());
  command.addOption("--unit", o->unit, "unit of lengths, where the file does not say").check(oneOf({"m", "cm"}));
  command.addOption("--radius", o->radius, "radius of persons in the report, metres")
      .check(range(0.05, 2.0))
      .showDefault();
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend trajectories bottleneck.txt --environment bottleneck.wkt -o experiment.sqlite\n"
      "  wend report run.sqlite --beside experiment.sqlite -o report");
  command.onRun([o, &program] { program.exitCode = convert(*o); });
}

}  // namespace wend::app
