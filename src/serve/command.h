#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <wend/place.h>
#include <wend/result.h>
#include <wend/route.h>

// A command of a window, read from one JSON message. A message is not trusted: its size, depth, counts, numbers and
// names are checked here, so that the session receives valid values only.
namespace wend::serve {

// Shows a file of the command line, or a demo world by its name.
struct OpenCommand {
  std::optional<uint32_t> document;
  std::string demo;
};

// Bakes the world again with these settings; a setting that is not named keeps its default.
struct BakeCommand {
  std::string generator;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::pair<std::string, double>> extract;
  std::string extractMethod;  // "exact" or "voxel"; empty: as it is
};

// Stops a bake. The server's own thread acts on it.
struct CancelCommand {};

struct PlanCommand {
  Place from;
  Place to;
  double radius = 0;
  double clearance = 0;
  std::optional<double> side;
  std::vector<PathMethod> methods;  // at least one
};
struct ForgetPlanCommand {};

// Asks for the cell and clearance at a place; with `sight` also for the visibility polygon, up to `range` metres.
struct ProbeCommand {
  Place at;
  bool sight = false;
  double range = 0;
};

// The cells that a disk of this radius can reach from the place.
struct ReachCommand {
  std::optional<Place> from;  // nothing: the marks are removed
  double radius = 0;
};

enum class EditKind : uint8_t { kAddObstacle, kAddDoor, kMove, kRemove, kSetDoor, kUndo, kRedo, kNewPlan };
struct EditCommand {
  EditKind kind = EditKind::kUndo;
  std::string id;
  int32_t layer = 0;
  std::vector<Vec2> points;              // of an obstacle, or the two ends of a door
  std::vector<std::vector<Vec2>> rooms;  // of a new plan: walkable polygons
  std::vector<std::vector<Vec2>> walls;  // of a new plan: obstacles
  Vec2 by;                               // metres
  double turn = 0;                       // degrees, around the middle of the obstacle
  bool open = true;
};

struct CrowdSource {
  std::string id;
  int32_t layer = 0;
  std::vector<Vec2> area;  // empty: everywhere
  uint32_t count = 0;      // at the start
  double rate = 0;         // persons per second
};
struct CrowdExit {
  std::string id;
  int32_t layer = 0;
  std::vector<Vec2> area;
};
struct CrowdLine {
  std::string id;
  int32_t layer = 0;
  Vec2 from;
  Vec2 to;
};
// The whole crowd as drawn in the page; replaces the one before.
struct CrowdCommand {
  std::vector<CrowdSource> sources;
  std::vector<CrowdExit> exits;
  std::vector<CrowdLine> lines;
  double speed = 1.34;      // mean of the free speeds, m/s
  double deviation = 0.26;  // their standard deviation, m/s
  double radius = 0.22;     // m
  std::string avoid = "vision";
  std::string follow = "irm";
  bool roam = false;  // no exits: all persons walk to random places for ever
};

enum class RunAction : uint8_t { kStart, kPause, kStep, kReset };
struct RunCommand {
  RunAction action = RunAction::kPause;
  bool record = false;  // with kStart of a new run
};
struct SpeedCommand {
  double factor = 1;  // simulated over real time
};
struct SeekCommand {
  double time = 0;
};
struct PersonCommand {
  std::optional<uint32_t> slot;  // nothing: no person is selected
};
struct MapCommand {
  bool on = false;
};
enum class SaveKind : uint8_t { kEnvironment, kWorld, kScenario, kPicture, kRecording };
struct SaveCommand {
  SaveKind kind = SaveKind::kEnvironment;
};
// Shows the meshes of one world of a comparison.
struct CompareCommand {
  uint32_t world = 0;
};

using Command = std::variant<OpenCommand, BakeCommand, CancelCommand, PlanCommand, ForgetPlanCommand, ProbeCommand,
                             ReachCommand, EditCommand, CrowdCommand, RunCommand, SpeedCommand, SeekCommand,
                             PersonCommand, MapCommand, SaveCommand, CompareCommand>;

struct CommandLimits {
  static constexpr size_t kBytes = size_t{1} << 20;
  static constexpr size_t kDepth = 8;
  static constexpr size_t kPoints = 4096;  // of one polygon
  static constexpr size_t kItems = 256;    // of one list
  static constexpr size_t kName = 64;      // letters
  static constexpr double kLength = 1e6;   // metres
};

// kFormat or kLimit, with a sentence that names the field.
Result<Command> parseCommand(std::string_view text);

}  // namespace wend::serve
