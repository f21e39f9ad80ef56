#pragma once

#include <string>
#include <utility>
#include <vector>

#include <wend/analysis.h>
#include <wend/recording.h>
#include <wend/scenario.h>

#include "command.h"
#include "report/frame_costs.h"
#include "report/report_map.h"

// The results of a simulation as files: CSV, SVG, JSON, and one HTML page that needs nothing else.
namespace wend::app {

struct ReportInput {
  const Recording& recording;
  const Scenario* scenario = nullptr;  // null for a recording by another program
  const Analysis& analysis;
  const std::vector<FrameCost>* frames = nullptr;  // costs of the steps, if known
  const ReportInput* beside = nullptr;             // another recording to compare with
};

// Writes index.html and summary.json into the folder, CSV files into its tables/, SVG files into its pictures/. Makes
// the folders that are missing.
Status writeReport(const ReportInput& input, const std::string& folder);

Json summaryJson(const ReportInput& input);
std::string reportPage(const ReportInput& input);
// All plots, each with the name of its file without extension.
std::vector<std::pair<std::string, std::string>> reportPlots(const ReportInput& input);

inline constexpr std::array kReportMaps{MapKind::kMeanDensity, MapKind::kMaxDensity, MapKind::kWorstLevel,
                                        MapKind::kSpeed, MapKind::kLastOccupied};

struct FlowWindow {
  double time = 0;
  double flow = 0;  // persons per second
  uint32_t forward = 0;
  uint32_t backward = 0;
};
// From the window of the first crossing to that of the last; persons over the length of each window.
std::vector<FlowWindow> flowWindows(const LineResult& line, double window, double duration);

}  // namespace wend::app
