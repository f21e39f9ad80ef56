#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/environment.h>

#include "serve/command.h"

// The scenario that was drawn in the page, as the TOML that `wend simulate` reads.
namespace wend::serve {

// `environment` is what the scenario names as its world. Without sources 200 persons enter everywhere; without exits
// all persons roam.
std::string scenarioText(const CrowdCommand& crowd, std::string_view name, std::string_view environment);

// A scenario of a file with what was drawn added to it.
std::string extendedScenario(std::string_view text, const CrowdCommand& crowd);

}  // namespace wend::serve
