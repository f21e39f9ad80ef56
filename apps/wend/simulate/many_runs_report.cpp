#include "simulate/many_runs_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/xml.h"
#include "crowd/scenario/describe_profiles.h"
#include "csv.h"
#include "pages.h"
#include "report/report_plot.h"
#include "report/verdict_text.h"
#include "series_colours.h"
#include "simulate/joined_warnings.h"

namespace wend::app {
namespace {

std::vector<double> evacuationTimes(const ManyRuns& runs) {
  std::vector<double> times;
  for (const OneRun& run : runs.runs) {
    if (std::isfinite(run.evacuation)) times.push_back(run.evacuation);
  }
  return times;
}

Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string runsCsv(const std::vector<StudyPoint>& points) {
  std::string csv;
  for (const auto& [name, value] : points.front().parameters) csv += csvField(name) + ",";
  csv += "seed,status,persons,left,evacuation_time,t50,t95,stuck,hash";
  for (const Expectation& e : points.front().scenario.expectations) {
    csv += "," + csvField(e.of.empty() ? e.metric : fmt::format("{} of {}", e.metric, e.of));
  }
  csv += "\n";
  const auto time = [](double v) { return std::isfinite(v) ? fmt::format("{:g}", v) : std::string(); };
  for (const StudyPoint& point : points) {
    for (const OneRun& run : point.runs.runs) {
      for (const auto& [name, value] : point.parameters) csv += csvField(value) + ",";
      csv += fmt::format("{},{},{},{},{},{},{},{},{}", run.seed, statusName(run.status), run.persons, run.left,
                         time(run.evacuation), time(run.t50), time(run.t95), run.stuck, hexHash(run.hash));
      for (const double value : run.expectations) csv += fmt::format(",{}", time(value));
      csv += "\n";
    }
  }
  return csv;
}

std::string convergenceCsv(const std::vector<StudyPoint>& points) {
  std::string csv = "variant,runs,mean,deviation,half_width_95\n";
  for (const StudyPoint& point : points) {
    for (const Convergence& c : point.runs.convergence) {
      csv += fmt::format("{},{},{:.6g},{:.6g},{:.6g}\n", csvField(nameOf(point, "")), c.runs, c.mean, c.deviation,
                         c.halfWidth);
    }
  }
  return csv;
}

std::string bandCsv(const std::vector<StudyPoint>& points) {
  std::string csv = "variant,time,left_p5,left_median,left_p95\n";
  for (const StudyPoint& point : points) {
    for (const CurveBand& b : evacuationBand(point.runs)) {
      csv += fmt::format("{},{:g},{:g},{:g},{:g}\n", csvField(nameOf(point, "")), b.time, b.low, b.mid, b.high);
    }
  }
  return csv;
}

std::vector<std::string> plotsOf(const StudyPoint& point) {
  std::vector<std::string> plots;
  Curve low{"5 %", std::string(seriesColour(1)), {}};
  Curve mid{"median", std::string(seriesColour(0)), {}};
  Curve high{"95 %", std::string(seriesColour(2)), {}};
  for (const CurveBand& b : evacuationBand(point.runs)) {
    low.points.push_back({b.time, b.low});
    mid.points.push_back({b.time, b.mid});
    high.points.push_back({b.time, b.high});
  }
  plots.push_back(linearPlot({"Persons that have left, over all runs", "time, s", "persons"}, {low, mid, high}));
  Curve mean{"mean", std::string(seriesColour(0)), {}};
  Curve above{"95 % interval", std::string(seriesColour(1)), {}};
  Curve below{"", std::string(seriesColour(1)), {}};
  for (const Convergence& c : point.runs.convergence) {
    const auto n = static_cast<double>(c.runs);
    mean.points.push_back({n, c.mean});
    // The first intervals are so wide that nothing else could be seen.
    if (c.runs < 5 && point.runs.convergence.size() > 10) continue;
    above.points.push_back({n, c.mean + c.halfWidth});
    below.points.push_back({n, std::max(0.0, c.mean - c.halfWidth)});
  }
  if (!mean.points.empty()) {
    plots.push_back(linearPlot({"Mean evacuation time after so many runs", "runs", "seconds"}, {mean, above, below}, {},
                               PlotOrigin::kNearLeast));
  }
  const std::vector<double> times = evacuationTimes(point.runs);
  if (!times.empty()) {
    plots.push_back(histogram({"Evacuation times", "until the last person has left, s", "runs"}, times, seriesColour(0),
                              PlotOrigin::kNearLeast));
  }
  return plots;
}

// Mean and band of the evacuation time against the one parameter that is varied, if it is a number.
std::string studyPlot(const std::vector<StudyPoint>& points) {
  if (points.size() < 2 || points.front().parameters.size() != 1) return {};
  const std::string& name = points.front().parameters.begin()->first;
  Curve mean{"mean", std::string(seriesColour(0)), {}};
  Curve low{"5 %", std::string(seriesColour(1)), {}};
  Curve high{"95 %", std::string(seriesColour(2)), {}};
  for (const StudyPoint& point : points) {
    char* end = nullptr;
    const std::string& text = point.parameters.begin()->second;
    const double x = std::strtod(text.c_str(), &end);
    const StudyFigures f = figuresOf(point.runs);
    if (end == text.c_str() || *end != '\0') return {};
    if (std::isfinite(f.mean)) mean.points.push_back({x, f.mean});
    if (std::isfinite(f.p5)) low.points.push_back({x, f.p5});
    if (std::isfinite(f.p95)) high.points.push_back({x, f.p95});
  }
  return linearPlot({fmt::format("Evacuation time against {}", name), name, "seconds"}, {mean, low, high});
}

std::string figuresTable(const std::vector<StudyPoint>& points) {
  std::string html = "<div class=\"scroll\"><table id=\"figures\"><tr>";
  for (const auto& [name, value] : points.front().parameters) html += "<th>" + escapeXml(name) + "</th>";
  html +=
      "<th>runs</th><th>not all out</th><th>mean</th><th>± 95 %</th><th>deviation</th><th>least</th><th>5 "
      "%</th><th>median</th><th>95 %</th><th>most</th><th>gridlock</th></tr>";
  for (const StudyPoint& point : points) {
    const StudyFigures f = figuresOf(point.runs);
    html += "<tr>";
    for (const auto& [name, value] : point.parameters) html += "<td>" + escapeXml(value) + "</td>";
    html += fmt::format(
        "<td>{}</td><td{}>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}"
        "</td><td{}>{}</td></tr>",
        f.runs, f.unfinished > 0 ? " class=\"fail\"" : "", f.unfinished, secondsText(f.mean), secondsText(f.halfWidth),
        secondsText(f.deviation), secondsText(f.least), secondsText(f.p5), secondsText(f.median), secondsText(f.p95),
        secondsText(f.most), blockedRuns(point.runs) > 0 ? " class=\"fail\"" : "", blockedRuns(point.runs));
  }
  return html + "</table></div>";
}

std::string verdictTable(const std::vector<StudyPoint>& points) {
  if (points.front().scenario.expectations.empty()) return {};
  std::string html =
      "<h2>Expectations</h2><div class=\"scroll\"><table><tr><th class=\"t\">verdict</th><th "
      "class=\"t\">variant</th><th "
      "class=\"t\">metric</th><th>statistic</th><th>expected</th><th>measured</th></tr>";
  for (const StudyPoint& point : points) {
    for (const StudyVerdict& v : verdictsOf(point)) {
      const Expectation& e = *v.expectation;
      html += fmt::format(
          "<tr><td class=\"t {}\">{}</td><td class=\"t\">{}</td><td "
          "class=\"t\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
          v.passed ? "pass" : "fail", v.passed ? "pass" : "FAIL", escapeXml(nameOf(point, "–")),
          escapeXml(e.of.empty() ? e.metric : fmt::format("{} of {}", e.metric, e.of)), statisticName(e.stat),
          boundsText(e), measuredText(v.value));
    }
  }
  return html + "</table></div>";
}

std::string warningsHtml(const std::vector<StudyPoint>& points) {
  std::vector<std::vector<std::string>> runs;
  for (const StudyPoint& point : points) {
    for (const OneRun& run : point.runs.runs) runs.push_back(run.warnings);
  }
  const std::vector<JoinedWarning> joined = joinWarnings(runs);
  if (joined.empty()) return "<p class=\"note\">The runs gave no warnings.</p>";
  std::string html = "<ul class=\"warnings\">";
  for (const JoinedWarning& w : joined) {
    html += fmt::format("<li>{} ({} of {} runs)</li>", escapeXml(w.text), w.runs, runs.size());
  }
  return html + "</ul>";
}

std::string studyPage(const std::vector<StudyPoint>& points) {
  const Scenario& scenario = points.front().scenario;
  const std::string title = scenario.name.empty() ? scenario.file : scenario.name;
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><link rel=\"icon\" "
      "href=\"data:,\"><style>\n{1}</style></head><body><h1>{0}</h1><p class=\"note\">{2}, seeds from {3}, wend {4}. "
      "Times are until the last person has left. Runs in which a person did not leave count in no mean and no "
      "deviation; in "
      "the percentiles they count as not reached.</p>",
      escapeXml(title), page::kReportCss, escapeXml(scenario.file), scenario.seed, WEND_VERSION);
  html += warningsHtml(points) + "<h2>Evacuation time</h2>" + figuresTable(points) + verdictTable(points);
  const std::string plot = studyPlot(points);
  if (!plot.empty()) html += "<div class=\"pictures\"><figure>" + plot + "</figure></div>";
  constexpr size_t kMostShown = 12;  // a page stays readable
  for (size_t i = 0; i < std::min(kMostShown, points.size()); ++i) {
    html += fmt::format("<h2>{}</h2><div class=\"pictures\">", escapeXml(nameOf(points[i], "All runs")));
    for (const std::string& svg : plotsOf(points[i])) html += "<figure>" + svg + "</figure>";
    html += "</div>";
  }
  html += "<h2>Profiles and model</h2><p class=\"note\">";
  for (const char c : escapeXml(describeProfiles(scenario)))
    html += c == '\n' ? std::string("<br>") : std::string(1, c);
  html += "</p>";
  return html +
         "<h2>Files</h2><p class=\"note\"><a href=\"summary.json\">summary.json</a>; one row per run in <a "
         "href=\"tables/runs.csv\">tables/runs.csv</a>; <a href=\"tables/convergence.csv\">convergence</a> and <a "
         "href=\"tables/curve.csv\">curves</a>.</p></body></html>\n";
}

}  // namespace

