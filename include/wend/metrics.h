#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

// How good a mesh is, as numbers: coverage, connectivity and complexity after van Toll (2017, chapter 7; MIG 2016), the
// twelve metrics and the selection of Hale (2011), path quality, and the distance map of the adaptive grids.
namespace wend {

// Of a list of numbers. The deviation is that of the whole population (divided by the count).
struct Statistics {
  uint64_t count = 0;
  double mean = 0;
  double deviation = 0;
  double min = 0;
  double max = 0;
  double total = 0;
  bool operator==(const Statistics&) const = default;
};
Statistics statisticsOf(std::span<const double> values);

// --- Coverage -------------------------------------------------------------------------------------------------------

// Areas in m2, in top view. A region's mapped part is what lies on the free space of its own layer, or of another layer
// whose surface is at most MeasureSettings::mapping above or below it there.
struct CoverageMetrics {
  double freeArea = 0;    // of the environment
  double regionArea = 0;  // sum of the regions
  double mappedArea = 0;  // sum of their mapped parts
  double covered = 0;     // of the union of the mapped parts
  double incorrect = 0;   // regionArea - mappedArea
  double overlap = 0;     // mappedArea - covered
  // The areas are exact where the vertices are lattice points and no wall of a cell crosses another or the boundary; no
  // area is further from the truth than this. Vertices off the lattice are rounded to one finer by up to 2^20.
  double bound = 0;

