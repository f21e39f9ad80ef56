#include <algorithm>
#include <cmath>

#include "environment/make/city.h"
#include "environment/make/decks.h"
#include "environment/make/recipe.h"
#include "environment/make/tower.h"
#include "geometry/area.h"

// The city with six towers and two libraries. Their ground floors belong to the city's floor: each stands in a wall
// with a door, so the outer boundary of a building and its facade are one curve. A second door in a tower leads to the
// boundary between its two lowest flights, which joins two curves into one: one boundary less and one handle more.
namespace wend::make {

namespace {

constexpr double kFacade = 0.3;  // metres around the bounding box of a building
constexpr double kDoor = 1.0;

struct Door {
  Point in, out;              // on the outline, in the order of its walk
  Point facadeIn, facadeOut;  // straight in front of them
};

// A door in the middle of a wall piece of the outline.
Door doorIn(const WallPiece& wall, const Rect& facade) {
  const int32_t half = units(kDoor / 2);
  const int32_t middle = (wall.from.x + wall.to.x) / 2;
  const int32_t direction = wall.from.x < wall.to.x ? 1 : -1;
  const int32_t y = direction > 0 ? facade.y0 : facade.y1;
  const int32_t first = middle - direction * half;
  const int32_t second = middle + direction * half;
  return {{second, wall.from.y}, {first, wall.from.y}, {second, y}, {first, y}};
}

// How far along the facade a point lies, walked clockwise from the lower left corner.
int64_t along(const Rect& f, Point p) {
  if (p.x == f.x0) return p.y - f.y0;
  if (p.y == f.y1) return int64_t{f.depth()} + p.x - f.x0;
  if (p.x == f.x1) return int64_t{f.depth()} + f.width() + f.y1 - p.y;
  return 2 * int64_t{f.depth()} + f.width() + f.x1 - p.x;
}

// The outline with the doors' jambs in it.
Ring withJambs(const Ring& outline, const std::vector<Door>& doors) {
  Ring walk;
  for (size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i];
    const Point b = outline[(i + 1) % outline.size()];
    walk.push_back(a);
    for (const Door& door : doors) {
      if (a.y == door.in.y && b.y == door.in.y && std::min(a.x, b.x) < std::min(door.in.x, door.out.x) &&
          std::max(a.x, b.x) > std::max(door.in.x, door.out.x)) {
        walk.push_back(door.out);
        walk.push_back(door.in);
      }
    }
  }
  return walk;
}

// Clockwise along the facade from outside door `exit` to the next door, whose index is returned.
size_t walkFacade(Ring& ring, const std::vector<Door>& doors, size_t exit, const Rect& facade) {
  const int64_t length = 2 * (int64_t{facade.width()} + facade.depth());
  const int64_t from = along(facade, doors[exit].facadeOut);
  const auto ahead = [&](Point p) { return (along(facade, p) - from + length) % length; };
  size_t entry = 0;
  for (size_t i = 1; i < doors.size(); ++i) {
    if (ahead(doors[i].facadeIn) < ahead(doors[entry].facadeIn)) entry = i;
  }
  std::vector<Point> passed;
  for (const Point corner : outline(facade)) {
    if (ahead(corner) < ahead(doors[entry].facadeIn)) passed.push_back(corner);
  }
  std::sort(passed.begin(), passed.end(), [&](Point p, Point q) { return ahead(p) < ahead(q); });
  ring.push_back(doors[exit].facadeOut);
  ring.insert(ring.end(), passed.begin(), passed.end());
  ring.push_back(doors[entry].facadeIn);
  return entry;
}

// The walls of a building as boundary walks of the street: out of a door, clockwise along the facade to the next door,
// in there, and along the ground floor's own walls to the door after it.
std::vector<Ring> wallRings(const Ring& ground, const std::vector<Door>& doors, const Rect& facade) {
  const Ring walk = withJambs(ground, doors);
  const auto exitAt = [&](Point p) {
    const auto found = std::find_if(doors.begin(), doors.end(), [&](const Door& d) { return d.out == p; });
    return static_cast<size_t>(found - doors.begin());
  };
  std::vector<Ring> rings;
  std::vector<uint8_t> used(doors.size(), 0);
  for (size_t start = 0; start < doors.size(); ++start) {
    if (used[start] != 0) continue;
    Ring ring;
    size_t exit = start;
    do {
      used[exit] = 1;
      const size_t entry = walkFacade(ring, doors, exit, facade);
      auto at = static_cast<size_t>(std::find(walk.begin(), walk.end(), doors[entry].in) - walk.begin());
      for (; exitAt(walk[at]) == doors.size(); at = (at + 1) % walk.size()) ring.push_back(walk[at]);
      ring.push_back(walk[at]);
      exit = exitAt(walk[at]);
    } while (exit != start);
    rings.push_back(std::move(ring));
  }
  return rings;
}

struct Building {
  Environment world;
  Rect facade;
  std::vector<Door> doors;

