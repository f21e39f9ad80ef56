#pragma once

#include <string>

#include "report/report_files.h"

// A player of the recording inside the page: a canvas and its data, without a server.
namespace wend::app {

std::string playerHtml(const ReportInput& input);

}  // namespace wend::app
