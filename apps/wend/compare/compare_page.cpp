#include "compare/compare_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "csv.h"
#include "pages.h"
#include "series_colours.h"

namespace wend::app {
namespace {

struct Group {
  std::string_view title;
  std::vector<std::string_view> metrics;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"Coverage",
       {"covered", "coverage", "incorrect", "incorrect_of_mapped", "incorrect_of_regions", "overlap", "overlap_share",
        "area_bound"}},
      {"Connectivity and complexity",
       {"components", "component_error", "boundaries", "boundary_error", "graph_vertices", "graph_edges", "regions",
        "floats_mean", "floats_deviation", "floats_total"}},
      {"Shape of cells",
       {"area_mean", "area_deviation", "small_cells", "degree_mean", "degree_deviation", "lone_cells", "dead_ends",
        "inhomogeneity", "common_vertices", "common_vertices_most", "minimum_angle", "minimum_angle_deviation",
        "sharp_cells", "placement", "placement_total", "full_cells", "order", "near_degenerate", "efficiency"}},
      {"Graph and paths",
       {"diameter", "diameter_slack", "bottleneck", "widest_bottleneck", "greedy_flow", "maximum_flow", "path_missed",
        "path_wrong", "path_shortest", "path_searched", "path_turns", "path_sharp_turns", "radius_missed",
        "radius_wrong", "radius_length", "radius_clearance", "map_error", "map_navigable_error"}},
      {"Performance", {"build_ms", "build_ms_deviation", "peak_mb", "peak_mb_deviation"}}};
  return all;
}

const std::vector<std::string_view>& summaryMetrics() {
  static const std::vector<std::string_view> all{
      "coverage",       "incorrect_of_mapped", "overlap_share", "component_error",
      "boundary_error", "graph_vertices",      "graph_edges",   "regions",
      "floats_mean",    "floats_total",        "path_searched", "build_ms",
      "peak_mb"};
  return all;
}

// Differences below this come from rounding.
bool isTied(double value, double best) {
  return value == best || std::abs(value - best) <= 1e-6 * std::max(1.0, std::abs(best));
}

// The best value of a metric among the rows of one world, if one of them is better than another.
std::optional<double> bestOf(std::span<const CompareRow* const> rows, const MetricInfo& info) {
  if (info.better == Better::kNeither) return std::nullopt;
  std::optional<double> best;
  std::optional<double> worst;
  for (const CompareRow* row : rows) {
    const MetricValue* value = findValue(*row, info.name);
    if (value == nullptr || std::isnan(value->value)) continue;
    const bool higher = info.better == Better::kHigher;
    if (!best || (higher ? value->value > *best : value->value < *best)) best = value->value;
    if (!worst || (higher ? value->value < *worst : value->value > *worst)) worst = value->value;
  }
  if (!best || isTied(*worst, *best)) return std::nullopt;
  return best;
}

class PageWriter {
 public:
  explicit PageWriter(const Comparison& comparison) : c_(comparison) {
    for (const CompareWorld& world : c_.worlds) {
      std::vector<const CompareRow*> rows;
      for (const CompareRow& row : c_.rows) {
        if (row.world == world.name) rows.push_back(&row);
      }
      byWorld_.push_back(std::move(rows));
    }
  }

