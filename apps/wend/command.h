#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <wend/wend.h>

#include <nlohmann/json.hpp>

#include "options/command_line.h"
#include "progress_bar.h"

// What all commands of the program share: common options, exit codes, messages, JSON.
namespace wend::app {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;  // the work failed, or a check found something
inline constexpr int kUsage = 2;   // wrong usage

using Json = nlohmann::ordered_json;

// One run of one command. Messages go to standard error, results to standard output.
class Run {
 public:
  bool json = false;
  bool quiet = false;
  int threads = 0;
  uint64_t seed = 1;
  bool force = false;

  // Adds --json, --quiet, --threads and --seed to a command.
  void addCommonOptions(Command& command);
  // Adds --force to a command that writes a file.
  void addForce(Command& command);
  // An Error if the output is one of the files that are read, unless --force is given. Empty names are no files.
  Status mayWrite(const std::string& output, std::initializer_list<std::string> inputs) const;
  // The work of a command that reads `inputs` and writes `output`.
  template <typename Work>
  int guarded(const std::string& output, std::initializer_list<std::string> inputs, const Work& work) {
    if (const Status status = mayWrite(output, inputs); !status.ok()) return fail(status.error());
    return work();
  }
  // Progress bar on a terminal, notes on standard error, Ctrl-C cancels. Call once, when the work starts.
  Context& context();
  // What the progress bar says beside the share: live figures.
  void showDetail(std::string text) { bar_.setDetail(std::move(text)); }
  // Clears the progress bar and lets go of Ctrl-C.
  void finishProgress() { bar_.finish(); }

  // Prints "wend COMMAND: sentence" and gives the exit code that fits.
  int fail(const Error& error);
  int fail(ErrorCode code, std::string sentence) { return fail(Error{code, std::move(sentence)}); }
  // A line for people; nothing with --json or --quiet.
  void say(std::string_view line) const;
  // The one JSON object; nothing without --json.
  void print(const Json& object) const;

  std::string commandName;

 private:
  Context context_;
  ProgressBar bar_;
  bool ready_ = false;
};

// A command adds itself to the program and sets `exitCode` when it runs.
struct Program {
  CommandLine line{"wend: navigation meshes from any walkable world, routes and crowds on them, and pictures"};
  int exitCode = kOk;
};
void addMake(Program& program);
void addExtract(Program& program);
void addBake(Program& program);
void addEdit(Program& program);
void addVolumes(Program& program);
void addPrisms(Program& program);
void addInfo(Program& program);
void addCheck(Program& program);
void addDraw(Program& program);
void addPath(Program& program);
void addTable(Program& program);
void addGenerators(Program& program);
void addMeasure(Program& program);
void addCompare(Program& program);
void addSelect(Program& program);
void addSimulate(Program& program);
void addReport(Program& program);
void addTrajectories(Program& program);
void addExplore(Program& program);
void addContest(Program& program);
void addView(Program& program);

// --- Pieces several commands need -----------------------------------------------------------------------------------

// Makes a folder and those that it lies in, if they are not there.
Status makeFolder(const std::string& path);

// What a file turned out to be.
struct Input {
  std::optional<Environment> environment;
  std::optional<World> world;
  std::optional<Scene> scene;
  std::string format;
};
// A scene is read as it is, not extracted. Without settings for scenes it is an Error that says to extract it first.
Result<Input> readInput(const std::string& path, const ReadSettings& settings, const Context& context,
                        const SceneReadSettings* scenes = nullptr);

// --unit, --scale, --cell, --threshold, --fill.
void addReadOptions(Command& command, ReadSettings& settings);

// --up, --labels and the limits of the importer; the unit comes from the command's --scale.
struct SceneOptions {
  std::string up = "auto";
  std::string labels = "any";
  size_t maxTriangles = SceneReadSettings{}.maxTriangles;
  double importMegabytes = 2048;  // MiB
  double importSeconds = SceneReadSettings{}.maxSeconds;
  SceneReadSettings settings(double scale) const;  // metres per unit
};
void addSceneOptions(Command& command, SceneOptions& options);

// "x,y" or "x,y,z".
Result<Place> parsePlace(std::string_view text);

Json toJson(const Topology& topology, const Lattice& lattice);
std::string hexHash(uint64_t hash);
// "found", or the sentence that says what to do about it.
std::string explain(PathStatus status, const PathQuery& query);
Error noRoute(PathStatus status, const PathQuery& query);  // of a query that found nothing

// Seconds since it was made or restarted.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;
  double restart();

 private:
  double start_;  // s
};

}  // namespace wend::app
