#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <wend/environment.h>
#include <wend/result.h>

// Trajectories of experiments as text: the files of the Jülich data archive and those that PedPy loads. They become
// recordings, which every report reads.
namespace wend {

struct TrajectorySettings {
  double framesPerSecond = 0;  // 0: from the file ("# framerate: 25")
  double unit = 0;             // metres per unit; 0: from the file ("x/m", "x/cm", "in m", "in cm")
};

struct TrajectoryPoint {
  int64_t frame = 0;  // from 0
  Vec2 at;            // metres
};

struct Trajectory {
  uint32_t id = 0;
  std::vector<TrajectoryPoint> points;  // by ascending frame
};

struct Trajectories {
  double framesPerSecond = 0;
  int64_t firstFrame = 0;           // the number that the file gives to frame 0
  std::vector<Trajectory> persons;  // by ascending id
  int64_t frames() const;           // number of frames
};

// Lines "id frame x y [z]", with blanks, tabs, commas or semicolons between, comments after '#'. An Error with the line
// for anything else, for an unknown frame rate or unit, and for a person that is twice in a frame.
Result<Trajectories> parseTrajectories(std::string_view text, std::string_view name,
                                       const TrajectorySettings& settings = {});
Result<Trajectories> readTrajectories(const std::string& path, const TrajectorySettings& settings = {});

// Writes them as a recording in this environment, one layer. Persons whose last frame is not the last of all have left
// then. Gives the number of positions outside of the walkable space.
Result<uint64_t> writeRecording(const Trajectories& trajectories, const Environment& environment,
                                const std::string& path, double radius = 0.2);

}  // namespace wend
