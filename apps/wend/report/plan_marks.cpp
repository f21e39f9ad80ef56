#include "report/plan_marks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/xml.h"

namespace wend::app {
namespace {

// A place without extent.
Loops diamondAt(Vec2 place) {
  constexpr double kSize = 0.25;  // m
  return {
      {{place.x - kSize, place.y}, {place.x, place.y - kSize}, {place.x + kSize, place.y}, {place.x, place.y + kSize}}};
}

// Exits have a kind of their own. Lifts are drawn as such.
std::optional<PlanMark> stageMark(const ScenarioStage& stage) {
  PlanMark mark{"stage", stage.id, stage.layer, stage.area.loops};
  switch (stage.kind) {
    case StageKind::kExit:
      mark.kind = "exit";
      return mark;
    case StageKind::kLift:
      return {};
    case StageKind::kQueue:
    case StageKind::kWaiting:
      if (stage.slots.size() > 1) {
        mark.loops = {stage.slots};
        mark.closed = false;
      } else if (!stage.slots.empty()) {
        mark.loops = diamondAt(stage.slots.front());
      }
      return mark;
    case StageKind::kWaypoint:
      break;
  }
  if (stage.mirror || stage.area.everywhere) return {};
  if (mark.loops.empty()) mark.loops = diamondAt(stage.at);
  return mark;
}

}  // namespace

std::vector<PlanMark> planMarks(const Scenario* scenario) {
  std::vector<PlanMark> marks;
  if (scenario == nullptr) return marks;
  for (const MeasuringRegion& region : scenario->regions) {
    if (!region.area.everywhere) marks.push_back({"region", region.id, region.area.layer, region.area.loops});
  }
  for (const ScenarioStair& stair : scenario->stairs) {
    marks.push_back({"stair", stair.id, stair.area.layer, stair.area.loops});
  }
  for (const ScenarioLift& lift : scenario->lifts) {
    for (const int32_t floor : lift.floors) marks.push_back({"lift", lift.id, floor, lift.area.loops});
  }
  for (const ScenarioSmoke& smoke : scenario->smoke) {
    if (!smoke.area.everywhere) marks.push_back({"smoke", smoke.id, smoke.area.layer, smoke.area.loops});
  }
  for (const ScenarioSource& source : scenario->sources) {
    if (!source.area.everywhere && source.points.empty()) {
      marks.push_back({"source", source.id, source.area.layer, source.area.loops});
    }
  }
  for (const ScenarioStage& stage : scenario->stages) {
    if (std::optional<PlanMark> mark = stageMark(stage)) marks.push_back(*std::move(mark));
  }
  for (const ScenarioDoor& door : scenario->doors) {
    marks.push_back({"door", door.id, door.layer, {{door.from, door.to}}, false});
  }
  for (const MeasuringLine& line : scenario->lines) {
    marks.push_back({"line", line.id, line.layer, {{line.from, line.to}}, false});
  }
  return marks;
}

std::string_view markColour(std::string_view kind) {
  if (kind == "exit") return "#0a7a2f";
  if (kind == "source") return "#1c4fb0";
  if (kind == "line") return "#c2185b";
  if (kind == "door") return "#7a4a00";
  if (kind == "stair") return "#006d77";
  if (kind == "lift") return "#b35900";
  if (kind == "smoke") return "#555555";
  if (kind == "stage") return "#7d6608";
  return "#5b3fa0";
}

namespace {

// Where names stand already. A name that would cover another one moves down.
class Names {
 public:
  explicit Names(double width) : width_(width) {}

  // The middle of the base line of the text.
  Vec2 placed(Vec2 middle, const std::string& text) {
    const double half = 0.5 * kLetter * static_cast<double>(text.size()) + 2;
    if (2 * half < width_) middle.x = std::clamp(middle.x, half, width_ - half);
    const auto covers = [&](const Taken& other) {
      return std::abs(other.middle.x - middle.x) < other.half + half && std::abs(other.middle.y - middle.y) < kLine;
    };
    for (int tries = 0; tries < 8 && std::any_of(taken_.begin(), taken_.end(), covers); ++tries) middle.y += kLine;
    taken_.push_back({middle, half});
    return middle;
  }

