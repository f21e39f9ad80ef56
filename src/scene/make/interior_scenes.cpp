#include <fmt/format.h>

#include "scene/make/building.h"

// Buildings one can walk through: a floor of offices, a house, blocks of a city.
namespace wend::make {
namespace {

using Rect = SceneBuilder::Rect;

constexpr double kYard = 5;  // around a single building

// One building on its plot.
MadeScene single(BuildingPlan plan, uint64_t seed) {
  Random random(seed);
  SceneBuilder b;
  MadeScene made;
  const Rect out = plan.outline();
  const Rect plot{out.x0 - kYard, out.y0 - kYard, out.x1 + kYard, out.y1 + kYard};
  b.label("ground");
  b.floor(plot.x0, plot.y0, plot.x1, plot.y1, 0);
  const double inside = addBuilding(b, plan, random);
  made.truth.components.push_back({plot.area() - out.area() + inside, 0.05 * plan.storeys});
  made.truth.spots.push_back({"yard", {plot.x0 + 1, plot.y0 + 1, 0}, 0});
  for (int k = 0; k < plan.storeys; ++k) {
    made.truth.spots.push_back({fmt::format("storey {}", k), plan.corridorSpot(k), 0});
  }
  // Out of reach.
  made.truth.components.push_back({out.area()});
  made.truth.spots.push_back({"roof", {(out.x0 + out.x1) / 2, out.y0 + 1, BuildingPlan::kStorey * plan.storeys}, 1});
  made.scene = b.finish();
  return made;
}

MadeScene office(const SceneRecipe& recipe) {
  BuildingPlan plan;
  plan.storeys = recipe.whole("storeys");
  plan.rooms = recipe.whole("rooms");
  plan.detail = recipe.whole("detail");
  plan.furnished = recipe.whole("furnished") != 0;
  return single(plan, recipe.seed());
}

MadeScene house(const SceneRecipe& recipe) {
  BuildingPlan plan;
  plan.dwelling = true;
  plan.storeys = recipe.whole("storeys");
  plan.rooms = recipe.whole("rooms");
  plan.detail = recipe.whole("detail");
  return single(plan, recipe.seed());
}

MadeScene cityBlock(const SceneRecipe& recipe) {
  constexpr double kPavement = 3;
  constexpr double kStreet = 8;
  constexpr double kCurb = 0.15;
  const int columns = recipe.whole("columns");
  const int rows = recipe.whole("rows");
  BuildingPlan plan;
  plan.base = kCurb;
  plan.storeys = recipe.whole("storeys");
  plan.rooms = recipe.whole("rooms");
  plan.detail = recipe.whole("detail");
  plan.furnished = recipe.whole("furnished") != 0;
  const double pitchX = plan.width() + 2 * kPavement + kStreet;
  const double pitchY = plan.depth() + 2 * kPavement + kStreet;
  Random random(recipe.seed());
  SceneBuilder b;
  MadeScene made;
  const Rect ground{0, 0, columns * pitchX + kStreet, rows * pitchY + kStreet};
  b.label("street");
  b.floor(ground.x0, ground.y0, ground.x1, ground.y1, 0);
  double area = ground.area();
  made.truth.spots.push_back({"street", {kStreet / 2, kStreet / 2, 0}, 0});
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const double x = kStreet + i * pitchX;
      const double y = kStreet + j * pitchY;
      b.label("pavement");
      b.box({x, y, 0}, {x + plan.width() + 2 * kPavement, y + plan.depth() + 2 * kPavement, kCurb});
      plan.corner = {x + kPavement, y + kPavement};
      plan.dwelling = random.chance(0.5);
      area += addBuilding(b, plan, random) - plan.outline().area();
      for (const int k : {0, plan.storeys - 1}) {
        made.truth.spots.push_back({fmt::format("building {}, {} storey {}", i, j, k), plan.corridorSpot(k), 0});
      }
    }
  }
  made.truth.components.push_back({area, 0.05 * columns * rows * plan.storeys});
  made.scene = b.finish();
  return made;
}

MakeParameter size(const char* name, const char* meaning, double value, double min, double max) {
  return {name, meaning, value, min, max, true};
}

}  // namespace

std::vector<SceneEntry> interiorScenes() {
  const MakeParameter rooms = size("rooms", "rooms on each side of the corridor.", 6, 1, 200);
  const MakeParameter detail = size("detail", "how finely round things are cut: 0 coarse, 1 usual.", 1, 0, 20);
  const MakeParameter furnished = size("furnished", "1 with furniture, 0 without.", 1, 0, 1);
  MakeParameter few = rooms;
  few.defaultValue = 4;
  MakeParameter fine = detail;
  fine.defaultValue = 3;
  const auto storeys = [](double value) { return size("storeys", "floors above each other.", value, 1, 1000); };
  return {{{"office",
            "a furnished office floor: rooms along a corridor, desks, chairs, shelves.",
            {rooms, storeys(1), detail, furnished}},
           office},
          {{"house",
            "a furnished house of about 50,000 triangles with stairs between its storeys.",
            {few, storeys(3), fine}},
           house},
          {{"city-block",
            "streets with curbs and furnished buildings one can enter.",
            {size("columns", "buildings from west to east.", 3, 1, 200),
             size("rows", "buildings from south to north.", 2, 1, 200), few, storeys(4), detail, furnished}},
           cityBlock}};
}

}  // namespace wend::make
