#include "compare/compare_row.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace wend::app {
namespace {

Json parsed(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

std::string textOf(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

double numberOf(const Json& json) {
  if (json.is_number()) return json.get<double>();
  return json.is_string() && json.get<std::string>() == "infinite" ? HUGE_VAL : std::nan("");
}

// Status and sentence of a child that did not do its work.
void explainEnd(const ChildResult& child, const ChildLimits& limits, CompareRow& row) {
  switch (child.end) {
    case ChildEnd::kTimeout:
      row.status = "timeout";
      row.message = fmt::format("took more than {:g} s", limits.seconds);
      return;
    case ChildEnd::kOutOfMemory:
      row.status = "out-of-memory";
      row.message = fmt::format("needs more than {:g} MB", limits.megabytes);
      return;
    case ChildEnd::kCrashed:
      row.status = "crashed";
      row.message = fmt::format("ended by signal {} ({})", child.code, ::strsignal(child.code));
      // Signals of users, shells and the kernel's guard of memory.
      for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT}) row.isAccident |= child.code == signal;
      return;
    case ChildEnd::kNotStarted:
      row.status = "failed";
      row.message = "the program could not start itself";
      row.isAccident = true;
      return;
    case ChildEnd::kCancelled:
      row.status = "cancelled";
      row.isAccident = true;
      return;
    case ChildEnd::kExited:
      break;
  }
  const Json json = parsed(child.out);
  row.status = textOf(json, "error") == "unsupported" ? "unsupported" : "failed";
  row.message = textOf(json, "message");
  // Without an answer, or with one about the disk.
  row.isAccident = row.message.empty() || textOf(json, "error") == errorName(ErrorCode::kFileNotWritten);
  if (row.message.empty()) row.message = child.err.empty() ? fmt::format("exit code {}", child.code) : child.err;
}

class RowMaker {
 public:
  RowMaker(const CompareWorld& world, const std::string& generator, const CompareWork& work, const Context& context)
      : world_(world), work_(work), context_(context), mesh_(work.scratch + "/work.wend") {
    row_.world = world.name;
    row_.generator = generator;
    row_.status = "ok";
  }

  CompareRow run() {
    if (bake()) {
      measure("mesh");
      if (row_.status == "ok" && work_.queries > 0) measure("paths");
      if (row_.status == "ok" && work_.pixels > 0) measure("map");
      if (row_.status == "ok") draw();
    }
    // wend view shows the meshes of a comparison beside each other.
    std::error_code error;
    if (row_.status == "ok") {
      std::filesystem::rename(mesh_, work_.folder + "/meshes/" + rowFile(row_) + ".wend", error);
      if (error) {
        row_.isAccident = true;
        row_.message = fmt::format("the mesh cannot be kept: {}", error.message());
      }
    }
    std::filesystem::remove(mesh_, error);
    return std::move(row_);
  }

 private:
  ChildResult child(const std::vector<std::string>& arguments) const {
    return runChild(arguments, work_.scratch, work_.limits, context_);
  }
  void addReading(std::vector<std::string>& arguments) const {
    const ReadSettings& r = work_.read;
    for (const auto& [name, value] :
         {std::pair("--unit", r.unit), {"--scale", r.scale}, {"--cell", r.cell}, {"--threshold", r.threshold}}) {
      arguments.emplace_back(name);
      arguments.push_back(fmt::format("{}", value));
    }
    arguments.emplace_back("--fill");
    arguments.emplace_back(r.fill == FillRule::kNonzero ? "nonzero" : "evenodd");
    arguments.emplace_back("--threads");
    arguments.push_back(std::to_string(work_.threads));
    arguments.emplace_back("--seed");
    arguments.push_back(std::to_string(work_.seed));
  }

  bool bake() {
    std::vector<double> milliseconds;
    std::vector<double> megabytes;
    for (uint32_t i = 0; i < work_.repeat; ++i) {
      std::vector<std::string> arguments{"bake", world_.path, "-g", row_.generator, "-o", mesh_, "--json", "--quiet"};
      addReading(arguments);
      const ChildResult result = child(arguments);
      const Json json = parsed(result.out);
      if (result.end != ChildEnd::kExited || result.code != 0 || !json.is_object() || !json.contains("seconds")) {
        explainEnd(result, work_.limits, row_);
        return false;
      }
      milliseconds.push_back(1000 * json["seconds"].value("generate", 0.0));
      megabytes.push_back(result.peakMegabytes);
    }
    const Statistics time = statisticsOf(milliseconds);
    const Statistics memory = statisticsOf(megabytes);
    row_.values = {{"build_ms", time.mean},
                   {"build_ms_deviation", time.deviation},
                   {"peak_mb", memory.mean},
                   {"peak_mb_deviation", memory.deviation}};
    return true;
  }

