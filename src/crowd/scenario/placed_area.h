#pragma once

#include <wend/environment.h>
#include <wend/scenario.h>

// An area of a scenario in the layers of an environment.
namespace wend {

struct PlacedArea {
  Loops loops;
  bool everywhere = false;
  LayerId layer = 0;  // index
  Vec2 min;           // metres; of everything for `everywhere`
  Vec2 max;

  // Even-odd; the boundary may fall on either side.
  bool contains(Vec2 p) const;
  bool contains(Vec2 p, LayerId inLayer) const { return everywhere || (inLayer == layer && contains(p)); }
  // Metres to the nearest edge of the loops.
  double edgeDistance(Vec2 p) const;
};

// An Error for a layer that the environment does not have; its message names `what`, for example "source 'west'".
Result<PlacedArea> placeArea(const Area& area, const Environment& environment, std::string_view what);

// The walkable part, one list per layer.
Result<std::vector<std::vector<Polygon>>> walkablePart(const PlacedArea& area, const Environment& environment);
// m2.
Result<double> walkableArea(const PlacedArea& area, const Environment& environment);

}  // namespace wend
