#pragma once

#include "crowd/scenario/table_reader.h"

// The parts of a building in a scenario: stairs, lifts, smoke, and the presets of profiles.
namespace wend {

ScenarioStair readStair(const TomlValue& table, Reading& reading);
ScenarioLift readLift(const TomlValue& table, Reading& reading);
ScenarioSmoke readSmoke(const TomlValue& table, Reading& reading);

// The profile that `like` of a profile names: "adult", "child", "elderly", "wheelchair", "assisted". The other keys of
// the profile replace its values.
ScenarioProfile presetProfile(TableReader& reader);

}  // namespace wend