 private:
  static constexpr double kLetter = 5.6;  // width of a letter of 10 pixels, about
  static constexpr double kLine = 11;
  struct Taken {
    Vec2 middle;
    double half;
  };
  double width_;
  std::vector<Taken> taken_;
};

}  // namespace

std::string marksSvg(const std::vector<PlanMark>& marks, int32_t layer, const std::function<Vec2(Vec2)>& place,
                     double width) {
  std::string svg;
  std::string texts;
  Names names(width);
  for (const PlanMark& mark : marks) {
    if (mark.layer != layer) continue;
    std::string path;
    Vec2 low{1e300, 1e300};
    Vec2 high{-1e300, -1e300};
    for (const auto& loop : mark.loops) {
      for (size_t i = 0; i < loop.size(); ++i) {
        const Vec2 p = place(loop[i]);
        path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", p.x, p.y);
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
      if (mark.closed) path += "z";
    }
    if (path.empty()) continue;
    const std::string_view colour = markColour(mark.kind);
    const bool dashed = mark.kind == "region" || mark.kind == "source" || mark.kind == "smoke" || mark.kind == "stage";
    svg += fmt::format(
        "<path class=\"mark {0}\" d=\"{1}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"3.4\" stroke-opacity=\"0.7\"/>"
        "<path d=\"{1}\" fill=\"{2}\" fill-opacity=\"{3}\" stroke=\"{2}\" stroke-width=\"1.6\"{4}/>",
        mark.kind, path, colour, mark.kind == "exit" ? "0.25" : "0", dashed ? " stroke-dasharray=\"4 3\"" : "");
    // Beside a line, in the middle of an area.
    const double down = mark.closed ? 4 : -5;
    const Vec2 at = names.placed({(low.x + high.x) / 2, (low.y + high.y) / 2 + down}, mark.id);
    texts += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"10\" fill=\"{}\" stroke=\"#fff\" "
        "stroke-width=\"2.5\" paint-order=\"stroke\">{}</text>",
        at.x, at.y, colour, escapeXml(mark.id));
  }
  return svg + texts;
}

std::string scaleBarSvg(double pixelsPerMetre, double x, double y, double width) {
  const double longest = std::max(width - 90, 30.0) / pixelsPerMetre;
  const double power = std::pow(10, std::floor(std::log10(longest)));
  const double metres = longest >= 5 * power ? 5 * power : longest >= 2 * power ? 2 * power : power;
  const double length = metres * pixelsPerMetre;
  return fmt::format(
      "<g class=\"scale\" stroke=\"#222\" fill=\"#222\"><path d=\"M{0:.1f} {1:.1f}v-5m0 3h{2:.1f}m0 -3v5\" "
      "fill=\"none\"/><text x=\"{3:.1f}\" y=\"{1:.1f}\" stroke=\"none\">{4:g} m</text><path d=\"M{5:.1f} "
      "{1:.1f}v-15m-4 "
      "6l4 -6l4 6\" fill=\"none\"/><text x=\"{6:.1f}\" y=\"{1:.1f}\" stroke=\"none\">N (y)</text></g>",
      x, y, length, x + length + 5, metres, x + length + 62, x + length + 69);
}

Json marksJson(const std::vector<PlanMark>& marks, const std::function<Vec2(Vec2)>& place) {
  Json list = Json::array();
  for (const PlanMark& mark : marks) {
    Json loops = Json::array();
    for (const auto& loop : mark.loops) {
      Json points = Json::array();
      for (const Vec2 p : loop) {
        const Vec2 q = place(p);
        points.push_back({std::round(q.x * 1000) / 1000, std::round(q.y * 1000) / 1000});
      }
      loops.push_back(points);
    }
    list.push_back({{"kind", mark.kind},
                    {"id", mark.id},
                    {"layer", mark.layer},
                    {"closed", mark.closed},
                    {"colour", markColour(mark.kind)},
                    {"loops", loops}});
  }
  return list;
}

}  // namespace wend::app