  Int128 doubledFacade() const { return 2 * static_cast<Int128>(facade.width()) * facade.depth(); }
  Int128 doubledPassages() const {
    Int128 sum = 0;
    for (const Door& door : doors) {
      sum += 2 * static_cast<Int128>(std::abs(door.in.x - door.out.x)) * std::abs(door.in.y - door.facadeIn.y);
    }
    return sum;
  }
  // What it adds to the doubled area of the street it stands on.
  Int128 gain() const { return toInt128(world.truth->doubledArea) + doubledPassages() - doubledFacade(); }
  int64_t vertices() const {
    return static_cast<int64_t>(vertexCount(world)) + 4 + 4 * static_cast<int64_t>(doors.size());
  }
};

Rect facadeOf(double width, double depth) {
  return rect(-kFacade, -kFacade, width + kFacade, depth + kFacade);
}

// The longest stretch of the lowest wall of the ground floor.
WallPiece lowestWall(const Environment& world) {
  const Ring& ring = world.layers[0].free[0].outer;
  WallPiece best{ring[0], ring[0]};
  bool found = false;
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i];
    const Point b = ring[(i + 1) % ring.size()];
    if (a.y != b.y || b.x <= a.x) continue;
    if (!found || a.y < best.from.y || (a.y == best.from.y && b.x - a.x > best.to.x - best.from.x)) best = {a, b};
    found = true;
  }
  return best;
}

Building libraryBuilding(int edition, uint64_t seed) {
  Building b{makeLibrary(edition, seed), facadeOf(kLibraryWidth, kLibraryDepth), {}};
  b.doors.push_back(doorIn(lowestWall(b.world), b.facade));
  return b;
}

Building towerBuilding(int edition, uint64_t seed, bool secondDoor) {
  Building b{makeTower(edition, seed), facadeOf(kTowerWidth, kTowerDepth), {}};
  b.doors.push_back(doorIn(towerSouthWall(), b.facade));
  if (secondDoor) b.doors.push_back(doorIn(towerNorthWall(), b.facade));
  return b;
}

Point movedBy(Point p, Point offset) {
  return {p.x + offset.x, p.y + offset.y};
}

