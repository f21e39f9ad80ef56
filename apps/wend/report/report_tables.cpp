#include "report/report_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/xml.h"
#include "report/verdict_text.h"

namespace wend::app {
namespace {

// Below this a quotient of persons and time says nothing.
constexpr size_t kLeastCrossings = 5;

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find('\n', i), text.size());
    if (end > i) lines.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return lines;
}

std::string orDash(const std::string& text) {
  return text.empty() ? "–" : escapeXml(text);
}

Json orNull(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

struct LineFigures {
  double length = 0;
  size_t forward = 0;
  size_t backward = 0;
  double flow = -1;  // persons per second; negative: too few crossings
  double largest = 0;
};

LineFigures figuresOf(const LineResult& line, double window, double duration) {
  LineFigures f;
  f.length = std::hypot(line.line.to.x - line.line.from.x, line.line.to.y - line.line.from.y);
  for (const Crossing& c : line.crossings) ++(c.forward ? f.forward : f.backward);
  const double time = line.crossings.empty() ? 0 : line.crossings.back().time - line.crossings.front().time;
  if (line.crossings.size() >= kLeastCrossings && time > 0) {
    f.flow = static_cast<double>(line.crossings.size() - 1) / time;
  }
  for (const FlowWindow& w : flowWindows(line, window, duration)) f.largest = std::max(f.largest, w.flow);
  return f;
}

// The scenario hash says nothing of the file that the scenario names, so the page gives the size of what was walked on
// too.
std::string environmentText(const ReportInput& in) {
  const Environment& environment = in.recording.worlds().front().environment;
  constexpr size_t kLongest = 80;  // a WKT polygon is no name
  const std::string name = in.scenario == nullptr ? "" : in.scenario->environment;
  const std::string shown = name.empty() || name.size() > kLongest ? "" : escapeXml(name) + ": ";
  const size_t layers = environment.layers.size();
  return fmt::format("{}{} layer{}, {:.1f} m² walkable", shown, layers, layers == 1 ? "" : "s",
                     environment.lattice.area(topology(environment).doubledArea));
}

double windowOf(const ReportInput& in) {
  return in.scenario == nullptr ? 10 : in.scenario->output.window;
}

struct RegionFigures {
  double mean = 0;  // density while a person was in it
  double peak = 0;  // largest mean over a window
  double speed = -1;
  uint32_t most = 0;
  ServiceTable table = ServiceTable::kFruin;
};

RegionFigures figuresOf(const RegionResult& region, const ReportInput& in) {
  RegionFigures f;
  f.table = region.region.los.value_or(in.scenario == nullptr ? ServiceTable::kFruin : in.scenario->output.los);
  const double window = windowOf(in);
  double density = 0;
  double speed = 0;
  size_t seen = 0;
  size_t moving = 0;
  double sum = 0;
  size_t count = 0;
  double start = 0;
  for (const RegionSample& s : region.samples) {
    f.most = std::max(f.most, s.inside);
    if (s.time >= start + window) {
      if (count > 0) f.peak = std::max(f.peak, sum / static_cast<double>(count));
      start = s.time;
      sum = 0;
      count = 0;
    }
    sum += s.density;
    ++count;
    if (s.inside == 0) continue;
    density += s.density;
    ++seen;
    if (std::isnan(s.speed)) continue;
    speed += s.speed;
    ++moving;
  }
  if (count > 0) f.peak = std::max(f.peak, sum / static_cast<double>(count));
  if (seen > 0) f.mean = density / static_cast<double>(seen);
  if (moving > 0) f.speed = speed / static_cast<double>(moving);
  return f;
}

struct StuckPlace {
  Vec2 at;
  int32_t layer = 0;
  size_t persons = 0;
  double longest = 0;
  double from = 0;
};

std::vector<StuckPlace> stuckPlaces(const Analysis& a) {
  constexpr double kSquare = 2;  // m
  std::map<std::tuple<int32_t, int64_t, int64_t>, StuckPlace> squares;
  for (const PersonResult& p : a.persons) {
    if (p.stuckFor <= 0) continue;
    const auto column = static_cast<int64_t>(std::floor(p.stuckAt.x / kSquare));
    const auto row = static_cast<int64_t>(std::floor(p.stuckAt.y / kSquare));
    StuckPlace& place = squares[{p.stuckLayer, column, row}];
    place.layer = p.stuckLayer;
    place.at = {(static_cast<double>(column) + 0.5) * kSquare, (static_cast<double>(row) + 0.5) * kSquare};
    if (place.persons++ == 0 || p.stuckFrom < place.from) place.from = p.stuckFrom;
    place.longest = std::max(place.longest, p.stuckFor);
  }
  std::vector<StuckPlace> places;
  for (const auto& [key, place] : squares) places.push_back(place);
  std::stable_sort(places.begin(), places.end(),
                   [](const StuckPlace& p, const StuckPlace& q) { return p.persons > q.persons; });
  return places;
}

}  // namespace

