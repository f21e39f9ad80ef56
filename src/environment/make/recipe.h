#pragma once

#include <string_view>

#include <wend/make.h>

#include "environment/make/construction.h"

// What a family of worlds is given: its parameters, already within their ranges, and the seed.
namespace wend::make {

class Recipe {
 public:
  Recipe(const MakeSettings& settings, const EnvironmentKind& kind, const Context& context);

  const std::string& kind() const { return kind_.name; }
  uint64_t seed() const { return settings_.seed; }
  const Context& context() const { return context_; }
  double number(std::string_view name) const;
  int whole(std::string_view name) const { return static_cast<int>(number(name)); }

 private:
  const MakeSettings& settings_;
  const EnvironmentKind& kind_;
  const Context& context_;
};

using Maker = Result<Environment> (*)(const Recipe&);

struct Entry {
  EnvironmentKind kind;
  Maker make;
};

// One list per family file, in the order of `wend make --list`.
std::vector<Entry> openWorlds();    // scattered obstacles in a box: military, city, ...
std::vector<Entry> growthWorlds();  // bodies, and the fans of Hale's proofs
std::vector<Entry> mazeWorlds();
std::vector<Entry> universityWorlds();
std::vector<Entry> zeldaWorlds();
std::vector<Entry> mapWorlds();  // the thirteen maps of the NEOGEN study
std::vector<Entry> randomWorlds();
std::vector<Entry> deckWorlds();  // decks joined by outer ramps: parking-lot, library, oilrig, neogen1..3
std::vector<Entry> rampWorlds();  // ramps, spiral, sliced-ramp, overlap-side, two-floor-ramp
std::vector<Entry> towerWorlds();
std::vector<Entry> dormitoryWorlds();
std::vector<Entry> stationWorlds();
std::vector<Entry> stadiumWorlds();
std::vector<Entry> bigCityWorlds();
std::vector<Entry> gridCityWorlds();

// Parameter shorthand.
MakeParameter wholeParameter(std::string name, std::string meaning, double value, double min, double max);
// 1 = the figures of the comparison study, 2 = those of the chapters on the explicit corridor map.
MakeParameter editionParameter();

}  // namespace wend::make
