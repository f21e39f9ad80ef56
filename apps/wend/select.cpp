#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <set>

#include <wend/metrics.h>

#include <fmt/format.h>

#include "command.h"
#include "compare/metric_groups.h"

namespace wend::app {
namespace {

struct SelectOptions {
  Run run;
  std::string input;
  std::string output;
  std::vector<std::string> tries;
  std::vector<std::string> requirements;
  std::vector<std::string> weights;
  bool variants = false;
  uint32_t seeds = 1;
  std::string shortlist;
  uint32_t shortlisted = 5;
  SelectSettings select;
  MeasureSettings measure;
  ReadSettings read;
};

struct Attempt {
  std::string name;
  GenerateSettings settings;
};

std::optional<double> parseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "coverage>=0.95", "diameter<=20".
Result<Threshold> parseRequirement(const std::string& text) {
  const size_t at = text.find_first_of("<>");
  if (at != std::string::npos && at + 1 < text.size() && text[at + 1] == '=') {
    if (const auto value = parseNumber(std::string_view(text).substr(at + 2))) {
      return Threshold{text.substr(0, at), text[at] == '>', *value};
    }
  }
  return Error{ErrorCode::kInvalidSettings,
               fmt::format("'{}' is no requirement; write METRIC>=NUMBER or METRIC<=NUMBER", text)};
}

// "regions=2".
Result<Weight> parseWeight(const std::string& text) {
  const size_t at = text.find('=');
  if (at != std::string::npos) {
    if (const auto value = parseNumber(std::string_view(text).substr(at + 1)))
      return Weight{text.substr(0, at), *value};
  }
  return Error{ErrorCode::kInvalidSettings, fmt::format("'{}' is not a weight; write METRIC=POINTS", text)};
}

// "neogen" or "neogen:optimise=off,alpha=10".
Result<Attempt> parseTry(const std::string& text) {
  Attempt attempt{text, {}};
  const size_t colon = text.find(':');
  attempt.settings.generator = text.substr(0, colon);
  for (size_t at = colon; at != std::string::npos;) {
    const size_t comma = text.find(',', at + 1);
    const std::string part = text.substr(at + 1, comma == std::string::npos ? comma : comma - at - 1);
    const size_t equals = part.find('=');
    if (equals == std::string::npos) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("'{}' is not a method; write GENERATOR or GENERATOR:option=value,option=value", text)};
    }
    attempt.settings.options.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    at = comma;
  }
  return attempt;
}

Status fillSettings(SelectOptions& o) {
  for (const std::string& text : o.requirements) {
    const Result<Threshold> threshold = parseRequirement(text);
    if (!threshold.ok()) return threshold.error();
    std::erase_if(o.select.thresholds, [&](const Threshold& t) { return t.metric == threshold->metric; });
    o.select.thresholds.push_back(*threshold);
  }
  for (const std::string& text : o.weights) {
    const Result<Weight> weight = parseWeight(text);
    if (!weight.ok()) return weight.error();
    std::erase_if(o.select.weights, [&](const Weight& w) { return w.metric == weight->metric; });
    o.select.weights.push_back(*weight);
  }
  const Result<Selection> probe = selectMesh({}, o.select);
  if (!probe.ok()) return probe.error();
  return Done{};
}

Result<std::vector<Attempt>> attemptsOf(const SelectOptions& o) {
  std::vector<Attempt> attempts;
  for (const std::string& text : o.tries) {
    Result<Attempt> attempt = parseTry(text);
    if (!attempt.ok()) return attempt.error();
    if (findGenerator(attempt->settings.generator) == nullptr) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("there is no generator '{}'; see wend generators", attempt->settings.generator)};
    }
    attempts.push_back(std::move(attempt).value());
  }
  if (o.tries.empty()) {
    for (const GeneratorInfo& info : generators()) {
      attempts.push_back({info.name, {info.name, {}, 1}});
      for (const GeneratorOption& option : info.options) {
        for (const std::string& choice : option.choices) {
          if (!o.variants || choice == option.defaultValue) continue;
          attempts.push_back(
              {fmt::format("{}:{}={}", info.name, option.name, choice), {info.name, {{option.name, choice}}, 1}});
        }
      }
    }
  }
  std::vector<Attempt> all;
  for (const Attempt& attempt : attempts) {
    for (uint32_t seed = 0; seed < o.seeds; ++seed) {
      all.push_back(attempt);
      all.back().settings.seed = o.run.seed + seed;
      if (o.seeds > 1) all.back().name += fmt::format(" seed {}", all.back().settings.seed);
    }
  }
  return all;
}

