#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/result.h>
#include <wend/world.h>

// A mesh that is built by exploring (Hale 2011, appendix A: NMAD). Explorers first believe that everything is free, and
// add the obstacles that they come near. What they believe is a World.
namespace wend {

enum class ExplorePattern : uint8_t {
  kRandom,  // one random destination after the other, anywhere in what is believed free
  kSpiral,  // a square spiral from the middle outward, its arms close enough that nothing is missed
};

struct ExploreSettings {
  ExplorePattern pattern = ExplorePattern::kRandom;
  uint32_t explorers = 1;    // 1 to 1000
  uint32_t teams = 1;        // at most as many as explorers; a mesh for each
  double sight = 10;         // detection radius, metres; 0.1 to 10000
  double speed = 1.25;       // metres per second; above 0, at most 100
  double step = 0.5;         // seconds between two looks around; a step must be shorter than the sight
  double slice = 5;          // large obstacles are cut into squares of this side, metres; 0.1 to 10000
  double maxSeconds = 2000;  // then it ends in any case; above 0
  double sample = 10;        // seconds between samples of the report; at least `step`
  // Explorers know only what they have seen of the bounds, too: the believed world grows with what they see.
  bool growBounds = false;
  // Parts of the world that are made on demand: called when an explorer sees the end of the world, with the rectangle
  // that lies beyond it, metres, `part` wide. Gives the part, of one layer and on the same lattice, whose obstacles are
  // what it does not hold as free; or nothing: the world ends there. For ExplorePattern::kRandom.
  std::function<std::optional<Environment>(Vec2 low, Vec2 high)> more;
  double part = 50;  // metres, at least 1
  // Meshes. After a find the generator that made the mesh repairs it in place; if it cannot, the quick generator makes
  // a new one. In idle time the idle generator makes one of larger cells.
  std::string quickGenerator = "delaunay";
  std::string idleGenerator = "hertel-mehlhorn";
  uint64_t seed = 1;
  bool record = false;  // keep the positions at every step
};

struct ExploreSample {
  double seconds = 0;
  uint32_t team = 0;
  double error = 1;    // share of the obstacles' area that the team believes to be free
  uint32_t known = 0;  // slices of obstacles
  uint32_t cells = 0;  // of its mesh
};

struct ExploreTeam {
  World world;               // what it believes at the end
  double error = 1;          // at the end
  double complete = -1;      // seconds until the error was 0; -1: never
  uint32_t repairs = 0;      // of the mesh, in place, after a find
  uint32_t quickMeshes = 0;  // made anew after a find
  uint32_t idleMeshes = 0;   // made in idle time
};

struct ExploreResult {
  std::vector<ExploreSample> samples;
  std::vector<ExploreTeam> teams;
  uint32_t slices = 0;                    // obstacles after cutting
  double obstacleArea = 0;                // m2
  double seconds = 0;                     // simulated
  std::vector<std::vector<Vec2>> frames;  // with `record`: positions of all explorers, per step, the start first
  // With `record`: what team 0 believes, whenever it changes: the frame from which it holds.
  std::vector<std::pair<uint32_t, Environment>> believed;
};

// Explores an environment of one layer. Its obstacles are what its bounds hold and its free space does not. It ends
// when every team knows everything, when a spiral is over, or after maxSeconds. kUnsupported for several layers, kEmpty
// for an environment without free space. Same settings, same result.
Result<ExploreResult> explore(const Environment& environment, const ExploreSettings& settings = {},
                              const Context& context = {});

}  // namespace wend
