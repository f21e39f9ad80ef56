#include "serve/scenario_text.h"

#include <fmt/format.h>

namespace wend::serve {
namespace {

constexpr const char* kJourney = "drawn";

std::string inQuotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 32) continue;
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string areaText(const std::vector<Vec2>& area) {
  std::string out = "[";
  for (const Vec2 p : area) out += fmt::format("{}[{:.3f}, {:.3f}]", out.size() > 1 ? ", " : "", p.x, p.y);
  return out + "]";
}

void addSources(const CrowdCommand& crowd, std::string_view journey, std::string& out) {
  for (const CrowdSource& source : crowd.sources) {
    out += fmt::format("\n[[source]]\nid = {}\n", inQuotes(source.id));
    out += source.area.empty() ? "area = \"all\"\n"
                               : fmt::format("area = {}\nlayer = {}\n", areaText(source.area), source.layer);
    if (source.count > 0) out += fmt::format("count = {}\n", source.count);
    if (source.rate > 0) out += fmt::format("rate = {}\n", source.rate);
    out += fmt::format("journey = {}\n", inQuotes(journey));
  }
}

void addLines(const CrowdCommand& crowd, std::string& out) {
  for (const CrowdLine& line : crowd.lines) {
    out += fmt::format("\n[[line]]\nid = {}\nfrom = [{:.3f}, {:.3f}]\nto = [{:.3f}, {:.3f}]\nlayer = {}\n",
                       inQuotes(line.id), line.from.x, line.from.y, line.to.x, line.to.y, line.layer);
  }
}

// Exits from which all persons of the drawn sources choose, the fastest first; or random places for ever.
void addJourney(const CrowdCommand& crowd, std::string& out) {
  if (crowd.exits.empty()) {
    out += "\n[[stage]]\nid = \"anywhere\"\nkind = \"waypoint\"\narea = \"all\"\n";
    out += fmt::format(
        "\n[[journey]]\nid = \"{}\"\nstages = [\"anywhere\"]\n"
        "next = [{{ from = \"start\", to = \"anywhere\" }}, {{ from = \"anywhere\", to = \"anywhere\" }}]\n",
        kJourney);
    return;
  }
  std::string names;
  for (const CrowdExit& exit : crowd.exits) {
    out += fmt::format("\n[[stage]]\nid = {}\nkind = \"exit\"\narea = {}\nlayer = {}\n", inQuotes(exit.id),
                       areaText(exit.area), exit.layer);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", inQuotes(exit.id));
  }
  out += fmt::format(
      "\n[[journey]]\nid = \"{}\"\nstages = [{}]\nnext = [{{ from = \"start\", to = [{}], rule = \"fastest\" }}]\n",
      kJourney, names, names);
}

}  // namespace

std::string scenarioText(const CrowdCommand& crowd, std::string_view name, std::string_view environment) {
  std::string out = fmt::format(
      "# Drawn in wend view.\nformat = 1\nname = {}\nenvironment = {}\nend_time = 1000000\nend_when = \"empty\"\n"
      "\n[profile.person]\nradius = {}\nfree_speed = {{ dist = \"normal\", mean = {}, sd = {}, min = 0.3, max = 4 }}\n"
      "avoid = {}\nfollow = {}\n",
      inQuotes(name), inQuotes(environment), crowd.radius, crowd.speed, crowd.deviation, inQuotes(crowd.avoid),
      inQuotes(crowd.follow));
  CrowdCommand whole = crowd;
  if (whole.sources.empty()) whole.sources.push_back({"everywhere", 0, {}, 200, 0});
  if (whole.roam) whole.exits.clear();
  addSources(whole, kJourney, out);
  addJourney(whole, out);
  addLines(whole, out);
  out += "\n[output]\nevery = 5\n";
  return out;
}

std::string extendedScenario(std::string_view text, const CrowdCommand& crowd) {
  std::string out(text);
  if (crowd.sources.empty() && crowd.lines.empty()) return out;
  out += "\n# Drawn in wend view.\n";
  if (!crowd.sources.empty()) {
    addSources(crowd, kJourney, out);
    addJourney(crowd, out);
  }
  addLines(crowd, out);
  return out;
}

}  // namespace wend::serve
