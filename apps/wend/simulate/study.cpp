#include "simulate/study.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/scratch_folder.h"
#include "report/verdict_text.h"
#include "simulate/joined_warnings.h"
#include "simulate/many_runs_report.h"

namespace wend::app {
namespace {

constexpr size_t kMostVariants = 1000;

Error badValue(const std::string& text, std::string_view what) {
  return {ErrorCode::kInvalidSettings, fmt::format("'{}' is {}", text, what)};
}

std::optional<double> toNumber(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::vector<std::string> splitAt(const std::string& text, char sign) {
  std::vector<std::string> parts;
  for (size_t i = 0; i <= text.size();) {
    const size_t end = std::min(text.find(sign, i), text.size());
    parts.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return parts;
}

// "0.8:2.0:0.4" or "0.8,1.2,2.0".
Result<std::vector<std::string>> valuesOf(const std::string& text, const std::string& list) {
  const std::vector<std::string> range = splitAt(list, ':');
  if (range.size() != 3) return splitAt(list, ',');
  const std::optional<double> first = toNumber(range[0]);
  const std::optional<double> last = toNumber(range[1]);
  const std::optional<double> step = toNumber(range[2]);
  if (!first || !last || !step || !(*step > 0) || *last < *first) {
    return badValue(text, "no FIRST:LAST:STEP with a step above 0");
  }
  const double count = std::floor((*last - *first) / *step + 1e-9) + 1;
  if (count > kMostVariants) return badValue(text, "more than 1000 values");
  std::vector<std::string> values;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    // Rounded, so that 0.1 + 2 * 0.1 is 0.3.
    values.push_back(fmt::format("{:.10g}", *first + i * *step));
  }
  return values;
}

Result<std::pair<std::string, std::string>> nameAndValue(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return badValue(text, "no NAME=VALUE");
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<StudyPoint> runPoint(Run& run, const StudySettings& settings, const ScenarioParameters& varied, size_t index,
                            const std::string& scratch) {
  StudyPoint point;
  point.parameters = varied;
  ScenarioParameters all = settings.parameters;
  for (const auto& [name, value] : varied) all[name] = value;
  Result<Scenario> scenario = readScenario(settings.scenario, all);
  if (!scenario.ok()) return scenario.error();
  point.scenario = std::move(scenario).value();
  settings.override(point.scenario);
  if (settings.check && point.scenario.expectations.empty()) point.scenario.warnings.emplace_back(kNothingToCheck);
  ManyRunsSettings many;
  many.runs = settings.runs;
  many.converge = settings.converge;
  many.keep = settings.keep;
  many.endTime = settings.endTime;
  many.folder = scratch;
  if (settings.keep) {
    const std::string name = settings.vary.empty() ? "runs" : fmt::format("runs/{}", index);
    const std::filesystem::path kept = std::filesystem::path(settings.folder) / name;
    std::error_code error;
    std::filesystem::create_directories(kept, error);
    if (error) {
      return Error{ErrorCode::kFileNotWritten, fmt::format("'{}' cannot be made: {}", kept.string(), error.message())};
    }
    many.folder = kept.string();
  }
  Result<ManyRuns> runs = simulateMany(point.scenario, many, run.context());
  if (!runs.ok()) return runs.error();
  point.runs = std::move(runs).value();
  return point;
}

void sayPoint(Run& run, const StudyPoint& point) {
  const StudyFigures f = figuresOf(point.runs);
  std::vector<std::vector<std::string>> warnings;
  for (const OneRun& one : point.runs.runs) warnings.push_back(one.warnings);
  for (const JoinedWarning& w : joinWarnings(warnings)) {
    run.context().note(fmt::format("warning: {} ({} of {} runs)", w.text, w.runs, f.runs));
  }
  run.say(fmt::format(
      "{}: {} runs, mean evacuation time {} ± {} (95 %), deviation {}, 5 % {}, median {}, 95 % {}, most {}{}{}",
      nameOf(point, point.scenario.file), f.runs, secondsText(f.mean), secondsText(f.halfWidth),
      secondsText(f.deviation), secondsText(f.p5), secondsText(f.median), secondsText(f.p95), secondsText(f.most),
      f.unfinished > 0 ? fmt::format("; in {} runs not all persons left: they count in no mean, and as not reached in "
                                     "the percentiles",
                                     f.unfinished)
                       : "",
      point.runs.converged ? "; converged" : ""));
  for (const StudyVerdict& v : verdictsOf(point)) {
    const Expectation& e = *v.expectation;
    run.say(fmt::format("{} {}{} = {} ({}), expected {}", v.passed ? "pass" : "FAIL", e.metric,
                        e.of.empty() ? "" : " of " + e.of, measuredText(v.value), statisticName(e.stat),
                        boundsText(e)));
  }
  if (const size_t blocked = blockedRuns(point.runs); blocked > 0) {
    run.say(fmt::format("{}{} of {} runs ended in gridlock or deadlock{}",
                        expectsBlocking(point.scenario) ? "" : "FAIL ", blocked, f.runs,
                        expectsBlocking(point.scenario) ? "" : ", expected 0"));
  }
}

}  // namespace

Result<ScenarioParameters> parametersOf(const std::vector<std::string>& set) {
  ScenarioParameters parameters;
  for (const std::string& text : set) {
    const Result<std::pair<std::string, std::string>> pair = nameAndValue(text);
    if (!pair.ok()) return pair.error();
    parameters[pair->first] = pair->second;
  }
  return parameters;
}

Result<std::vector<ScenarioParameters>> combinationsOf(const std::vector<std::string>& vary) {
  std::vector<ScenarioParameters> all(1);
  for (const std::string& text : vary) {
    const Result<std::pair<std::string, std::string>> pair = nameAndValue(text);
    if (!pair.ok()) return pair.error();
    const Result<std::vector<std::string>> values = valuesOf(text, pair->second);
    if (!values.ok()) return values.error();
    std::vector<ScenarioParameters> next;
    for (const ScenarioParameters& before : all) {
      for (const std::string& value : *values) {
        next.push_back(before);
        next.back()[pair->first] = value;
      }
    }
    all = std::move(next);
    if (all.size() > kMostVariants) return badValue(text, "one combination of values above 1000 too many");
  }
  return all;
}

int simulateStudy(Run& run, const StudySettings& settings) {
  const Result<std::vector<ScenarioParameters>> combinations = combinationsOf(settings.vary);
  if (!combinations.ok()) return run.fail(combinations.error());
  if (settings.keep && settings.folder.empty()) {
    return run.fail(ErrorCode::kInvalidSettings, "--keep needs a folder: -o DIR");
  }
  run.context();  // a signal from here on removes the folder
  const Result<ScratchFolder> scratch = ScratchFolder::make("", "wend-runs-");
  if (!scratch.ok()) return run.fail(scratch.error());
  std::vector<StudyPoint> points;
  for (size_t i = 0; i < combinations->size(); ++i) {
    run.showDetail(fmt::format("variant {} of {}", i + 1, combinations->size()));
    Result<StudyPoint> point = runPoint(run, settings, (*combinations)[i], i, scratch->path());
    if (!point.ok()) return run.fail(point.error());
    points.push_back(std::move(point).value());
  }
  run.finishProgress();
  if (!settings.folder.empty()) {
    if (Status status = writeStudy(points, settings.folder); !status.ok()) return run.fail(status.error());
  }
  int code = kOk;
  for (const StudyPoint& point : points) {
    sayPoint(run, point);
    if (!settings.check) continue;
    for (const StudyVerdict& v : verdictsOf(point)) code = v.passed ? code : kFailed;
    if (blockedRuns(point.runs) > 0 && !expectsBlocking(point.scenario)) code = kFailed;
  }
  Json json = {{"ok", code == kOk}, {"folder", settings.folder}};
  json.update(studyJson(points));
  run.print(json);
  return code;
}

}  // namespace wend::app
