#include <algorithm>
#include <filesystem>
#include <memory>

#include <wend/analysis.h>
#include <wend/recording.h>
#include <wend/simulate.h>

#include <fmt/format.h>

#include "base/peak_memory.h"
#include "base/scratch_folder.h"
#include "command.h"
#include "process/interrupt.h"
#include "report/frame_costs.h"
#include "report/report_files.h"
#include "report/verdict_text.h"
#include "simulate/many_runs_report.h"
#include "simulate/output_files.h"
#include "simulate/study.h"

namespace wend::app {
namespace {

struct SimulateOptions {
  Run run;
  std::string scenario;
  std::string output;
  bool check = false;
  bool resume = false;
  std::optional<double> end;
  std::string avoid;
  bool seedGiven = false;
  std::string frames;
  uint32_t runs = 1;
  double converge = 0;
  bool keep = false;
  std::vector<std::string> set;
  std::vector<std::string> vary;
};

// One [[expect]] against what was measured.
struct Verdict {
  const Expectation* expectation = nullptr;
  double value = 0;
  bool passed = false;
};

std::string milliseconds(const CrowdTimes& t, uint64_t steps) {
  const double scale = steps == 0 ? 0 : 1000.0 / static_cast<double>(steps);
  return fmt::format(
      "{:.3f} ms per step: planning {:.3f}, following {:.3f}, neighbours {:.3f}, groups {:.3f}, "
      "stream "
      "{:.3f}, avoidance {:.3f}, movement {:.3f}, separation {:.3f}, density {:.3f}",
      t.total() * scale, t.replanning * scale, t.following * scale, t.neighbours * scale, t.groups * scale,
      t.stream * scale, t.avoidance * scale, t.movement * scale, t.separation * scale, t.density * scale);
}

Json toJson(const CrowdTimes& t, uint64_t steps) {
  const double scale = steps == 0 ? 0 : 1000.0 / static_cast<double>(steps);
  return {{"total", t.total() * scale},         {"replanning", t.replanning * scale},
          {"following", t.following * scale},   {"neighbours", t.neighbours * scale},
          {"groups", t.groups * scale},         {"stream", t.stream * scale},
          {"avoidance", t.avoidance * scale},   {"movement", t.movement * scale},
          {"separation", t.separation * scale}, {"density", t.density * scale}};
}

std::string ending(const SimulationSummary& s) {
  switch (s.status) {
    case RunStatus::kEmpty:
      if (s.fallen > 0) return fmt::format("{} persons fell in smoke, all others have left or arrived", s.fallen);
      return s.inside == 0 ? "all persons have left" : "all persons have arrived";
    case RunStatus::kTime:
      return "the end time has come";
    case RunStatus::kStopped:
      return "stopped";
    case RunStatus::kGridlock:
      if (s.gridlocked == 0) {
        return fmt::format("gridlock: the end time has come, and up to {} persons blocked each other from {:.0f} s on",
                           s.mostGridlocked, s.gridlockSince);
      }
      return fmt::format("gridlock: the end time has come, and {} persons block each other near ({:.1f}, {:.1f})",
                         s.gridlocked, s.gridlockPlace.x, s.gridlockPlace.y);
    case RunStatus::kDeadlock:
      break;
  }
  std::string ids;
  for (const uint32_t id : s.deadlocked) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id);
  return fmt::format("deadlock: no person moved for 30 s; persons {} near ({:.1f}, {:.1f})", ids, s.deadlockPlace.x,
                     s.deadlockPlace.y);
}

void say(const SimulateOptions& o, const std::string& file, const SimulationSummary& s, uint64_t ownSteps) {
  const double own = s.time - std::max(0.0, s.resumedAt);
  o.run.say(fmt::format("{}: {} persons entered, {} left or arrived, {} inside after {:.1f} s: {}", file, s.persons,
                        s.left, s.inside, s.time, ending(s)));
  o.run.say(fmt::format("{} steps in {:.2f} s, {:.1f} times real time, peak memory {:.0f} MB", ownSteps, s.wallSeconds,
                        s.wallSeconds > 0 ? own / s.wallSeconds : 0, peakMegabytes()));
  o.run.say(milliseconds(s.substeps, ownSteps));
  o.run.say(fmt::format(
      "{} positions off the walkable space, deepest overlap of two persons {:.1f} cm, of a person and a wall {:.2f} mm",
      s.outside, s.overlap * 100, std::max(0.0, s.wallOverlap) * 1000));
  const FrameFit fit = fitFrames(s.frames);
  if (fit.frames > 1) {
    o.run.say(
        fmt::format("{} agents made in all; a step costs {:.3f} us per agent (line fit, R2 {:.3f}), planning and "
                    "following {:.1f} % of it",
                    s.constructed, 1e6 * fit.perAgent, fit.r2, 100 * fit.planningShare));
  }
  if (!s.warnings.empty())
    o.run.say(fmt::format("{} warning{}, listed above and in the recording", s.warnings.size(),
                          s.warnings.size() == 1 ? "" : "s"));
  o.run.say(fmt::format("hash {}", hexHash(s.resultHash)));
}

Json toJson(const std::string& file, const SimulationSummary& s, uint64_t ownSteps) {
  return {{"ok", true},
          {"file", file},
          {"status", statusName(s.status)},
          {"time", s.time},
          {"steps", s.steps},
          {"persons", s.persons},
          {"left", s.left},
          {"inside", s.inside},
          {"refused", s.refused},
          {"fallen", s.fallen},
          {"largest_dose", s.largestDose},
          {"unreachable", s.unreachable},
          {"stuck", s.stuck},
          {"longest_stuck", s.longestStuck},
          {"outside", s.outside},
          {"overlap", s.overlap},
          {"wall_overlap", s.wallOverlap},
          {"resumed_at", s.resumedAt < 0 ? Json() : Json(s.resumedAt)},
          {"seconds", s.wallSeconds},
          {"milliseconds_per_step", toJson(s.substeps, ownSteps)},
          {"warnings", s.warnings},
          {"peak_megabytes", peakMegabytes()},
          {"agents_made", s.constructed},
          {"microseconds_per_agent", 1e6 * fitFrames(s.frames).perAgent},
          {"planning_share", fitFrames(s.frames).planningShare},
          {"deadlocked", s.deadlocked},
          {"gridlocked", s.gridlocked},
          {"most_gridlocked", s.mostGridlocked},
          {"gridlock_since", s.gridlockSince < 0 ? Json() : Json(s.gridlockSince)},
          {"hash", hexHash(s.resultHash)}};
}

std::vector<std::string> avoidMethods() {
  std::vector<std::string> names;
  for (uint8_t i = 0; std::string_view(methodName(static_cast<AvoidMethod>(i))) != "unknown"; ++i) {
    names.emplace_back(methodName(static_cast<AvoidMethod>(i)));
  }
  return names;
}

AvoidMethod avoidMethod(const std::string& name) {
  const std::vector<std::string> names = avoidMethods();
  return static_cast<AvoidMethod>(std::find(names.begin(), names.end(), name) - names.begin());
}

class Simulator {
 public:
  explicit Simulator(SimulateOptions& options) : o_(options) {}