Json identityJson(const ReportInput& in) {
  const Recording& r = in.recording;
  Json profiles = Json::array();
  for (const std::string& line : linesOf(r.note("wend_profiles"))) profiles.push_back(line);
  const Environment& environment = r.worlds().front().environment;
  return {{"version", r.note("wend_version")},
          {"seed", r.note("wend_seed")},
          {"step", r.note("wend_step")},
          {"scenario", r.note("wend_scenario_file")},
          {"scenario_hash", r.note("wend_scenario_hash")},
          {"environment", in.scenario == nullptr ? "" : in.scenario->environment},
          {"environment_hash", hexHash(hash(environment))},
          {"result_hash", r.note("wend_result_hash")},
          {"profiles", profiles}};
}

std::string identityHtml(const ReportInput& in) {
  const Recording& r = in.recording;
  std::string html = "<table class=\"identity\">";
  const auto row = [&](std::string_view name, const std::string& value) {
    html += fmt::format("<tr><th class=\"t\">{}</th><td class=\"t\">{}</td></tr>", name, value);
  };
  row("scenario", orDash(r.note("wend_scenario_file")));
  row("scenario hash", orDash(r.note("wend_scenario_hash")));
  row("environment", environmentText(in));
  row("environment hash", hexHash(hash(r.worlds().front().environment)));
  row("result hash", orDash(r.note("wend_result_hash")));
  row("seed", orDash(r.note("wend_seed")));
  row("time step", r.note("wend_step").empty() ? "–" : escapeXml(r.note("wend_step")) + " s");
  row("frames per second", fmt::format("{:g}", in.analysis.framesPerSecond));
  row("program", r.note("wend_version").empty() ? "another program" : "wend " + escapeXml(r.note("wend_version")));
  std::string profiles;
  for (const std::string& line : linesOf(r.note("wend_profiles"))) {
    profiles += (profiles.empty() ? "" : "<br>") + escapeXml(line);
  }
  row("profiles and model", profiles.empty() ? "–" : profiles);
  return "<div class=\"scroll\">" + html + "</table></div>";
}

std::vector<std::string> warningsOf(const ReportInput& in) {
  return linesOf(in.recording.note("wend_warnings"));
}

std::string warningsHtml(const ReportInput& in) {
  const std::vector<std::string> warnings = warningsOf(in);
  if (warnings.empty()) {
    return in.recording.note("wend_result_hash").empty() ? "" : "<p class=\"note\">The run gave no warnings.</p>";
  }
  std::string html = "<ul class=\"warnings\">";
  for (const std::string& sentence : warnings) html += "<li>" + escapeXml(sentence) + "</li>";
  return html + "</ul>";
}

