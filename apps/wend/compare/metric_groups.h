#pragma once

#include <span>
#include <string>
#include <vector>

#include <wend/metrics.h>

#include "command.h"

// How the values of the cells of a mesh are distributed, and a page on which a person chooses between meshes.
namespace wend::app {

struct MetricGroups {
  std::string name;                                      // "degree"
  std::string title;                                     // "Neighbours of a cell"
  std::vector<std::pair<std::string, uint64_t>> counts;  // what the group holds, and how many
};

// Hale's histograms: areas, degree, common vertices, smallest angles.
std::vector<MetricGroups> metricGroups(const ShapeMetrics& shape, const MeasureSettings& settings);

std::string asText(const MetricGroups& groups);
Json toJson(const std::vector<MetricGroups>& groups);

struct ShortlistEntry {
  Candidate candidate;
  double points = 0;
  std::vector<MetricGroups> groups;
  NavMesh mesh;
};
// Each mesh with its picture, its values and its histograms.
Result<std::string> shortlistPage(std::span<const ShortlistEntry> entries, const std::string& title);

}  // namespace wend::app
