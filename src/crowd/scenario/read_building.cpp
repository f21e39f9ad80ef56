#include "crowd/scenario/read_building.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr size_t kMaxFloors = 1000;
constexpr std::array<std::string_view, 4> kStairKinds{"stair", "ramp", "escalator", "walk"};
constexpr std::array<std::string_view, 5> kPresets{"adult", "child", "elderly", "wheelchair", "assisted"};

std::string nameOf(const TomlValue& table, std::string_view kind) {
  const TomlValue* id = table.find("id");
  return id == nullptr ? fmt::format("a {}", kind) : fmt::format("{} '{}'", kind, id->text);
}

void needArea(TableReader& r, std::string_view what) {
  if (!r.has("area")) r.reading().fail(r.line(), fmt::format("{} needs the key 'area'", what));
}

Distribution normal(double mean, double sd, double min, double max) {
  Distribution d;
  d.kind = Distribution::Kind::kNormal;
  d.a = mean;
  d.b = sd;
  d.min = min;
  d.max = max;
  return d;
}

}  // namespace

ScenarioStair readStair(const TomlValue& table, Reading& reading) {
  const std::string name = nameOf(table, "stair");
  TableReader r(table, name, reading);
  ScenarioStair s;
  s.id = r.requiredText("id");
  s.kind = static_cast<StairKind>(r.choice("kind", 0, kStairKinds));
  needArea(r, name);
  s.area = r.area("area");
  s.area.layer = r.layer();
  if (r.has("up")) {
    s.up = r.requiredPoint("up");
    const double length = std::hypot(s.up.x, s.up.y);
    if (!(length > 0)) r.fail("up", "is a direction [dx, dy] in top view and cannot be 0, 0");
    if (length > 0) s.up = {s.up.x / length, s.up.y / length};
  }
  const auto onlyFor = [&](std::string_view key, bool fits, std::string_view kinds) {
    if (r.has(key) && !fits) r.fail(key, fmt::format("is for the kind {}", kinds));
  };
  const bool isBelt = s.kind == StairKind::kEscalator || s.kind == StairKind::kWalk;
  onlyFor("speed_up", s.kind == StairKind::kStair, "'stair'");
  onlyFor("speed_down", s.kind == StairKind::kStair, "'stair'");
  onlyFor("slope", s.kind == StairKind::kRamp, "'ramp'");
  onlyFor("belt", isBelt, "'escalator' or 'walk'");
  onlyFor("walking", isBelt, "'escalator' or 'walk'");
  s.speedUp = r.number("speed_up", s.speedUp, {0.05, 2});
  s.speedDown = r.number("speed_down", s.speedDown, {0.05, 2});
  s.slope = r.number("slope", 0, {0, 1});
  s.belt = r.number("belt", s.belt, {0, 3});
  s.walking = r.number("walking", s.walking, {0, 1});
  if (s.kind == StairKind::kRamp && s.slope > 0 && !r.has("up")) r.fail("slope", "needs 'up', the way up");
  if (isBelt && !r.has("up")) reading.fail(r.line(), fmt::format("{} needs 'up', the way of its belt", name));
  return s;
}

ScenarioLift readLift(const TomlValue& table, Reading& reading) {
  const std::string name = nameOf(table, "lift");
  TableReader r(table, name, reading);
  ScenarioLift l;
  l.id = r.requiredText("id");
  needArea(r, name);
  l.area = r.area("area");
  for (const double floor : r.numbers("floors", {-1e6, 1e6})) l.floors.push_back(static_cast<int32_t>(floor));
  if (l.floors.size() > kMaxFloors) r.fail("floors", fmt::format("must be at most {} layers", kMaxFloors));
  if (l.floors.size() < 2) reading.fail(r.line(), fmt::format("{} needs 'floors', two or more layers", name));
  if (!l.floors.empty()) l.area.layer = l.floors.front();
  l.lobby = r.requiredPoint("lobby");
  l.capacity = static_cast<uint32_t>(r.whole("capacity", l.capacity, 1, 1000));
  l.speed = r.number("speed", l.speed, {0.05, 20});
  l.doorTime = r.number("door_time", l.doorTime, {0, 600});
  l.dwell = r.number("dwell", l.dwell, {0, 3600});
  return l;
}

ScenarioSmoke readSmoke(const TomlValue& table, Reading& reading) {
  const std::string name = nameOf(table, "smoke");
  TableReader r(table, name, reading);
  ScenarioSmoke s;
  s.id = r.requiredText("id");
  needArea(r, name);
  s.area = r.area("area", true);
  s.area.layer = r.layer();
  const std::span<const TomlValue> items = r.list("table");
  if (items.empty()) reading.fail(r.line(), fmt::format("{} needs 'table': [[time, visibility, dose], ...]", name));
  for (const TomlValue& row : items) {
    const bool fits = row.kind == TomlValue::Kind::kList && row.items.size() == 3 && row.items[0].isNumber() &&
                      row.items[1].isNumber() && row.items[2].isNumber();
    if (!fits) {
      r.fail("table", "must be rows of three numbers: time (s), visibility (m), dose per second");
      return s;
    }
    const ScenarioSmoke::Row next{row.items[0].number, row.items[1].number, row.items[2].number};
    if (!(next.time >= 0 && next.visibility >= 0 && next.dose >= 0)) r.fail("table", "has a number below 0");
    if (!s.rows.empty() && next.time <= s.rows.back().time) r.fail("table", "must have ascending times");
    s.rows.push_back(next);
  }
  return s;
}

// Speeds on the level in m/s. Adults: Weidmann 1993. Elderly: IMO MSC.1/Circ.1533, persons older than 50 years.
// Wheelchairs (manual) and assisted walkers: Boyce, Shields, Silcock 1999. Children of 3 to 6 years: Larusdottir,
// Dederichs 2011, about 0.84 to 1.2.
ScenarioProfile presetProfile(TableReader& r) {
  ScenarioProfile p;
  if (!r.has("like")) return p;
  switch (r.choice("like", 0, kPresets)) {
    case 0:
      p.freeSpeed = normal(1.34, 0.26, 0.6, 2.2);
      break;
    case 1:
      p.radius = constant(0.17);
      p.freeSpeed = normal(1.0, 0.2, 0.6, 1.5);
      p.stairsUp = 0.9;
      p.stairsDown = 0.8;
      p.crowd.bodyLength = 0.38;
      break;
    case 2:
      p.freeSpeed = normal(0.93, 0.23, 0.56, 1.4);
      p.stairsUp = 0.85;
      p.stairsDown = 0.8;
      break;
    case 3:
      p.radius = constant(0.4);
      p.freeSpeed = normal(0.69, 0.35, 0.2, 1.35);
      p.crowd.bodyLength = 1.2;
      p.stairs = false;
      p.lifts = true;
      // With stairs = true: carried by others.
      p.stairsUp = 0.3;
      p.stairsDown = 0.4;
      break;
    default:
      p.radius = constant(0.35);
      p.freeSpeed = normal(0.78, 0.34, 0.2, 1.68);
      p.stairsUp = 0.6;
      p.stairsDown = 0.7;
      break;
  }
  return p;
}

}  // namespace wend