std::vector<ReportVerdict> verdictsOf(const ReportInput& in) {
  std::vector<ReportVerdict> verdicts;
  if (in.scenario == nullptr) return verdicts;
  for (const Expectation& e : in.scenario->expectations) {
    const Result<double> value = metricValue(in.analysis, in.recording, *in.scenario, e.metric, e.of);
    ReportVerdict verdict{&e, value.ok() ? *value : 0, value.ok() ? "" : value.error().message, false};
    verdict.passed = value.ok() && *value >= e.min && *value <= e.max;
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::string verdictsHtml(const std::vector<ReportVerdict>& verdicts) {
  if (verdicts.empty()) {
    return "<h2>Expectations</h2><p class=\"note\">There is no [[expect]]: nothing on this page was judged.</p>";
  }
  std::string html =
      "<h2>Expectations</h2><div class=\"scroll\"><table class=\"verdicts\"><tr><th class=\"t\">verdict</th><th "
      "class=\"t\">metric</th><th class=\"t\">of</th><th>expected</th><th>measured</th></tr>";
  for (const ReportVerdict& v : verdicts) {
    const Expectation& e = *v.expectation;
    html += fmt::format(
        "<tr><td class=\"t {}\">{}</td><td class=\"t\">{}</td><td class=\"t\">{}</td><td>{}</td><td>{}{}</td></tr>",
        v.passed ? "pass" : "fail", v.passed ? "pass" : "FAIL", escapeXml(e.metric), orDash(e.of), boundsText(e),
        v.failure.empty() ? measuredText(v.value) : escapeXml(v.failure),
        e.runs > 1 ? fmt::format(", this run alone (asked: {} of {})", statisticName(e.stat), e.runs) : "");
  }
  return html + "</table></div>";
}

Json verdictsJson(const std::vector<ReportVerdict>& verdicts) {
  Json list = Json::array();
  for (const ReportVerdict& v : verdicts) {
    const Expectation& e = *v.expectation;
    list.push_back({{"metric", e.metric},
                    {"of", e.of},
                    {"min", orNull(e.min)},
                    {"max", orNull(e.max)},
                    {"value", v.failure.empty() ? orNull(v.value) : Json()},
                    {"measured", v.failure.empty() && !std::isnan(v.value)},
                    {"passed", v.passed}});
  }
  return list;
}

Json linesJson(const ReportInput& in) {
  Json list = Json::array();
  for (const LineResult& line : in.analysis.lines) {
    const LineFigures f = figuresOf(line, windowOf(in), in.analysis.duration);
    list.push_back({{"id", line.line.id},
                    {"length", f.length},
                    {"crossings", line.crossings.size()},
                    {"forward", f.forward},
                    {"backward", f.backward},
                    {"flow", f.flow < 0 ? Json() : Json(f.flow)},
                    {"specific_flow", f.flow < 0 ? Json() : Json(f.flow / f.length)},
                    {"largest_flow", f.largest}});
  }
  return list;
}

std::string linesHtml(const ReportInput& in) {
  if (in.analysis.lines.empty()) return {};
  std::string html = fmt::format(
      "<h2>Lines</h2><p class=\"note\">Flow from the first to the last crossing, with at least {} of them; the largest "
      "flow over a window of {:g} s. Forward is from the right of the line to its left, seen from its first "
      "end.</p><div class=\"scroll\"><table><tr><th "
      "class=\"t\">line</th><th>length</th><th>persons</th><th>forward</th><th>backward</th><th>first</th><th>last</th>"
      "<th>flow, 1/s</th><th>specific flow, 1/(m s)</th><th>largest, 1/s</th></tr>",
      kLeastCrossings, windowOf(in));
  for (const LineResult& line : in.analysis.lines) {
    const LineFigures f = figuresOf(line, windowOf(in), in.analysis.duration);
    const auto number = [](double v) { return v < 0 ? std::string("–") : fmt::format("{:.2f}", v); };
    const auto time = [&](bool last) {
      if (line.crossings.empty()) return std::string("–");
      return fmt::format("{:.1f} s", last ? line.crossings.back().time : line.crossings.front().time);
    };
    html += fmt::format(
        "<tr><td class=\"t\">{}</td><td>{:.2f} "
        "m</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td></tr>",
        escapeXml(line.line.id), f.length, line.crossings.size(), f.forward, f.backward, time(false), time(true),
        number(f.flow), number(f.flow < 0 ? -1 : f.flow / f.length), f.largest);
  }
  return html + "</table></div>";
}

Json regionsJson(const ReportInput& in) {
  Json list = Json::array();
  for (const RegionResult& region : in.analysis.regions) {
    const RegionFigures f = figuresOf(region, in);
    double largest = 0;
    for (const RegionSample& s : region.samples) largest = std::max(largest, s.density);
    list.push_back({{"id", region.region.id},
                    {"area", region.area},
                    {"mean_density", f.mean},
                    {"largest_density", largest},
                    {"largest_density_over_window", f.peak},
                    {"mean_speed", f.speed < 0 ? Json() : Json(f.speed)},
                    {"most_inside", f.most},
                    {"table", tableName(f.table)},
                    {"level", std::string(1, levelLetter(serviceLevel(f.mean, f.table)))},
                    {"worst_level", std::string(1, levelLetter(serviceLevel(f.peak, f.table)))}});
  }
  return list;
}

std::string regionsHtml(const ReportInput& in) {
  if (in.analysis.regions.empty()) return {};
  std::string html = fmt::format(
      "<h2>Regions</h2><p class=\"note\">Mean over the time in which a person was inside; the largest mean over a "
      "window of {:g} s. Each region is judged by its own table.</p><div class=\"scroll\"><table><tr><th "
      "class=\"t\">region</th><th>area</th><th>most inside</th><th>mean density, 1/m²</th><th>largest, "
      "1/m²</th><th>mean speed</th><th>mean level</th><th>worst level</th><th class=\"t\">levels after</th></tr>",
      windowOf(in));
  for (const RegionResult& region : in.analysis.regions) {
    const RegionFigures f = figuresOf(region, in);
    const auto level = [&](double density) {
      const ServiceLevel l = serviceLevel(density, f.table);
      return fmt::format("<i class=\"los\" style=\"background:{}\"></i>{}", levelHex(l), levelLetter(l));
    };
    html += fmt::format(
        "<tr><td class=\"t\">{}</td><td>{:.1f} "
        "m²</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"t\">{}</td></tr>",
        escapeXml(region.region.id), region.area, f.most, f.mean, f.peak,
        f.speed < 0 ? "–" : fmt::format("{:.2f} m/s", f.speed), level(f.mean), level(f.peak), tableName(f.table));
  }
  return html + "</table></div>";
}

Json stuckJson(const ReportInput& in) {
  Json list = Json::array();
  for (const StuckPlace& p : stuckPlaces(in.analysis)) {
    list.push_back({{"x", p.at.x},
                    {"y", p.at.y},
                    {"layer", p.layer},
                    {"persons", p.persons},
                    {"longest", p.longest},
                    {"from", p.from}});
    if (list.size() >= 100) break;
  }
  return list;
}

std::string stuckHtml(const ReportInput& in) {
  const std::vector<StuckPlace> places = stuckPlaces(in.analysis);
  if (places.empty()) return "<p class=\"note\">No person on its way stood for 10 s.</p>";
  std::string html =
      "<p class=\"note\">Persons that moved less than 0.2 m in 10 s while they wanted to walk, each where it stood "
      "longest, by squares of 2 m. Waiting places and queues do not count.</p><div class=\"scroll\"><table "
      "class=\"stuck\"><tr><th>place</th><th>layer</th><th>persons</th><th>longest</th><th>first</th></tr>";
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(kShown, places.size()); ++i) {
    const StuckPlace& p = places[i];
    html += fmt::format("<tr><td>({:g}, {:g})</td><td>{}</td><td>{}</td><td>{:.1f} s</td><td>{:.1f} s</td></tr>",
                        p.at.x, p.at.y, p.layer, p.persons, p.longest, p.from);
  }
  html += "</table></div>";
  if (places.size() > kShown) html += fmt::format("<p class=\"note\">And {} places more.</p>", places.size() - kShown);
  return html;
}

}  // namespace wend::app
