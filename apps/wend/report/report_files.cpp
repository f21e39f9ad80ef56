#include "report/report_files.h"

#include <filesystem>

#include <fmt/format.h>

#include "csv.h"
#include "report/report_beside.h"
#include "report/report_map.h"
#include "report/report_plot.h"
#include "report/report_tables.h"

namespace wend::app {
namespace {

// Ids become parts of file names.
std::string fileWord(std::string_view id) {
  std::string word;
  for (const char c : id) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    word += plain ? c : '_';
  }
  return word.substr(0, 60);
}

std::string optional(double value) {
  return value < 0 ? std::string() : fmt::format("{:.4g}", value);
}

std::string curveCsv(const Analysis& a) {
  std::string csv = "time,inside,left,stuck\n";
  for (const CurvePoint& p : a.curve) csv += fmt::format("{:g},{},{},{}\n", p.time, p.inside, p.left, p.stuck);
  return csv;
}

std::string personsCsv(const Analysis& a) {
  std::string csv =
      "id,profile,source,exit,spawn,start,exit_time,walked,shortest,efficiency,delay,stopped,max_density,mean_speed\n";
  for (const PersonResult& p : a.persons) {
    csv += fmt::format("{},{},{},{},{:g},{},{},{:.4g},{},{},{},{:.4g},{:.4g},{:.4g}\n", p.person.id,
                       csvField(p.person.profile), csvField(p.person.source), csvField(p.person.exit), p.spawn,
                       optional(p.person.start), optional(p.person.exitTime), p.walked, optional(p.person.shortest),
                       optional(p.efficiency), p.person.exitTime < 0 ? "" : fmt::format("{:.4g}", p.delay), p.stopped,
                       p.maxDensity, p.meanSpeed);
  }
  return csv;
}

std::string crossingsCsv(const LineResult& line) {
  std::string csv = "frame,cumulative_pedestrians,time\n";
  for (size_t i = 0; i < line.crossings.size(); ++i) {
    csv += fmt::format("{},{},{:g}\n", line.crossings[i].frame, i + 1, line.crossings[i].time);
  }
  return csv;
}

std::string flowCsv(const LineResult& line, double window, double duration) {
  std::string csv = "time,flow,specific_flow,forward,backward\n";
  const double length = std::hypot(line.line.to.x - line.line.from.x, line.line.to.y - line.line.from.y);
  for (const FlowWindow& w : flowWindows(line, window, duration)) {
    csv += fmt::format("{:g},{:.4g},{:.4g},{},{}\n", w.time, w.flow, w.flow / length, w.forward, w.backward);
  }
  return csv;
}

std::string regionCsv(const RegionResult& region) {
  std::string csv = "time,inside,density,speed\n";
  for (const RegionSample& s : region.samples) {
    csv += fmt::format("{:g},{},{:.4g},{}\n", s.time, s.inside, s.density,
                       std::isnan(s.speed) ? "" : fmt::format("{:.4g}", s.speed));
  }
  return csv;
}

std::string scatterCsv(const Analysis& a) {
  std::string csv = "density,speed\n";
  for (const SpeedDensity& p : a.fundamentalDiagram) csv += fmt::format("{:.4g},{:.4g}\n", p.density, p.speed);
  return csv;
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

std::vector<FlowWindow> flowWindows(const LineResult& line, double window, double duration) {
  std::vector<FlowWindow> windows;
  const std::vector<Crossing>& c = line.crossings;
  if (c.empty()) return windows;
  // Fixed windows from the beginning: two crossings shortly after each other are not a flow. The last one ends with the
  // recording; what is shorter than half a window belongs to the one before.
  const double end = std::max(duration, c.back().time);
  const auto count = static_cast<size_t>(std::max(1.0, std::floor(end / window + 0.5)));
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    const double from = static_cast<double>(i) * window;
    const bool last = i + 1 == count;
    const double to = last ? end : from + window;
    FlowWindow w;
    w.time = (from + to) / 2;
    for (; next < c.size() && (last || c[next].time < to); ++next) ++(c[next].forward ? w.forward : w.backward);
    // A recording shorter than half a window counts as half a window.
    w.flow = (w.forward + w.backward) / std::max(to - from, window / 2);
    if (windows.empty() && w.forward + w.backward == 0) continue;
    windows.push_back(w);
    if (next == c.size()) break;
  }
  return windows;
}

Json summaryJson(const ReportInput& in) {
  const Analysis& a = in.analysis;
  size_t left = 0;
  double travel = 0;
  std::map<std::string, size_t> exits;
  Json unfinished = Json::array();
  for (const PersonResult& p : a.persons) {
    if (p.person.exitTime < 0) {
      if (unfinished.size() < 100) unfinished.push_back(p.person.id);
      continue;
    }
    ++left;
    ++exits[p.person.exit];
    travel += p.person.exitTime - std::max(0.0, p.person.start);
  }
  Json shares = Json::object();
  for (const auto& [exit, count] : exits)
    shares[exit] = {{"persons", count}, {"share", static_cast<double>(count) / static_cast<double>(left)}};
  return {{"persons", a.persons.size()},
          {"left", left},
          {"unfinished", a.persons.size() - left},
          {"unfinished_ids", unfinished},
          {"duration", a.duration},
          {"evacuation_time", finite(timeOfShare(a, 1))},
          {"t50", finite(timeOfShare(a, 0.5))},
          {"t90", finite(timeOfShare(a, 0.9))},
          {"t95", finite(timeOfShare(a, 0.95))},
          {"t98", finite(timeOfShare(a, 0.98))},
          {"mean_travel_time", left > 0 ? Json(travel / static_cast<double>(left)) : Json()},
          {"mean_speed", a.meanSpeed},
          {"most_inside", a.mostInside},
          {"exits", shares},
          {"lines", linesJson(in)},
          {"regions", regionsJson(in)},
          {"expectations", verdictsJson(verdictsOf(in))},
          {"stuck_places", stuckJson(in)},
          {"warnings", warningsOf(in)},
          {"run", identityJson(in)},
          {"person_minutes_by_level", a.personMinutes},
          {"collisions", a.collisions},
          {"deepest_overlap", a.overlap},
          {"deepest_overlap_share", a.overlapShare},
          {"status", in.recording.note("wend_status")},
          {"hash", in.recording.note("wend_result_hash")}};
}

Status writeReport(const ReportInput& in, const std::string& folder) {
  for (const char* part : {"pictures", "tables"}) {
    const Status made = makeFolder((std::filesystem::path(folder) / part).string());
    if (!made.ok()) return made.error();
  }
  const Analysis& a = in.analysis;
  const double window = in.scenario == nullptr ? 10 : in.scenario->output.window;
  const ServiceTable table = in.scenario == nullptr ? ServiceTable::kFruin : in.scenario->output.los;
  const MapScales scales = mapScales(a, table);
  const ServiceAreas service(in.scenario, in.recording.worlds().front().environment);
  const std::vector<PlanMark> marks = planMarks(in.scenario);
  std::vector<std::pair<std::string, std::string>> files;
  files.emplace_back("tables/curve.csv", curveCsv(a));
  files.emplace_back("tables/persons.csv", personsCsv(a));
  files.emplace_back("tables/fundamental.csv", scatterCsv(a));
  for (const LineResult& line : a.lines) {
    files.emplace_back(fmt::format("tables/line_{}.csv", fileWord(line.line.id)), crossingsCsv(line));
    files.emplace_back(fmt::format("tables/flow_{}.csv", fileWord(line.line.id)), flowCsv(line, window, a.duration));
  }
  for (const RegionResult& region : a.regions) {
    files.emplace_back(fmt::format("tables/region_{}.csv", fileWord(region.region.id)), regionCsv(region));
  }
  const Environment& world = in.recording.worlds().front().environment;
  for (size_t i = 0; i < a.maps.size(); ++i) {
    files.emplace_back(fmt::format("tables/map_{}.csv", world.layers[i].id), mapCsv(a.maps[i]));
    for (const MapKind kind : kReportMaps) {
      files.emplace_back(fmt::format("pictures/{}_{}.svg", mapInfo(kind).file, world.layers[i].id),
                         mapSvg(a.maps[i], world.layers[i], world.lattice, kind, scales, service, marks));
    }
  }
  for (auto& [name, svg] : reportPlots(in)) {
    files.emplace_back(fmt::format("pictures/{}.svg", fileWord(name)), std::move(svg));
  }
  files.emplace_back("summary.json", summaryJson(in).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  files.emplace_back("index.html", reportPage(in));
  if (in.beside != nullptr) {
    files.emplace_back("beside.html", besidePage("index.html", "other/index.html"));
    if (Status status = writeReport(*in.beside, (std::filesystem::path(folder) / "other").string()); !status.ok()) {
      return status;
    }
  }
  for (const auto& [name, contents] : files) {
    if (contents.empty()) continue;
    if (Status status = writeFile((std::filesystem::path(folder) / name).string(), contents); !status.ok())
      return status;
  }
  return Done{};
}

}  // namespace wend::app
