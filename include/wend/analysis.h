#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/recording.h>
#include <wend/scenario.h>

// The figures of a recording: when each person left, the density at each place over time, and the flow over each line.
// Times in seconds from the beginning, lengths in metres, densities in persons per m2. Definitions in
// docs/recording.md.
namespace wend {

struct AnalysisSettings {
  double grid = 0.5;         // of maps, 0.05 to 10 m; coarser where the world is too large for it
  double cutoff = 1.0;       // largest distance of a Voronoi cell's edge from its person, m
  double window = 10;        // of flows and densities over time, s
  double sampleEvery = 1.0;  // s between samples of density
  bool classic = false;      // density of regions as persons over area instead of Voronoi
};

// Those of the scenario's [output].
AnalysisSettings analysisSettings(const Scenario& scenario);

struct PersonResult {
  RecordedPerson person;
  double spawn = 0;
  double moved = -1;  // when it was first 0.2 m from where it entered; -1: never
  double walked = 0;
  double stopped = 0;       // seconds slower than 0.1 m/s after its start
  double maxDensity = 0;    // of its own Voronoi cell
  double meanSpeed = 0;     // while free to walk
  double effort = 0;        // J/kg
  double acceleration = 0;  // mean, m/s2
  double efficiency = -1;   // shortest over walked; -1: unknown
  double stuckFor = 0;      // longest time in which it moved less than 0.2 m on its way, s; 0 below 10 s
  double stuckFrom = 0;     // when that began
  Vec2 stuckAt;             // and where
  int32_t stuckLayer = 0;
  double delay = -1;  // beyond the shortest way at free speed, from its start; -1: has not left
};

struct CurvePoint {
  double time = 0;
  uint32_t inside = 0;
  uint32_t left = 0;
  uint32_t stuck = 0;
};

struct Crossing {
  int64_t frame = 0;
  double time = 0;
  uint32_t person = 0;
  bool forward = true;  // from the right of the line to its left
};

struct LineResult {
  MeasuringLine line;
  std::vector<Crossing> crossings;  // the first of each person, in the order of time
};

struct RegionSample {
  double time = 0;
  uint32_t inside = 0;
  double density = 0;
  double speed = 0;  // mean of those inside; NaN without persons
};

struct RegionResult {
  MeasuringRegion region;
  double area = 0;  // walkable, m2
  std::vector<RegionSample> samples;
  double laneOrder = 0;  // in the last quarter of the run
};

// Square cells of one layer, row 0 at the largest y. Values of cells that are not walkable are NaN.
struct MapResult {
  int32_t layer = 0;
  Vec2 min;
  double cell = 0.5;
  uint32_t columns = 0;
  uint32_t rows = 0;
  std::vector<float> meanDensity;  // over the time of the recording
  std::vector<float> maxDensity;   // largest mean over a window
  std::vector<float> secondsAbove2;
  std::vector<float> secondsAbove4;
  std::vector<float> meanSpeed;     // of the persons that passed; NaN where none did
  std::vector<float> lastOccupied;  // s; NaN where no person was
};

// One person at one sampled time.
struct SpeedDensity {
  float density = 0;
  float speed = 0;
};

struct Analysis {
  double framesPerSecond = 10;
  double duration = 0;
  std::vector<PersonResult> persons;
  std::vector<CurvePoint> curve;  // once per second, and the end
  std::vector<LineResult> lines;
  std::vector<RegionResult> regions;
  std::vector<MapResult> maps;
  std::vector<SpeedDensity> fundamentalDiagram;  // as it was measured: at most 20,000 points, evenly taken
  std::array<double, 6> personMinutes{};         // per level of service A to F, with Voronoi cells cut at 2 m
  uint64_t collisions = 0;                       // runs of frames with an overlap above 1 mm
  double overlap = 0;                            // deepest, m
  double overlapShare = 0;                       // deepest over the smaller radius
  double meanSpeed = 0;                          // of all persons on their way
  uint64_t mostInside = 0;
};

// `scenario` gives lines, regions and profiles; null for a recording without one. One pass over the file; memory grows
// with persons and maps, not with frames.
Result<Analysis> analyse(const Recording& recording, const Scenario* scenario, const AnalysisSettings& settings = {},
                         const Context& context = {});

// A metric of [[expect]]; kInvalidSettings if `of` names nothing. NaN if there was nothing to measure: no person was in
// the region during its time, crossed the line, or belongs to the source. NaN fails every expectation.
Result<double> metricValue(const Analysis& analysis, const Recording& recording, const Scenario& scenario,
                           std::string_view metric, std::string_view of);

// Seconds until this share of all persons had left; infinite if they have not.
double timeOfShare(const Analysis& analysis, double share);

}  // namespace wend