  double coveredShare() const { return freeArea > 0 ? covered / freeArea : 0; }
  double incorrectOfRegions() const { return regionArea > 0 ? incorrect / regionArea : 0; }  // the study's formula
  double incorrectOfMapped() const { return mappedArea > 0 ? incorrect / mappedArea : 0; }   // the study's tables
  double overlapShare() const { return mappedArea > 0 ? overlap / mappedArea : 0; }
  bool operator==(const CoverageMetrics&) const = default;
};

enum class DefectKind : uint8_t {
  kMissing,        // free space that no cell covers
  kIncorrect,      // a cell where there is no free space
  kOverlap,        // two cells on one place
  kLostAdjacency,  // walls of two cells on one another, or a wall on an open connection
};
const char* defectName(DefectKind kind);

// One connected piece of what is wrong.
struct MeshDefect {
  DefectKind kind;
  LayerId layer = 0;
  CellId cell = kNone;  // one that is concerned; kNone for kMissing
  Vec2 place;           // metres, inside the piece
  double size = 0;      // m2; metres for kLostAdjacency
  bool operator==(const MeshDefect&) const = default;
};

// --- Connectivity and complexity ------------------------------------------------------------------------------------

struct ConnectivityMetrics {
  uint32_t components = 0;
  uint32_t boundaries = 0;  // closed curves of walls; of meshes whose cells overlap, the outlines of each layer's union
  uint32_t genus = 0;
  // Of the environment.
  uint32_t trueComponents = 0;
  uint32_t trueBoundaries = 0;
  uint32_t trueGenus = 0;
  bool operator==(const ConnectivityMetrics&) const = default;
};

// The graph is that of the cells and portals; for a mesh with a medial axis it is the axis, and the regions are the
// cells of its arcs (a mesh cuts them at connections).
struct ComplexityMetrics {
  uint64_t graphVertices = 0;
  uint64_t graphEdges = 0;
  uint64_t regions = 0;
  Statistics floats;  // per region: 3 per distinct vertex, those on straight sides included
  bool operator==(const ComplexityMetrics&) const = default;
};

// --- Hale's metrics -------------------------------------------------------------------------------------------------

struct ShapeMetrics {
  Statistics area;                     // m2
  std::vector<uint64_t> areaGroups;    // [0, a), [a, a d], (a d, 2 a d], ..., the last without end
  Statistics degree;                   // neighbours across at least MeasureSettings::adjacency
  std::vector<uint64_t> degreeGroups;  // cells with 0, 1, 2, ... neighbours
  Statistics homogeneity;              // w/h - 1 if w >= h, else 1 - h/w, of the bounding box; 0 is a square
  Statistics inhomogeneity;            // its absolute value
  std::array<double, 3> quartiles{};   // of the homogeneity
  Statistics commonVertices;           // corners of cells that share a place
  std::vector<uint64_t> commonGroups;  // places with 1, 2, ... corners
  Statistics minimumAngle;             // degrees
  std::vector<uint64_t> angleGroups;   // nine of 10 degrees; the last takes all larger ones
  Statistics placement;                // boxes that fit into a cell, counted on one grid per cell
  uint64_t cellsWithoutPlacement = 0;  // cells that hold none
  Statistics order;                    // corners of a cell; straight vertices left out
  uint64_t nearDegenerate = 0;         // cells with an angle below 10 degrees, less than one object, or no place for it
  double efficiency = 0;               // obstacle edges per cell edge (corners of cells; straight vertices left out)
  bool operator==(const ShapeMetrics&) const = default;
};

struct GraphMetrics {
  // All portals between two cells count as one gateway. Gateways on the longest shortest way between two cells.
  // Infinite if the graph is not connected; then it is the largest of the components. Exact if both bounds agree; the
  // search for them is limited.
  uint32_t diameterAtLeast = 0;
  uint32_t diameterAtMost = 0;
  bool connected = true;
  // Between two cells that are as far apart as the first searches found.
  CellId start = kNone;
  CellId goal = kNone;
  double bottleneck = 0;        // metres; narrowest gateway on the shortest way over centres and middles
  double widestBottleneck = 0;  // metres; on the way whose narrowest gateway is widest
  double greedyFlow = 0;        // metres; way after way, each takes its bottleneck from all its gateways
  double maximumFlow = 0;       // metres; the true maximum, at least greedyFlow
  bool operator==(const GraphMetrics&) const = default;
};

// --- All of one mesh ------------------------------------------------------------------------------------------------

struct MeasureSettings {
  double mapping = 1.0;      // metres up or down within which a place of a cell lies on a surface, 0 to 1000
  double objectArea = 1.0;   // m2 of the box of placement and of the area groups (alpha), 1e-4 to 1e8
  double groupFactor = 1.0;  // width of an area group in objects (delta), 1e-3 to 1e6
  uint32_t areaGroups = 12;  // 2 to 10000
  double adjacency = 0;      // metres that two cells must share to be neighbours in the degree, >= 0
  uint32_t searches = 64;    // breadth-first searches spent on the diameter, 2 to 1e6
  size_t defects = 100;      // located at most; the areas do not depend on it
};

struct MeshMetrics {
  CoverageMetrics coverage;
  ConnectivityMetrics connectivity;
  ComplexityMetrics complexity;
  ShapeMetrics shape;
  GraphMetrics graph;
  std::vector<MeshDefect> defects;  // largest first within a kind
  bool operator==(const MeshMetrics&) const = default;
};

// Measures a mesh against the environment it was made from. Layer by layer, so memory is that of the largest layer.
// Errors: kInvalidSettings; kFormat for arrays that do not fit together; kInvalidGeometry for another lattice or other
// layers, and for cells that are not counter-clockwise. Expected O(n log n), but for the searches on the graph.
Result<MeshMetrics> measureMesh(const NavMesh& mesh, const Environment& environment,
                                const MeasureSettings& settings = {}, const Context& context = {});

// --- Paths ----------------------------------------------------------------------------------------------------------

struct PathSettings {
  uint32_t queries = 200;                        // random pairs of places, 1 to 1e6
  std::vector<double> radii{0.1, 0.25, 0.5, 1};  // metres, > 0; at most 32
  double sharpTurn = 90;                         // degrees; a turn by more than this is sharp
  uint64_t seed = 1;
};

struct RadiusMetrics {
  double radius = 0;       // metres
  uint32_t asked = 0;      // pairs whose answer does not depend on the last millionth of the radius
  uint32_t possible = 0;   // of those, how many a disk can walk
  uint32_t missed = 0;     // possible, but the mesh finds no way
  uint32_t wrong = 0;      // impossible, but the mesh claims one
  double lengthRatio = 0;  // mean length over the shortest way of a point
  double clearance = 0;    // mean least distance from obstacles on the mesh's routes, metres
  bool operator==(const RadiusMetrics&) const = default;
};

struct PathMetrics {
  bool supported = true;  // false: the planners cannot use this mesh (cells overlap)
  uint32_t asked = 0;     // pairs of places
  uint32_t possible = 0;  // joined in truth
  uint32_t missed = 0;    // joined in truth, not on the mesh
  uint32_t wrong = 0;     // not joined in truth
  Statistics shortest;    // shortest length on the mesh over the true one; not measured on cells that are not convex
  Statistics searched;    // length by the mesh's own search (A* and funnel, or the medial axis) over the true one
  Statistics turns;       // of the searched ways
  Statistics sharpTurns;
  std::vector<RadiusMetrics> radii;
  bool operator==(const PathMetrics&) const = default;
};

// Compares routes on a mesh with those on `truth`, an exact mesh of the same environment with convex cells (bake it
// with "delaunay"). The truth of a radius comes from a Navigator on `truth`, which is exact.
Result<PathMetrics> measurePaths(const NavMesh& mesh, const NavMesh& truth, const PathSettings& settings = {},
                                 const Context& context = {});

// --- Distance map ---------------------------------------------------------------------------------------------------

enum class DistanceReference : uint8_t {
  kGrid,      // shortest way over the 8 neighbours of a pixel (1, sqrt 2), at most 8.24 % too long
  kGeodesic,  // the true shortest way of a point
};
struct DistanceMapSettings {
  uint32_t pixels = 64;  // along the longer side of the world, 2 to 2048
  DistanceReference reference = DistanceReference::kGrid;
};
struct DistanceMapMetrics {
  uint64_t pixels = 0;     // of the image, obstacles included
  uint64_t navigable = 0;  // pixels from which both ways exist
  uint64_t missed = 0;     // a way in truth, none on the graph of the mesh
  double pixel = 0;        // metres
  // In pixels squared: mean over the image, as the source has it, and over the navigable pixels. Distance on the graph
  // of centroids between the cell of the pixel and that of the middle.
  double error = 0;
  double navigableError = 0;
  double offsetError = 0;  // over the image; with the ways from the two pixels to their centroids added
  bool operator==(const DistanceMapMetrics&) const = default;
};
// The error of distances to the middle of the world when only the graph of the mesh is known. `truth` as above.
Result<DistanceMapMetrics> measureDistanceMap(const NavMesh& mesh, const NavMesh& truth,
                                              const DistanceMapSettings& settings = {}, const Context& context = {});

// --- As a table, and selection --------------------------------------------------------------------------------------

enum class Better : uint8_t { kLower, kHigher, kNeither };

// A metric as tables, CSV and selection name it.
struct MetricInfo {
  std::string name;     // "coverage"
  std::string unit;     // "m2", "" for counts and ratios
  std::string meaning;  // one sentence
  Better better = Better::kNeither;
};
struct MetricValue {
  std::string name;
  double value = 0;
  bool operator==(const MetricValue&) const = default;
};
// Every metric of the tables, in their order.
const std::vector<MetricInfo>& metricInfos();
const MetricInfo* findMetric(std::string_view name);
// In the order of metricInfos(); what was not measured is left out.
std::vector<MetricValue> metricValues(const MeshMetrics& metrics);
std::vector<MetricValue> metricValues(const PathMetrics& metrics);
std::vector<MetricValue> metricValues(const DistanceMapMetrics& metrics);

// A mesh that takes part in a selection.
struct Candidate {
  std::string name;
  std::vector<MetricValue> values;
};
struct Threshold {
  std::string metric;
  bool atLeast = true;  // else at most
  double value = 0;
};
struct Weight {
  std::string metric;
  double points = 1;  // to the best; shared by ties; 0 leaves the metric out
};
struct SelectSettings {
  std::vector<Threshold> thresholds = defaultThresholds();
  std::vector<Weight> weights = defaultWeights();
  double nearTie = 0.01;  // values that differ by no more than this share of the better one are tied, 0 to 1
  double close = 1.5;     // the first is the winner only if it has this many times the points of the second; >= 1

  // Coverage of at least 95 %, and as many components as the environment has: neither split nor joined.
  static std::vector<Threshold> defaultThresholds();
  static std::vector<Weight> defaultWeights();  // Hale's twelve metrics, a point each
};
struct Score {
  std::string name;
  double points = 0;
  std::vector<std::string> failed;  // thresholds that dropped it, as sentences
};
struct Selection {
  std::vector<Score> scores;  // best first, then those dropped; equal ones in the order given
  bool decided = false;       // the first is `close` times ahead of the second, or alone
  // Points of each metric: metric, then one number per candidate in the order given.
  struct Row {
    std::string metric;
    std::vector<double> points;
  };
  std::vector<Row> rows;
};
// Hale's selection: drops what misses a threshold, then per metric one point to the best, shared where several are
// within nearTie of it. kInvalidSettings for unknown metrics or settings out of range. A metric that a candidate lacks
// gives it nothing.
Result<Selection> selectMesh(std::span<const Candidate> candidates, const SelectSettings& settings = {});

}  // namespace wend
