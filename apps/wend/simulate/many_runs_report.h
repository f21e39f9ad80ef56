#pragma once

#include <string>
#include <vector>

#include <wend/study/many_runs.h>

#include "command.h"

// Many runs of a scenario, or of its variants, as files: index.html, summary.json, tables/runs.csv,
// tables/convergence.csv and tables/curve.csv.
namespace wend::app {

// A scenario with one choice of its parameters, and its runs.
struct StudyPoint {
  ScenarioParameters parameters;  // those that are varied
  Scenario scenario;
  ManyRuns runs;
};

// The figures that say what the evacuation takes, in seconds. Mean and deviation are of the runs in which all left, NaN
// without one. In the percentiles a run in which a person did not leave has an infinite time.
struct StudyFigures {
  size_t runs = 0;
  size_t unfinished = 0;
  double mean = 0;
  double halfWidth = 0;  // of the 95 % confidence interval of the mean
  double deviation = 0;
  double least = 0;
  double p5 = 0;
  double median = 0;
  double p95 = 0;
  double most = 0;
};
StudyFigures figuresOf(const ManyRuns& runs);

// "width=1.2, persons=200", or the given text without parameters.
std::string nameOf(const StudyPoint& point, const std::string& otherwise);

// One verdict per [[expect]]: its statistic over all runs.
struct StudyVerdict {
  const Expectation* expectation = nullptr;
  double value = 0;
  bool passed = false;
};
std::vector<StudyVerdict> verdictsOf(const StudyPoint& point);
// NaN if one of the values is: a run without a value decides nothing.
double statisticOf(std::vector<double> values, Statistic kind);

// Runs that ended in gridlock or deadlock.
size_t blockedRuns(const ManyRuns& runs);
// "12.3 s", "not reached" for an infinite time, a dash without one.
std::string secondsText(double value);

Json studyJson(const std::vector<StudyPoint>& points);
Status writeStudy(const std::vector<StudyPoint>& points, const std::string& folder);

}  // namespace wend::app
