#pragma once

#include <string>

#include "report/report_files.h"

// The tables of a report: what was run, what was expected, what each line and region measured, where persons were
// stuck. Each as HTML for the page and as JSON for summary.json.
namespace wend::app {

// Version, seed, model and hashes: what a second run needs to give the same result.
std::string identityHtml(const ReportInput& input);
Json identityJson(const ReportInput& input);

// Sentences of the run; empty for none.
std::vector<std::string> warningsOf(const ReportInput& input);
std::string warningsHtml(const ReportInput& input);

// Every [[expect]] of the scenario against this recording.
struct ReportVerdict {
  const Expectation* expectation = nullptr;
  double value = 0;
  std::string failure;  // why there is no value
  bool passed = false;
};
std::vector<ReportVerdict> verdictsOf(const ReportInput& input);
std::string verdictsHtml(const std::vector<ReportVerdict>& verdicts);
Json verdictsJson(const std::vector<ReportVerdict>& verdicts);

std::string linesHtml(const ReportInput& input);
Json linesJson(const ReportInput& input);
std::string regionsHtml(const ReportInput& input);
Json regionsJson(const ReportInput& input);

// Persons that stood for 10 s or more while they wanted to walk, by places of 2 x 2 m.
std::string stuckHtml(const ReportInput& input);
Json stuckJson(const ReportInput& input);

}  // namespace wend::app