  // What cannot be measured is left out, with a word on why; the mesh itself counts.
  void measure(const char* part) {
    std::vector<std::string> arguments{"measure", mesh_,    "--against", world_.path, "--parts",
                                       part,      "--json", "--quiet",   "--queries", std::to_string(work_.queries)};
    if (work_.pixels > 0) {
      arguments.emplace_back("--pixels");
      arguments.push_back(std::to_string(work_.pixels));
    }
    addReading(arguments);
    const ChildResult result = child(arguments);
    const Json json = parsed(result.out);
    if (result.end != ChildEnd::kExited || result.code != 0 || !json.is_object() || !json.contains("metrics")) {
      CompareRow failed;
      explainEnd(result, work_.limits, failed);
      if (failed.status == "cancelled") row_.status = failed.status;
      row_.isAccident |= failed.isAccident;
      row_.message += fmt::format("{}{} not measured: {}", row_.message.empty() ? "" : "; ", part,
                                  failed.message.empty() ? failed.status : failed.message);
      return;
    }
    for (const auto& [name, value] : json["metrics"].items()) row_.values.push_back({name, numberOf(value)});
    if (json.contains("defects")) row_.defects = json["defects"].size();
  }

  // All meshes of a world at one scale: one that reaches beyond its world gets a wider picture.
  double pictureWidth() const {
    constexpr double kWidth = 460;
    constexpr double kMargins = 48;
    const Result<World> baked = loadWorld(mesh_);
    if (!baked.ok() || world_.layers != 1 || !(world_.size.x > 0)) return kWidth;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const Vec2 p : baked->mesh().views().vertices) {
      low = std::min(low, p.x);
      high = std::max(high, p.x);
    }
    const double ratio = (high - low) * baked->mesh().lattice().unit / world_.size.x;
    return std::clamp(kMargins + (kWidth - kMargins) * ratio, 100.0, 2000.0);
  }

  void draw() {
    const std::string picture = work_.folder + "/pictures/" + rowFile(row_) + ".svg";
    child({"draw", mesh_, "-o", picture, "--width", fmt::format("{:.2f}", pictureWidth()), "--no-labels", "--quiet"});
  }

  const CompareWorld& world_;
  const CompareWork& work_;
  const Context& context_;
  std::string mesh_;
  CompareRow row_;
};

}  // namespace

const MetricValue* findValue(const CompareRow& row, std::string_view metric) {
  for (const MetricValue& value : row.values) {
    if (value.name == metric) return &value;
  }
  return nullptr;
}

CompareRow makeRow(const CompareWorld& world, const std::string& generator, const CompareWork& work,
                   const Context& context) {
  return RowMaker(world, generator, work, context).run();
}

Json toJson(const CompareRow& row) {
  Json json = {{"world", row.world},     {"generator", row.generator}, {"status", row.status},
               {"message", row.message}, {"defects", row.defects},     {"metrics", Json::object()}};
  for (const MetricInfo& info : metricInfos()) {
    if (const MetricValue* value = findValue(row, info.name)) {
      json["metrics"][info.name] = std::isfinite(value->value) ? Json(value->value) : Json("infinite");
    }
  }
  return json;
}

std::optional<CompareRow> rowFromJson(const Json& json) {
  if (!json.is_object()) return {};
  CompareRow row;
  row.world = textOf(json, "world");
  row.generator = textOf(json, "generator");
  row.status = textOf(json, "status");
  row.message = textOf(json, "message");
  if (json.contains("defects") && json["defects"].is_number_unsigned()) row.defects = json["defects"].get<size_t>();
  if (json.contains("metrics") && json["metrics"].is_object()) {
    for (const auto& [name, value] : json["metrics"].items()) {
      if (findMetric(name) != nullptr) row.values.push_back({name, numberOf(value)});
    }
  }
  static constexpr std::string_view kStates[] = {"ok", "unsupported", "failed", "timeout", "out-of-memory", "crashed"};
  const bool isKnown = std::find(std::begin(kStates), std::end(kStates), row.status) != std::end(kStates);
  const bool isMeasured = row.status != "ok" || findValue(row, "build_ms") != nullptr;
  if (!isKnown || !isMeasured) return {};
  return row;
}

std::string rowFile(const CompareRow& row) {
  return row.world + "--" + row.generator;
}

}  // namespace wend::app
