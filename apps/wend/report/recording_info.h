#pragma once

#include <string>

#include "command.h"

// What info does with a recording.
namespace wend::app {

// Whether a file is an SQLite database, as recordings are; false for what cannot be read, too.
bool isDatabase(const std::string& path);

int recordingInfo(Run& run, const std::string& file);

}  // namespace wend::app
