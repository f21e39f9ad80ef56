#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/compare_row.h"

// The results of a comparison as files: CSV, JSON, and one HTML page that needs nothing else.
namespace wend::app {

struct Comparison {
  std::vector<CompareWorld> worlds;
  std::vector<std::string> generators;
  std::vector<CompareRow> rows;
  std::string command;      // that made it
  std::string pictures;     // folder of WORLD--GENERATOR.svg
  size_t pictureBytes = 0;  // larger pictures are left out
  double seconds = 0;       // limits of a run
  double megabytes = 0;
  uint32_t repeat = 0;
};

std::string comparisonCsv(const Comparison& comparison);
Json comparisonJson(const Comparison& comparison);
std::string comparisonPage(const Comparison& comparison);

// --- Parts of the page ----------------------------------------------------------------------------------------------

// Short enough for a table: 4 to 6 digits.
std::string shortNumber(double value);

struct PlotSeries {
  std::string name;
  std::string colour;
  std::vector<Vec2> points;  // both positive
};
// Both axes logarithmic.
std::string logPlot(std::string_view title, std::string_view x, std::string_view y, std::span<const PlotSeries> series);

// What theory says about each method: regions, graph, pipeline, parameters, bounds, radii, updates.
std::string theoryTable(std::span<const std::string> generators);

}  // namespace wend::app