// Whether a metric outside those of measureMesh() is asked for.
bool asks(const SelectSettings& s, std::string_view prefix) {
  const auto begins = [&](const std::string& name) { return name.rfind(prefix, 0) == 0; };
  return std::any_of(s.weights.begin(), s.weights.end(),
                     [&](const Weight& w) { return w.points > 0 && begins(w.metric); }) ||
         std::any_of(s.thresholds.begin(), s.thresholds.end(), [&](const Threshold& t) { return begins(t.metric); });
}

class SelectRun {
 public:
  explicit SelectRun(SelectOptions& options) : o_(options), context_(options.run.context()) {}

  int run() {
    if (const Status status = fillSettings(o_); !status.ok()) return o_.run.fail(status.error());
    const Result<std::vector<Attempt>> attempts = attemptsOf(o_);
    if (!attempts.ok()) return o_.run.fail(attempts.error());
    WorldReadSettings reading;
    reading.environment = o_.read;
    Result<EnvironmentReading> input = readAnyEnvironment(o_.input, reading, context_);
    if (!input.ok()) return o_.run.fail(input.error());
    environment_ = std::move(input->environment);
    const Environment& environment = environment_;
    if (asks(o_.select, "path_") || asks(o_.select, "radius_") || asks(o_.select, "map_")) {
      GenerateSettings exact;
      exact.generator = "delaunay";
      Result<NavMesh> truth = generate(environment, exact, context_);
      if (!truth.ok()) return o_.run.fail(truth.error());
      truth_ = std::move(truth).value();
    }
    for (const Attempt& attempt : *attempts) {
      context_.report("selecting", static_cast<double>(done_++) / static_cast<double>(attempts->size()));
      const Status status = tryOne(environment, attempt);
      if (context_.cancelled()) return o_.run.fail(ErrorCode::kCancelled, "stopped; nothing was written");
      if (!status.ok()) o_.run.say(fmt::format("{}: left out, {}", attempt.name, status.error().message));
    }
    return finish();
  }

 private:
  Status tryOne(const Environment& environment, const Attempt& attempt) {
    Stopwatch watch;
    const Result<NavMesh> mesh = generate(environment, attempt.settings, context_);
    if (!mesh.ok()) return mesh.error();
    const double milliseconds = 1000 * watch.seconds();
    // Seeds and choices that make no difference are one candidate.
    if (!seen_.insert(hashOfCells(*mesh)).second) return Done{};
    const Result<MeshMetrics> metrics = measureMesh(*mesh, environment, o_.measure, context_);
    if (!metrics.ok()) return metrics.error();
    Candidate candidate{attempt.name, metricValues(*metrics)};
    candidate.values.push_back({"build_ms", milliseconds});
    const auto keep = [&](const std::vector<MetricValue>& more) {
      candidate.values.insert(candidate.values.end(), more.begin(), more.end());
    };
    if (truth_ && (asks(o_.select, "path_") || asks(o_.select, "radius_"))) {
      const Result<PathMetrics> paths = measurePaths(*mesh, *truth_, {}, context_);
      if (!paths.ok()) return paths.error();
      keep(metricValues(*paths));
    }
    if (truth_ && asks(o_.select, "map_")) {
      const Result<DistanceMapMetrics> map = measureDistanceMap(*mesh, *truth_, {}, context_);
      if (!map.ok()) return map.error();
      keep(metricValues(*map));
    }
    candidates_.push_back(std::move(candidate));
    groups_.push_back(metricGroups(metrics->shape, o_.measure));
    meshes_.push_back(*mesh);
    return Done{};
  }

  // The best that were not dropped, for a person to choose from.
  Status writeShortlist(const std::vector<Score>& scores) const {
    std::vector<ShortlistEntry> entries;
    for (const Score& score : scores) {
      if (!score.failed.empty() || entries.size() == o_.shortlisted) break;
      const auto at = std::find_if(candidates_.begin(), candidates_.end(),
                                   [&](const Candidate& c) { return c.name == score.name; });
      const auto i = static_cast<size_t>(at - candidates_.begin());
      entries.push_back({*at, score.points, groups_[i], meshes_[i]});
    }
    const Result<std::string> page = shortlistPage(entries, o_.input);
    if (!page.ok()) return page.error();
    return writeFile(o_.shortlist, *page);
  }

  static uint64_t hashOfCells(const NavMesh& mesh) {
    MeshArrays arrays = mesh.info();
    arrays.generator.clear();
    arrays.settingsHash = 0;
    return hash(NavMesh(std::move(arrays)));
  }

