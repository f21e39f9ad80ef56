#pragma once

#include <span>
#include <vector>

#include <wend/environment.h>

// From connections as drawn to boundary edges of two layers.
namespace wend {

// Snaps the lines and finds their layers; direction and vertices are still as drawn.
Result<std::vector<Connection>> snapConnections(const EnvironmentDraft& draft);

// Makes the lines of environment.connections edges of the boundary of both layers wherever that takes no more than
// inserting vertices or moving the boundary by kConnectionSlack, and turns each line into the direction of layerA's
// walk. Layers whose boundary moved are cleaned again. A line that is too far away is an error; whether the result is
// right in every other way is for checkConnections to say.
Status attachConnections(Environment& environment, const Context& context);

// Joins connections that continue each other. A note for each group.
void mergeConnections(Environment& environment, const Context& context);

}  // namespace wend
