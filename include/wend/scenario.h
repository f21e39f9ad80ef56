#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wend/crowd.h>
#include <wend/environment.h>
#include <wend/levels_of_service.h>
#include <wend/result.h>

// What happens in a world: where and when persons enter, where they go, what changes, and what is measured. Read from
// TOML; docs/scenarios.md describes every key. Lengths in metres, times in seconds.
namespace wend {

inline constexpr double kForever = std::numeric_limits<double>::infinity();

// A number drawn anew for each person.
struct Distribution {
  enum class Kind : uint8_t { kConstant, kUniform, kNormal, kLognormal, kGamma, kWeibull, kExponential, kTable };
  Kind kind = Kind::kConstant;
  double a = 0;            // the constant; mean (normal, exponential), mu, or shape
  double b = 0;            // sd, sigma, or scale
  double min = -kForever;  // what falls outside is drawn again
  double max = kForever;
  std::vector<double> values;  // of a table
  std::vector<double> weights;
  bool operator==(const Distribution&) const = default;
};
inline Distribution constant(double value) {
  Distribution result;
  result.kind = Distribution::Kind::kConstant;
  result.a = value;
  return result;
}

// A part of a layer: loops filled by the even-odd rule.
struct Area {
  Loops loops;
  int32_t layer = 0;        // the id that the environment gives it
  bool everywhere = false;  // the whole walkable space of all layers instead
};

struct ScenarioProfile {
  CrowdProfile crowd;  // its name is the profile's
  Distribution radius = constant(0.24);
  Distribution freeSpeed = constant(1.4);
  Distribution premovement = constant(0);
  double stairsUp = 1;  // factors on the speed on stairs, besides those of the stair; 0.05 to 2
  double stairsDown = 1;
  bool stairs = true;   // false: never on stairs and escalators; plans around them
  bool lifts = false;   // true: routes may take lifts, by the time that they take
  double fedLimit = 1;  // fractional effective dose at which a person falls; above 0
};

// A name and how often it is chosen.
using Weighted = std::pair<std::string, double>;

enum class Arrivals : uint8_t { kRegular, kPoisson };
enum class SourcePlacement : uint8_t { kRandom, kHex, kGrid };
enum class OnFull : uint8_t { kQueue, kDrop, kError };

struct ScenarioSource {
  std::string id;
  Area area;
  std::vector<Vec2> points;                         // instead of an area: persons are placed here, in this order
  uint64_t count = 0;                               // placed at `start`
  double density = 0;                               // persons per m2, instead of a count
  double rate = 0;                                  // persons per second from `start` on
  std::vector<std::pair<double, double>> schedule;  // time, rate from then on
  Arrivals arrivals = Arrivals::kRegular;
  double start = 0;
  double end = kForever;
  uint64_t limit = std::numeric_limits<uint64_t>::max();  // persons in all
  SourcePlacement placement = SourcePlacement::kRandom;
  double gap = 0;  // metres between the disks of persons when placed
  OnFull onFull = OnFull::kQueue;
  std::vector<Weighted> profiles;  // empty: the first profile
  std::vector<Weighted> journeys;
  std::vector<double> groupSize = {1.0};    // weights of 1, 2, ... persons
  std::vector<std::string> members;         // instead of groupSize and profiles: the profiles of every group, in order
  std::optional<Distribution> premovement;  // instead of the profile's
};

enum class StageKind : uint8_t { kWaypoint, kExit, kQueue, kWaiting, kLift };

struct ScenarioStage {
  std::string id;
  StageKind kind = StageKind::kWaypoint;
  int32_t layer = 0;
  // Way point: a place, a random place of an area for each person, or the place opposite to where the person entered.
  Vec2 at;
  bool mirror = false;    // the reflection of the place of entry in `at`
  double distance = 0.5;  // reached within this
  // Exit, way point or waiting.
  Area area;
  bool aimAtCentre = false;
  double maxFlow = kForever;  // persons per second
  uint64_t capacity = std::numeric_limits<uint64_t>::max();
  bool open = true;
  // Queue and waiting.
  std::vector<Vec2> slots;  // head first
  Distribution service = constant(0);
  uint32_t servers = 1;
  bool automatic = true;  // false: only pop events release
  Distribution duration = constant(kForever);
  bool active = true;
  // Lift: the car to take, from this layer to another.
  std::string lift;
  int32_t toLayer = 0;
};

enum class NextRule : uint8_t { kFixed, kRoundRobin, kRandom, kLeastTargeted, kNearest, kFastest, kPopular };

struct Transition {
  std::string from;  // a stage, or "start"
  std::vector<std::string> to;
  NextRule rule = NextRule::kFixed;
  std::vector<double> weights;  // as many as `to`, or none
};

struct ScenarioJourney {
  std::string id;
  std::vector<std::string> stages;
  std::vector<Transition> next;  // empty: the listed order
};

// In which directions persons may pass a door. Persons pass a gate one after the other: a one-way door, a turnstile.
enum class DoorPass : uint8_t { kFree, kForward, kBoth };

struct ScenarioDoor {
  std::string id;
  Vec2 from;
  Vec2 to;
  int32_t layer = 0;
  bool open = true;
  DoorPass pass = DoorPass::kFree;  // forward is from the right of the line to its left
  double maxFlow = kForever;        // of a gate, persons per second
  double passTime = 0;              // of a gate, seconds per person and lane
};

enum class StairKind : uint8_t { kStair, kRamp, kEscalator, kWalk };

// A part of a floor where speeds depend on the direction.
struct ScenarioStair {
  std::string id;
  StairKind kind = StairKind::kStair;
  Area area;
  Vec2 up;                  // unit vector in top view, the way up or the way of the belt; 0, 0: from the heights
  double speedUp = 0.46;    // factors on the free speed, 0.05 to 2: Weidmann 1993, 0.61 of 1.34 m/s
  double speedDown = 0.52;  // 0.69 of 1.34 m/s
  double slope = 0;         // of a ramp, rise over run, 0 to 1; 0: from the heights
  double belt = 0.5;        // of an escalator or moving walk, m/s, 0 to 3
  double walking = 0;       // share of the free speed that persons walk on the belt, 0 to 1
};

// A car that carries persons between layers. They stand in its area, which each of its floors has at the same place.
struct ScenarioLift {
  std::string id;
  Area area;
  Vec2 lobby;                   // where persons wait, on each floor
  std::vector<int32_t> floors;  // ids of layers, at least two
  uint32_t capacity = 8;        // persons
  double speed = 1;             // m/s
  double doorTime = 3;          // s to open or close
  double dwell = 5;             // s that it waits for more persons after the last one came in
};

// Smoke over time in an area: rows of time, visibility (m) and fractional effective dose per second.
struct ScenarioSmoke {
  std::string id;
  Area area;
  struct Row {
    double time = 0;
    double visibility = 0;
    double dose = 0;
  };
  std::vector<Row> rows;  // by ascending time; between them on straight lines, before the first there is none
};

struct ScenarioZone {
  std::string id;
  Area area;
  double speedFactor = 1;
  std::string label;
};

enum class EventAction : uint8_t {
  kOpen,
  kClose,
  kInsert,
  kMove,
  kRemove,
  kActivate,
  kDeactivate,
  kPop,
  kSetRate,
  kSetJourney,
  kAlarm,
};
const char* actionName(EventAction action);
enum class InsertPolicy : uint8_t { kPush, kRemove, kRefuse };

// What an event waits for besides its time.
enum class EventCondition : uint8_t {
  kNone,
  kPassed,  // so many persons have crossed a measuring line
  kInside,  // at least so many persons are in a measuring region
};

struct ScenarioEvent {
  double time = 0;  // not before this
  EventCondition condition = EventCondition::kNone;
  std::string conditionOf;  // the id of the line or region
  uint64_t persons = 1;
  EventAction action = EventAction::kOpen;
  std::string target;
  Area area;               // of an obstacle; one loop of two points is a fence, of one point a post
  double height = 0;       // above 0: a body of this height, standing on `base`
  double base = 0;         // metres, z
  std::vector<Vec2> path;  // of a move: the centre of the obstacle goes along it
  double speed = 1;        // of a move, m/s; 0: at once
  double every = 0.5;      // seconds between two places of a move
  bool asBody = false;     // of a move: a body that persons avoid until it stops, not edits of the world on its way
  uint64_t count = 1;      // of a pop
  double rate = 0;
  std::string journey;
  InsertPolicy policy = InsertPolicy::kPush;
};

struct MeasuringLine {
  std::string id;
  Vec2 from;
  Vec2 to;
  int32_t layer = 0;
};

struct MeasuringRegion {
  std::string id;
  Area area;
  std::optional<ServiceTable> los;  // by which its levels of service are judged; that of [output] without one
  double start = 0;                 // [[expect]] measures it from here to `end`
  double end = kForever;
};

enum class DensityMethod : uint8_t { kVoronoi, kClassic };

struct ScenarioOutput {
  uint32_t every = 1;  // steps
  int sqliteVersion = 2;
  std::string text;  // file of the text format; empty: none
  bool perLayer = false;
  std::string dir;
  double grid = 0.5;
  DensityMethod density = DensityMethod::kVoronoi;
  double cutoff = 1.0;
  double window = 10;
  std::vector<std::string> maps;
  ServiceTable los = ServiceTable::kFruin;
  bool plots = true;
};

enum class Statistic : uint8_t { kMedian, kMean, kMin, kMax, kP95 };
const char* statisticName(Statistic statistic);

struct Expectation {
  std::string metric;
  std::string of;
  double min = -kForever;
  double max = kForever;
  uint32_t runs = 1;
  Statistic stat = Statistic::kMedian;
  int line = 0;  // of the file, for messages
};

struct Scenario {
  std::string file;    // as named in messages
  std::string folder;  // paths in it are relative to this
  std::string text;    // the TOML itself, with includes and parameters filled in
  std::string name;
  std::string environment;  // a file (.wend, environment, scene); or WKT itself; or "make:KIND size=value ..."
  std::string mesh;         // a generator; empty: that of the .wend file, or the default
  uint64_t seed = 1;
  double step = 0.1;
  double endTime = 3600;
  bool untilEmpty = true;
  uint64_t poolMax = 0;     // persons inside at most, of [pool]; 0: no limit. Its entries are sources and journeys
  double periodicFrom = 0;  // equal to periodicTo: none
  double periodicTo = 0;
  std::vector<std::string> localObstacles = {"object"};  // labels of regions that persons walk around
  std::vector<ScenarioProfile> profiles;                 // at least one
  std::vector<ScenarioSource> sources;
  std::vector<ScenarioStage> stages;
  std::vector<ScenarioJourney> journeys;
  std::vector<ScenarioDoor> doors;
  std::vector<ScenarioZone> zones;
  std::vector<ScenarioStair> stairs;
  std::vector<ScenarioLift> lifts;
  std::vector<ScenarioSmoke> smoke;
  std::vector<ScenarioEvent> events;  // in the order of the file
  std::vector<MeasuringLine> lines;
  std::vector<MeasuringRegion> regions;
  ScenarioOutput output;
  std::vector<Expectation> expectations;
  std::vector<std::string> warnings;  // keys without an effect: one sentence each
};

// Files above this size are refused.
inline constexpr size_t kMaxScenarioBytes = size_t{16} << 20;

// Everything that can be known without the environment is checked: keys, ranges, names. An Error names file and line.
// `parameters` replaces values of its table [parameters].
using ScenarioParameters = std::map<std::string, std::string>;
Result<Scenario> readScenario(const std::string& path, const ScenarioParameters& parameters = {});
// The same from memory: `name` stands in messages, paths are relative to `folder`.
Result<Scenario> parseScenario(std::string_view text, std::string_view name, std::string_view folder = {},
                               const ScenarioParameters& parameters = {});

// The metrics that [[expect]] may name, each with one sentence.
const std::vector<std::pair<std::string, std::string>>& expectableMetrics();

}  // namespace wend
