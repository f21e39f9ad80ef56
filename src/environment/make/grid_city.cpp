#include "environment/make/grid_city.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "environment/make/recipe.h"

namespace wend::make {
namespace {

constexpr double kJitter = 0.08;    // of the site
constexpr double kVariation = 0.2;  // of the half extents
constexpr double kMargin = 0.005;   // of the site, left free at its border

}  // namespace

std::vector<std::array<Vec2, 4>> gridCityBuildings(const GridCityShape& shape, Random& random) {
  std::vector<uint32_t> sites(static_cast<size_t>(shape.blocks) * shape.blocks);
  for (uint32_t i = 0; i < sites.size(); ++i) sites[i] = i;
  random.shuffle(sites);
  sites.resize(std::min<size_t>(sites.size(), shape.buildings));
  std::sort(sites.begin(), sites.end());
  const double site = shape.size / shape.blocks;
  std::vector<std::array<Vec2, 4>> buildings;
  for (const uint32_t at : sites) {
    const double angle = random.real(-shape.rotation, shape.rotation) * std::numbers::pi / 180;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    double wide = shape.fill * random.real(1 - kVariation, 1 + kVariation);
    double deep = shape.fill * random.real(1 - kVariation, 1 + kVariation);
    // How far the turned rectangle reaches from its centre; what would leave the site is made smaller.
    const double reachX = wide * c + deep * std::abs(s);
    const double reachY = deep * c + wide * std::abs(s);
    const double most = 0.5 - 2 * kMargin;
    const double shrink = std::min(1.0, most / std::max(reachX, reachY));
    wide *= shrink;
    deep *= shrink;
    const auto shift = [&](double reach) {
      const double room = std::max(0.0, std::min(kJitter, 0.5 - kMargin - shrink * reach));
      return random.real(-1, 1) * room;
    };
    const Vec2 centre{(at % shape.blocks + 0.5 + shift(reachX)) * site,
                      (at / shape.blocks + 0.5 + shift(reachY)) * site};
    std::array<Vec2, 4> corners;
    const std::array<Vec2, 4> unit{Vec2{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (size_t i = 0; i < 4; ++i) {
      const double x = unit[i].x * wide * site;
      const double y = unit[i].y * deep * site;
      corners[i] = {centre.x + c * x - s * y, centre.y + s * x + c * y};
    }
    buildings.push_back(corners);
  }
  return buildings;
}

std::vector<Entry> gridCityWorlds() {
  EnvironmentKind kind;
  kind.name = "grid-city";
  kind.meaning = "Buildings on a lattice of sites, nearly along the axes; as .png a range image.";
  kind.standsFor = "the virtual city of the adaptive grids, 512 x 512 pixels with 33 buildings";
  kind.parameters = {{"size", "Side of the city, in metres and in pixels.", 512, 16, 16384, true},
                     {"blocks", "Sites along a side.", 6, 1, 256, true},
                     {"buildings", "Sites with a building.", 33, 0, 65536, true},
                     {"rotation", "Buildings are turned by up to this, in degrees.", 4, 0, 45, false},
                     {"fill", "Half extent of a building over the side of its site.", 0.35, 0.05, 0.4, false},
                     {"lidar", "1: slow terrain, noise and pixels without return; for .png only.", 0, 0, 1, true}};
  return {{kind, [](const Recipe& recipe) -> Result<Environment> {
             GridCityShape shape;
             shape.size = recipe.number("size");
             shape.blocks = static_cast<uint32_t>(recipe.whole("blocks"));
             shape.buildings = static_cast<uint32_t>(recipe.whole("buildings"));
             shape.rotation = recipe.number("rotation");
             shape.fill = recipe.number("fill");
             Random random(recipe.seed());
             Construction world("grid-city");
             const uint32_t layer = world.addLayer("ground", 0);
             const uint32_t floor = world.addFloor(layer, rect(0, 0, shape.size, shape.size));
             const auto buildings = gridCityBuildings(shape, random);
             for (const std::array<Vec2, 4>& building : buildings) {
               Ring outline;
               for (const Vec2 corner : building) outline.push_back(point(corner.x, corner.y));
               world.addObstacle(layer, floor, std::move(outline));
             }
             return std::move(world).finish(1, 1 + static_cast<uint32_t>(buildings.size()));
           }}};
}

}  // namespace wend::make
