#pragma once

#include <string>
#include <vector>

#include "command.h"

// What info, check, measure, draw and path do with a file of volumes.
namespace wend::app {

// Whether a file holds volumes; false for what cannot be read, too.
bool holdsVolumes(const std::string& path);

int volumeInfo(Run& run, const std::string& file);
// Hale's metrics of volumes; the object is a cube whose sides have `objectArea` m2.
int volumeMeasure(Run& run, const std::string& file, double objectArea);
int volumeCheck(Run& run, const std::string& file, size_t limit);
// Plans and prints a path; ends are x,y,z.
int volumePath(Run& run, const std::string& file, const std::string& from, const std::string& to);

struct VolumeDrawOptions {
  std::vector<std::string> sections;  // "x=1", "y=2.5", "z=0"
  std::vector<std::string> routes;    // "x,y,z:x,y,z"
  VolumeDrawSettings settings;
};
// An SVG picture, or a .glb or .obj scene of all volumes.
int volumeDraw(Run& run, const std::string& file, const std::string& output, const VolumeDrawOptions& options);
// The same of a mesh that was read from a file.
int drawVolumeMesh(Run& run, const VolumeMesh& mesh, const std::string& file, const std::string& output,
                   const VolumeDrawOptions& options);

}  // namespace wend::app
