#pragma once

#include <string>
#include <utility>
#include <vector>

#include <wend/make_parameter.h>
#include <wend/scene.h>

// Made scenes: triangle soups whose walkable components are known because they were built from them.
namespace wend {

// A place on a walkable surface, by name.
struct SceneSpot {
  std::string name;
  Vec3 position;           // metres, on the floor
  uint32_t component = 0;  // index into SceneTruth::components
};

// The walkable components for a height of 2 m, steps of 0.4 m and slopes of 45 degrees. Walls without thickness count
// as 1 mm thick. Areas are those of the top view.
struct SceneTruth {
  static constexpr double kUnknown = -1;

  struct Component {
    double area = kUnknown;   // m2; kUnknown where it is not known
    double tolerance = 0.01;  // m2
  };
  std::vector<Component> components;
  bool complete = false;  // there are no other components; otherwise table tops, roofs and insides of walls add some
  // Of the environment with all components; 0, 0 when not known.
  uint32_t layersMin = 0;
  uint32_t layersMax = 0;
  int connections = -1;  // -1: not known
  std::vector<SceneSpot> spots;
};

struct MadeScene {
  Scene scene;
  SceneTruth truth;
};

struct SceneKind {
  std::string name;     // "stadium"
  std::string meaning;  // one sentence
  std::vector<MakeParameter> parameters;
};

// All kinds, in the order of `wend make --3d --list`.
const std::vector<SceneKind>& sceneKinds();

struct MakeSceneSettings {
  std::string kind;
  std::vector<std::pair<std::string, double>> parameters;  // those not named keep their default
  uint64_t seed = 1;
};

// Same settings, same bytes.
Result<MadeScene> makeScene(const MakeSceneSettings& settings, const Context& context = {});

}  // namespace wend