  std::string write() {
    html_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Comparison of navigation "
        "meshes</title>"
        "<link rel=\"icon\" href=\"data:,\"><style>\n{}</style></head><body><h1>Comparison of navigation meshes</h1>",
        page::kCompareCss);
    html_ += fmt::format(
        "<p class=\"note\">Made by <code>{}</code>: {} worlds, {} generators, {} runs each in fresh processes, at most "
        "{:g} s and {:g} MB per run. Click on the head of a column to sort by it. The best value of a world is green; "
        "where all agree, none is.</p>",
        escapeXml(c_.command), c_.worlds.size(), c_.generators.size(), c_.repeat, c_.seconds, c_.megabytes);
    summary();
    plots();
    html_ += "<h2>What theory says</h2><div class=\"scroll\">" + theoryTable(c_.generators) +
             "</div><p class=\"note\">+ is supported, +/− in part, − not; ? is not known. n: boundary vertices.</p>";
    for (size_t w = 0; w < c_.worlds.size(); ++w) world(w);
    html_ += fmt::format("<script>\n{}</script></body></html>\n", page::kCompareJs);
    return std::move(html_);
  }

 private:
  void head(std::span<const std::string_view> metrics, bool withWorld) {
    html_ += "<div class=\"scroll\"><table class=\"sortable\"><thead><tr>";
    if (withWorld) html_ += "<th class=\"t\">world</th><th>n</th>";
    html_ += "<th class=\"t\">generator</th><th class=\"t\">status</th>";
    for (const std::string_view name : metrics) {
      const MetricInfo& info = *findMetric(name);
      std::string title = info.name;
      std::replace(title.begin(), title.end(), '_', ' ');
      html_ += fmt::format("<th title=\"{}\">{}{}</th>", escapeXml(info.meaning), title,
                           info.unit.empty() ? "" : fmt::format(" ({})", info.unit));
    }
    html_ += "</tr></thead><tbody>";
  }

  void row(const CompareRow& row, std::span<const std::string_view> metrics,
           std::span<const std::optional<double>> best) {
    const bool ok = row.status == "ok";
    html_ += fmt::format("<td class=\"t\">{}</td><td class=\"t{}\" title=\"{}\">{}</td>", escapeXml(row.generator),
                         ok && row.message.empty() ? "" : " bad", escapeXml(row.message),
                         ok && !row.message.empty() ? "ok, in part" : escapeXml(row.status));
    for (size_t i = 0; i < metrics.size(); ++i) {
      const MetricValue* value = findValue(row, metrics[i]);
      if (value == nullptr || std::isnan(value->value)) {
        html_ += "<td data-v=\"\">–</td>";
        continue;
      }
      const bool isBest = best[i] && isTied(value->value, *best[i]);
      html_ += fmt::format("<td{} data-v=\"{}\">{}</td>", isBest ? " class=\"best\"" : "",
                           std::isfinite(value->value) ? fmt::format("{:.12g}", value->value) : "Infinity",
                           shortNumber(value->value));
    }
    html_ += "</tr>";
  }

  std::vector<std::optional<double>> bests(size_t world, std::span<const std::string_view> metrics) const {
    std::vector<std::optional<double>> result;
    for (const std::string_view name : metrics) result.push_back(bestOf(byWorld_[world], *findMetric(name)));
    return result;
  }

  void summary() {
    html_ += "<h2>All worlds</h2>";
    head(summaryMetrics(), true);
    for (size_t w = 0; w < c_.worlds.size(); ++w) {
      const auto best = bests(w, summaryMetrics());
      for (const CompareRow* r : byWorld_[w]) {
        html_ += fmt::format("<tr><td class=\"t\"><a href=\"#w{}\">{}</a></td><td data-v=\"{}\">{}</td>", w,
                             escapeXml(r->world), c_.worlds[w].vertices, c_.worlds[w].vertices);
        row(*r, summaryMetrics(), best);
      }
    }
    html_ += "</tbody></table></div>";
  }

  void plots() {
    html_ += "<h2>Cost against size</h2><p class=\"legend\">";
    for (size_t g = 0; g < c_.generators.size(); ++g) {
      html_ +=
          fmt::format("<span><i style=\"background:{}\"></i>{}</span>", seriesColour(g), escapeXml(c_.generators[g]));
    }
    html_ += "</p><div class=\"pictures\">";
    for (const auto& [metric, title] : {std::pair("build_ms", "Time to make the mesh"),
                                        {"peak_mb", "Memory of the process"},
                                        {"graph_vertices", "Vertices of the graph"},
                                        {"floats_total", "Numbers in all regions"}}) {
      html_ += "<figure>" + plot(metric, title) + "</figure>";
    }
    html_ += "</div>";
  }

  std::string plot(std::string_view metric, std::string_view title) const {
    std::vector<PlotSeries> series;
    for (size_t g = 0; g < c_.generators.size(); ++g) {
      PlotSeries s{c_.generators[g], std::string(seriesColour(g)), {}};
      for (size_t w = 0; w < c_.worlds.size(); ++w) {
        for (const CompareRow* r : byWorld_[w]) {
          const MetricValue* value = r->generator == s.name ? findValue(*r, metric) : nullptr;
          if (value == nullptr || !(value->value > 0) || !std::isfinite(value->value)) continue;
          if (c_.worlds[w].vertices > 0) s.points.push_back({static_cast<double>(c_.worlds[w].vertices), value->value});
        }
      }
      std::sort(s.points.begin(), s.points.end(), [](Vec2 a, Vec2 b) { return a.x < b.x; });
      series.push_back(std::move(s));
    }
    const std::string& unit = findMetric(metric)->unit;
    return logPlot(title, "boundary vertices of the world", unit.empty() ? "count" : unit, series);
  }

  void world(size_t w) {
    const CompareWorld& world = c_.worlds[w];
    html_ += fmt::format(
        "<h2 id=\"w{}\">{}</h2><p class=\"note\">{} vertices, {} layer{}, {:.2f} m², {} component{}, {} boundar{}, "
        "genus "
        "{}, {:.1f} × {:.1f} m</p>",
        w, escapeXml(world.name), world.vertices, world.layers, world.layers == 1 ? "" : "s", world.area,
        world.truth.components, world.truth.components == 1 ? "" : "s", world.truth.boundaries,
        world.truth.boundaries == 1 ? "y" : "ies", world.truth.genus, world.size.x, world.size.y);
    pictures(w);
    for (const Group& group : groups()) {
      html_ += fmt::format("<details{}><summary>{}</summary>", c_.worlds.size() == 1 ? " open" : "", group.title);
      head(group.metrics, false);
      const auto best = bests(w, group.metrics);
      for (const CompareRow* r : byWorld_[w]) {
        html_ += "<tr>";
        row(*r, group.metrics, best);
      }
      html_ += "</tbody></table></div></details>";
    }
    for (const CompareRow* r : byWorld_[w]) {
      if (r->message.empty()) continue;
      html_ += fmt::format("<p class=\"note\">{}: {}, {}</p>", escapeXml(r->generator), escapeXml(r->status),
                           escapeXml(r->message));
    }
  }

  void pictures(size_t w) {
    html_ += "<div class=\"pictures\">";
    for (const CompareRow* r : byWorld_[w]) {
      if (r->status != "ok") continue;
      const auto bytes = readFile(c_.pictures + "/" + rowFile(*r) + ".svg", size_t{1} << 27);
      const MetricValue* regions = findValue(*r, "regions");
      const std::string caption = fmt::format(
          "{}{}", escapeXml(r->generator), regions == nullptr ? "" : fmt::format(", {:.0f} regions", regions->value));
      if (!bytes.ok()) continue;
      const std::string_view svg(reinterpret_cast<const char*>(bytes->data()), bytes->size());
      const size_t start = svg.find("<svg");
      if (start == std::string_view::npos) continue;
      if (svg.size() > c_.pictureBytes) {
        html_ += fmt::format(
            "<figure><figcaption>{}: picture of {:.1f} MB left out; it is in the folder pictures"
            "</figcaption></figure>",
            caption, static_cast<double>(svg.size()) / 1e6);
        continue;
      }
      html_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>", svg.substr(start), caption);
    }
    html_ += "</div>";
  }

  const Comparison& c_;
  std::vector<std::vector<const CompareRow*>> byWorld_;
  std::string html_;
};