// Sets a building on the street (layer 0).
void raise(Construction& city, const Building& b, Point offset, const std::string& name) {
  const Polygon& ground = b.world.layers[0].free[0];
  Int128 solid = b.doubledFacade() - b.doubledPassages() - doubledArea(ground.outer);
  for (const Ring& ring : wallRings(ground.outer, b.doors, b.facade)) {
    city.addObstacle(0, 0, reversed(moved(ring, offset)), solid);
    solid = 0;
  }
  for (const Ring& hole : ground.holes) city.addObstacle(0, 0, reversed(moved(hole, offset)));
  std::vector<uint32_t> index{0};
  for (size_t i = 1; i < b.world.layers.size(); ++i) {
    const Layer& layer = b.world.layers[i];
    index.push_back(city.addLayer(name + " " + layer.name, layer.heights.base));
    std::vector<Polygon> free = layer.free;
    for (Polygon& polygon : free) {
      polygon.outer = moved(std::move(polygon.outer), offset);
      for (Ring& hole : polygon.holes) hole = moved(std::move(hole), offset);
    }
    const Int128 area = doubledArea(free);
    city.addFloors(index.back(), std::move(free), area);
  }
  for (size_t i = 0; i < b.world.layers.size(); ++i) {
    const HeightField& from = b.world.layers[i].heights;
    HeightField& to = city.environment().layers[index[i]].heights;
    const auto first = static_cast<uint32_t>(to.points.size());
    for (const Point p : from.points) to.points.push_back(movedBy(p, offset));
    to.z.insert(to.z.end(), from.z.begin(), from.z.end());
    for (const auto& t : from.triangles) to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  for (const Connection& connection : b.world.connections) {
    std::vector<Point> line;
    for (const Point p : connection.line) line.push_back(movedBy(p, offset));
    city.connect(index[connection.layerA], index[connection.layerB], std::move(line));
  }
}

struct Lot {
  const Building* building;
  Point corner;  // of the building's own box, in the tile
};

Point cornerFor(Vec2 centre, double width, double depth) {
  return point(centre.x - width / 2, centre.y - depth / 2);
}

Result<Environment> bigCity(const Recipe& recipe) {
  const int edition = recipe.whole("edition");
  const int tiles = recipe.whole("tiles");
  const size_t secondDoors = edition == 1 ? 2 : 1;
  Random random(recipe.seed());
  const Building plain = towerBuilding(edition, recipe.seed(), false);
  const Building twoDoors = towerBuilding(edition, recipe.seed(), true);
  const Building library = libraryBuilding(edition, recipe.seed());
  std::vector<Lot> lots;
  for (const Vec2 centre : towerLots()) {
    lots.push_back({lots.size() < secondDoors ? &twoDoors : &plain, cornerFor(centre, kTowerWidth, kTowerDepth)});
  }
  for (const Vec2 centre : libraryLots()) {
    lots.push_back({&library, cornerFor(centre, kLibraryWidth, kLibraryDepth)});
  }

  int64_t vertices = (edition == 1 ? 61785 : 49476) - 4;
  // The published 2 x 2 tiling has 8 vertices less than four times one tile without its corners.
  if (edition == 2 && tiles > 1) vertices -= 2;
  Int128 gain = 0;
  for (const Lot& lot : lots) {
    vertices -= lot.building->vertices();
    gain += lot.building->gain();
  }
  const double blocked = kCitySize * kCitySize + static_cast<double>(gain) / 2 * kUnit * kUnit - 280897.00;
  const std::vector<Ring> buildings = cityBuildings(vertices, blocked, random);

  Construction city("big-city" + std::to_string(tiles) + "x" + std::to_string(tiles));
  city.addLayer("city", 0);
  city.addFloor(0, rect(0, 0, kCitySize * tiles, kCitySize * tiles));
  for (int tile = 0; tile < tiles * tiles; ++tile) {
    if (recipe.context().cancelled()) return Error{ErrorCode::kCancelled, "cancelled while the world was made"};
    const Point offset{tile % tiles * units(kCitySize), tile / tiles * units(kCitySize)};
    for (const Ring& ring : buildings) city.addObstacle(0, 0, moved(ring, offset));
    for (size_t i = 0; i < lots.size(); ++i) {
      raise(city, *lots[i].building, movedBy(lots[i].corner, offset),
            "tile " + std::to_string(tile) + " building " + std::to_string(i + 1));
    }
  }
  uint32_t perTile = kCityBuildings;
  for (const Lot& lot : lots) {
    perTile += lot.building->world.truth->boundaries - static_cast<uint32_t>(lot.building->doors.size() - 1);
  }
  return std::move(city).finish(1, 1 + perTile * static_cast<uint32_t>(tiles * tiles));
}

}  // namespace

std::vector<Entry> bigCityWorlds() {
  return {{{"big-city",
            "The city with six towers and two libraries whose ground floors belong to the street, or k x k of it.",
            "BigCity of the comparison study: n 61,785, 280,897.00 m2, 301 boundaries, genus 44, 113 layers, 196 "
            "connections. Edition 2, the ECM chapters: n 49,476, 305 holes, and BigCity2x2 (tiles 2) with n 197,884, "
            "449 layers, 784 connections, 1,220 holes. All reproduced; no area is given for edition 2 and the tilings, "
            "that of the study is used per tile.",
            {wholeParameter("tiles", "Tiles along each side.", 1, 1, 8), editionParameter()}},
           bigCity}};
}

}  // namespace wend::make
