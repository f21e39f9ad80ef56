#include "compare/compare_volumes.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/xml.h"
#include "pages.h"
#include "report/report_plot.h"

namespace wend::app {
namespace {

struct Method {
  const char* name;
  GrowthSettings settings;
};

// The two methods of the source, and what each of their parts is worth.
std::vector<Method> methods() {
  std::vector<Method> all(5);
  all[0].name = "vasfv";
  all[1].name = "wavefront";
  all[1].settings.method = GrowthMethod::kWavefront;
  all[2].name = "vasfv without gravity";
  all[2].settings.gravity = false;
  all[3].name = "vasfv without following";
  all[3].settings.follow = false;
  all[4].name = "vasfv without merging";
  all[4].settings.merge = false;
  return all;
}

struct NamedScene {
  std::string name;
  Scene scene;
};

struct VolumeRow {
  std::string scene;
  std::string method;
  std::string error;  // why there is none
  double seconds = 0;
  double floors = 0;  // on which one can stand; a floor that two volumes share counts twice
  std::vector<VolumeMetric> metrics;
};

class VolumeStudy {
 public:
  VolumeStudy(Run& run, const VolumesWork& work) : run_(run), work_(work) {}

  int go() {
    if (const Status status = makeFolder(work_.folder); !status.ok()) return run_.fail(status.error());
    if (const Status status = collect(); !status.ok()) return run_.fail(status.error());
    const std::vector<Method> all = methods();
    for (const NamedScene& scene : scenes_) {
      for (const Method& method : all) {
        run_.context().report("comparing",
                              static_cast<double>(rows_.size()) / static_cast<double>(scenes_.size() * all.size()));
        rows_.push_back(measure(scene, method));
        if (run_.context().cancelled()) return run_.fail(ErrorCode::kCancelled, "stopped; nothing was written");
        const VolumeRow& row = rows_.back();
        run_.say(row.error.empty() ? fmt::format("{} {}: {:.0f} volumes, {:.3f} s", row.scene, row.method,
                                                 row.metrics[0].value, row.seconds)
                                   : fmt::format("{} {}: none, {}", row.scene, row.method, row.error));
      }
    }
    return write();
  }

 private:
  Status collect() {
    for (const std::string& file : work_.scenes) {
      Result<Scene> scene = readScene(file, {}, run_.context());
      if (!scene.ok()) return scene.error();
      scenes_.push_back({std::filesystem::path(file).stem().string(), *std::move(scene)});
    }
    if (!scenes_.empty()) return Done{};
    for (const char* kind : {"s02", "station", "s10"}) {
      Result<MadeScene> made = makeScene({.kind = kind});
      if (!made.ok()) return made.error();
      scenes_.push_back({kind, std::move(made->scene)});
    }
    return Done{};
  }

  VolumeRow measure(const NamedScene& scene, const Method& method) {
    VolumeRow row{scene.name, method.name, "", 0, 0, {}};
    const Stopwatch watch;
    Context context;
    context.threads = run_.context().threads;
    context.onProgress = [&](std::string_view, double) {
      if (run_.context().cancelled() || watch.seconds() > work_.seconds) context.cancel();
    };
    const Result<GrownVolumes> grown = growVolumes(scene.scene, method.settings, context);
    row.seconds = watch.seconds();
    if (!grown.ok()) {
      row.error = row.seconds > work_.seconds ? fmt::format("not within {:g} s", work_.seconds) : grown.error().message;
      return row;
    }
    row.metrics = metricTable(measureVolumes(grown->mesh));
    const std::vector<StandingPlace> places = standingPlaces(grown->mesh);
    row.floors = static_cast<double>(places.size());
    return row;
  }

  std::string plot(const char* title, size_t metric) const {
    constexpr const char* kColours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"};
    std::vector<Bar> bars;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].error.empty()) bars.push_back({rows_[i].scene, rows_[i].metrics[metric].value, kColours[i % 5]});
    }
    return barPlot({title, "", rows_[0].metrics.empty() ? "" : rows_[0].metrics[metric].unit}, bars);
  }

  int write() {
    std::string head = "scene,method,seconds,floors,error";
    std::string table = "<tr><th>scene</th><th>method</th><th>s</th><th>floors</th>";
    const std::vector<VolumeMetric> names = metricTable({});
    for (const VolumeMetric& metric : names) {
      head += "," + metric.name;
      table += fmt::format("<th title=\"{}\">{}</th>", escapeXml(metric.meaning), metric.name);
    }
    std::string csv = head + "\n";
    table += "</tr>\n";
    Json json = Json::array();
    for (const VolumeRow& row : rows_) {
      csv += fmt::format("{},{},{:.4f},{},\"{}\"", row.scene, row.method, row.seconds, row.floors, row.error);
      table += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{}</td>", escapeXml(row.scene), row.method,
                           row.seconds, row.floors);
      Json values = Json::object();
      for (const VolumeMetric& metric : row.metrics) {
        csv += fmt::format(",{:g}", metric.value);
        table += fmt::format("<td>{:.4g}</td>", metric.value);
        values[metric.name] = metric.value;
      }
      if (row.metrics.empty()) {
        csv += std::string(names.size(), ',');
        table += fmt::format("<td colspan=\"{}\">{}</td>", names.size(), escapeXml(row.error));
      }
      csv += "\n";
      table += "</tr>\n";
      json.push_back({{"scene", row.scene},
                      {"method", row.method},
                      {"seconds", row.seconds},
                      {"floors", row.floors},
                      {"error", row.error},
                      {"metrics", values}});
    }
    const std::string html = fmt::format(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Volumes</title>\n"
        "<style>\n{}</style>\n<h1>Volumes in {} scenes</h1>\n"
        "<p>Blue: vasfv; orange: wavefront; green: without gravity; red: without following; violet: without merging."
        "</p>\n{}{}{}{}\n<table>{}</table></html>\n",
        page::kVolumesCss, scenes_.size(), plot("Volumes", 0), plot("Neighbours of a volume", 4),
        plot("Smallest angle of a volume", 11), plot("Nearly degenerate volumes", 14), table);
    for (const auto& [name, text] :
         {std::pair<std::string, const std::string&>("volumes.csv", csv), {"index.html", html}}) {
      if (const Status status = writeFile(work_.folder + "/" + name, text); !status.ok()) {
        return run_.fail(status.error());
      }
    }
    run_.finishProgress();
    run_.say(fmt::format("{0}/index.html, {0}/volumes.csv: {1} rows", work_.folder, rows_.size()));
    run_.print({{"ok", true}, {"folder", work_.folder}, {"rows", json}});
    return kOk;
  }

  Run& run_;
  const VolumesWork& work_;
  std::vector<NamedScene> scenes_;
  std::vector<VolumeRow> rows_;
};

}  // namespace

int compareVolumes(Run& run, const VolumesWork& work) {
  return VolumeStudy(run, work).go();
}

}  // namespace wend::app
