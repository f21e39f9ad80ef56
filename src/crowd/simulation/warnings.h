#pragma once

#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/sources.h"

// Warnings about a scenario: names and places that have no effect, persons that never entered or never arrived. Each is
// one sentence in the summary, in the recording and in the report; none ends a run.
namespace wend {

// Before the first step: labels, zones, regions and lines against the world, parts of the scenario that nothing uses.
void warnOfScenario(SimulationRun& run);
// After the last step: persons that found no place to enter, that never began to walk, that are still inside.
void warnOfOutcome(SimulationRun& run, const Sources& sources);

}  // namespace wend
