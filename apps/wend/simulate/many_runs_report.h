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

// The figures that say what the evacuation takes; times in seconds, NaN without a run in which all left.
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

// One verdict per [[expect]]: the statistic that it asks for, over all runs.
struct StudyVerdict {
  const Expectation* expectation = nullptr;
  double value = 0;
  bool passed = false;
};
std::vector<StudyVerdict> verdictsOf(const StudyPoint& point);
double statisticOf(std::vector<double> values, Statistic kind);

Json studyJson(const std::vector<StudyPoint>& points);
Status writeStudy(const std::vector<StudyPoint>& points, const std::string& folder);

}  // namespace wend::app
