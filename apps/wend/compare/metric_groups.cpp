#include "compare/metric_groups.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "pages.h"
#include "report/report_plot.h"

namespace wend::app {
namespace {

// Groups after the last one that is not empty say nothing.
void dropEmptyEnd(MetricGroups& groups) {
  while (groups.counts.size() > 1 && groups.counts.back().second == 0) groups.counts.pop_back();
}

MetricGroups counted(std::string name, std::string title, std::span<const uint64_t> counts, size_t first) {
  MetricGroups groups{std::move(name), std::move(title), {}};
  for (size_t i = 0; i < counts.size(); ++i) groups.counts.emplace_back(fmt::format("{}", i + first), counts[i]);
  dropEmptyEnd(groups);
  return groups;
}

}  // namespace

std::vector<MetricGroups> metricGroups(const ShapeMetrics& shape, const MeasureSettings& settings) {
  std::vector<MetricGroups> all;
  MetricGroups areas{"area", "Area of a cell, m2", {}};
  const double a = settings.objectArea;
  const double d = settings.groupFactor;
  for (size_t i = 0; i < shape.areaGroups.size(); ++i) {
    const double n = static_cast<double>(i) - 1;
    const bool isLast = i + 1 == shape.areaGroups.size();
    areas.counts.emplace_back(i == 0   ? fmt::format("<{:g}", a)
                              : isLast ? fmt::format(">{:g}", a * n * d)
                              : i == 1 ? fmt::format("{:g}", a * d)
                                       : fmt::format("{:g}", a * (n + 1) * d),
                              shape.areaGroups[i]);
  }
  all.push_back(std::move(areas));
  all.push_back(counted("degree", "Neighbours of a cell", shape.degreeGroups, 0));
  all.push_back(counted("common_vertices", "Corners of cells at one place", shape.commonGroups, 1));
  MetricGroups angles{"angle", "Smallest angle of a cell, degrees", {}};
  for (size_t i = 0; i < shape.angleGroups.size(); ++i) {
    angles.counts.emplace_back(fmt::format("{}{}", 10 * (i + 1), i + 1 == shape.angleGroups.size() ? "+" : ""),
                               shape.angleGroups[i]);
  }
  all.push_back(std::move(angles));
  return all;
}

std::string asText(const MetricGroups& groups) {
  constexpr double kWidest = 40;
  uint64_t most = 1;
  for (const auto& [name, count] : groups.counts) most = std::max(most, count);
  std::string text = groups.title;
  for (const auto& [name, count] : groups.counts) {
    const auto bars = static_cast<size_t>(std::ceil(kWidest * static_cast<double>(count) / static_cast<double>(most)));
    text += fmt::format("\n  {:>6} {:>8} {}", name, count, std::string(bars, '#'));
  }
  return text;
}

Json toJson(const std::vector<MetricGroups>& groups) {
  Json all = Json::object();
  for (const MetricGroups& group : groups) {
    Json list = Json::array();
    for (const auto& [name, count] : group.counts) list.push_back({{"group", name}, {"count", count}});
    all[group.name] = list;
  }
  return all;
}

Result<std::string> shortlistPage(std::span<const ShortlistEntry> entries, const std::string& title) {
  std::string html = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Shortlist: {0}</title>\n"
      "<style>\n{1}</style>\n"
      "<h1>Shortlist for {0}</h1>\n<p>The meshes with the most points, best first. The histograms have one bar per "
      "group; what is tall on the left of the first and the last one is bad.</p>\n<div class=\"meshes\">\n",
      escapeXml(title), page::kShortlistCss);
  for (const ShortlistEntry& entry : entries) {
    DrawSettings draw;
    draw.width = 420;
    const Result<std::string> picture = drawMesh(entry.mesh, std::span<const Route>(), draw);
    if (!picture.ok()) return picture.error();
    html += fmt::format("<div class=\"mesh\"><h2>{}</h2><p>{:.2f} points</p>\n{}\n", escapeXml(entry.candidate.name),
                        entry.points, picture->substr(picture->find("<svg")));  // without the prologue of a file
    for (const MetricGroups& groups : entry.groups) {
      std::vector<Bar> bars;
      for (const auto& [name, count] : groups.counts) bars.push_back({name, static_cast<double>(count), "#1f77b4"});
      html += barPlot({groups.title, "", "cells"}, bars) + "\n";
    }
    html += "<table>\n";
    for (const MetricValue& value : entry.candidate.values) {
      html += fmt::format("<tr><td>{}</td><td>{:.6g}</td></tr>\n", escapeXml(value.name), value.value);
    }
    html += "</table></div>\n";
  }
  return html + "</div></html>\n";
}

}  // namespace wend::app
