#pragma once

#include <optional>
#include <string>
#include <vector>

#include <wend/extract.h>

#include "command.h"

// Reading a scene and extracting its walkable surfaces: what `extract` and `bake` have in common.
namespace wend::app {

class ExtractOptions {
 public:
  ExtractSettings settings;
  double scale = 1;  // metres per unit of the scene

  void addTo(Command& command);

  // Adds what was given to the settings of readWorld().
  Status addTo(WorldReadSettings& reading) const;
  // The first of the options above that was given, as --name; nothing if none was. An environment has no use for them.
  std::string given() const;

 private:
  Status checkMethod(const ExtractSettings& extract) const;

  std::optional<Command> command_;
  SceneOptions scene_;
  std::string method_ = "exact";
  std::vector<std::string> seedPoints_;
  bool noRegions_ = false;
};

// Lines for people about insides, detached components and boxes.
void sayLeftOut(const Run& run, const ExtractSettings& settings, const ExtractReport& report);
// A line for people about each spot, at most ten; all of them as JSON.
void sayReport(const Run& run, const ExtractReport& report);
Json toJson(const ExtractReport& report);

}  // namespace wend::app
