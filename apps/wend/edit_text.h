#pragma once

#include <string>

#include <wend/world.h>

// Edits as the command line gives them; wend edit --help shows the forms.
namespace wend::app {

Result<AddObstacle> parseAdd(const std::string& text);
Result<MoveObstacle> parseMove(const std::string& text, const World& world);
Result<RemoveObstacle> parseRemove(const std::string& text, const World& world);
Result<AddDoor> parseDoor(const std::string& text);
Result<SetCost> parseCost(const std::string& text);

}  // namespace wend::app
