#pragma once

#include "crowd/scenario/table_reader.h"

namespace wend {

// The checks that need the whole scenario: names are unique and exist, journeys can be followed, metrics have their
// object.
void checkScenario(const Scenario& scenario, const TomlValue& root, Reading& reading);

}  // namespace wend
