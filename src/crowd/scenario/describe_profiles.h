#pragma once

#include <string>

#include <wend/scenario.h>

namespace wend {

// The profiles as they are in force, one line each, for recordings and reports: a reader sees the model without the
// scenario. Options of the program may have changed what the scenario says.
std::string describeProfiles(const Scenario& scenario);

}  // namespace wend
