#pragma once

#include <string>
#include <vector>

#include "report/report_files.h"

// Two recordings measured by the same lines and regions: an experiment beside a simulation, or two simulations.
namespace wend::app {

// One measured quantity of both.
struct BesideRow {
  std::string what;  // "line 'door': specific flow, 1/(m s)"
  double own = 0;    // NaN: not measured
  double other = 0;
};
std::vector<BesideRow> besideRows(const ReportInput& own, const ReportInput& other);

// A section of the page: the table, and curves of both in one picture each.
std::string besideHtml(const ReportInput& own, const ReportInput& other, const std::string& ownName,
                       const std::string& otherName);
Json besideJson(const ReportInput& own, const ReportInput& other);

// A page with both players, side by side.
std::string besidePage(const std::string& ownPage, const std::string& otherPage);

}  // namespace wend::app
