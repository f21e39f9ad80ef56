#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "report/report_beside.h"
#include "report/report_files.h"

namespace wend::app {
namespace {

struct ReportOptions {
  Run run;
  std::string recording;
  std::string output;
  std::string scenario;
  std::string frames;
  std::string beside;
  AnalysisSettings settings;
};

int report(ReportOptions& o, const Command& command) {
  const Result<Recording> recording = Recording::open(o.recording);
  if (!recording.ok()) return o.run.fail(recording.error());
  std::optional<Scenario> scenario;
  const std::string text = recording->note("wend_scenario");
  if (!o.scenario.empty() || !text.empty()) {
    Result<Scenario> read =
        o.scenario.empty() ? parseScenario(text, o.recording + " (its scenario)") : readScenario(o.scenario);
    if (!read.ok()) return o.run.fail(read.error());
    scenario = std::move(read).value();
    const auto given = [&](const char* name) { return command.isGiven(name); };
    if (!given("--grid")) o.settings.grid = scenario->output.grid;
    if (!given("--window")) o.settings.window = scenario->output.window;
    if (given("--window")) scenario->output.window = o.settings.window;
    o.settings.cutoff = scenario->output.cutoff;
    o.settings.classic = scenario->output.density == DensityMethod::kClassic;
  }
  Stopwatch watch;
  const Result<Analysis> analysis = analyse(*recording, scenario ? &*scenario : nullptr, o.settings, o.run.context());
  if (!analysis.ok()) return o.run.fail(analysis.error());
  std::vector<FrameCost> frames;
  if (!o.frames.empty()) {
    Result<std::vector<FrameCost>> read = readFrames(o.frames);
    if (!read.ok()) return o.run.fail(read.error());
    frames = std::move(read).value();
  }
  // The other recording is measured with the lines and regions of the first.
  std::optional<Recording> otherRecording;
  std::optional<Analysis> otherAnalysis;
  std::optional<ReportInput> other;
  if (!o.beside.empty()) {
    Result<Recording> opened = Recording::open(o.beside);
    if (!opened.ok()) return o.run.fail(opened.error());
    otherRecording.emplace(std::move(opened).value());
    Result<Analysis> measured = analyse(*otherRecording, scenario ? &*scenario : nullptr, o.settings, o.run.context());
    if (!measured.ok()) return o.run.fail(measured.error());
    otherAnalysis.emplace(std::move(measured).value());
    other.emplace(ReportInput{*otherRecording, scenario ? &*scenario : nullptr, *otherAnalysis});
  }
  const ReportInput input{*recording, scenario ? &*scenario : nullptr, *analysis, o.frames.empty() ? nullptr : &frames,
                          other ? &*other : nullptr};
  if (const Status status = writeReport(input, o.output); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  const Json summary = summaryJson(input);
  const double all = timeOfShare(*analysis, 1);
  o.run.say(fmt::format(
      "{}: {} persons, {} left, {}; {:.2f} s", (std::filesystem::path(o.output) / "index.html").string(),
      analysis->persons.size(), summary["left"].get<size_t>(),
      std::isfinite(all) ? fmt::format("the last one after {:.1f} s", all) : "not all of them", watch.seconds()));
  Json json = {{"ok", true}, {"folder", o.output}};
  json.update(summary);
  if (other) json["beside"] = besideJson(input, *other);
  o.run.print(json);
  return kOk;
}

}  // namespace

void addReport(Program& program) {
  auto o = std::make_shared<ReportOptions>();
  Command command = program.line.addCommand("report", "what a recording shows: curves, maps, flows and a player");
  command.addOption("RECORDING", o->recording, "FILE.sqlite of wend simulate, or of JuPedSim").required();
  command.addOption("-o,--output", o->output, "folder for index.html, summary.json, tables/ (CSV) and pictures/ (SVG)")
      .required();
  command.addOption("--scenario", o->scenario,
                    "take lines and regions from this scenario instead of the recording's own");
  command.addOption("--beside", o->beside,
                    "a second recording, of an experiment or another model: compared by the same lines and regions");
  command.addOption("--frames", o->frames,
                    "CSV of wend simulate --frames: adds crowd size, cost of steps and a line fit");
  command.addOption("--grid", o->settings.grid, "cells of the maps, metres").check(range(0.05, 10.0)).showDefault();
  command.addOption("--window", o->settings.window, "over which flows and densities are averaged, seconds")
      .check(range(0.1, 1e4))
      .showDefault();
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend report run.sqlite -o report\n  wend report run.sqlite --grid 0.25 --window 5 -o report\n"
      "  wend report jupedsim.sqlite --scenario lines.toml -o report");
  command.onRun([o, command, &program] { program.exitCode = report(*o, command); });
}

}  // namespace wend::app
