#pragma once

#include "crowd/scenario/table_reader.h"

namespace wend {

// What one table alone cannot know: names are unique and exist, journeys can be followed, metrics have their object.
void checkScenario(const Scenario& scenario, const TomlValue& root, Reading& reading);

}  // namespace wend