StudyFigures figuresOf(const ManyRuns& runs) {
  const std::vector<double> times = evacuationTimes(runs);
  StudyFigures f;
  f.runs = runs.runs.size();
  f.unfinished = runs.unfinished;
  f.mean = f.halfWidth = f.deviation = std::nan("");
  if (times.size() == 1) f.mean = times[0];
  if (!runs.convergence.empty()) {
    f.mean = runs.convergence.back().mean;
    f.halfWidth = runs.convergence.back().halfWidth;
    f.deviation = runs.convergence.back().deviation;
  }
  std::vector<double> all;
  for (const OneRun& run : runs.runs) all.push_back(run.evacuation);
  f.least = percentile(all, 0);
  f.p5 = percentile(all, 0.05);
  f.median = percentile(all, 0.5);
  f.p95 = percentile(all, 0.95);
  f.most = percentile(all, 1);
  return f;
}

std::string nameOf(const StudyPoint& point, const std::string& otherwise) {
  std::string name;
  for (const auto& [key, value] : point.parameters)
    name += fmt::format("{}{}={}", name.empty() ? "" : ", ", key, value);
  return name.empty() ? otherwise : name;
}

size_t blockedRuns(const ManyRuns& runs) {
  return static_cast<size_t>(
      std::count_if(runs.runs.begin(), runs.runs.end(), [](const OneRun& run) { return isBlocked(run.status); }));
}

