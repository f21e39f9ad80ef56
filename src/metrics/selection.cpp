#include <algorithm>
#include <cmath>
#include <optional>

#include <wend/metrics.h>

#include <fmt/format.h>

namespace wend {
namespace {

std::optional<double> valueOf(const Candidate& candidate, std::string_view metric) {
  for (const MetricValue& value : candidate.values) {
    if (value.name == metric && !std::isnan(value.value)) return value.value;
  }
  return std::nullopt;
}

Error unknownMetric(const std::string& name) {
  std::string names;
  for (const MetricInfo& info : metricInfos()) names += (names.empty() ? "" : ", ") + info.name;
  return {ErrorCode::kInvalidSettings, fmt::format("there is no metric '{}'; there are {}", name, names)};
}

Status checkSettings(const SelectSettings& s) {
  for (const Threshold& threshold : s.thresholds) {
    if (findMetric(threshold.metric) == nullptr) return unknownMetric(threshold.metric);
    if (std::isnan(threshold.value)) {
      return Error{ErrorCode::kInvalidSettings, fmt::format("the threshold of {} is not a number", threshold.metric)};
    }
  }
  for (const Weight& weight : s.weights) {
    const MetricInfo* info = findMetric(weight.metric);
    if (info == nullptr) return unknownMetric(weight.metric);
    if (info->better == Better::kNeither && weight.points != 0) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("neither a large nor a small {} is better, so it can give no points", weight.metric)};
    }
    if (!(weight.points >= 0) || !std::isfinite(weight.points)) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("the weight of {} is {:g}; it must not be negative", weight.metric, weight.points)};
    }
  }
  if (!(s.nearTie >= 0 && s.nearTie <= 1)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("nearTie is {:g}; it must lie between 0 and 1", s.nearTie)};
  }
  if (!(s.close >= 1)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("close is {:g}; it must be at least 1", s.close)};
  }
  return Done{};
}

std::vector<std::string> missedThresholds(const Candidate& candidate, const std::vector<Threshold>& thresholds) {
  std::vector<std::string> failed;
  for (const Threshold& threshold : thresholds) {
    const std::optional<double> value = valueOf(candidate, threshold.metric);
    const char* side = threshold.atLeast ? "at least" : "at most";
    if (!value) {
      failed.push_back(
          fmt::format("{} was not measured; {} {:g} is asked for", threshold.metric, side, threshold.value));
    } else if (threshold.atLeast ? *value < threshold.value : *value > threshold.value) {
      failed.push_back(
          fmt::format("{} is {:g}; {} {:g} is asked for", threshold.metric, *value, side, threshold.value));
    }
  }
  return failed;
}

// The points of one metric among those still in: all to the best, or shared with those near it.
std::vector<double> sharePoints(std::span<const Candidate> candidates, const std::vector<bool>& in,
                                const Weight& weight, double nearTie) {
  std::vector<double> points(candidates.size(), 0);
  const bool higher = findMetric(weight.metric)->better == Better::kHigher;
  std::optional<double> best;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::optional<double> value = in[i] ? valueOf(candidates[i], weight.metric) : std::nullopt;
    if (value && (!best || (higher ? *value > *best : *value < *best))) best = value;
  }
  if (!best) return points;
  std::vector<size_t> winners;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::optional<double> value = in[i] ? valueOf(candidates[i], weight.metric) : std::nullopt;
    if (value && (*value == *best || std::abs(*value - *best) <= nearTie * std::abs(*best))) winners.push_back(i);
  }
  for (const size_t i : winners) points[i] = weight.points / static_cast<double>(winners.size());
  return points;
}

}  // namespace

std::vector<Threshold> SelectSettings::defaultThresholds() {
  return {{"coverage", true, 0.95}, {"component_error", false, 0}};
}

std::vector<Weight> SelectSettings::defaultWeights() {
  return {{"regions", 1},       {"coverage", 1},        {"area_mean", 1},     {"degree_mean", 1},
          {"inhomogeneity", 1}, {"common_vertices", 1}, {"minimum_angle", 1}, {"placement", 1},
          {"efficiency", 1},    {"diameter", 1},        {"bottleneck", 1},    {"greedy_flow", 1}};
}

Result<Selection> selectMesh(std::span<const Candidate> candidates, const SelectSettings& settings) {
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  Selection selection;
  std::vector<bool> in;
  for (const Candidate& candidate : candidates) {
    selection.scores.push_back({candidate.name, 0, missedThresholds(candidate, settings.thresholds)});
    in.push_back(selection.scores.back().failed.empty());
  }
  for (const Weight& weight : settings.weights) {
    if (weight.points == 0) continue;
    selection.rows.push_back({weight.metric, sharePoints(candidates, in, weight, settings.nearTie)});
    for (size_t i = 0; i < candidates.size(); ++i) selection.scores[i].points += selection.rows.back().points[i];
  }
  std::stable_sort(selection.scores.begin(), selection.scores.end(), [](const Score& a, const Score& b) {
    return a.failed.empty() != b.failed.empty() ? a.failed.empty() : a.points > b.points;
  });
  const auto remaining = std::count(in.begin(), in.end(), true);
  selection.decided = remaining == 1 || (remaining > 1 && selection.scores[0].points > selection.scores[1].points &&
                                         selection.scores[0].points >= settings.close * selection.scores[1].points);
  return selection;
}

}  // namespace wend
