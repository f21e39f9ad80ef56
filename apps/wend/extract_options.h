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

  void addTo(CLI::App& command);

  struct Walkable {
    Extraction extraction;
    size_t triangles = 0;
    double readSeconds = 0;
    double extractSeconds = 0;
  };
  Result<Walkable> run(const std::string& path, const Context& context);
  // The first of the options above that was given, as --name; nothing if none was. An environment has no use for them.
  std::string given() const;

 private:
  Status checkMethod() const;

  const CLI::App* command_ = nullptr;
  SceneOptions scene_;
  std::string method_ = "exact";
  std::vector<std::string> seedPoints_;
  bool noRegions_ = false;
};

// A line for people about each spot, at most ten; all of them as JSON.
void sayReport(const Run& run, const ExtractReport& report);
Json toJson(const ExtractReport& report);

}  // namespace wend::app
