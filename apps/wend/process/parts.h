#pragma once

#include <string>

namespace wend::app {

// The versions of this program, of the files that it writes and of the libraries that it was built with, as JSON.
std::string partsJson();

}  // namespace wend::app
