#pragma once

#include <optional>
#include <vector>

#include <wend/scenario.h>

#include "base/random.h"
#include "crowd/scenario/scenario_world.h"

// The places of a stage: samples of its area that are on the mesh, with their clearance.
namespace wend {

class StagePlaces {
 public:
  // An Error if nothing of the stage is walkable.
  // `lobby` is the waiting place of a stage that is a lift.
  static Result<StagePlaces> make(const ScenarioStage& stage, const ScenarioWorld& world,
                                  std::optional<Vec2> lobby = {});

  const PlacedArea& area() const { return area_; }
  // Of an exit: the place to head for from here, a little inside, so that no person slows down at the threshold.
  Vec3 nearest(Vec3 from, double radius) const;
  Vec3 centre(double radius) const;
  Vec3 random(double radius, Random& random) const;
  // A random one within so many metres of a place, or else of all.
  Vec3 randomNear(Vec3 place, double within, double radius, Random& random) const;
  const std::vector<Vec3>& slots() const { return slots_; }
  // Of a queue: its slots, and behind them places for those that find no slot, so that a long line stays a line.
  const std::vector<Vec3>& line() const { return line_; }
  Vec3 point() const { return point_; }
  // The free width of the area, m; its flow depends on it.
  double width() const { return width_; }

 private:
  struct Sample {
    Vec3 place;
    double clearance;
    double depth;  // metres to the edge of the area
  };
  PlacedArea area_;
  std::vector<Sample> samples_;
  void extendLine(const ScenarioWorld& world, LayerId layer);

  std::vector<Vec3> slots_;
  std::vector<Vec3> line_;
  Vec3 point_;
  double width_ = 0;
  double aimDepth_ = 0;
};

}  // namespace wend
