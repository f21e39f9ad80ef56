#pragma once

#include <unordered_map>
#include <vector>

#include <wend/crowd.h>

#include "base/random.h"
#include "crowd/scenario/placed_area.h"
#include "crowd/scenario/scenario_world.h"

// The places of new persons.
namespace wend {

// The disks of the agents that are there, in squares of fixed size.
class OccupiedPlaces {
 public:
  explicit OccupiedPlaces(double largestRadius) : cell_(std::max(0.5, 2.5 * largestRadius)) {}
  void add(Vec3 place, double radius);
  bool isFree(Vec3 place, double radius, double gap) const;

 private:
  struct Disk {
    Vec3 place;
    double radius;
  };
  uint64_t key(double x, double y) const;
  double cell_;
  double largest_ = 0;
  std::unordered_map<uint64_t, std::vector<Disk>> cells_;
};

struct Placing {
  const ScenarioWorld& world;
  const PlacedArea& area;
  std::span<const Vec2> points;  // instead of the area
  SourcePlacement placement = SourcePlacement::kRandom;
  double gap = 0;
  int tries = 300;                      // random places per person
  std::span<const uint8_t> joins = {};  // per person: belongs to the group of the person before, and stands near it
};

// A place for each radius, in order; as many as fit. Random placement that gets stuck in a dense crowd
// gives way to a hexagonal lattice with jitter, which packs closer.
std::vector<Vec3> placePersons(const Placing& placing, std::span<const double> radii, OccupiedPlaces& occupied,
                               Random& random, PlanScratch& scratch);

// A random place of the area where the radius fits; nothing after many misses.
std::optional<Vec3> randomPlace(const ScenarioWorld& world, const PlacedArea& area, double radius, Random& random,
                                PlanScratch& scratch, int tries = 1000);

}  // namespace wend
