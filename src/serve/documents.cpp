#include "serve/documents.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <wend/scenario.h>
#include <wend/world_input.h>

#include <fmt/format.h>

namespace wend::serve {
namespace fs = std::filesystem;

const char* kindName(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::kScene:
    case DocumentKind::kMadeScene:
      return "scene";
    case DocumentKind::kEnvironment:
      return "environment";
    case DocumentKind::kWorld:
      return "world";
    case DocumentKind::kScenario:
      return "scenario";
    case DocumentKind::kRecording:
      return "recording";
    case DocumentKind::kComparison:
      return "comparison";
  }
  return "unknown";
}

Result<Document> recogniseDocument(const std::string& path) {
  std::error_code error;
  Document document{fs::path(path).filename().string(), path, DocumentKind::kEnvironment, ""};
  if (fs::is_directory(path, error)) {
    if (document.name.empty()) document.name = fs::path(path).parent_path().filename().string();
    if (!fs::is_regular_file(fs::path(path) / "results.json", error)) {
      return Error{ErrorCode::kFormat,
                   fmt::format("the folder '{}' is none that wend compare wrote: it has no results.json", path)};
    }
    document.kind = DocumentKind::kComparison;
    document.format = "comparison";
    return document;
  }
  if (!path.starts_with("make:")) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 16> head{};
    file.read(head.data(), head.size());
    if (std::string_view(head.data(), head.size()) == std::string_view("SQLite format 3\0", 16)) {
      document.kind = DocumentKind::kRecording;
      document.format = "SQLite";
      return document;
    }
    if (path.ends_with(".toml")) {
      const Result<Scenario> scenario = readScenario(path);
      if (!scenario.ok()) return scenario.error();
      document.kind = DocumentKind::kScenario;
      document.format = "TOML";
      return document;
    }
  } else {
    document.name = path.substr(5);
  }
  const Result<InputFormat> format = recogniseInput(path);
  if (!format.ok()) {
    return Error{format.error().code, format.error().message +
                                          "; wend view shows scenes, environments, worlds, "
                                          "scenarios (.toml), recordings and folders of wend compare"};
  }
  document.format = format->name;
  document.kind = format->kind == InputKind::kWorld   ? DocumentKind::kWorld
                  : format->kind == InputKind::kScene ? DocumentKind::kScene
                                                      : DocumentKind::kEnvironment;
  return document;
}

const std::vector<Demo>& demos() {
  static const std::vector<Demo> list{
      {"station",
       "Railway station",
       "34 layers joined by ramps; 1,500 people leave by four exits.",
       {"station", "make:station", DocumentKind::kEnvironment, "made"},
       "station"},
      {"city",
       "City blocks",
       "500 by 500 metres of streets; up to 100,000 people walk in them.",
       {"city", "make:city", DocumentKind::kEnvironment, "made"},
       "everywhere 5000"},
      {"house",
       "Furnished house",
       "A 3D model of 54,000 triangles: see which of them can be walked on.",
       {"house", "house", DocumentKind::kMadeScene, "made"},
       "everywhere 40"},
      {"maze",
       "Maze",
       "Plan a route, widen the body, and see where it no longer fits.",
       {"maze", "make:maze", DocumentKind::kEnvironment, "made"},
       "everywhere 60"},
      {"empty",
       "Empty floor",
       "A bare room: draw walls and doors and let people walk.",
       {"floor plan", "POLYGON ((0 0, 40 0, 40 25, 0 25, 0 0))", DocumentKind::kEnvironment, "made"},
       ""},
  };
  return list;
}

}  // namespace wend::serve
