#pragma once

#include <optional>
#include <string>
#include <vector>

#include <wend/extract.h>
#include <wend/scene.h>

#include "command.h"

// Reading a scene and extracting its walkable surfaces: what `extract` and `bake` have in common.
namespace wend::app {

class ExtractOptions {
 public:
  ExtractSettings settings;
  SceneReadSettings read;

  void addTo(CLI::App& command);

  struct Walkable {
    Extraction extraction;
    size_t triangles = 0;
    double readSeconds = 0;
    double extractSeconds = 0;
  };
  Result<Walkable> run(const std::string& path, const Context& context);

 private:
  std::string up_ = "auto";
  std::string labels_ = "any";
  std::string method_ = "exact";
  std::vector<std::string> seedPoints_;
  bool noRegions_ = false;
};

// Whether the file is a scene, told by its head.
bool isSceneFile(const std::string& path);

// A line for people about each spot, at most ten; all of them as JSON.
void sayReport(const Run& run, const ExtractReport& report);
Json toJson(const ExtractReport& report);

}  // namespace wend::app