  int finish() {
    const Result<Selection> selection = selectMesh(candidates_, o_.select);
    if (!selection.ok()) return o_.run.fail(selection.error());
    const std::vector<Score>& scores = selection->scores;
    o_.run.finishProgress();
    Json list = Json::array();
    for (const Score& score : scores) {
      o_.run.say(score.failed.empty() ? fmt::format("{:<40} {:>6.2f} points", score.name, score.points)
                                      : fmt::format("{:<40} dropped: {}", score.name, fmt::join(score.failed, "; ")));
      list.push_back({{"name", score.name}, {"points", score.points}, {"dropped", score.failed}});
    }
    if (scores.empty() || !scores[0].failed.empty()) {
      return o_.run.fail(ErrorCode::kEmpty, "no mesh meets all requirements; nothing was written");
    }
    if (!o_.shortlist.empty()) {
      if (const Status status = writeShortlist(scores); !status.ok()) return o_.run.fail(status.error());
      o_.run.say(fmt::format("{}: the best {} side by side", o_.shortlist, o_.shortlisted));
    }
    Json rows = Json::object();
    for (const Selection::Row& row : selection->rows) {
      rows[row.metric] = Json::object();
      for (size_t i = 0; i < candidates_.size(); ++i) rows[row.metric][candidates_[i].name] = row.points[i];
    }
    if (!o_.output.empty()) {
      const auto best = std::find_if(candidates_.begin(), candidates_.end(),
                                     [&](const Candidate& c) { return c.name == scores[0].name; });
      const Result<World> world = World::of(environment_, meshes_[static_cast<size_t>(best - candidates_.begin())]);
      if (!world.ok()) return o_.run.fail(world.error());
      if (const Status status = saveWorld(*world, o_.output); !status.ok()) return o_.run.fail(status.error());
    }
    o_.run.say(
        fmt::format("{}{}{}", scores[0].name,
                    selection->decided ? " wins" : " is ahead, but not clearly: drop what does not matter to you",
                    o_.output.empty() ? "" : fmt::format("; written to {}", o_.output)));
    o_.run.print({{"ok", true},
                  {"winner", scores[0].name},
                  {"decided", selection->decided},
                  {"scores", list},
                  {"points", rows},
                  {"file", o_.output},
                  {"shortlist", o_.shortlist}});
    return kOk;
  }

  SelectOptions& o_;
  const Context& context_;
  Environment environment_;
  std::optional<NavMesh> truth_;
  std::set<uint64_t> seen_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<MetricGroups>> groups_;
  std::vector<NavMesh> meshes_;
  size_t done_ = 0;
};

}  // namespace

void addSelect(Program& program) {
  auto o = std::make_shared<SelectOptions>();
  Command command = program.line.addCommand("select", "make many meshes of one world and keep the best");
  command.addOption("INPUT", o->input, "environment, recognised by content").required();
  command.addOption("-o,--output", o->output, "file for the winner, FILE.wend");
  command
      .addOption("--try", o->tries,
                 "a method, GENERATOR or GENERATOR:option=value,...; may be repeated; all generators if left out")
      .oneValueEach();
  command.addFlag("--variants", o->variants, "without --try: also every choice of every generator's options");
  command.addOption("--seeds", o->seeds, "seeds to try, from --seed on; equal meshes count once")
      .check(range(1, 10000))
      .showDefault();
  command
      .addOption("--require", o->requirements,
                 "drop what misses this: METRIC>=NUMBER or METRIC<=NUMBER; may be repeated; by default "
                 "coverage>=0.95 and component_error<=0")
      .oneValueEach();
  command
      .addOption("--weight", o->weights,
                 "points of a metric for the best, shared by ties: METRIC=POINTS; 0 leaves it out; by default 1 for "
                 "each of Hale's twelve")
      .oneValueEach();
  command.addOption("--shortlist", o->shortlist,
                    "also write a page of the best with pictures and histograms, for a person to choose, FILE.html");
  command.addOption("--shortlisted", o->shortlisted, "meshes on that page at most").check(range(1, 50)).showDefault();
  command.addOption("--near-tie", o->select.nearTie, "share of the best value within which others are tied")
      .showDefault();
  command.addOption("--close", o->select.close, "the winner is clear with so many times the points of the second")
      .showDefault();
  command.addOption("--object-area", o->measure.objectArea, "m2 of the object of placement and area groups")
      .showDefault();
  addReadOptions(command, o->read);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend select city.env -o city.wend --shortlist city.html\n"
      "  wend select city.env --variants --weight diameter=0 --weight path_searched=2 -o city.wend\n"
      "  wend select city.env --try neogen --try neogen:optimise=off --require 'regions<=2000'");
  command.onRun([o, &program] {
    program.exitCode = o->run.guarded(o->output, {o->input}, [&] {
      return o->run.guarded(o->shortlist, {o->input}, [&] { return SelectRun(*o).run(); });
    });
  });
}

}  // namespace wend::app