  int run() {
    const Result<ScenarioParameters> parameters = parametersOf(o_.set);
    if (!parameters.ok()) return o_.run.fail(parameters.error());
    if (o_.runs > 1 || !o_.vary.empty()) return runStudy(*parameters);
    Result<Scenario> scenario = readScenario(o_.scenario, *parameters);
    if (!scenario.ok()) return o_.run.fail(scenario.error());
    scenario_ = std::move(scenario).value();
    if (o_.output.empty() && !o_.check) {
      return o_.run.fail(ErrorCode::kInvalidSettings, "give the recording a name with -o FILE.sqlite, or use --check");
    }
    override(scenario_);
    if (o_.check && scenario_.expectations.empty()) scenario_.warnings.emplace_back(kNothingToCheck);
    for (const std::string& input : inputs()) {
      if (const Status status = o_.run.mayWrite(o_.output, {input}); !status.ok()) return o_.run.fail(status.error());
      if (const Status status = o_.run.mayWrite(o_.frames, {input, o_.output}); !status.ok()) {
        return o_.run.fail(status.error());
      }
    }
    if (!o_.output.empty()) {
      const Result<OutputFiles> files = outputFiles(scenario_.output, o_.output, inputs(), o_.run.force);
      if (!files.ok()) return o_.run.fail(files.error());
    }
    o_.run.context();  // a signal from here on removes the folder
    Result<ScratchFolder> scratch = ScratchFolder::make("", "wend-simulate-");
    if (!scratch.ok()) return o_.run.fail(scratch.error());
    const std::string first = o_.output.empty() ? *scratch / "run.sqlite" : o_.output;
    if (const std::optional<Error> error = simulateOnce(first, scenario_.seed, true)) return o_.run.fail(*error);
    int code = kOk;
    if (summary_.status == RunStatus::kStopped) {
      const std::string sentence = fmt::format("stopped at {:.1f} s; continue with --resume", summary_.time);
      return o_.run.fail(ErrorCode::kCancelled, sentence);
    }
    if (!o_.output.empty()) {
      if (const std::optional<Error> error = writeOutputs()) return o_.run.fail(*error);
    }
    if (o_.check) {
      const std::string more = *scratch / "more.sqlite";
      if (const std::optional<Error> error = checkAll(first, more)) return o_.run.fail(*error);
      for (const Verdict& v : verdicts_) code = v.passed ? code : kFailed;
      if (blocked_ > 0 && !expectsBlocking(scenario_)) code = kFailed;
    }
    if (const std::optional<Error> error = writeFrames()) return o_.run.fail(*error);
    o_.run.finishProgress();
    print(o_.output.empty() ? scenario_.file : o_.output);
    return code;
  }