const CompareWorld* worldOf(const Comparison& c, const CompareRow& row) {
  for (const CompareWorld& world : c.worlds) {
    if (world.name == row.world) return &world;
  }
  return nullptr;
}

}  // namespace

std::string shortNumber(double value) {
  if (std::isinf(value)) return "∞";
  const double size = std::abs(value);
  if (value == std::round(value) && size < 1e9) return fmt::format("{:.0f}", value);
  if (size >= 1000) return fmt::format("{:.1f}", value);
  if (size >= 0.01) return fmt::format("{:.4g}", value);
  return fmt::format("{:.2g}", value);
}

std::string comparisonCsv(const Comparison& c) {
  std::string csv = "world,vertices,layers,generator,status,message";
  for (const MetricInfo& info : metricInfos()) csv += "," + info.name;
  csv += "\n";
  for (const CompareRow& row : c.rows) {
    const CompareWorld* world = worldOf(c, row);
    csv +=
        fmt::format("{},{},{},{},{},{}", csvField(row.world), world == nullptr ? 0 : world->vertices,
                    world == nullptr ? 0 : world->layers, csvField(row.generator), row.status, csvField(row.message));
    for (const MetricInfo& info : metricInfos()) {
      const MetricValue* value = findValue(row, info.name);
      csv += value == nullptr || std::isnan(value->value) ? "," : fmt::format(",{:.12g}", value->value);
    }
    csv += "\n";
  }
  return csv;
}

Json comparisonJson(const Comparison& c) {
  Json worlds = Json::array();
  for (const CompareWorld& world : c.worlds) {
    worlds.push_back({{"name", world.name},
                      {"file", world.path},
                      {"vertices", world.vertices},
                      {"layers", world.layers},
                      {"area", world.area},
                      {"components", world.truth.components},
                      {"boundaries", world.truth.boundaries},
                      {"genus", world.truth.genus},
                      {"hash", hexHash(world.hash)}});
  }
  Json rows = Json::array();
  for (const CompareRow& row : c.rows) rows.push_back(toJson(row));
  return {{"command", c.command},     {"generators", c.generators}, {"repeat", c.repeat}, {"seconds", c.seconds},
          {"megabytes", c.megabytes}, {"worlds", worlds},           {"rows", rows}};
}

std::string comparisonPage(const Comparison& comparison) {
  return PageWriter(comparison).write();
}

}  // namespace wend::app
