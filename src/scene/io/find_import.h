#pragma once

#include <string>

#include <wend/result.h>

namespace wend {

// The path of the program wend-import: what the environment variable WEND_IMPORT names, else beside the running
// program, else in the libexec folder of the installation, else in the folder that wend was built in. The Error says
// what to do.
Result<std::string> findImportProgram();

}  // namespace wend
