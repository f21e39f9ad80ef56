#include "world/live_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "world/edit/footprints.h"
#include "world/environment_table.h"

namespace wend {
namespace {

// A shape as numbers.
struct ShapeNumbers {
  std::vector<double> numbers;
  std::vector<uint32_t> loopBegin;
};

ShapeNumbers numbersOf(const ObstacleShape& shape) {
  ShapeNumbers result;
  const auto add = [&](Vec2 p) {
    result.numbers.push_back(p.x);
    result.numbers.push_back(p.y);
  };
  if (const auto* polygon = std::get_if<PolygonShape>(&shape)) {
    const auto addLoop = [&](const std::vector<Vec2>& loop) {
      result.loopBegin.push_back(static_cast<uint32_t>(result.numbers.size() / 2));
      for (const Vec2 p : loop) add(p);
    };
    addLoop(polygon->corners);
    for (const std::vector<Vec2>& loop : polygon->loops) addLoop(loop);
  } else if (const auto* segment = std::get_if<SegmentShape>(&shape)) {
    add(segment->from);
    add(segment->to);
  } else if (const auto* box = std::get_if<BoxShape>(&shape)) {
    result.numbers = {box->size.x, box->size.y, box->size.z};
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    result.numbers = {cylinder->radius, cylinder->height};
  } else if (const auto* hull = std::get_if<ConvexShape>(&shape)) {
    for (const Vec3 p : hull->points) result.numbers.insert(result.numbers.end(), {p.x, p.y, p.z});
  }
  return result;
}

// False if the numbers are none of that kind. What they mean is checked when the obstacle is placed.
bool shapeOf(uint8_t kind, const ShapeNumbers& given, ObstacleShape& shape) {
  const std::vector<double>& n = given.numbers;
  switch (kind) {
    case 0: {
      const auto corners = static_cast<uint32_t>(n.size() / 2);
      if (n.size() % 2 != 0 || given.loopBegin.empty() || given.loopBegin.front() != 0) return false;
      PolygonShape polygon;
      for (size_t i = 0; i < given.loopBegin.size(); ++i) {
        const uint32_t begin = given.loopBegin[i];
        const uint32_t end = i + 1 < given.loopBegin.size() ? given.loopBegin[i + 1] : corners;
        if (begin > end || end > corners) return false;
        std::vector<Vec2> loop;
        for (uint32_t k = begin; k < end; ++k) loop.push_back({n[2 * size_t{k}], n[2 * size_t{k} + 1]});
        if (i == 0) {
          polygon.corners = std::move(loop);
        } else {
          polygon.loops.push_back(std::move(loop));
        }
      }
      shape = std::move(polygon);
      return true;
    }
    case 1:
      if (n.size() != 4) return false;
      shape = SegmentShape{{n[0], n[1]}, {n[2], n[3]}};
      return true;
    case 2:
      shape = PointShape{};
      return n.empty();
    case 3:
      if (n.size() != 3) return false;
      shape = BoxShape{{n[0], n[1], n[2]}};
      return true;
    case 4:
      if (n.size() != 2) return false;
      shape = CylinderShape{n[0], n[1]};
      return true;
    case 5: {
      if (n.size() % 3 != 0) return false;
      ConvexShape hull;
      for (size_t i = 0; i < n.size(); i += 3) hull.points.push_back({n[i], n[i + 1], n[i + 2]});
      shape = std::move(hull);
      return true;
    }
    default:
      return false;
  }
}

Error wrongTable(std::string sentence) {
  return {ErrorCode::kFormat, std::move(sentence)};
}

template <typename T, typename Vector>
std::vector<T> copied(const Vector* vector, TableReading& reading) {
  const std::span<const T> values = view<T>(vector, reading);
  return {values.begin(), values.end()};
}

Result<Obstacle> readObstacle(const file::Obstacle& table, TableReading& reading) {
  Obstacle obstacle;
  obstacle.name = text(table.name(), reading);
  const ShapeNumbers numbers{copied<double>(table.numbers(), reading), copied<uint32_t>(table.loop_begin(), reading)};
  const std::vector<double> place = copied<double>(table.place(), reading);
  if (place.size() != 5 || !shapeOf(table.kind(), numbers, obstacle.shape)) {
    return wrongTable("the shape or place of an obstacle is not complete");
  }
  obstacle.place = {{place[0], place[1], place[2]}, place[3], place[4]};
  obstacle.layers = copied<int32_t>(table.layers(), reading);
  obstacle.spreads = table.spreads();
  return obstacle;
}

Status readObstacles(const file::Live& table, const LiveBase& base, LiveState& live, TableReading& reading) {
  if (table.obstacles() == nullptr) return Done{};
  for (const file::Obstacle* entry : *table.obstacles()) {
    if (!reading.takeTable()) break;
    if (entry->slot() >= live.slots.size() || live.slots[entry->slot()].placed) {
      return wrongTable("an obstacle is in a slot that does not exist or is taken");
    }
    Result<Obstacle> obstacle = readObstacle(*entry, reading);
    if (!obstacle.ok()) return obstacle.error();
    Result<std::vector<Footprint>> footprints = footprintsOf(base, *obstacle, live.stature);
    if (!footprints.ok()) return wrongTable(footprints.error().message);
    live.slots[entry->slot()].placed =
        std::make_shared<const PlacedObstacle>(PlacedObstacle{*std::move(obstacle), *std::move(footprints)});
  }
  return Done{};
}

Status readDoors(const file::Live& table, const LiveBase& base, LiveState& live, TableReading& reading) {
  if (table.doors() == nullptr) return Done{};
  for (const file::Door* entry : *table.doors()) {
    if (!reading.takeTable()) break;
    Door door;
    door.name = text(entry->name(), reading);
    door.line = copied<Vec2>(entry->line(), reading);
    door.thickness = entry->thickness();
    door.layer = entry->layer();
    door.spreads = entry->spreads();
    door.open = entry->open();
    Result<std::vector<Footprint>> footprints = footprintsOf(base, door);
    if (!footprints.ok()) return wrongTable(footprints.error().message);
    if (door.name.empty() || live.doors.contains(door.name)) return wrongTable("a door has no name of its own");
    const std::string name = door.name;
    live.doors[name] = {std::move(door), std::make_shared<const std::vector<Footprint>>(*std::move(footprints))};
  }
  return Done{};
}

}  // namespace

flatbuffers::Offset<file::Live> writeLive(flatbuffers::FlatBufferBuilder& builder, const LiveState& live) {
  std::vector<uint32_t> generations;
  std::vector<flatbuffers::Offset<file::Obstacle>> obstacles;
  for (uint32_t i = 0; i < live.slots.size(); ++i) {
    generations.push_back(live.slots[i].generation);
    if (!live.slots[i].placed) continue;
    const Obstacle& o = live.slots[i].placed->obstacle;
    const ShapeNumbers numbers = numbersOf(o.shape);
    const std::vector<double> place{o.place.at.x, o.place.at.y, o.place.at.z, o.place.cosine, o.place.sine};
    const auto name = builder.CreateString(o.name);
    const auto values = builder.CreateVector(numbers.numbers);
    const auto loopBegin = builder.CreateVector(numbers.loopBegin);
    const auto at = builder.CreateVector(place);
    const auto layers = builder.CreateVector(o.layers);
    obstacles.push_back(file::CreateObstacle(builder, i, name, static_cast<uint8_t>(o.shape.index()), values, loopBegin,
                                             at, layers, o.spreads));
  }
  std::vector<flatbuffers::Offset<file::Door>> doors;
  for (const auto& [name, placed] : live.doors) {
    const auto line = structs<file::Vec2>(builder, std::span<const Vec2>(placed.door.line));
    doors.push_back(file::CreateDoor(builder, builder.CreateString(name), line, placed.door.thickness,
                                     placed.door.layer, placed.door.spreads, placed.door.open));
  }
  std::vector<flatbuffers::Offset<file::Cost>> costs;
  for (const auto& [key, cost] : live.costs) {
    const auto profile = builder.CreateString(key.first);
    const auto label = builder.CreateString(key.second);
    costs.push_back(file::CreateCost(builder, profile, label, cost));
  }
  const auto slots = builder.CreateVector(generations);
  const auto obstacleTable = builder.CreateVector(obstacles);
  const auto doorTable = builder.CreateVector(doors);
  const auto costTable = builder.CreateVector(costs);
  return file::CreateLive(builder, live.version, live.stature.step, live.stature.headRoom, slots, obstacleTable,
                          doorTable, costTable);
}

flatbuffers::Offset<file::Settings> writeSettings(flatbuffers::FlatBufferBuilder& builder,
                                                  const GenerateSettings& settings) {
  std::vector<flatbuffers::Offset<file::Option>> options;
  for (const auto& [name, value] : settings.options) {
    const auto nameText = builder.CreateString(name);
    const auto valueText = builder.CreateString(value);
    options.push_back(file::CreateOption(builder, nameText, valueText));
  }
  const auto generator = builder.CreateString(settings.generator);
  const auto list = builder.CreateVector(options);
  return file::CreateSettings(builder, generator, list, settings.seed);
}

GenerateSettings readSettings(const file::Settings& table, TableReading& reading) {
  GenerateSettings settings;
  settings.generator = text(table.generator(), reading);
  settings.seed = table.seed();
  if (table.options() == nullptr) return settings;
  for (const file::Option* option : *table.options()) {
    if (!reading.takeTable()) break;
    settings.options.emplace_back(text(option->name(), reading), text(option->text(), reading));
  }
  return settings;
}

Result<LiveState> readLive(const file::Live& table, const LiveBase& base, TableReading& reading) {
  LiveState live;
  live.version = table.version();
  live.stature = {table.step(), table.head_room()};
  if (!(live.stature.headRoom >= 0.01 && live.stature.headRoom <= 1000 && live.stature.step >= 0 &&
        live.stature.step < live.stature.headRoom)) {
    return wrongTable("the step or head room is out of range");
  }
  for (const uint32_t generation : copied<uint32_t>(table.generations(), reading)) {
    live.slots.push_back({generation, nullptr});
  }
  if (Status status = readObstacles(table, base, live, reading); !status.ok()) return status.error();
  if (Status status = readDoors(table, base, live, reading); !status.ok()) return status.error();
  if (table.costs() != nullptr) {
    for (const file::Cost* entry : *table.costs()) {
      if (!reading.takeTable()) break;
      if (!(entry->cost() > 0 && entry->cost() <= 1e9)) return wrongTable("a cost is out of range");
      live.costs[{text(entry->profile(), reading), text(entry->label(), reading)}] = entry->cost();
    }
  }
  if (!reading.isSound()) return wrongTable(std::string(reading.fault()));
  return live;
}

uint64_t hash(const LiveState& live) {
  Hash sum;
  sum.add(live.version);
  sum.add(live.stature.step);
  sum.add(live.stature.headRoom);
  sum.add(live.slots.size());
  for (const LiveState::Slot& slot : live.slots) {
    sum.add(slot.generation);
    sum.add(slot.placed != nullptr);
    if (!slot.placed) continue;
    const Obstacle& o = slot.placed->obstacle;
    const ShapeNumbers numbers = numbersOf(o.shape);
    sum.add(o.name);
    sum.add(o.shape.index());
    sum.array(std::span<const double>(numbers.numbers));
    sum.array(std::span<const uint32_t>(numbers.loopBegin));
    for (const double v : {o.place.at.x, o.place.at.y, o.place.at.z, o.place.cosine, o.place.sine}) sum.add(v);
    sum.array(std::span<const int32_t>(o.layers));
    sum.add(o.spreads);
  }
  sum.add(live.doors.size());
  for (const auto& [name, placed] : live.doors) {
    sum.add(name);
    sum.array(std::span<const Vec2>(placed.door.line));
    sum.add(placed.door.thickness);
    sum.add(placed.door.layer);
    sum.add(static_cast<uint8_t>(placed.door.spreads + 2 * placed.door.open));
  }
  sum.add(live.costs.size());
  for (const auto& [key, cost] : live.costs) {
    sum.add(key.first);
    sum.add(key.second);
    sum.add(cost);
  }
  return sum.value();
}

uint64_t hash(const GenerateSettings& settings) {
  Hash sum;
  sum.add(settings.generator);
  sum.add(settings.seed);
  for (const auto& [name, value] : settings.options) {
    sum.add(name);
    sum.add(value);
  }
  return sum.value();
}

size_t bytesOf(const LiveState& live) {
  constexpr size_t kTable = 256;
  size_t bytes = kTable + live.slots.size() * sizeof(uint32_t);
  for (const LiveState::Slot& slot : live.slots) {
    if (!slot.placed) continue;
    const ShapeNumbers numbers = numbersOf(slot.placed->obstacle.shape);
    bytes += kTable + slot.placed->obstacle.name.size() + numbers.numbers.size() * sizeof(double) +
             (numbers.loopBegin.size() + slot.placed->obstacle.layers.size()) * sizeof(uint32_t);
  }
  for (const auto& [name, placed] : live.doors) {
    bytes += kTable + name.size() + placed.door.line.size() * sizeof(Vec2);
  }
  for (const auto& [key, cost] : live.costs) bytes += kTable + key.first.size() + key.second.size();
  return bytes;
}

size_t tablesOf(const LiveState& live) {
  return live.slots.size() + live.doors.size() + live.costs.size() + 2;
}

}  // namespace wend
