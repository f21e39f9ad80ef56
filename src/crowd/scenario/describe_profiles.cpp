#include "crowd/scenario/describe_profiles.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace wend {
namespace {

std::string describe(const Distribution& d) {
  std::string text;
  switch (d.kind) {
    case Distribution::Kind::kConstant:
      return fmt::format("{:g}", d.a);
    case Distribution::Kind::kUniform:
      return fmt::format("uniform {:g} to {:g}", d.min, d.max);
    case Distribution::Kind::kNormal:
      text = fmt::format("normal {:g} ± {:g}", d.a, d.b);
      break;
    case Distribution::Kind::kLognormal:
      text = fmt::format("lognormal mu {:g}, sigma {:g}", d.a, d.b);
      break;
    case Distribution::Kind::kGamma:
      text = fmt::format("gamma shape {:g}, scale {:g}", d.a, d.b);
      break;
    case Distribution::Kind::kWeibull:
      text = fmt::format("weibull shape {:g}, scale {:g}", d.a, d.b);
      break;
    case Distribution::Kind::kExponential:
      text = fmt::format("exponential {:g}", d.a);
      break;
    case Distribution::Kind::kTable:
      return fmt::format("table of {} values", d.values.size());
  }
  if (std::isfinite(d.min) || std::isfinite(d.max)) text += fmt::format(" within {:g} to {:g}", d.min, d.max);
  return text;
}

std::string labelled(std::string_view key, const std::map<std::string, double>& values) {
  std::string text;
  for (const auto& [label, value] : values) text += fmt::format(", {} on '{}' {:g}", key, label, value);
  return text;
}

// What differs from the default profile.
std::string describeRest(const ScenarioProfile& p) {
  const ScenarioProfile usual;
  std::string text;
  const auto add = [&](bool differs, std::string what) {
    if (differs) text += ", " + what;
  };
  add(p.crowd.stream != usual.crowd.stream, "no streams");
  add(p.crowd.keepSide != usual.crowd.keepSide, p.crowd.keepSide < 0 ? "keeps left" : "keeps no side");
  add(p.crowd.replanEvery != usual.crowd.replanEvery, fmt::format("re-plans every {:g} s", p.crowd.replanEvery));
  add(p.stairsUp != 1 || p.stairsDown != 1, fmt::format("on stairs {:g} up, {:g} down", p.stairsUp, p.stairsDown));
  add(!p.stairs, "no stairs");
  add(p.lifts, "takes lifts");
  add(p.fedLimit != usual.fedLimit, fmt::format("falls at a dose of {:g}", p.fedLimit));
  return text + labelled("speed", p.crowd.regionSpeed) + labelled("cost", p.crowd.regionCost);
}

}  // namespace

std::string describeProfiles(const Scenario& scenario) {
  std::string text;
  for (const ScenarioProfile& p : scenario.profiles) {
    text += fmt::format(
        "{}: avoid {}, route {}, follow {}, free speed {} m/s, radius {} m, pre-movement {} s, time gap {:g} s, body "
        "length {:g} m, clearance {:g} m, density weight {:g}{}\n",
        p.crowd.name, methodName(p.crowd.avoid), methodName(p.crowd.route), methodName(p.crowd.follow),
        describe(p.freeSpeed), describe(p.radius), describe(p.premovement), p.crowd.timeGap, p.crowd.bodyLength,
        p.crowd.clearance, p.crowd.densityWeight, describeRest(p));
  }
  for (const ScenarioSource& source : scenario.sources) {
    if (!source.premovement) continue;
    text += fmt::format("source '{}': pre-movement {} s instead of the profile's\n", source.id,
                        describe(*source.premovement));
  }
  return text;
}

}  // namespace wend
