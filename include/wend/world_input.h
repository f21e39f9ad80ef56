#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <wend/environment_file.h>
#include <wend/extract.h>
#include <wend/generate.h>
#include <wend/image/range_image.h>
#include <wend/scene.h>
#include <wend/world.h>

// Reads a world from any input. The program, scenarios and tests all use it.
//
// An input is a file (.wend, environment or scene, recognised by content), a made environment ("make:KIND name=value
// ..."), or well-known text itself ("POLYGON ((...))").
namespace wend {

enum class InputKind : uint8_t { kWorld, kEnvironment, kScene, kImage };

struct InputFormat {
  InputKind kind = InputKind::kEnvironment;
  std::string name;  // "WEND", "ENV", "glTF", "make", ...
};

// By content; reads the head of a file only. kFileNotFound, or kFormat for an unknown format.
Result<InputFormat> recogniseInput(const std::string& input);

struct WorldReadSettings {
  ReadSettings environment;     // for environments
  SceneReadSettings scene;      // for scenes
  ExtractSettings extract;      // for scenes
  GenerateSettings generate;    // for everything but a .wend file, which is taken as it is
  bool rangeImage = false;      // a PNG is a range image, not a mask; a TIFF always is
  bool topView = false;         // a scene is seen from above, and its picture taken for a range image
  RangeReadSettings range;      // for range images
  TopViewSettings view;         // for top views
  NavigableSettings navigable;  // for both
  StepPicture step;             // gets the intermediate pictures, if set
};

// The environment of an input: of a .wend file its own, of a scene what extraction finds.
struct EnvironmentReading {
  Environment environment;
  InputFormat format;
  std::optional<World> world;                           // of a .wend file
  std::optional<ExtractReport> extraction;              // of a scene
  std::optional<NavigableReport> navigable;             // of a range image; without the pixels
  size_t triangles = 0;                                 // of a scene
  std::vector<std::pair<std::string, double>> seconds;  // by stage: "read", "extract"
};
Result<EnvironmentReading> readAnyEnvironment(const std::string& input, const WorldReadSettings& settings = {},
                                              const Context& context = {});

struct WorldReading {
  World world;
  InputFormat format;
  std::optional<ExtractReport> extraction;
  std::vector<std::pair<std::string, double>> seconds;  // by stage: "read", "extract", "generate"
};
Result<WorldReading> readWorld(const std::string& input, const WorldReadSettings& settings = {},
                               const Context& context = {});

}  // namespace wend
