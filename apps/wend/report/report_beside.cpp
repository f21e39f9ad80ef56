#include "report/report_beside.h"

#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "pages.h"
#include "planning/density/fundamental_diagram.h"
#include "report/report_plot.h"
#include "report/report_tables.h"
#include "series_colours.h"

namespace wend::app {
namespace {

double numberIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_number() ? std::nan("") : found->get<double>();
}

// Mean speed per class of density, the empirical fundamental diagram.
Curve meanSpeeds(const Analysis& a, const std::string& name, std::string colour) {
  constexpr double kClass = 0.25;  // persons per m2
  std::vector<double> sum(32, 0);
  std::vector<double> count(32, 0);
  for (const SpeedDensity& p : a.fundamentalDiagram) {
    const auto i = static_cast<size_t>(p.density / kClass);
    if (i >= sum.size() || std::isnan(p.speed)) continue;
    sum[i] += p.speed;
    count[i] += 1;
  }
  Curve curve{name, std::move(colour), {}};
  for (size_t i = 0; i < sum.size(); ++i) {
    // A class with few points is chance.
    if (count[i] >= 20) curve.points.push_back({(static_cast<double>(i) + 0.5) * kClass, sum[i] / count[i]});
  }
  return curve;
}

Curve leftCurve(const Analysis& a, const std::string& name, std::string colour) {
  Curve curve{name, std::move(colour), {}};
  for (const CurvePoint& p : a.curve) curve.points.push_back({p.time, static_cast<double>(p.left)});
  return curve;
}

}  // namespace

std::vector<BesideRow> besideRows(const ReportInput& own, const ReportInput& other) {
  std::vector<BesideRow> rows;
  rows.push_back({"persons", static_cast<double>(own.analysis.persons.size()),
                  static_cast<double>(other.analysis.persons.size())});
  rows.push_back({"until 50 % had left, s", timeOfShare(own.analysis, 0.5), timeOfShare(other.analysis, 0.5)});
  rows.push_back({"until 95 % had left, s", timeOfShare(own.analysis, 0.95), timeOfShare(other.analysis, 0.95)});
  rows.push_back({"mean speed, m/s", own.analysis.meanSpeed, other.analysis.meanSpeed});
  const auto compare = [&](const Json& mine, const Json& theirs, const char* kind,
                           std::initializer_list<std::pair<const char*, const char*>> keys) {
    for (size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
      for (const auto& [key, name] : keys) {
        rows.push_back({fmt::format("{} '{}': {}", kind, mine[i]["id"].get<std::string>(), name),
                        numberIn(mine[i], key), numberIn(theirs[i], key)});
      }
    }
  };
  compare(linesJson(own), linesJson(other), "line",
          {{"crossings", "persons"}, {"flow", "flow, 1/s"}, {"specific_flow", "specific flow, 1/(m s)"}});
  compare(regionsJson(own), regionsJson(other), "region",
          {{"mean_density", "mean density, 1/m²"},
           {"largest_density_over_window", "largest density, 1/m²"},
           {"mean_speed", "mean speed, m/s"}});
  return rows;
}

Json besideJson(const ReportInput& own, const ReportInput& other) {
  Json list = Json::array();
  const auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(); };
  for (const BesideRow& row : besideRows(own, other)) {
    list.push_back({{"what", row.what}, {"own", number(row.own)}, {"other", number(row.other)}});
  }
  return list;
}

std::string besideHtml(const ReportInput& own, const ReportInput& other, const std::string& ownName,
                       const std::string& otherName) {
  std::string html = fmt::format(
      "<h2>Beside {}</h2><p class=\"note\">Both measured by the same lines, regions and methods. <a "
      "href=\"beside.html\">Both players side by side</a>; the <a href=\"other/index.html\">report of the "
      "other</a>.</p><div class=\"scroll\"><table id=\"beside\"><tr><th class=\"t\">quantity</th><th>{}</th><th>{}</th>"
      "<th>difference</th></tr>",
      escapeXml(otherName), escapeXml(ownName), escapeXml(otherName));
  for (const BesideRow& row : besideRows(own, other)) {
    const auto number = [](double v) { return std::isfinite(v) ? fmt::format("{:.3g}", v) : std::string("–"); };
    const bool both = std::isfinite(row.own) && std::isfinite(row.other) && row.other != 0;
    html += fmt::format("<tr><td class=\"t\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", escapeXml(row.what),
                        number(row.own), number(row.other),
                        both ? fmt::format("{:+.0f} %", 100 * (row.own - row.other) / row.other) : "–");
  }
  html += "</table></div><div class=\"pictures\">";
  const std::string mine(seriesColour(0));
  const std::string theirs(seriesColour(1));
  html += "<figure>" +
          linearPlot({"Persons that have left", "time, s", "persons"},
                     {leftCurve(own.analysis, ownName, mine), leftCurve(other.analysis, otherName, theirs)}) +
          "</figure>";
  const double window = own.scenario == nullptr ? 10 : own.scenario->output.window;
  for (size_t i = 0; i < std::min(own.analysis.lines.size(), other.analysis.lines.size()); ++i) {
    std::vector<Curve> curves{{ownName, mine, {}}, {otherName, theirs, {}}};
    for (const FlowWindow& w : flowWindows(own.analysis.lines[i], window, own.analysis.duration)) {
      curves[0].points.push_back({w.time, w.flow});
    }
    for (const FlowWindow& w : flowWindows(other.analysis.lines[i], window, other.analysis.duration)) {
      curves[1].points.push_back({w.time, w.flow});
    }
    html +=
        "<figure>" +
        linearPlot({fmt::format("Flow over line {}", own.analysis.lines[i].line.id), "time, s", "persons per second"},
                   curves) +
        "</figure>";
  }
  for (size_t i = 0; i < std::min(own.analysis.regions.size(), other.analysis.regions.size()); ++i) {
    std::vector<Curve> curves{{ownName, mine, {}}, {otherName, theirs, {}}};
    for (const RegionSample& s : own.analysis.regions[i].samples) curves[0].points.push_back({s.time, s.density});
    for (const RegionSample& s : other.analysis.regions[i].samples) curves[1].points.push_back({s.time, s.density});
    html += "<figure>" +
            linearPlot(
                {fmt::format("Density of region {}", own.analysis.regions[i].region.id), "time, s", "persons per m²"},
                curves) +
            "</figure>";
  }
  html += "<figure>" +
          linearPlot({"Mean speed against density", "density of the own Voronoi cell, persons per m²", "speed, m/s"},
                     {meanSpeeds(own.analysis, ownName, mine), meanSpeeds(other.analysis, otherName, theirs)}) +
          "</figure>";
  return html + "</div>";
}

std::string besidePage(const std::string& ownPage, const std::string& otherPage) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Side by side</title><link rel=\"icon\" "
      "href=\"data:,\"><style>\n{}</style></head><body><iframe src=\"{}#player\"></iframe><iframe "
      "src=\"{}#player\"></iframe></body></html>\n",
      page::kBesideCss, ownPage, otherPage);
}

}  // namespace wend::app
