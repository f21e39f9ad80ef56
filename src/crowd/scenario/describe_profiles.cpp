#include "crowd/scenario/describe_profiles.h"

#include <cmath>

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
      text = fmt::format("normal {:g} +- {:g}", d.a, d.b);
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

}  // namespace

std::string describeProfiles(const Scenario& scenario) {
  std::string text;
  for (const ScenarioProfile& p : scenario.profiles) {
    text += fmt::format(
        "{}: avoid {}, route {}, follow {}, free speed {} m/s, radius {} m, pre-movement {} s, time gap {:g} s, body "
        "length {:g} m, clearance {:g} m, density weight {:g}{}{}\n",
        p.crowd.name, methodName(p.crowd.avoid), methodName(p.crowd.route), methodName(p.crowd.follow),
        describe(p.freeSpeed), describe(p.radius), describe(p.premovement), p.crowd.timeGap, p.crowd.bodyLength,
        p.crowd.clearance, p.crowd.densityWeight, p.stairs ? "" : ", no stairs", p.lifts ? ", takes lifts" : "");
  }
  return text;
}

}  // namespace wend
