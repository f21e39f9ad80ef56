#include <limits>

#include <wend/analysis.h>

#include <fmt/format.h>

#include "crowd/scenario/distribution.h"

// The metrics that [[expect]] names.
namespace wend {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double number(const Recording& recording, const std::string& key) {
  const std::string text = recording.note(key);
  return text.empty() ? kNoValue : std::strtod(text.c_str(), nullptr);
}

// Kolmogorov's limit distribution: the chance of a distance at least this large.
double ksProbability(double distance, size_t count) {
  const double root = std::sqrt(static_cast<double>(count));
  const double x = (root + 0.12 + 0.11 / root) * distance;
  double sum = 0;
  for (int k = 1; k < 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(sum, 0.0, 1.0);
}

double ksTest(std::vector<double> values, const Distribution& distribution) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  // What min and max cut off is spread over the rest.
  const double low = cumulative(distribution, distribution.min);
  const double high = cumulative(distribution, distribution.max);
  double worst = 0;
  const auto n = static_cast<double>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double f = (cumulative(distribution, values[i]) - low) / (high - low);
    worst = std::max({worst, std::abs(f - static_cast<double>(i) / n), std::abs(f - static_cast<double>(i + 1) / n)});
  }
  return ksProbability(worst, values.size());
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? kNoValue : sum / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  if (values.empty()) return kNoValue;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

class Metrics {
 public:
  Metrics(const Analysis& analysis, const Recording& recording, const Scenario& scenario, std::string_view of)
      : a_(analysis), recording_(recording), scenario_(scenario), of_(of) {}

  Result<double> value(std::string_view m) {
    if (std::optional<double> whole = ofRun(m)) return *whole;
    if (std::optional<double> line = ofLine(m)) return error_ ? Result<double>(*error_) : *line;
    if (std::optional<double> region = ofRegion(m)) return error_ ? Result<double>(*error_) : *region;
    const double value = ofPersons(m);
    return error_ ? Result<double>(*error_) : value;
  }

 private:
  void fail(std::string_view what) {
    error_ = Error{ErrorCode::kInvalidSettings, fmt::format("'{}' is not a {} of the scenario", of_, what)};
  }

  std::optional<double> ofRun(std::string_view m) const {
    if (a_.persons.empty() && (m == "evacuation_time" || m == "t50" || m == "t90" || m == "t95" || m == "t98")) {
      return kNoValue;
    }
    if (m == "evacuation_time" && of_.empty()) return timeOfShare(a_, 1);
    if (m == "t50") return timeOfShare(a_, 0.5);
    if (m == "t90") return timeOfShare(a_, 0.9);
    if (m == "t95") return timeOfShare(a_, 0.95);
    if (m == "t98") return timeOfShare(a_, 0.98);
    if (m == "stuck") return number(recording_, "wend_stuck");
    if (m == "longest_stuck") return number(recording_, "wend_longest_stuck");
    if (m == "gridlock") return number(recording_, "wend_gridlocked");
    if (m == "deadlock") return recording_.note("wend_status") == "deadlock" ? 1 : 0;
    if (m == "outside") return number(recording_, "wend_outside");
    if (m == "wall_overlap") return number(recording_, "wend_wall_overlap");
    if (m == "overlap") return std::max(a_.overlap, number(recording_, "wend_overlap"));
    if (m == "overlap_share") return a_.overlapShare;
    if (m == "collisions") return static_cast<double>(a_.collisions);
    return {};
  }

  std::optional<double> ofLine(std::string_view m) {
    if (m == "time_between") return timeBetween();
    if (m != "crossings" && m != "flow" && m != "specific_flow" && m != "median_gap" && m != "largest_gap") return {};
    const LineResult* line = findLine(of_);
    if (line == nullptr) return fail("line"), 0;
    const std::vector<Crossing>& c = line->crossings;
    if (m == "crossings") return static_cast<double>(c.size());
    std::vector<double> gaps;
    for (size_t i = 1; i < c.size(); ++i) gaps.push_back(c[i].time - c[i - 1].time);
    if (m == "median_gap") return median(gaps);
    if (m == "largest_gap") return gaps.empty() ? kNoValue : *std::max_element(gaps.begin(), gaps.end());
    const double time = c.size() < 2 ? 0 : c.back().time - c.front().time;
    const double flow = time > 0 ? static_cast<double>(c.size() - 1) / time : 0;
    if (m == "flow") return flow;
    return flow / std::hypot(line->line.to.x - line->line.from.x, line->line.to.y - line->line.from.y);
  }

