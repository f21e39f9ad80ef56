#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <wend/file.h>
#include <wend/scenario.h>

#include <fmt/format.h>

#include "crowd/local/group.h"
#include "crowd/scenario/check_scenario.h"
#include "crowd/scenario/expand_scenario.h"
#include "crowd/scenario/read_building.h"
#include "crowd/scenario/table_reader.h"

namespace wend {
namespace {

using Names = std::span<const std::string_view>;

template <typename Enum, size_t N>
Enum pick(TableReader& reader, std::string_view key, Enum otherwise, const std::array<std::string_view, N>& names) {
  return static_cast<Enum>(reader.choice(key, static_cast<size_t>(otherwise), Names(names)));
}

// The names of all methods of a kind, as <wend/crowd.h> gives them.
template <typename Enum>
Enum pickMethod(TableReader& reader, std::string_view key, Enum otherwise) {
  std::vector<std::string_view> names;
  for (uint8_t i = 0; std::string_view(methodName(static_cast<Enum>(i))) != "unknown"; ++i) {
    names.emplace_back(methodName(static_cast<Enum>(i)));
  }
  return static_cast<Enum>(reader.choice(key, static_cast<size_t>(otherwise), names));
}

constexpr size_t kMaxPoolExits = 1000;
constexpr std::array<std::string_view, 5> kStageKinds{"waypoint", "exit", "queue", "waiting", "lift"};
constexpr std::array<std::string_view, 7> kRules{"fixed",   "round_robin", "random", "least_targeted",
                                                 "nearest", "fastest",     "popular"};
constexpr std::array<std::string_view, 11> kActions{
    "open", "close", "insert", "move", "remove", "activate", "deactivate", "pop", "set_rate", "set_journey", "alarm"};
constexpr std::array<std::string_view, 4> kLevels{"fruin", "display", "stairs", "queue"};
constexpr std::array<std::string_view, 3> kTriggers{"instant", "sight", "next-edge"};
constexpr std::array<std::string_view, 3> kSides{"left", "none", "right"};  // CrowdProfile::keepSide + 1
constexpr std::array<std::string_view, 5> kStatistics{"median", "mean", "min", "max", "p95"};

ScenarioProfile readProfile(const std::string& name, const TomlValue& table, Reading& reading) {
  TableReader r(table, fmt::format("profile '{}'", name), reading);
  ScenarioProfile p = presetProfile(r);
  p.crowd.name = name;
  p.radius = r.distribution("radius", p.radius, {0.05, 2});
  p.freeSpeed = r.distribution("free_speed", p.freeSpeed, {0.05, 5});
  p.premovement = r.distribution("premovement", p.premovement, {0, 1e5});
  p.crowd.route = pickMethod(r, "route", p.crowd.route);
  p.crowd.side = r.number("side", p.crowd.side, {-1, 1});
  p.crowd.clearance = r.number("clearance", p.crowd.clearance, {0, 10});
  p.crowd.densityWeight = r.number("density_weight", p.crowd.densityWeight, {0, 1e6});
  p.crowd.densityView = r.number("density_view", p.crowd.densityView, {0, kForever, true});
  p.crowd.replanEvery = r.number("replan", p.crowd.replanEvery, {0, 1e4});
  p.crowd.afterChange = pickMethod(r, "after_change", p.crowd.afterChange);
  p.crowd.notice = pick(r, "notice", p.crowd.notice, kTriggers);
  p.crowd.sight = r.number("sight", p.crowd.sight, {0, 1e4});
  p.crowd.follow = pickMethod(r, "follow", p.crowd.follow);
  p.crowd.avoid = pickMethod(r, "avoid", p.crowd.avoid);
  p.crowd.diagram = pickMethod(r, "diagram", p.crowd.diagram);
  p.crowd.stream = r.flag("stream", p.crowd.stream);
  p.crowd.timeGap = r.number("time_gap", p.crowd.timeGap, {0, 5});
  p.crowd.bodyLength = r.number("body_length", p.crowd.bodyLength, {0, 2});
  p.crowd.keepSide = static_cast<int>(r.choice("keep_side", static_cast<size_t>(p.crowd.keepSide + 1), kSides)) - 1;
  p.crowd.regionCost = r.labelled("region_cost", {0.01, kForever});
  p.crowd.regionSpeed = r.labelled("region_speed", {0.01, 2});
  p.stairsUp = r.number("stairs_up", p.stairsUp, {0.05, 2});
  p.stairsDown = r.number("stairs_down", p.stairsDown, {0.05, 2});
  p.stairs = r.flag("stairs", p.stairs);
  p.lifts = r.flag("lifts", p.lifts);
  const bool walksOnPoints = p.crowd.follow == FollowMethod::kIrm || p.crowd.follow == FollowMethod::kMiran;
  if (!p.stairs && (!walksOnPoints || p.crowd.route == RouteMethod::kTable)) {
    r.fail("stairs", "= false needs follow 'irm' or 'miran', and a route other than 'table'");
  }
  p.fedLimit = r.number("fed_limit", p.fedLimit, {0, 100, true});
  const auto needs = [&](std::string_view key, bool isThere, std::string_view other) {
    if (!r.has(key) || isThere) return;
    reading.warnings.push_back(fmt::format("'{}' of profile '{}' has no effect without {}", key, name, other));
  };
  needs("side", p.crowd.route == RouteMethod::kSide, "route = 'side'");
  needs("sight", p.crowd.notice == ReplanTrigger::kSight, "notice = 'sight'");
  return p;
}

// Groups of `members` are whole: seven persons in groups of five are an error, not half a group.
void checkMembers(TableReader& r, const ScenarioSource& s) {
  if (!r.has("members")) return;
  if (s.members.empty() || s.members.size() > kMaxMembers) {
    r.fail("members", fmt::format("must be 1 to {} names of profiles, one for each member", kMaxMembers));
    return;
  }
  for (const std::string_view other : {"profiles", "group_size"}) {
    if (r.has(other))
      r.fail(other, "cannot stand beside 'members', which gives both the members of a group and their number");
  }
  if (s.count % s.members.size() != 0) {
    r.fail("count",
           fmt::format("is {} persons, which are not whole groups of {} 'members'", s.count, s.members.size()));
  }
}

ScenarioSource readSource(const TomlValue& table, Reading& reading) {
  const TomlValue* id = table.find("id");
  TableReader r(table, id == nullptr ? "a source" : fmt::format("source '{}'", id->text), reading);
  ScenarioSource s;
  s.id = r.requiredText("id");
  s.area = r.area("area", true);
  s.points = r.points("points");
  s.area.layer = r.layer();
  if (r.has("area") == r.has("points")) r.fail("area", "or 'points' must be given, and not both");
  s.count = r.whole("count", r.has("points") ? s.points.size() : 0, 0, 1'000'000);
  if (!s.points.empty() && s.count > s.points.size()) r.fail("count", "is larger than the number of 'points'");
  s.density = r.number("density", 0, {0, 8, true});
  if (r.has("count") && r.has("density")) r.fail("density", "cannot stand beside 'count'; give one of them");
  if (r.has("density") && r.has("points")) r.fail("density", "needs an 'area', not 'points'");
  s.rate = r.number("rate", 0, {0, 1e3});
  s.schedule = r.pairs("schedule", kTimes, {0, 1e3});
  if (r.has("rate") && r.has("schedule")) r.fail("schedule", "cannot stand beside 'rate'; give one of them");
  constexpr std::array<std::string_view, 2> kArrivals{"regular", "poisson"};
  constexpr std::array<std::string_view, 3> kPlacements{"random", "hex", "grid"};
  constexpr std::array<std::string_view, 3> kFull{"queue", "drop", "error"};
  s.arrivals = pick(r, "arrivals", s.arrivals, kArrivals);
  s.start = r.number("start", 0, kTimes);
  s.end = r.number("end", kForever, {0, kForever});
  s.limit = r.whole("limit", s.limit, 0, s.limit);
  s.placement = pick(r, "placement", s.placement, kPlacements);
  s.gap = r.number("gap", 0, {0, 5});
  s.onFull = pick(r, "on_full", s.onFull, kFull);
  s.profiles = r.weighted("profiles");
  s.journeys = r.weighted("journey");
  if (!r.has("journey")) reading.fail(r.line(), fmt::format("source '{}' needs the key 'journey'", s.id));
  if (r.has("group_size")) s.groupSize = r.numbers("group_size", {0, 1e6});
  if (s.groupSize.empty() || s.groupSize.size() > 100 ||
      std::all_of(s.groupSize.begin(), s.groupSize.end(), [](double w) { return w <= 0; })) {
    r.fail("group_size", "must be 1 to 100 weights, one of them above 0");
  }
  s.members = r.texts("members");
  checkMembers(r, s);
  if (r.has("premovement")) s.premovement = r.distribution("premovement", constant(0), {0, 1e5});
  return s;
}

void readExit(TableReader& r, ScenarioStage& s) {
  constexpr std::array<std::string_view, 2> kAims{"nearest", "centre"};
  if (!r.has("area")) {
    r.reading().fail(r.line(), fmt::format("stage '{}' is an exit and needs the key 'area'", s.id));
  }
  s.area = r.area("area");
  s.aimAtCentre = r.choice("aim", 0, Names(kAims)) == 1;
  s.maxFlow = r.number("max_flow", kForever, {0, kForever, true});
  s.capacity = r.whole("capacity", s.capacity, 0, s.capacity);
  s.open = r.flag("open", true);
}

ScenarioStage readStage(const TomlValue& table, Reading& reading) {
  const TomlValue* id = table.find("id");
  TableReader r(table, id == nullptr ? "a stage" : fmt::format("stage '{}'", id->text), reading);
  ScenarioStage s;
  s.id = r.requiredText("id");
  s.kind = static_cast<StageKind>(r.requiredChoice("kind", kStageKinds));
  s.layer = r.layer();
  const auto need = [&](bool there, std::string_view what) {
    if (!there) {
      reading.fail(r.line(), fmt::format("stage '{}' is a {} and needs {}", s.id,
                                         kStageKinds[static_cast<size_t>(s.kind)], what));
    }
  };
  switch (s.kind) {
    case StageKind::kWaypoint:
      need(r.has("at") != r.has("area"), "'at', or 'area' for a random place of it");
      if (r.has("at")) s.at = r.requiredPoint("at");
      s.area = r.area("area", true);
      s.mirror = r.flag("mirror", false);
      if (s.mirror && !r.has("at")) r.fail("mirror", "needs 'at', the middle of the reflection");
      s.distance = r.number("distance", 0.5, {0, 50, true});
      break;
    case StageKind::kExit:
      readExit(r, s);
      break;
    case StageKind::kQueue:
      s.slots = r.points("slots");
      need(!s.slots.empty(), "'slots', head first");
      s.service = r.distribution("service", constant(0), kTimes);
      s.servers = static_cast<uint32_t>(r.whole("servers", 1, 1, 100));
      s.automatic = r.flag("auto", true);
      break;
    case StageKind::kWaiting:
      need(r.has("slots") != r.has("area"), "'slots' or 'area'");
      s.slots = r.points("slots");
      s.area = r.area("area");
      s.duration = r.distribution("duration", constant(kForever), {0, kForever});
      s.active = r.flag("active", true);
      break;
    case StageKind::kLift:
      s.lift = r.requiredText("lift");
      need(r.has("to"), "'to', the layer it takes persons to");
      s.toLayer = static_cast<int32_t>(std::llround(r.number("to", 0, {-1e6, 1e6})));
      break;
  }
  s.area.layer = s.layer;
  return s;
}

ScenarioJourney readJourney(const TomlValue& table, Reading& reading) {
  const TomlValue* id = table.find("id");
  TableReader r(table, id == nullptr ? "a journey" : fmt::format("journey '{}'", id->text), reading);
  ScenarioJourney j;
  j.id = r.requiredText("id");
  j.stages = r.texts("stages");
  if (j.stages.empty()) reading.fail(r.line(), fmt::format("journey '{}' needs 'stages', at least one", j.id));
  for (const TomlValue& item : r.tables("next")) {
    TableReader n(item, fmt::format("'next' of journey '{}'", j.id), reading);
    Transition t;
    t.from = n.requiredText("from");
    t.to = n.texts("to");
    t.rule = pick(n, "rule", t.rule, kRules);
    t.weights = n.numbers("weights", kWeights);
    if (t.to.empty())
      reading.fail(n.line(), fmt::format("'next' of journey '{}' needs 'to', at least one stage", j.id));
    if (!t.weights.empty() && t.weights.size() != t.to.size())
      n.fail("weights", "must be as many as the stages in 'to'");
    j.next.push_back(std::move(t));
  }
  return j;
}

ScenarioDoor readDoor(const TomlValue& table, Reading& reading) {
  TableReader r(table, "a door", reading);
  ScenarioDoor d;
  d.id = r.requiredText("id");
  const std::vector<Vec2> line = r.points("line");
  d.layer = r.layer();
  d.open = r.flag("open", true);
  constexpr std::array<std::string_view, 3> kPasses{"free", "forward", "both"};
  d.pass = pick(r, "pass", d.pass, kPasses);
  d.maxFlow = r.number("max_flow", kForever, {0, kForever, true});
  d.passTime = r.number("pass_time", 0, {0, 600});
  for (const std::string_view key : {"max_flow", "pass_time"}) {
    if (r.has(key) && d.pass == DoorPass::kFree) r.fail(key, "needs pass = 'forward' or 'both'");
  }
  if (line.size() != 2 || line[0] == line[1]) {
    r.fail("line", "must be two different places [[x, y], [x, y]]");
    return d;
  }
  d.from = line[0];
  d.to = line[1];
  return d;
}

ScenarioZone readZone(const TomlValue& table, Reading& reading) {
  TableReader r(table, "a zone", reading);
  ScenarioZone z;
  z.id = r.requiredText("id");
  if (!r.has("area")) reading.fail(r.line(), fmt::format("zone '{}' needs the key 'area'", z.id));
  z.area = r.area("area");
  z.area.layer = r.layer();
  z.speedFactor = r.number("speed_factor", 1, {0.01, 2});
  z.label = r.text("label", "");
  return z;
}

void readCondition(TableReader& r, ScenarioEvent& e) {
  if (r.has("passed") && r.has("inside")) r.fail("inside", "cannot stand beside 'passed'; give one of them");
  if (r.has("passed")) {
    e.condition = EventCondition::kPassed;
    e.conditionOf = r.requiredText("passed");
  } else if (r.has("inside")) {
    e.condition = EventCondition::kInside;
    e.conditionOf = r.requiredText("inside");
  } else if (r.has("persons")) {
    r.fail("persons", "needs 'passed' or 'inside'");
  }
  e.persons = r.whole("persons", 1, 1, 1'000'000'000);
}

// An area, a fence or a post; with a height it is a body.
void readObstacle(TableReader& r, ScenarioEvent& e) {
  if (r.has("area") + r.has("fence") + r.has("post") != 1) {
    r.reading().fail(r.line(),
                     fmt::format("the insertion of '{}' needs one of the keys 'area', 'fence' and 'post'", e.target));
  }
  e.area = r.area("area");
  if (r.has("fence")) {
    e.area.loops = {r.points("fence")};
    if (e.area.loops[0].size() != 2) r.fail("fence", "has two points");
  }
  if (r.has("post")) e.area.loops = {{r.requiredPoint("post")}};
  e.height = r.number("height", 0, {0, 1e4});
  e.base = r.number("base", 0, {-1e5, 1e5});
  if (e.height > 0 && !r.has("area")) r.fail("height", "is for an area");
  if (e.height > 0 && (e.area.loops.size() != 1 || e.area.loops[0].size() > 32)) {
    r.fail("height", "is for an area of one loop with at most 32 corners");
  }
}

ScenarioEvent readEvent(const TomlValue& table, Reading& reading) {
  TableReader r(table, "an event", reading);
  constexpr std::array<std::string_view, 3> kPolicies{"push", "remove", "refuse"};
  ScenarioEvent e;
  readCondition(r, e);
  e.time = e.condition == EventCondition::kNone ? r.requiredNumber("time", {0, 1e15}) : r.number("time", 0, {0, 1e15});
  e.action = static_cast<EventAction>(r.requiredChoice("action", kActions));
  e.target = r.requiredText("target");
  const auto onlyFor = [&](std::string_view key, EventAction action) {
    if (e.action == action) return true;
    if (r.has(key)) r.fail(key, fmt::format("is for the action '{}'", actionName(action)));
    return false;
  };
  for (const std::string_view key : {"area", "fence", "post", "height", "base"}) onlyFor(key, EventAction::kInsert);
  if (e.action == EventAction::kInsert) readObstacle(r, e);
  e.area.layer = r.layer();
  for (const std::string_view key : {"path", "speed", "every", "as"}) onlyFor(key, EventAction::kMove);
  if (e.action == EventAction::kMove) {
    e.path = r.points("path");
    if (e.path.empty()) reading.fail(r.line(), fmt::format("the move of '{}' needs the key 'path'", e.target));
    e.speed = r.number("speed", e.speed, {0, 100});
    e.every = r.number("every", e.every, {0.01, 1e6});
    constexpr std::array<std::string_view, 2> kWays{"obstacle", "body"};
    e.asBody = pick(r, "as", uint8_t{0}, kWays) == 1;
    if (e.asBody && (e.speed == 0 || e.speed > 5)) r.fail("speed", "is above 0 and at most 5 for a body");
    if (e.asBody && r.has("every")) r.fail("every", "is for obstacles; a body moves in each step");
  }
  onlyFor("policy", EventAction::kInsert);
  e.policy = pick(r, "policy", e.policy, kPolicies);
  onlyFor("count", EventAction::kPop);
  e.count = r.whole("count", 1, 0, 1'000'000);
  if (onlyFor("rate", EventAction::kSetRate)) e.rate = r.requiredNumber("rate", {0, 1e3});
  if (onlyFor("journey", EventAction::kSetJourney)) e.journey = r.requiredText("journey");
  return e;
}

MeasuringLine readLine(const TomlValue& table, Reading& reading) {
  TableReader r(table, "a line", reading);
  MeasuringLine l;
  l.id = r.requiredText("id");
  l.from = r.requiredPoint("from");
  l.to = r.requiredPoint("to");
  l.layer = r.layer();
  if (l.from == l.to) r.fail("to", "is the same place as 'from'");
  return l;
}

MeasuringRegion readRegion(const TomlValue& table, Reading& reading) {
  TableReader r(table, "a region", reading);
  MeasuringRegion region;
  region.id = r.requiredText("id");
  if (!r.has("area")) reading.fail(r.line(), fmt::format("region '{}' needs the key 'area'", region.id));
  region.area = r.area("area");
  region.area.layer = r.layer();
  if (r.has("los")) region.los = pick(r, "los", ServiceTable::kFruin, kLevels);
  region.start = r.number("start", 0, kTimes);
  region.end = r.number("end", kForever, {0, kForever});
  if (region.start > region.end) r.fail("start", "is after 'end'");
  return region;
}

// A scenario is not trusted: it writes beside its recording only.
std::string readOutputPath(TableReader& r, const char* key) {
  std::string text = r.text(key, "");
  const std::filesystem::path path(text);
  if (path.has_root_path() || std::find(path.begin(), path.end(), "..") != path.end()) {
    r.fail(key, fmt::format("is '{}'; it must lie beside the recording: no absolute path, no '..'", text));
  }
  return text;
}

ScenarioOutput readOutput(const TomlValue& table, Reading& reading) {
  TableReader r(table, "output", reading);
  constexpr std::array<std::string_view, 2> kDensities{"voronoi", "classic"};
  ScenarioOutput o;
  o.every = static_cast<uint32_t>(r.whole("every", 1, 1, 1000));
  o.sqliteVersion = static_cast<int>(r.whole("sqlite_version", 2, 2, 3));
  o.text = readOutputPath(r, "text");
  o.perLayer = r.flag("per_layer", false);
  o.dir = readOutputPath(r, "dir");
  o.grid = r.number("grid", 0.5, {0.05, 10});
  o.density = pick(r, "density", o.density, kDensities);
  o.cutoff = r.number("cutoff", 1.0, {0, kForever, true});
  o.window = r.number("window", 10, {0.1, 1e4});
  o.maps = r.texts("maps");
  for (const std::string& map : o.maps) {
    if (map != "density" && map != "speed" && map != "los" && map != "rset") {
      r.fail("maps", fmt::format("names '{}'; it may name 'density', 'speed', 'los' and 'rset'", map));
    }
  }
  o.los = pick(r, "los", o.los, kLevels);
  o.plots = r.flag("plots", true);
  return o;
}

Expectation readExpectation(const TomlValue& table, Reading& reading) {
  TableReader r(table, "an expectation", reading);
  Expectation e;
  e.line = table.line;
  e.metric = r.requiredText("metric");
  e.of = r.text("of", "");
  e.min = r.number("min", -kForever, {});
  e.max = r.number("max", kForever, {});
  e.runs = static_cast<uint32_t>(r.whole("runs", 1, 1, 10'000));
  e.stat = pick(r, "stat", e.stat, kStatistics);
  if (e.min > e.max) r.fail("min", "is above 'max'");
  if (!r.has("min") && !r.has("max")) r.fail("metric", "needs 'min' or 'max'");
  return e;
}

void readRoot(TableReader& r, Scenario& s) {
  r.whole("format", 1, 1, 1);
  if (!r.has("format")) r.reading().fail(1, "a scenario begins with: format = 1");
  s.name = r.text("name", "");
  s.environment = r.requiredText("environment");
  s.mesh = r.text("mesh", s.mesh);
  s.seed = r.whole("seed", 1, 0, std::numeric_limits<int64_t>::max());
  s.step = r.number("step", 0.1, {0.001, 0.5});
  s.endTime = r.number("end_time", 3600, {0, 1e6, true});
  constexpr std::array<std::string_view, 2> kEnds{"empty", "time"};
  s.untilEmpty = r.choice("end_when", 0, Names(kEnds)) == 0;
  if (r.has("local_obstacles")) s.localObstacles = r.texts("local_obstacles");
  if (const TomlValue* periodic = r.table("periodic")) {
    TableReader p(*periodic, "'periodic'", r.reading());
    s.periodicFrom = p.requiredNumber("from", {-1e6, 1e6});
    s.periodicTo = p.requiredNumber("to", {-1e6, 1e6});
    if (s.periodicFrom >= s.periodicTo) p.fail("to", "must be above 'from'");
  }
}

// Persons that enter at exits and leave by others: one source and one journey per exit, and a limit for all.
struct PoolDraft {
  int line = 0;
  double rate = 0;
  std::vector<std::string> exits;
  std::vector<Weighted> profiles;
};

PoolDraft readPool(const TomlValue& table, Scenario& s, Reading& reading) {
  TableReader r(table, "'pool'", reading);
  PoolDraft pool;
  pool.line = r.line();
  s.poolMax = r.whole("max", 0, 1, 1'000'000);
  if (!r.has("max")) reading.fail(r.line(), "'pool' needs the key 'max', the persons inside at most");
  pool.rate = r.requiredNumber("rate", {0, 1e4, true});
  pool.exits = r.texts("exits");
  pool.profiles = r.weighted("profiles");
  return pool;
}

void addPool(const PoolDraft& pool, Scenario& s, Reading& reading) {
  std::vector<const ScenarioStage*> exits;
  const std::set<std::string> names(pool.exits.begin(), pool.exits.end());
  for (const ScenarioStage& stage : s.stages) {
    const bool named = names.contains(stage.id);
    if (stage.kind == StageKind::kExit && (named || pool.exits.empty())) exits.push_back(&stage);
  }
  if (exits.size() < 2 || (!pool.exits.empty() && exits.size() != pool.exits.size())) {
    reading.fail(pool.line, "'exits' of 'pool' must name two or more stages of kind 'exit', each once");
    return;
  }
  // Each pair of exits is a way.
  if (exits.size() > kMaxPoolExits) {
    reading.fail(pool.line, fmt::format("'pool' has {} exits; it may have {}", exits.size(), kMaxPoolExits));
    return;
  }
  for (const Weighted& profile : pool.profiles) {
    const auto isIt = [&](const ScenarioProfile& p) { return p.crowd.name == profile.first; };
    if (std::any_of(s.profiles.begin(), s.profiles.end(), isIt)) continue;
    reading.fail(pool.line, fmt::format("'profiles' of 'pool' names '{}', which is not a profile", profile.first));
    return;
  }
  std::vector<ScenarioSource> sources;
  for (const ScenarioStage* stage : exits) {
    ScenarioSource source;
    source.id = "pool at " + stage->id;
    source.area = stage->area;
    source.area.layer = stage->layer;
    source.rate = pool.rate / static_cast<double>(exits.size());
    source.profiles = pool.profiles;
    for (const ScenarioStage* other : exits) {
      if (other != stage) source.journeys.emplace_back("pool to " + other->id, 1.0);
    }
    sources.push_back(std::move(source));
    s.journeys.push_back({"pool to " + stage->id, {stage->id}, {}});
  }
  s.sources.insert(s.sources.end(), sources.begin(), sources.end());
}

// Puts the profile of sources that name none first: the one named "default", else the first of the file, which the
// lines tell. The others stay in the order of names, and so do all where every source names its own: results do not
// change.
void putDefaultFirst(const TomlValue& tables, bool isNeeded, std::vector<ScenarioProfile>& profiles) {
  if (!isNeeded || profiles.size() != tables.items.size()) return;
  size_t found = 0;
  for (size_t i = 0; i < tables.keys.size(); ++i) {
    if (tables.items[i].line < tables.items[found].line) found = i;
  }
  const auto named = std::find(tables.keys.begin(), tables.keys.end(), "default");
  if (named != tables.keys.end()) found = static_cast<size_t>(named - tables.keys.begin());
  const auto begin = profiles.begin();
  std::rotate(begin, begin + static_cast<ptrdiff_t>(found), begin + static_cast<ptrdiff_t>(found) + 1);
}

void readAll(const TomlValue& root, Scenario& s, std::optional<PoolDraft>& pool, Reading& reading) {
  TableReader r(root, "the scenario", reading);
  readRoot(r, s);
  if (const TomlValue* profiles = r.table("profile")) {
    for (size_t i = 0; i < profiles->keys.size(); ++i) {
      const std::string& name = profiles->keys[i];
      const TomlValue& table = profiles->items[i];
      if (table.kind != TomlValue::Kind::kTable) {
        reading.fail(table.line, fmt::format("profile '{}' must be a table [profile.{}]", name, name));
        return;
      }
      s.profiles.push_back(readProfile(name, table, reading));
    }
  }
  if (s.profiles.empty()) s.profiles.emplace_back();
  for (const TomlValue& t : r.tables("source")) s.sources.push_back(readSource(t, reading));
  for (const TomlValue& t : r.tables("stage")) s.stages.push_back(readStage(t, reading));
  for (const TomlValue& t : r.tables("journey")) s.journeys.push_back(readJourney(t, reading));
  for (const TomlValue& t : r.tables("door")) s.doors.push_back(readDoor(t, reading));
  for (const TomlValue& t : r.tables("zone")) s.zones.push_back(readZone(t, reading));
  for (const TomlValue& t : r.tables("stair")) s.stairs.push_back(readStair(t, reading));
  for (const TomlValue& t : r.tables("lift")) s.lifts.push_back(readLift(t, reading));
  for (const TomlValue& t : r.tables("smoke")) s.smoke.push_back(readSmoke(t, reading));
  for (const TomlValue& t : r.tables("event")) s.events.push_back(readEvent(t, reading));
  for (const TomlValue& t : r.tables("line")) s.lines.push_back(readLine(t, reading));
  for (const TomlValue& t : r.tables("region")) s.regions.push_back(readRegion(t, reading));
  if (const TomlValue* table = r.table("pool")) pool = readPool(*table, s, reading);
  const bool isNeeded = (pool && pool->profiles.empty()) ||
                        std::any_of(s.sources.begin(), s.sources.end(), [](const ScenarioSource& source) {
                          return source.profiles.empty() && source.members.empty();
                        });
  if (const TomlValue* tables = r.table("profile")) putDefaultFirst(*tables, isNeeded, s.profiles);
  if (const TomlValue* output = r.table("output")) s.output = readOutput(*output, reading);
  for (const TomlValue& t : r.tables("expect")) s.expectations.push_back(readExpectation(t, reading));
}

}  // namespace

const char* actionName(EventAction action) {
  return kActions[static_cast<size_t>(action)].data();
}

const char* statisticName(Statistic statistic) {
  return kStatistics[static_cast<size_t>(statistic)].data();
}

Result<Scenario> parseScenario(std::string_view text, std::string_view name, std::string_view folder,
                               const ScenarioParameters& parameters) {
  if (text.size() > kMaxScenarioBytes) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than {} MB; a scenario is text of some kilobytes", name,
                                                kMaxScenarioBytes >> 20)};
  }
  Result<TomlValue> root = parseToml(text, name);
  if (!root.ok()) return root.error();
  Result<ExpandedScenario> expanded = expandScenario(std::move(root).value(), name, folder, parameters);
  if (!expanded.ok()) return expanded.error();
  Scenario scenario;
  scenario.file = name;
  scenario.folder = folder;
  scenario.text = expanded->isChanged ? formatToml(expanded->root) : std::string(text);
  Reading reading{std::string(name), {}, std::move(expanded->included), {}};
  std::optional<PoolDraft> pool;
  readAll(expanded->root, scenario, pool, reading);
  if (!reading.error) checkScenario(scenario, expanded->root, reading);
  if (!reading.error && pool) addPool(*pool, scenario, reading);
  if (reading.error) return std::move(*reading.error);
  scenario.warnings = std::move(reading.warnings);
  for (const std::string& parameter : expanded->unused) {
    scenario.warnings.push_back(fmt::format("parameter '{}' is read by nothing; it has no effect", parameter));
  }
  return scenario;
}

Result<Scenario> readScenario(const std::string& path, const ScenarioParameters& parameters) {
  const Result<std::vector<std::byte>> bytes = readFile(path, kMaxScenarioBytes);
  if (!bytes.ok()) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return parseScenario(text, path, std::filesystem::path(path).parent_path().string(), parameters);
}

}  // namespace wend