std::string secondsText(double value) {
  return std::isfinite(value) ? fmt::format("{:.1f} s", value) : value > 0 ? "not reached" : "–";
}

double statisticOf(std::vector<double> values, Statistic kind) {
  const auto isMissing = [](double v) { return std::isnan(v); };
  if (values.empty() || std::any_of(values.begin(), values.end(), isMissing)) return std::nan("");
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  switch (kind) {
    case Statistic::kMin:
      return values.front();
    case Statistic::kMax:
      return values.back();
    case Statistic::kP95:
      return values[std::min(n - 1, static_cast<size_t>(std::ceil(0.95 * static_cast<double>(n))) - 1)];
    case Statistic::kMean: {
      double sum = 0;
      for (const double v : values) sum += v;
      return sum / static_cast<double>(n);
    }
    case Statistic::kMedian:
      break;
  }
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::vector<StudyVerdict> verdictsOf(const StudyPoint& point) {
  std::vector<StudyVerdict> verdicts;
  for (size_t i = 0; i < point.scenario.expectations.size(); ++i) {
    const Expectation& e = point.scenario.expectations[i];
    std::vector<double> values;
    for (const OneRun& run : point.runs.runs) values.push_back(run.expectations[i]);
    StudyVerdict verdict{&e, statisticOf(std::move(values), e.stat), false};
    verdict.passed = verdict.value >= e.min && verdict.value <= e.max;
    verdicts.push_back(verdict);
  }
  return verdicts;
}

Json studyJson(const std::vector<StudyPoint>& points) {
  Json variants = Json::array();
  for (const StudyPoint& point : points) {
    const StudyFigures f = figuresOf(point.runs);
    Json checks = Json::array();
    for (const StudyVerdict& v : verdictsOf(point)) {
      checks.push_back({{"metric", v.expectation->metric},
                        {"of", v.expectation->of},
                        {"statistic", statisticName(v.expectation->stat)},
                        {"value", numberOrNull(v.value)},
                        {"measured", !std::isnan(v.value)},
                        {"passed", v.passed}});
    }
    std::set<std::string> warnings;
    for (const OneRun& run : point.runs.runs) warnings.insert(run.warnings.begin(), run.warnings.end());
    variants.push_back({{"parameters", point.parameters},
                        {"runs", f.runs},
                        {"first_seed", point.scenario.seed},
                        {"unfinished", f.unfinished},
                        {"blocked", blockedRuns(point.runs)},
                        {"converged", point.runs.converged},
                        {"mean", numberOrNull(f.mean)},
                        {"half_width_95", numberOrNull(f.halfWidth)},
                        {"deviation", numberOrNull(f.deviation)},
                        {"least", numberOrNull(f.least)},
                        {"p5", numberOrNull(f.p5)},
                        {"median", numberOrNull(f.median)},
                        {"p95", numberOrNull(f.p95)},
                        {"most", numberOrNull(f.most)},
                        {"checks", checks},
                        {"warnings", warnings}});
  }
  return {{"scenario", points.front().scenario.file}, {"variants", variants}};
}

Status writeStudy(const std::vector<StudyPoint>& points, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder) / "tables", error);
  if (error) return Error{ErrorCode::kFileNotWritten, fmt::format("'{}' cannot be made: {}", folder, error.message())};
  const std::pair<const char*, std::string> files[] = {
      {"tables/runs.csv", runsCsv(points)},
      {"tables/convergence.csv", convergenceCsv(points)},
      {"tables/curve.csv", bandCsv(points)},
      {"summary.json", studyJson(points).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"},
      {"index.html", studyPage(points)}};
  for (const auto& [name, contents] : files) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    if (Status status = writeFile(path, contents); !status.ok()) return status;
  }
  return Done{};
}

}  // namespace wend::app