  double timeBetween() {
    const size_t comma = of_.find(',');
    const LineResult* first = comma == std::string_view::npos ? nullptr : findLine(of_.substr(0, comma));
    const LineResult* second = comma == std::string_view::npos ? nullptr : findLine(trimmed(of_.substr(comma + 1)));
    if (first == nullptr || second == nullptr) return fail("pair of lines, \"first, second\","), 0;
    std::vector<double> times;
    for (const Crossing& a : first->crossings) {
      for (const Crossing& b : second->crossings) {
        if (a.person == b.person) times.push_back(b.time - a.time);
      }
    }
    return mean(times);
  }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return text;
  }

  const LineResult* findLine(std::string_view id) const {
    for (const LineResult& line : a_.lines) {
      if (line.line.id == id) return &line;
    }
    return nullptr;
  }

  std::optional<double> ofRegion(std::string_view m) {
    if (m != "density" && m != "peak_density" && m != "speed" && m != "region_flow" && m != "most_inside" &&
        m != "last_inside" && m != "lane_order") {
      return {};
    }
    const auto found =
        std::find_if(a_.regions.begin(), a_.regions.end(), [&](const RegionResult& r) { return r.region.id == of_; });
    if (found == a_.regions.end()) return fail("region"), 0;
    if (m == "lane_order") return found->laneOrder;
    // Its time lies after the end.
    if (found->samples.empty() || found->samples.back().time < found->region.start) return kNoValue;
    std::vector<double> density;
    std::vector<double> speed;
    double most = 0;
    double last = 0;
    double peak = 0;
    double windowSum = 0;
    size_t windowCount = 0;
    double windowStart = found->region.start;
    for (const RegionSample& s : found->samples) {
      if (s.time < found->region.start || s.time > found->region.end) continue;
      most = std::max(most, static_cast<double>(s.inside));
      if (s.time >= windowStart + scenario_.output.window) {
        if (windowCount > 0) peak = std::max(peak, windowSum / static_cast<double>(windowCount));
        windowStart = s.time;
        windowSum = 0;
        windowCount = 0;
      }
      windowSum += s.density;
      ++windowCount;
      if (s.inside == 0) continue;
      last = s.time;
      density.push_back(s.density);
      if (!std::isnan(s.speed)) speed.push_back(s.speed);
    }
    if (windowCount > 0) peak = std::max(peak, windowSum / static_cast<double>(windowCount));
    if (m == "density") return mean(density);
    if (m == "peak_density") return peak;
    if (m == "speed") return mean(speed);
    if (m == "region_flow") return mean(density) * mean(speed);
    return m == "most_inside" ? most : last;
  }

  // Persons of the source, profile or exit, or all.
  std::vector<const PersonResult*> chosen() {
    std::vector<const PersonResult*> result;
    const std::string of(of_);
    const bool isSource =
        std::any_of(scenario_.sources.begin(), scenario_.sources.end(), [&](const auto& s) { return s.id == of; });
    const bool isStage =
        std::any_of(scenario_.stages.begin(), scenario_.stages.end(), [&](const auto& s) { return s.id == of; });
    const bool isProfile = std::any_of(scenario_.profiles.begin(), scenario_.profiles.end(),
                                       [&](const auto& p) { return p.crowd.name == of; });
    if (!of.empty() && !isSource && !isStage && !isProfile) fail("source, profile or exit");
    for (const PersonResult& p : a_.persons) {
      if (of.empty() || (isSource && p.person.source == of) || (isStage && p.person.exit == of) ||
          (isProfile && p.person.profile == of)) {
        result.push_back(&p);
      }
    }
    return result;
  }

