#pragma once

#include <string>

#include "command.h"
#include "volume_commands.h"

// What info, check, draw and path do with prisms: of a file of their own, or stored with a world.
namespace wend::app {

// Whether a file holds prisms and nothing else; false for what cannot be read, too.
bool isFileOfPrisms(const std::string& path);

int prismInfo(Run& run, const std::string& file);
int prismCheck(Run& run, const std::string& file);
// Plans and prints a path; ends are x,y,z.
int prismPath(Run& run, const std::string& file, const std::string& from, const std::string& to);
// An SVG picture of sections, or a .glb or .obj scene of all prisms.
int prismDraw(Run& run, const std::string& file, const std::string& output, const VolumeDrawOptions& options);

}  // namespace wend::app