 private:
  // What options say instead of the scenario.
  void override(Scenario& scenario) const {
    if (o_.seedGiven) scenario.seed = o_.run.seed;
    if (o_.avoid.empty()) return;
    for (ScenarioProfile& profile : scenario.profiles) profile.crowd.avoid = avoidMethod(o_.avoid);
  }

  int runStudy(const ScenarioParameters& parameters) {
    if (o_.output.empty() && !o_.check) {
      return o_.run.fail(ErrorCode::kInvalidSettings, "name a folder for the results with -o DIR, or use --check");
    }
    if (o_.resume || !o_.frames.empty()) {
      return o_.run.fail(ErrorCode::kInvalidSettings, "--resume and --frames are for a single run");
    }
    StudySettings study;
    study.scenario = o_.scenario;
    study.parameters = parameters;
    study.vary = o_.vary;
    study.runs = o_.runs;
    study.converge = o_.converge;
    study.keep = o_.keep;
    study.endTime = o_.end;
    study.folder = o_.output;
    study.override = [this](Scenario& scenario) { override(scenario); };
    study.check = o_.check;
    return simulateStudy(o_.run, study);
  }

  // The scenario, and the file of its world, if it is one; names are relative to the scenario.
  std::vector<std::string> inputs() const {
    return {o_.scenario, (std::filesystem::path(scenario_.file).parent_path() / scenario_.environment).string()};
  }

  std::optional<Error> simulateOnce(const std::string& file, uint64_t seed, bool keep) {
    SimulateSettings settings;
    settings.output = file;
    settings.resume = o_.resume && keep;
    settings.force = o_.run.force;
    settings.endTime = o_.end;
    settings.seed = seed;
    settings.onProgress = [this](const SimulationProgress& p) {
      // Each step looks for signals, and the last one leaves a checkpoint.
      letWorkFinish();
      o_.run.showDetail(fmt::format("{:.0f} s, {} in, {} out, x{:.1f}", p.time, p.inside, p.left, p.speedFactor));
    };
    const Result<SimulationSummary> summary = simulate(scenario_, settings, o_.run.context());
    letWorkEnd();
    if (!summary.ok()) return summary.error();
    if (keep) summary_ = *summary;
    ++runs_;
    if (isBlocked(summary->status)) ++blocked_;
    if (summary->status == RunStatus::kStopped && !keep) return Error{ErrorCode::kCancelled, "stopped"};
    return {};
  }

