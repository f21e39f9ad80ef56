#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "pages.h"
#include "planning/density/fundamental_diagram.h"
#include "report/report_beside.h"
#include "report/report_files.h"
#include "report/report_player.h"
#include "report/report_plot.h"
#include "report/report_tables.h"
#include "series_colours.h"

namespace wend::app {
namespace {

// No person leaves in no time.
std::string seconds(const Analysis& a, double share) {
  const double value = timeOfShare(a, share);
  if (a.persons.empty()) return "–";
  return std::isfinite(value) ? fmt::format("{:.1f} s", value) : "not reached";
}

struct Fact {
  std::string value;
  std::string name;
  bool bad = false;
};

std::string facts(const std::vector<Fact>& all) {
  std::string html = "<div class=\"facts\">";
  for (const Fact& fact : all) {
    html +=
        fmt::format("<div{}><b>{}</b><span>{}</span></div>", fact.bad ? " class=\"bad\"" : "", fact.value, fact.name);
  }
  return html + "</div>";
}

// The status of a run in words.
std::string endText(const std::string& status) {
  if (status.empty()) return "unfinished";
  if (status == "empty") return "no person on the way";
  return status == "time" ? "time was up" : escapeXml(status);
}

std::string exitTable(const Analysis& a) {
  std::map<std::string, std::vector<double>> exits;
  size_t left = 0;
  for (const PersonResult& p : a.persons) {
    if (p.person.exitTime < 0) continue;
    exits[p.person.exit].push_back(p.person.exitTime);
    ++left;
  }
  std::string html =
      "<table><tr><th class=\"t\">exit</th><th>persons</th><th>share</th><th>first</th><th>last</th></tr>";
  for (const auto& [exit, times] : exits) {
    html +=
        fmt::format("<tr><td class=\"t\">{}</td><td>{}</td><td>{:.1f} %</td><td>{:.1f} s</td><td>{:.1f} s</td></tr>",
                    exit.empty() ? "–" : escapeXml(exit), times.size(),
                    100.0 * static_cast<double>(times.size()) / static_cast<double>(left),
                    *std::min_element(times.begin(), times.end()), *std::max_element(times.begin(), times.end()));
  }
  return html + "</table>";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> reportPlots(const ReportInput& in) {
  const Analysis& a = in.analysis;
  const double window = in.scenario == nullptr ? 10 : in.scenario->output.window;
  std::vector<std::pair<std::string, std::string>> plots;
  Curve inside{"inside", std::string(seriesColour(0)), {}};
  Curve left{"left", std::string(seriesColour(2)), {}};
  Curve stuck{"stuck", std::string(seriesColour(1)), {}};
  for (const CurvePoint& p : a.curve) {
    inside.points.push_back({p.time, static_cast<double>(p.inside)});
    left.points.push_back({p.time, static_cast<double>(p.left)});
    stuck.points.push_back({p.time, static_cast<double>(p.stuck)});
  }
  plots.emplace_back("curve", linearPlot({"Evacuation curve", "time, s", "persons"}, {inside, left, stuck}));
  std::vector<double> travel;
  for (const PersonResult& p : a.persons) {
    if (p.person.exitTime >= 0) travel.push_back(p.person.exitTime - std::max(0.0, p.person.start));
  }
  plots.emplace_back("travel_times", histogram({"Travel times", "from the start of walking to the exit, s", "persons"},
                                               travel, seriesColour(0)));
  std::vector<Curve> flows;
  for (size_t i = 0; i < a.lines.size(); ++i) {
    Curve curve{a.lines[i].line.id, std::string(seriesColour(i)), {}};
    for (const FlowWindow& w : flowWindows(a.lines[i], window, a.duration)) curve.points.push_back({w.time, w.flow});
    flows.push_back(std::move(curve));
  }
  if (!flows.empty()) {
    // One curve has no legend.
    const std::string lines = flows.size() == 1 ? fmt::format("line '{}'", a.lines[0].line.id) : "lines";
    plots.emplace_back("flows", linearPlot({fmt::format("Flow through {}, windows of {:g} s", lines, window), "time, s",
                                            "persons per second"},
                                           flows));
  }
  std::vector<Curve> densities;
  for (size_t i = 0; i < a.regions.size(); ++i) {
    Curve curve{a.regions[i].region.id, std::string(seriesColour(i)), {}};
    for (const RegionSample& s : a.regions[i].samples) curve.points.push_back({s.time, s.density});
    densities.push_back(std::move(curve));
  }
  if (!densities.empty()) {
    const std::string regions =
        densities.size() == 1 ? fmt::format("region '{}'", a.regions[0].region.id) : std::string("regions");
    plots.emplace_back("regions", linearPlot({"Density of " + regions, "time, s", "persons per m²"}, densities));
  }
  Curve cloud{"persons", "#1f77b4", {}, true};
  const size_t every = a.fundamentalDiagram.size() / 4000 + 1;
  for (size_t i = 0; i < a.fundamentalDiagram.size(); i += every) {
    cloud.points.push_back(
        {std::min(8.0, static_cast<double>(a.fundamentalDiagram[i].density)), a.fundamentalDiagram[i].speed});
  }
  Curve theory{"Weidmann", "#d62728", {}};
  for (double d = 0.1; d <= 5.4; d += 0.1)
    theory.points.push_back({d, speed(FundamentalDiagram::kWeidmann, d * kPersonArea)});
  plots.emplace_back("fundamental", linearPlot({"Speed against density",
                                                "density of the own Voronoi cell, persons per m²", "speed, m/s"},
                                               {cloud, theory}, 2.2));
  std::vector<Bar> bars;
  for (size_t i = 0; i < 6; ++i) {
    const auto level = static_cast<ServiceLevel>(i);
    bars.push_back({std::string(1, levelLetter(level)), a.personMinutes[i], levelHex(level)});
  }
  plots.emplace_back("levels", barPlot({"Time spent per level of service", "", "person-minutes"}, bars));
  return plots;
}

std::string reportPage(const ReportInput& in) {
  const Analysis& a = in.analysis;
  size_t left = 0;
  double travel = 0;
  for (const PersonResult& p : a.persons) {
    if (p.person.exitTime < 0) continue;
    ++left;
    travel += p.person.exitTime - std::max(0.0, p.person.start);
  }
  const std::string title =
      in.scenario == nullptr || in.scenario->name.empty() ? in.recording.path() : in.scenario->name;
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><link rel=\"icon\" "
      "href=\"data:,\"><style>\n{1}</style></head><body>"
      "<h1>{0}</h1>",
      escapeXml(title), page::kReportCss);
  const std::string status = in.recording.note("wend_status");
  html += facts({{fmt::format("{}", a.persons.size()), "persons"},
                 {fmt::format("{}", left), "left"},
                 {seconds(a, 1), "until all had left", a.persons.size() != left},
                 {seconds(a, 0.95), "until 95 % had left"},
                 {left == 0 ? "–" : fmt::format("{:.1f} s", travel / static_cast<double>(left)), "mean travel time"},
                 {fmt::format("{:.2f} m/s", a.meanSpeed), "mean speed"},
                 {fmt::format("{:.1f} s", a.duration), "recorded"},
                 {endText(status), "how it ended", status.empty() || status == "deadlock" || status == "gridlock"}});
  const std::vector<ReportVerdict> verdicts = verdictsOf(in);
  html += warningsHtml(in) + verdictsHtml(verdicts);
  html += "<h2>What was run</h2>" + identityHtml(in);
  html += "<h2>Player</h2>" + playerHtml(in);
  if (in.beside != nullptr) html += besideHtml(in, *in.beside, "this recording", in.beside->recording.path());
  html += "<h2>Evacuation</h2>" + exitTable(a) + "<div class=\"pictures\">";
  for (const auto& [name, svg] : reportPlots(in)) html += fmt::format("<figure id=\"{}\">{}</figure>", name, svg);
  html += "</div>" + linesHtml(in) + regionsHtml(in) + "<h2>Stuck persons</h2>" + stuckHtml(in);
  html +=
      "<h2>Maps</h2><p class=\"note\">Density by Voronoi cells, counted in small squares. Levels of service "
      "after ";
  const ServiceTable table = in.scenario == nullptr ? ServiceTable::kFruin : in.scenario->output.los;
  html += tableName(table);
  const ServiceAreas service(in.scenario, in.recording.worlds().front().environment);
  if (service.areMixed()) html += ", and the tables of their own for regions that name one";
  html += ". The colours mean the same on all floors.</p><div class=\"pictures\">";
  const MapScales scales = mapScales(a, table);
  const std::vector<PlanMark> marks = planMarks(in.scenario);
  const Environment& world = in.recording.worlds().front().environment;
  constexpr size_t kMaxLayers = 12;  // a page stays readable
  for (size_t i = 0; i < std::min(kMaxLayers, a.maps.size()); ++i) {
    for (const MapKind kind : kReportMaps) {
      const std::string svg = mapSvg(a.maps[i], world.layers[i], world.lattice, kind, scales, service, marks);
      if (!svg.empty()) html += "<figure>" + svg + "</figure>";
    }
  }
  html += "</div>";
  if (a.maps.size() > kMaxLayers)
    html += "<p class=\"note\">The maps of the other layers are in <a href=\"pictures/\">pictures</a>.</p>";
  if (!in.recording.events().empty()) {
    html += "<h2>Events</h2><table><tr><th>time</th><th class=\"t\">action</th><th class=\"t\">target</th></tr>";
    for (const RecordedEvent& e : in.recording.events()) {
      html += fmt::format("<tr><td>{:.1f} s</td><td class=\"t\">{}</td><td class=\"t\">{}</td></tr>",
                          static_cast<double>(e.frame) / a.framesPerSecond, escapeXml(e.action), escapeXml(e.target));
    }
    html += "</table>";
  }
  if (in.frames != nullptr) html += framesHtml(*in.frames);
  html +=
      "<h2>Files</h2><p class=\"note\"><a href=\"summary.json\">summary.json</a>; one row per person in <a "
      "href=\"tables/persons.csv\">tables/persons.csv</a>; curves, lines, regions and maps as CSV in <a "
      "href=\"tables/\">tables</a>; the pictures of this page as SVG in <a href=\"pictures/\">pictures</a>.</p>";
  html += fmt::format(
      "<h2>Checks</h2><p>{} collisions of bodies (deepest overlap {:.1f} cm, {:.0f} % of the smaller radius); "
      "positions off the "
      "walkable space: {}; hash {}</p></body></html>\n",
      a.collisions, a.overlap * 100, a.overlapShare * 100,
      in.recording.note("wend_outside").empty() ? "not known" : in.recording.note("wend_outside"),
      in.recording.note("wend_result_hash").empty() ? "–" : in.recording.note("wend_result_hash"));
  return html;
}

}  // namespace wend::app