  double ofPersons(std::string_view m) {
    const std::vector<const PersonResult*> persons = chosen();
    if (error_) return 0;
    std::vector<double> values;
    double left = 0;
    double first = kForever;
    double last = 0;
    for (const PersonResult* p : persons) {
      const bool out = p->person.exitTime >= 0;
      left += out ? 1 : 0;
      if (out) first = std::min(first, p->person.exitTime);
      if (out) last = std::max(last, p->person.exitTime);
      const double walking = p->person.exitTime - p->person.start;
      if (m == "travel_time" && out) values.push_back(walking);
      if ((m == "walked_speed" || m == "speed_ks") && out && walking > 0) values.push_back(p->walked / walking);
      if (m == "path_efficiency" && out && p->efficiency >= 0) values.push_back(p->efficiency);
      if (m == "delay" && out && p->person.shortest >= 0) values.push_back(p->delay);
      if (m == "relative_delay" && out && p->person.shortest > 0) {
        values.push_back(p->delay * p->person.freeSpeed / p->person.shortest);
      }
      if (m == "start_error" && p->moved >= 0) {
        values.push_back(std::abs(p->moved - (p->spawn + p->person.premovement)));
      }
      if (m == "start_ks") values.push_back(p->person.premovement);
      if (m == "mean_speed" && p->meanSpeed > 0) values.push_back(p->meanSpeed);
      if (m == "acceleration") values.push_back(p->acceleration);
      if (m == "effort") values.push_back(p->effort);
      if (m == "dose") values.push_back(p->person.fed);
    }
    if (m == "spawned") return static_cast<double>(persons.size());
    if (m == "left") return left;
    if (m == "unfinished") return static_cast<double>(persons.size()) - left;
    // Without persons a limit from above would pass.
    const bool isTime = m == "last_arrival" || m == "evacuation_time" || m == "arrival_spread";
    if (isTime && persons.empty()) return kNoValue;
    if (m == "last_arrival" || m == "evacuation_time")
      return left < static_cast<double>(persons.size()) ? kForever : last;
    if (m == "arrival_spread")
      return left < static_cast<double>(persons.size()) ? kForever : std::max(0.0, last - first);
    if (m == "exit_share") {
      double all = 0;
      for (const PersonResult& p : a_.persons) all += p.person.exitTime >= 0 ? 1 : 0;
      return all > 0 ? left / all : 0;
    }
    if (m == "walked_speed") return median(values);
    if (m == "dose") return values.empty() ? kNoValue : *std::max_element(values.begin(), values.end());
    if (m == "start_error") return values.empty() ? kForever : *std::max_element(values.begin(), values.end());
    if (m == "start_ks" || m == "speed_ks") return ks(m == "start_ks", std::move(values));
    return mean(values);
  }

  double ks(bool start, std::vector<double> values) {
    for (const ScenarioSource& source : scenario_.sources) {
      if (start && source.id == of_ && source.premovement) return ksTest(std::move(values), *source.premovement);
    }
    for (const ScenarioProfile& profile : scenario_.profiles) {
      if (profile.crowd.name != of_ && !of_.empty()) continue;
      return ksTest(std::move(values), start ? profile.premovement : profile.freeSpeed);
    }
    fail("profile, nor a source with pre-movement times of its own");
    return 0;
  }

  const Analysis& a_;
  const Recording& recording_;
  const Scenario& scenario_;
  std::string_view of_;
  std::optional<Error> error_;
};

}  // namespace

Result<double> metricValue(const Analysis& analysis, const Recording& recording, const Scenario& scenario,
                           std::string_view metric, std::string_view of) {
  return Metrics(analysis, recording, scenario, of).value(metric);
}

AnalysisSettings analysisSettings(const Scenario& scenario) {
  AnalysisSettings settings;
  settings.grid = scenario.output.grid;
  settings.cutoff = scenario.output.cutoff;
  settings.window = scenario.output.window;
  settings.classic = scenario.output.density == DensityMethod::kClassic;
  return settings;
}

}  // namespace wend