  std::optional<Error> writeOutputs() {
    if (scenario_.output.text.empty() && scenario_.output.dir.empty() && !scenario_.output.perLayer) return {};
    const Result<Recording> recording = Recording::open(o_.output);
    if (!recording.ok()) return recording.error();
    // Again, since a run takes its time.
    const Result<OutputFiles> files = outputFiles(scenario_.output, o_.output, inputs(), o_.run.force);
    if (!files.ok()) return files.error();
    if (!files->text.empty()) {
      if (Status status = writeText(*recording, files->text); !status.ok()) return status.error();
    }
    if (scenario_.output.perLayer) {
      if (Status status = writeLayers(*recording, o_.output); !status.ok()) return status.error();
    }
    if (files->folder.empty()) return {};
    const Result<Analysis> analysis = analyse(*recording, &scenario_, analysisSettings(scenario_), o_.run.context());
    if (!analysis.ok()) return analysis.error();
    if (Status status = writeReport({*recording, &scenario_, *analysis}, files->folder); !status.ok()) {
      return status.error();
    }
    return {};
  }

  // Values of all expectations in one recording.
  std::optional<Error> measure(const std::string& file, std::vector<std::vector<double>>& values) {
    const Result<Recording> recording = Recording::open(file);
    if (!recording.ok()) return recording.error();
    const Result<Analysis> analysis = analyse(*recording, &scenario_, analysisSettings(scenario_), o_.run.context());
    if (!analysis.ok()) return analysis.error();
    for (size_t i = 0; i < scenario_.expectations.size(); ++i) {
      const Expectation& e = scenario_.expectations[i];
      if (values[i].size() >= e.runs) continue;
      const Result<double> value = metricValue(*analysis, *recording, scenario_, e.metric, e.of);
      if (!value.ok()) {
        return Error{value.error().code,
                     fmt::format("'{}', line {}: {}", scenario_.file, e.line, value.error().message)};
      }
      values[i].push_back(*value);
    }
    return {};
  }

  std::optional<Error> checkAll(const std::string& first, const std::string& file) {
    std::vector<std::vector<double>> values(scenario_.expectations.size());
    if (std::optional<Error> error = measure(first, values)) return error;
    uint32_t runs = 1;
    for (const Expectation& e : scenario_.expectations) runs = std::max(runs, e.runs);
    for (uint32_t i = 1; i < runs; ++i) {
      std::optional<Error> error = simulateOnce(file, scenario_.seed + i, false);
      if (!error) error = measure(file, values);
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
      if (error) return error;
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const Expectation& e = scenario_.expectations[i];
      Verdict verdict{&e, statisticOf(values[i], e.stat), false};
      verdict.passed = verdict.value >= e.min && verdict.value <= e.max;
      verdicts_.push_back(verdict);
    }
    return {};
  }

  // One line per step: what it cost beside how many there were.
  std::optional<Error> writeFrames() const {
    if (o_.frames.empty()) return {};
    std::string csv = "time,agents,milliseconds,planning_milliseconds\n";
    for (const FrameCost& f : summary_.frames) {
      csv += fmt::format("{:.3f},{},{:.4f},{:.4f}\n", f.time, f.agents, 1000 * f.seconds, 1000 * f.planning);
    }
    if (const Status status = writeFile(o_.frames, csv); !status.ok()) return status.error();
    return {};
  }

