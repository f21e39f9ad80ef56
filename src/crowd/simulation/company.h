#pragma once

#include "crowd/simulation/simulation_run.h"

namespace wend {

// The group of the crowd for a person on its way: one for the members of its group that head for the same goal. The
// crowd holds a group together, so members with different goals would block each other: one that is served and one in
// line, or one before a turnstile and one behind it. kNone for a person that walks alone.
//
// Costs a pass over all persons for members of groups that head for a random place.
GroupId companyOf(const SimulationRun& run, const Person& person);

}  // namespace wend
