#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <wend/edit.h>

#include "environment/edit/apply_footprints.h"
#include "environment/edit/live_base.h"

// What edits have made of a world: its obstacles, doors and costs.
namespace wend {

struct PlacedObstacle {
  Obstacle obstacle;
  std::vector<Footprint> footprints;
};

struct PlacedDoor {
  Door door;
  std::shared_ptr<const std::vector<Footprint>> footprints;  // when it is shut
};

// Copies share the obstacles.
struct LiveState {
  struct Slot {
    uint32_t generation = 0;
    std::shared_ptr<const PlacedObstacle> placed;  // null: the slot is free
  };
  uint64_t version = 0;
  std::vector<Slot> slots;
  std::map<std::string, PlacedDoor> doors;
  std::map<std::pair<std::string, std::string>, double> costs;  // by profile and label
  Stature stature;
  std::vector<CutConnection> cut;  // of the base, as it is now
  CutClusters clusters;            // of the footprints, as they are now

  bool isEmpty() const { return version == 0 && slots.empty() && doors.empty() && costs.empty(); }
  const PlacedObstacle* find(ObstacleId id) const {
    if (id.slot >= slots.size() || slots[id.slot].generation != id.generation) return nullptr;
    return slots[id.slot].placed.get();
  }
  // Of all obstacles that are there and doors that are shut.
  std::vector<SharedFootprint> footprints() const;
};

}  // namespace wend