  void print(const std::string& file) const {
    const uint64_t own =
        summary_.steps - static_cast<uint64_t>(std::llround(std::max(0.0, summary_.resumedAt) / scenario_.step));
    say(o_, file, summary_, own);
    Json json = toJson(file, summary_, own);
    Json checks = Json::array();
    for (const Verdict& v : verdicts_) {
      const Expectation& e = *v.expectation;
      const std::string of = e.of.empty() ? "" : fmt::format(" of {}", e.of);
      const std::string what = fmt::format("{}{}", e.metric, of);
      o_.run.say(fmt::format("{} {} = {}, expected {}{}", v.passed ? "pass" : "FAIL", what, measuredText(v.value),
                             boundsText(e),
                             e.runs > 1 ? fmt::format(" ({} of {} runs)", statisticName(e.stat), e.runs) : ""));
      checks.push_back({{"metric", e.metric},
                        {"of", e.of},
                        {"value", std::isfinite(v.value) ? Json(v.value) : Json()},
                        {"measured", !std::isnan(v.value)},
                        {"passed", v.passed}});
    }
    if (o_.check) {
      if (blocked_ > 0 && !expectsBlocking(scenario_))
        o_.run.say(fmt::format("FAIL {} of {} runs ended in gridlock or deadlock, expected 0", blocked_, runs_));
      json["checks"] = checks;
      json["runs"] = runs_;
      json["runs_blocked"] = blocked_;
    }
    o_.run.print(json);
  }

  SimulateOptions& o_;
  Scenario scenario_;
  SimulationSummary summary_;
  std::vector<Verdict> verdicts_;
  uint32_t runs_ = 0;
  uint32_t blocked_ = 0;  // of these, ended in gridlock or deadlock
};

}  // namespace

void addSimulate(Program& program) {
  auto o = std::make_shared<SimulateOptions>();
  Command command = program.line.addCommand("simulate", "let a crowd walk through a scenario and record it");
  command.addOption("SCENARIO", o->scenario, "scenario file, FILE.toml (docs/scenarios.md)").required();
  command.addOption("-o,--output", o->output, "recording to write, FILE.sqlite (JuPedSim's tables; PedPy reads it)");
  command.addFlag("--check", o->check, "compare the result with the scenario's [[expect]]; exit 1 if one fails");
  command.addFlag("--resume", o->resume, "continue a recording that was interrupted, with the same result");
  o->run.addForce(command);
  command.addOption("--end", o->end, "stop at this simulated time instead of the scenario's, seconds")
      .check(positive());
  command.addOption("--avoid", o->avoid, "collision avoidance of all profiles, instead of the scenario's")
      .check(oneOf(avoidMethods()));
  command
      .addOption("--runs", o->runs,
                 "this many runs with seeds counted up, side by side; -o is then a folder for statistics")
      .check(range(1, 100000))
      .showDefault();
  command
      .addOption("--converge", o->converge,
                 "with --runs: stop once the 95 % interval of the mean evacuation time is within this share of it")
      .check(range(0.0, 1.0))
      .showDefault();
  command.addFlag("--keep", o->keep, "with --runs: keep the recordings, as runs/run_SEED.sqlite in the folder");
  command.addOption("--set", o->set, "NAME=VALUE of the scenario's [parameters]; may be given several times");
  command.addOption("--vary", o->vary,
                    "NAME=V1,V2,... or NAME=FIRST:LAST:STEP: a study over these values; several make all combinations");
  command.addOption("--frames", o->frames, "CSV of the cost of each step, for wend report --frames");
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend simulate examples/crowd/two_exits.toml -o run.sqlite\n"
      "  wend simulate examples/crowd/two_exits.toml -o run.sqlite --resume\n"
      "  wend simulate tests/crowd/scenarios/rimea/rimea-12.toml --check --avoid orca\n"
      "  wend simulate examples/crowd/two_exits.toml --runs 100 --converge 0.01 -o runs\n"
      "  wend simulate examples/crowd/door_width.toml --vary width=0.8:2.0:0.4 --runs 10 -o study\n"
      "  wend report run.sqlite -o report");
  command.onRun([o, command, &program] {
    o->seedGiven = command.isGiven("--seed");
    program.exitCode = Simulator(*o).run();
  });
}

}  // namespace wend::app
